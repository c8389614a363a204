"""Raw features in place of tf.Examples: the graph computes the same as the model with its parser."""

import numpy as np
import pytest

import tfmini as tf
from tfmini._src.saved_model.frozen_graph import Frozen, from_saved_model
from tfmini._src.saved_model.raw_features import replace_parse_example

ROWS = [{"size": [1.0, 2.0, -1.0], "weight": 0.5}, {"size": [0.0, -2.0, 4.0], "weight": -3.0}]


def exported(directory, columns):
    """A canned classifier, saved with a record parser."""
    features = {"size": np.ones([4, 3], "f"), "weight": np.ones(4, "f")}
    model = tf.estimator.DNNClassifier(
        [4],
        columns,
        n_classes=3,
        config=tf.estimator.RunConfig(str(directory / "m"), tf_random_seed=1),
    )
    chosen = {column.name: features[column.name] for column in columns}
    model.train(
        tf.estimator.inputs.numpy_input_fn(chosen, np.zeros(4, "i"), shuffle=False), steps=1
    )
    spec = tf.feature_column.make_parse_example_spec(columns)
    receiver = tf.estimator.export.build_parsing_serving_input_receiver_fn(spec)
    return model.export_saved_model(str(directory / "served"), receiver).decode()


def example(row):
    features = {
        key: tf.train.Feature(float_list=tf.train.FloatList(value=np.ravel(value)))
        for key, value in row.items()
    }
    return tf.train.Example(features=tf.train.Features(feature=features)).SerializeToString()


@pytest.mark.parametrize(
    "key, result", [("serving_default", "scores"), ("predict", "probabilities")]
)
def test_canned_classifier(tmp_path, key, result):
    columns = [
        tf.feature_column.numeric_column("size", 3),
        tf.feature_column.numeric_column("weight"),
    ]
    directory = exported(tmp_path, columns)
    predict = tf.contrib.predictor.from_saved_model(directory, signature_def_key=key)
    (collected,) = predict.feed_tensors
    expected = predict({collected: [example(row) for row in ROWS]})[result]
    frozen = replace_parse_example(from_saved_model(directory, key, [], []))
    assert sorted(frozen.inputs) == ["size:0", "weight:0"]
    assert "ParseExample" not in {node.op for node in frozen.graph_def.node}
    name = predict.fetch_tensors[result].name
    with tf.Graph().as_default() as graph, tf.Session() as session:
        tf.import_graph_def(frozen.graph_def, name="")
        shapes = {n: graph.get_tensor_by_name(n).shape.as_list() for n in frozen.inputs}
        assert shapes == {"size:0": [None, 3], "weight:0": [None, 1]}
        dtypes = {graph.get_tensor_by_name(n).dtype for n in frozen.outputs}
        assert name in frozen.outputs and tf.string not in dtypes
        feeds = {
            "size:0": [row["size"] for row in ROWS],
            "weight:0": [[row["weight"]] for row in ROWS],
        }
        np.testing.assert_allclose(session.run(name, feeds), expected, 1e-6)


def test_other_nodes_are_unchanged():
    with tf.Graph().as_default() as graph:
        records = tf.placeholder(tf.string, [None], name="records")
        spec = {
            "dense": tf.FixedLenFeature([2], tf.float32),
            "sparse": tf.VarLenFeature(tf.float32),
        }
        parsed = tf.parse_example(records, spec)
        tf.identity(parsed["dense"], name="y")
        tf.identity(parsed["sparse"].values, name="z")
    graph_def = graph.as_graph_def()
    sparse = Frozen(graph_def, ["records:0"], ["z:0"])
    assert replace_parse_example(sparse) is sparse
    fed = Frozen(graph_def, [parsed["dense"].name], ["y:0"])
    assert replace_parse_example(fed) is fed
    plain = Frozen(tf.GraphDef(), [], [])
    assert replace_parse_example(plain) is plain


def test_name_conflict_is_refused():
    with tf.Graph().as_default() as graph:
        records = tf.placeholder(tf.string, [None], name="age")
        parsed = tf.parse_example(records, {"age": tf.FixedLenFeature([], tf.int64)})
        tf.identity(parsed["age"], name="y")
    raw = replace_parse_example(Frozen(graph.as_graph_def(), ["age:0"], ["y:0"]))
    assert raw.inputs == ["features/age:0"]
    (placeholder,) = [node for node in raw.graph_def.node if node.op == "Placeholder"]
    assert placeholder.attr["dtype"].type == tf.int64.as_datatype_enum
    assert [dim.size for dim in placeholder.attr["shape"].shape.dim] == [-1]
