"""Models as SavedModels: loaded, run as graphs, and exchanged with TensorFlow."""

import subprocess

import numpy as np
import pytest

import tfmini as tf
from tfmini._src.saved_model.loader import find_train_op
from tfmini._src.session.eager.enable import eager_mode

pytestmark = pytest.mark.usefixtures("keras_session")

layers = tf.keras.layers

export = tf.keras.experimental.export_saved_model

load = tf.keras.experimental.load_from_saved_model

X, Y = np.random.RandomState(0).rand(8, 3), np.random.RandomState(1).rand(8, 2)


def _model(compiled=True):
    model = tf.keras.Sequential(
        [
            layers.Dense(4, activation="relu", input_shape=(3,), name="first"),
            layers.BatchNormalization(),
            layers.Dense(2, name="out"),
        ]
    )
    if compiled:
        model.compile("adam", "mse", metrics=["mae"])
        model.fit(X, Y, epochs=2, verbose=0)
    return model


def test_weights_and_graphs_of_all_modes(tmp_path):
    model = _model()
    expected, loss = model.predict(X), model.evaluate(X, Y, verbose=0)
    export(model, str(tmp_path / "m"))
    tf.keras.backend.clear_session()
    loaded = load(str(tmp_path / "m"))
    np.testing.assert_allclose(loaded.predict(X), expected, rtol=1e-5)
    with tf.Graph().as_default(), tf.Session() as session:
        graph = tf.saved_model.load(session, ["serve"], str(tmp_path / "m"))
        signature = graph.signature_def["serving_default"]
        result = session.run(
            signature.outputs["out"].name, {signature.inputs["first_input"].name: X}
        )
        np.testing.assert_allclose(result, expected, rtol=1e-5)
    with tf.Graph().as_default(), tf.Session() as session:
        graph = tf.saved_model.load(session, ["eval"], str(tmp_path / "m"))
        signature = graph.signature_def["eval"]
        feeds = {signature.inputs["first_input"].name: X, signature.inputs["out_target"].name: Y}
        name = "metrics/mean_absolute_error"
        assert set(signature.outputs) == {
            *("loss", "predictions/out", f"{name}/value", f"{name}/update_op"),
        }
        assert session.run(signature.outputs["loss"].name, feeds) == pytest.approx(loss[0])
        session.run(signature.outputs[f"{name}/update_op"].name, feeds)
        value = session.run(signature.outputs[f"{name}/value"].name)
        assert value == pytest.approx(loss[1])
    with tf.Graph().as_default(), tf.Session() as session:
        graph = tf.saved_model.load(session, ["train"], str(tmp_path / "m"))
        signature = graph.signature_def["train"]
        feeds = {signature.inputs["first_input"].name: X, signature.inputs["out_target"].name: Y}
        train = find_train_op(graph)
        first = session.run(signature.outputs["loss"].name, feeds)
        for _ in range(20):
            session.run(train, feeds)
        assert session.run(signature.outputs["loss"].name, feeds) < first


def test_serving_only_export(tmp_path):
    model = _model(compiled=False)
    shape = tf.TensorSpec([5, 3], tf.float32, name="rows")
    export(model, str(tmp_path / "m"), serving_only=True, input_signature=[shape])
    with tf.Graph().as_default(), tf.Session() as session:
        graph = tf.saved_model.load(session, ["serve"], str(tmp_path / "m"))
        (collected,) = graph.signature_def["serving_default"].inputs.values()
        assert collected.name == "serving_default_rows:0"
    assert load(str(tmp_path / "m")).get_config() == model.get_config()
    with pytest.raises(AssertionError, match="already exists, and isn't empty"):
        export(model, str(tmp_path / "m"))
    with pytest.raises(ValueError, match="Weights for sequential model have not yet been created"):
        export(tf.keras.Sequential([layers.Dense(1)]), str(tmp_path / "n"))
    with pytest.raises(NotImplementedError, match="can only be exported for serving"):
        export(type("Own", (tf.keras.Model,), {})(), str(tmp_path / "n"))


@pytest.mark.parametrize("own", [False, True])
def test_subclassed_model(own, tmp_path):
    """A subclass for serving, and a Sequential model built by its first batch."""
    created = [layers.Dense(2, name="first"), layers.Dense(3, name="out")]
    with eager_mode():
        model = tf.keras.Sequential(created)
        if own:
            model = type(
                "Own", (tf.keras.Model,), {"call": lambda self, x: self.all[1](self.all[0](x))}
            )()
            model.all = created
        else:
            model.compile("sgd", "mse")
        expected = model.predict(X)
        export(model, str(tmp_path / "m"), serving_only=own)
    with tf.Graph().as_default(), tf.Session() as session:
        graph = tf.saved_model.load(session, ["serve"], str(tmp_path / "m"))
        signature = graph.signature_def["serving_default"]
        (inputs,), (result,) = signature.inputs.values(), signature.outputs.values()
        np.testing.assert_allclose(session.run(result.name, {inputs.name: X}), expected, rtol=1e-5)
    assert (tmp_path / "m" / "assets" / "saved_model.json").exists() is not own


PROGRAM = """
import sys
import numpy as np
import tensorflow as tf
folder, x = sys.argv[1], np.load(sys.argv[1] + "/x.npy")
np.save(folder + "/theirs_of_ours.npy", tf.keras.experimental.load_from_saved_model(folder + "/ours").predict(x))
with tf.Graph().as_default(), tf.Session() as session:
    graph = tf.saved_model.load(session, ["train"], folder + "/ours")
tf.keras.backend.clear_session()
inputs = tf.keras.Input((3,))
model = tf.keras.Model(inputs, tf.keras.layers.Dense(2)(tf.keras.layers.Dense(4, activation="tanh")(inputs)))
model.compile("sgd", "mse", metrics=["mae"])
tf.keras.experimental.export_saved_model(model, folder + "/theirs")
np.save(folder + "/theirs.npy", model.predict(x))
"""


@pytest.mark.reference
def test_models_exchange_with_tensorflow(tmp_path, reference):
    np.save(tmp_path / "x.npy", X)
    model = _model()
    export(model, str(tmp_path / "ours"))
    command = [reference, "-W", "ignore", "-c", PROGRAM, str(tmp_path)]
    process = subprocess.run(command, capture_output=True, timeout=120, check=False)
    assert process.returncode == 0, process.stderr.decode()[-2000:]
    result = np.load(tmp_path / "theirs_of_ours.npy")
    np.testing.assert_allclose(result, model.predict(X), rtol=1e-5, atol=1e-6)
    tf.keras.backend.clear_session()
    loaded = load(str(tmp_path / "theirs"))
    np.testing.assert_allclose(
        loaded.predict(X), np.load(tmp_path / "theirs.npy"), rtol=1e-5, atol=1e-6
    )
