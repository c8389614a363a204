"""`tf.saved_model.save` and `load_v2`: objects, their values and functions, and serving them in sessions."""

import gc
import json
import sys
import weakref

import numpy as np
import pytest

import tfmini as tf
from tests.saved_model.objects.conftest import FLOAT, Model
from tests.support import goldens
from tfmini._src.models.keras.engine.model_functions import trace_model_call


def test_variables_keep_values_names_and_flags(loaded):
    assert (loaded.v.numpy(), loaded.v.name, loaded.v.trainable) == (3.0, "vee:0", True)
    assert loaded.rows[0].numpy().tolist() == [1.0, 2.0]
    assert (loaded.more["a"].numpy(), loaded.more["a"].trainable) == (5, False)
    assert loaded.tensorflow_version == tf.__version__


def test_loaded_object_is_differentiable_mutable_and_savable(loaded, tmp_path):
    with tf.GradientTape() as tape:
        y = loaded.scaled(tf.constant(2.0))
    v, row = tape.gradient(y, [loaded.v, loaded.rows[0]])
    assert (v.numpy(), row.numpy().tolist()) == (2.0, [1.0, 1.0])
    loaded.v.assign(4.0)
    assert loaded.scaled(tf.constant(2.0)).numpy() == 11.0
    tf.saved_model.save(loaded, str(tmp_path / "again"))
    reloaded = tf.saved_model.load_v2(str(tmp_path / "again"))
    assert reloaded.scaled(tf.constant(2.0)).numpy() == 11.0
    assert reloaded.power(tf.constant([3.0, 4.0]))["l"].numpy().tolist() == [10, -1]


def test_single_known_function_is_served(loaded, tmp_path):
    served = loaded.signatures["serving_default"]
    assert served(tf.constant(2.0))["output_0"].numpy() == 9.0
    assert served(x=tf.constant(2.0))["output_0"].numpy() == 9.0
    with tf.Graph().as_default(), tf.Session() as session:
        meta_graph = tf.saved_model.loader.load(session, ["serve"], str(tmp_path / "m"))
        signature = meta_graph.signature_def["serving_default"]
        feeds = {signature.inputs["x"].name: 4.0}
        assert session.run(signature.outputs["output_0"].name, feeds) == 15.0


def test_freed_table_leaves_other_graphs_unchanged(tmp_path):
    """Its destructor is traced at that moment."""
    tf.saved_model.save(Model(), str(tmp_path))
    freed = []
    weakref.finalize(tf.saved_model.load_v2(str(tmp_path)).table, freed.append, "the table")
    with tf.Graph().as_default() as graph:
        gc.collect()
    assert freed
    assert graph.collections == []


def test_freed_table_adds_nothing_to_its_graph(tmp_path, monkeypatch):
    """Its destructor would never run there, and a finalized graph cannot be changed."""
    shown = []
    monkeypatch.setattr(sys, "unraisablehook", lambda result: shown.append(result.exc_value))
    tf.saved_model.save(Model(), str(tmp_path))
    freed = []
    with tf.Graph().as_default() as graph:
        weakref.finalize(tf.saved_model.load_v2(str(tmp_path)).table, freed.append, "the table")
        graph.finalize()
        before = graph.version
        gc.collect()
    assert freed
    assert (shown, graph.version) == ([], before)


def test_tensorflow_model_is_loaded(tmp_path):
    goldens.extract(goldens.golden_path("saved_models", "second.tar.xz"), tmp_path)
    row = json.loads((tmp_path / "values.json").read_text())["loops"]
    feeds, values = row["feeds"], row["values"]
    loaded = tf.saved_model.load_v2(str(tmp_path / "loops"))
    x = np.array(feeds["x"]["data"], "f").reshape(feeds["x"]["shape"])
    result = loaded(x, np.int32(feeds["n"]["data"][0]))
    expected = np.array(values["y"]["data"], "f").reshape(values["y"]["shape"])
    np.testing.assert_allclose(result["y"].numpy(), expected, rtol=1e-6)
    assert result["word"].numpy().decode() == values["word"]["data"][0]["bytes"]


def test_nested_signature_outputs_are_refused(tmp_path):
    root = tf.train.Checkpoint(f=tf.function(lambda x: [x, [x]], input_signature=[FLOAT]))
    with pytest.raises(ValueError, match="Got non-flat outputs"):
        tf.saved_model.save(root, str(tmp_path), root.f)


def test_optimizer_keeps_slots(tmp_path):
    root = tf.train.Checkpoint(v=tf.Variable([2.0, 3.0]), optimizer=tf.keras.optimizers.Adam(0.5))
    root.optimizer.apply_gradients([(tf.constant([1.0, 2.0]), root.v)])
    root.f = tf.function(lambda x: root.v * x, input_signature=[FLOAT])
    tf.saved_model.save(root, str(tmp_path / "one"))
    loaded = tf.saved_model.load_v2(str(tmp_path / "one"))
    tf.saved_model.save(loaded, str(tmp_path / "two"))
    for result in (loaded, tf.saved_model.load_v2(str(tmp_path / "two"))):
        slot = result.optimizer.get_slot(result.v, "m")
        np.testing.assert_allclose(slot.numpy(), [0.1, 0.2], rtol=1e-6)
        assert result.optimizer.get_slot_names() == ["m", "v"]
        np.testing.assert_allclose(result.v.numpy(), [1.5, 2.5], rtol=1e-5)


