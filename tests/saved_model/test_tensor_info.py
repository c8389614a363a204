"""Tensors named by signatures."""

import tfmini as tf
from tfmini._src.saved_model.tensor_info import get_tensor_from_tensor_info, tensor_info
from tfmini._src.session.eager.enable import eager_mode


def test_ragged_tensor_info_lists_components():
    with tf.Graph().as_default() as graph, tf.Session() as session:
        rows = tf.RaggedTensor.from_row_lengths(tf.constant([1, 2, 3], name="all"), [2, 1])
        info = tensor_info(rows)
        assert info.composite_tensor.type_spec.type_spec_class_name == "RaggedTensorSpec"
        assert [part.name for part in info.composite_tensor.components] == [
            rows.values.name,
            rows.row_splits.name,
        ]
        tf.import_graph_def(graph.as_graph_def(), name="in")
        result = get_tensor_from_tensor_info(info, graph, import_scope="in")
        assert result.values.name == "in/all:0" and session.run(result).to_list() == [[1, 2], [3]]


def test_ragged_function_is_served_and_loaded(tmp_path):
    with eager_mode():
        model = tf.Module()
        spec = tf.RaggedTensorSpec([None, None], tf.int32)
        model.more = tf.function(lambda x: x + 1, input_signature=[spec])
        tf.saved_model.save(model, str(tmp_path / "m"))
        reloaded = tf.saved_model.load_v2(str(tmp_path / "m"))
        assert reloaded.more(tf.ragged.constant([[1, 2], [3]])).to_list() == [[2, 3], [4]]
    with tf.Graph().as_default() as graph, tf.Session() as session:
        loaded = tf.saved_model.load(session, ["serve"], str(tmp_path / "m"))
        signature = loaded.signature_def["serving_default"]
        values, splits = (signature.inputs[name].name for name in ("x", "x_1"))
        result = get_tensor_from_tensor_info(signature.outputs["output_0"], graph)
        actual = session.run(result, {values: [1, 2, 3], splits: [0, 2, 3]})
        assert actual.to_list() == [[2, 3], [4]]