def test_keras_model_is_called_and_served(tmp_path):
    inputs = tf.keras.Input([3], name="rows")
    hidden = tf.keras.layers.Dropout(0.5)(tf.keras.layers.Dense(4, "relu")(inputs))
    model = tf.keras.Model(inputs, tf.keras.layers.Dense(2, name="out")(hidden))
    x = tf.constant([[1.0, -2.0, 3.0], [0.5, 0.0, 1.0]])
    expected = model(x, training=False).numpy()
    tf.saved_model.save(model, str(tmp_path))
    loaded = tf.saved_model.load_v2(str(tmp_path))
    np.testing.assert_allclose(loaded(x).numpy(), expected, rtol=1e-6)
    assert loaded(x, training=True).shape == (2, 2)
    assert len(loaded.trainable_variables) == 4
    served = loaded.signatures["serving_default"](rows=x)
    np.testing.assert_allclose(served["out"].numpy(), expected, rtol=1e-6)
    with tf.GradientTape() as tape:
        loss = tf.reduce_sum(loaded(x))
    assert len(tape.gradient(loss, loaded.trainable_variables)) == 4


def test_unbuilt_model_keeps_other_functions(tmp_path):
    model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
    root = tf.train.Checkpoint(model=model, v=tf.Variable(2.0))
    root.f = tf.function(lambda x: root.v * x, input_signature=[FLOAT])
    tf.saved_model.save(root, str(tmp_path))
    assert tf.saved_model.load_v2(str(tmp_path)).f(tf.constant(3.0)).numpy() == 6.0


def test_attached_function_is_saved(tmp_path):
    model = tf.keras.Sequential([tf.keras.layers.Dense(1, input_shape=[2])])
    model.twice = tf.function(lambda x: 2.0 * model(x), input_signature=[tf.TensorSpec([None, 2])])
    tf.saved_model.save(model, str(tmp_path / "m"))
    loaded = tf.saved_model.load_v2(str(tmp_path / "m"))
    inputs = tf.ones([1, 2])
    assert loaded.twice(inputs).numpy() == 2.0 * model(inputs).numpy()
    assert loaded(inputs).numpy() == model(inputs).numpy()


def test_dict_input_model_is_served_by_keys(tmp_path):
    columns = [tf.feature_column.numeric_column(key) for key in "xy"]
    model = tf.keras.Sequential([tf.keras.layers.DenseFeatures(columns)])
    inputs = {"x": tf.constant([[1.0]]), "y": tf.constant([[2.0]])}
    model.predict(inputs, steps=1)
    tf.saved_model.save(model, str(tmp_path / "m"))
    loaded = tf.saved_model.load_v2(str(tmp_path / "m"))
    for result in (
        loaded._default_save_signature(inputs),
        loaded.signatures["serving_default"](**inputs),
    ):
        assert [value.numpy().tolist() for value in result.values()] == [[[1.0, 2.0]]]


def test_tracing_without_inputs_requires_signature():
    model = tf.keras.Sequential([tf.keras.layers.Dense(3)])
    with pytest.raises(ValueError, match="the input shapes have not been set"):
        trace_model_call(model)
    result = trace_model_call(model, [tf.TensorSpec([None, 2], tf.float32)])(tf.ones([4, 2]))
    assert {name: value.shape.as_list() for name, value in result.items()} == {"output_1": [4, 3]}


def test_variable_from_argument_keeps_partial_shape(tmp_path):
    class Late(tf.Module):
        v = None

        @tf.function(input_signature=[tf.TensorSpec([None], tf.int64)])
        def make(self, value):
            if self.v is None:
                self.v = tf.Variable(value)

    late = Late()
    late.make(tf.constant([1, 2, 3], tf.int64))
    tf.saved_model.save(late, str(tmp_path / "m"))
    loaded = tf.saved_model.load_v2(str(tmp_path / "m"))
    for created in (late, loaded):
        assert created.v.shape.as_list() == [None]
        created.v.assign([1, 2, 3, 4])
        assert created.v.numpy().tolist() == [1, 2, 3, 4]


def test_variables_are_freed_with_loaded_object(tmp_path):
    root = tf.train.Checkpoint(v=tf.Variable(2.0))
    root.f = tf.function(lambda x: root.v * x, input_signature=[tf.TensorSpec([], tf.float32)])
    tf.saved_model.save(root, str(tmp_path / "m"))
    gc.collect()
    gc.disable()
    try:
        loaded = tf.saved_model.load_v2(str(tmp_path / "m"))
        assert loaded.f(tf.constant(3.0)).numpy() == 6.0
        variable = weakref.ref(loaded.v)
        del loaded
        assert variable() is None
    finally:
        gc.enable()


def test_object_may_be_loaded_in_function(tmp_path):
    root = tf.train.Checkpoint(v=tf.Variable(2.0))
    root.f = tf.function(lambda x: root.v * x, input_signature=[tf.TensorSpec([], tf.float32)])
    tf.saved_model.save(root, str(tmp_path / "m"))
    loaded = []

    @tf.function
    def function(x):
        if not loaded:
            loaded.append(tf.saved_model.load_v2(str(tmp_path / "m")))
        return loaded[0].f(x)

    assert function(tf.constant(3.0)).numpy() == 6.0
    assert loaded[0].v.numpy() == 2.0


def test_unreachable_variable_is_refused(tmp_path):
    model, unreachable = tf.Module(), tf.Variable([5.0, 2.0])
    model.f = tf.function(lambda x: unreachable * x)
    model.f(tf.constant([1.0, 2.0]))
    with pytest.raises(
        KeyError, match="captures tensor .*dtype=resource.* not reachable from root"
    ):
        tf.saved_model.save(model, str(tmp_path / "m"))
