"""Models in folders, `model.save(folder, save_format="tf")`: loaded, served, exchanged with TensorFlow."""

import gc
import subprocess

import numpy as np
import pytest

import tfmini as tf

pytestmark = pytest.mark.usefixtures("keras_session")

layers = tf.keras.layers
X, Y = np.random.RandomState(0).rand(8, 3), np.random.RandomState(1).rand(8, 2)


def _model():
    inputs = tf.keras.Input((3,), name="rows")
    hidden = layers.BatchNormalization()(layers.Dense(4, activation="relu")(inputs))
    model = tf.keras.Model(inputs, layers.Dense(2, name="out")(layers.Dropout(0.5)(hidden)))
    weighted = [tf.keras.metrics.RootMeanSquaredError()]  # its name is not that of a loss
    model.compile("adam", "mse", metrics=["mae"], weighted_metrics=weighted)
    model.fit(X, Y, epochs=2, verbose=0)
    return model


def _served(folder):
    with tf.Graph().as_default(), tf.Session() as session:
        graph = tf.saved_model.load(session, ["serve"], folder)
        signature = graph.signature_def["serving_default"]
        return session.run(signature.outputs["out"].name, {signature.inputs["rows"].name: X})


def test_model_is_loaded_and_served(tmp_path):
    folder, model = str(tmp_path / "m"), _model()
    expected, measured = model.predict(X), model.evaluate(X, Y, verbose=0)
    model.save(folder, save_format="tf")
    np.testing.assert_allclose(_served(folder), expected, rtol=1e-5, atol=1e-6)
    tf.keras.backend.clear_session()
    loaded = tf.keras.models.load_model(folder)
    np.testing.assert_allclose(loaded.predict(X), expected, rtol=1e-5, atol=1e-6)
    np.testing.assert_allclose(loaded.evaluate(X, Y, verbose=0), measured, rtol=1e-5)
    tf.keras.backend.clear_session()
    loaded = tf.keras.models.load_model(folder)
    loaded.fit(X, Y, verbose=0)
    tf.keras.models.save_model(loaded, folder, save_format="tf", include_optimizer=False)
    np.testing.assert_allclose(_served(folder), loaded.predict(X), rtol=1e-5, atol=1e-6)
    assert not tf.keras.models.load_model(folder).optimizer
    names = [name for name, _ in tf.train.list_variables(folder + "/variables/variables")]
    assert not [name for name in names if "optimizer" in name.lower().split("/")[0]]
    loaded.save_weights(folder + "/w")  # a checkpoint contains the optimizer that the folder lacks
    assert "optimizer/iter/.ATTRIBUTES/VARIABLE_VALUE" in dict(
        tf.train.list_variables(folder + "/w")
    )


def test_custom_losses_and_metrics(tmp_path):
    """TensorFlow 1.15 ignores `custom_objects` here, and finds them only in a scope."""

    def cubed(expected, result):
        return tf.reduce_mean(tf.abs(expected - result) ** 3, axis=-1)

    def largest(expected, result):
        return tf.reduce_max(tf.abs(expected - result))

    folder, own = str(tmp_path / "m"), {"cubed": cubed, "largest": largest}
    model = tf.keras.Sequential([layers.Dense(2, input_shape=(3,))])
    model.compile("sgd", cubed, metrics=[largest])
    model.save(folder, save_format="tf")
    loaded = tf.keras.models.load_model(folder, custom_objects=own)
    assert loaded.loss is cubed
    assert loaded.metrics_names == ["loss", "largest"]
    measured = [each.evaluate(X, Y, verbose=0) for each in (model, loaded)]
    np.testing.assert_allclose(*measured, rtol=1e-5)
    for inputs in ({}, {"largest": largest}):
        with pytest.raises(ValueError, match="^Unknown loss function:cubed$"):
            tf.keras.models.load_model(folder, custom_objects=inputs)
    with pytest.raises(ValueError, match="^Unknown metric function:largest$"):
        tf.keras.models.load_model(folder, custom_objects={"cubed": cubed})
    with tf.keras.utils.custom_object_scope(own):
        assert tf.keras.models.load_model(folder).metrics_names == ["loss", "largest"]


def test_revived_model_is_saved_again(tmp_path):
    names = {"tf": tf}
    exec(CLASSES, names)
    model = names["Net"]()
    model.compile("sgd", "mse")
    model.fit(X, Y, verbose=0)
    expected = model.predict(X)
    for folder in (str(tmp_path / "first"), str(tmp_path / "second")):
        model.save(folder, save_format="tf")
        tf.keras.backend.clear_session()
        model = tf.keras.models.load_model(folder)
    np.testing.assert_allclose(model.predict(X), expected, rtol=1e-5, atol=1e-6)
    assert type(model).__name__ == "Net" and len(model.losses) == 1
    tf.keras.backend.clear_session()
    model = tf.keras.models.load_model(folder)
    model.fit(X, Y, verbose=0)
    assert np.abs(model.predict(X) - expected).max() > 1e-4
    assert not (tmp_path / "first/variables/checkpoint").exists()  # as in TensorFlow's folders


def test_unsupported_models_are_refused(tmp_path):
    with pytest.raises(ValueError, match="cannot be saved because the input shapes have not"):
        tf.keras.Sequential([layers.Dense(1)]).save(str(tmp_path / "m"), save_format="tf")
    with pytest.raises(OSError, match="SavedModel file does not exist at: "):
        tf.keras.models.load_model(str(tmp_path))
    with tf.Graph().as_default(), tf.Session() as session:
        x = tf.placeholder(tf.float32, [1])
        tf.saved_model.simple_save(session, str(tmp_path / "n"), {"x": x}, {"y": x + 1.0})
    assert list(tf.keras.models.load_model(str(tmp_path / "n")).signatures) == ["serving_default"]


CLASSES = """
class Net(tf.keras.Model):
    def __init__(self, rate=0.5):
        super(Net, self).__init__()
        self.hidden = tf.keras.layers.Dense(4, activation="relu")
        self.dropped = tf.keras.layers.Dropout(rate)
        self.last = tf.keras.layers.Dense(2, kernel_regularizer=tf.keras.regularizers.l2(0.1))

    def call(self, rows, training=False):
        return self.last(self.dropped(self.hidden(rows), training=training))

class Scale(tf.keras.layers.Layer):
    def build(self, shape):
        self.factors = self.add_weight("factors", (shape[-1],), initializer="ones")
        super(Scale, self).build(shape)

    def call(self, rows):
        self.add_loss(tf.reduce_mean(rows), inputs=True)
        return rows * self.factors * 2.0
"""

PROGRAM = """
import sys
import numpy as np
import tensorflow as tf
folder, x = sys.argv[1], np.load(sys.argv[1] + "/x.npy")
with tf.Graph().as_default(), tf.Session() as session:
    graph = tf.saved_model.load(session, ["serve"], folder + "/ours")
    signature = graph.signature_def["serving_default"]
    found = session.run(signature.outputs["out"].name, {signature.inputs["rows"].name: x})
    np.save(folder + "/theirs_of_ours.npy", found)
inputs = tf.keras.Input((3,))
model = tf.keras.Model(inputs, tf.keras.layers.Dense(2)(tf.keras.layers.Dense(4, activation="tanh")(inputs)))
model.compile("sgd", "mse", metrics=["mae"])
model.save(folder + "/theirs", save_format="tf")
np.save(folder + "/theirs.npy", model.predict(x))
for name in ["our_net", "our_scaled"]:
    tf.keras.backend.clear_session()
    model = tf.keras.models.load_model(folder + "/" + name)
    model.compile("sgd", "mse")
    history = model.fit(x, np.ones((8, 2)), verbose=0, epochs=2, shuffle=False)
    found = [len(model.weights), len(model.trainable_weights), len(model.losses), *history.history["loss"]]
    np.save(folder + "/" + name + "_trained.npy", found)
    np.save(folder + "/" + name + ".npy", model.predict(x))
tf.keras.backend.clear_session()

CLASSES
of_layers = tf.keras.Sequential([tf.keras.layers.Dense(2, input_shape=(3,)), Scale()])
for name, model in [("net", Net()), ("scaled", of_layers)]:
    model.compile("adam", "mse")
    model.fit(x, np.ones((8, 2)), verbose=0)
    model.save(folder + "/" + name, save_format="tf")
    np.save(folder + "/" + name + ".npy", model.predict(x))
    open(folder + "/" + name + ".txt", "w").write(repr(float(model.evaluate(x, np.ones((8, 2)), verbose=0))))
"""


def _trained_here(folder, name):
    """Saves a model of user-defined classes; returns its training results."""
    tf.keras.backend.clear_session()
    own = {"tf": tf}
    exec(CLASSES, own)
    if name == "our_net":
        model = own["Net"](0.0)
    else:
        model = tf.keras.Sequential(
            [layers.Dense(2, input_shape=(3,)), layers.BatchNormalization(), own["Scale"]()]
        )
    model.compile("sgd", "mse")
    model.fit(X, np.ones((8, 2)), verbose=0)
    model.save(str(folder / name), save_format="tf")
    history = model.fit(X, np.ones((8, 2)), verbose=0, epochs=2, shuffle=False)
    facts = [len(model.weights), len(model.trainable_weights), len(model.losses)]
    return [*facts, *history.history["loss"]], model.predict(X)


@pytest.mark.reference
def test_models_exchange_with_tensorflow(tmp_path, reference):
    np.save(tmp_path / "x.npy", X)
    model = _model()
    model.save(str(tmp_path / "ours"), save_format="tf")
    expected = model.predict(X)
    trained = {name: _trained_here(tmp_path, name) for name in ("our_net", "our_scaled")}
    program = PROGRAM.replace("CLASSES", CLASSES)
    command = [reference, "-W", "ignore", "-c", program, str(tmp_path)]
    process = subprocess.run(command, capture_output=True, timeout=120, check=False)
    assert process.returncode == 0, process.stderr.decode()[-2000:]
    for name, (facts, predictions) in trained.items():
        np.testing.assert_allclose(np.load(tmp_path / f"{name}_trained.npy"), facts, rtol=1e-4)
        np.testing.assert_allclose(np.load(tmp_path / f"{name}.npy"), predictions, rtol=1e-4)
    result = np.load(tmp_path / "theirs_of_ours.npy")
    np.testing.assert_allclose(result, expected, rtol=1e-5, atol=1e-6)
    tf.keras.backend.clear_session()
    loaded = tf.keras.models.load_model(str(tmp_path / "theirs"))
    expected = np.load(tmp_path / "theirs.npy")
    np.testing.assert_allclose(loaded.predict(X), expected, rtol=1e-5, atol=1e-6)
    for name, weights in [("net", 4), ("scaled", 3)]:  # its classes are undefined here
        loaded = tf.keras.models.load_model(str(tmp_path / name))
        expected = np.load(tmp_path / f"{name}.npy")
        np.testing.assert_allclose(loaded.predict(X), expected, rtol=1e-5, atol=1e-6)
        loss = loaded.evaluate(X, np.ones((8, 2)), verbose=0)
        assert loss == pytest.approx(float((tmp_path / f"{name}.txt").read_text()), rel=1e-4)
        before = loaded.get_weights()
        tf.keras.backend.clear_session()
        loaded = tf.keras.models.load_model(str(tmp_path / name))
        loaded.fit(X, np.ones((8, 2)), verbose=0)
        assert len(before) == weights
        assert all(np.any(a != b) for a, b in zip(before, loaded.get_weights()))


def test_optimizer_loads_without_warnings(tmp_path, caplog):
    model = tf.keras.Sequential([tf.keras.layers.Dense(2, input_shape=(3,))])
    model.compile("adam", "mse")
    model.fit(np.ones([4, 3]), np.ones([4, 2]), verbose=0)
    folder = str(tmp_path / "m")
    model.save(folder, save_format="tf")
    caplog.clear()
    loaded = tf.keras.models.load_model(folder)
    np.testing.assert_array_equal(loaded.get_weights()[0], model.get_weights()[0])
    del loaded
    gc.collect()
    assert not caplog.records


def test_subclassed_model_is_served(tmp_path):
    class Net(tf.keras.Model):
        def __init__(self):
            super().__init__()
            self.hidden = [layers.Dense(4, activation="relu"), layers.BatchNormalization()]
            self.last = layers.Dense(2)

        def call(self, inputs):
            for layer in self.hidden:
                inputs = layer(inputs)
            return self.last(inputs)

    folder, model = str(tmp_path / "m"), Net()
    model.compile("adam", "mse")
    model.fit(X, Y, epochs=2, verbose=0)
    expected = model.predict(X)
    count = len(tf.get_default_graph().get_operations())
    model.save(folder, save_format="tf")
    model.save(folder, save_format="tf")  # overwrites itself
    op_types = {op.type for op in tf.get_default_graph().get_operations()[count:]}
    assert not op_types & {"MatMul", "VarHandleOp"}
    model.fit(X, Y, epochs=1, verbose=0)
    with tf.Graph().as_default(), tf.Session() as session:
        graph = tf.saved_model.load(session, ["serve"], folder)
        signature = graph.signature_def["serving_default"]
        fed = {signature.inputs["input_1"].name: X}
        actual = session.run(signature.outputs["output_1"].name, fed)
    np.testing.assert_allclose(actual, expected, rtol=1e-5, atol=1e-6)
    tf.keras.backend.clear_session()
    loaded = tf.keras.models.load_model(folder)
    np.testing.assert_allclose(loaded.predict(X), expected, rtol=1e-5, atol=1e-6)
    tf.keras.backend.clear_session()
    loaded = tf.keras.models.load_model(folder)
    losses = loaded.fit(X, Y, epochs=3, verbose=0).history["loss"]  # compiled as before
    assert losses[-1] < losses[0]
    assert (len(loaded.weights), len(loaded.trainable_weights)) == (8, 6)


def test_captured_constants_are_saved(tmp_path):
    class Net(tf.keras.Model):
        def __init__(self):
            super().__init__()
            self.last = layers.Dense(2)

        def call(self, inputs):
            return self.last(inputs) + shift

    folder, shift, model = str(tmp_path / "m"), tf.constant(1.0), Net()
    expected = model.predict(X)
    model.save(folder, save_format="tf")
    with tf.Graph().as_default(), tf.Session() as session:
        signature = tf.saved_model.load(session, ["serve"], folder).signature_def["serving_default"]
        fed = {signature.inputs["input_1"].name: X}
        actual = session.run(signature.outputs["output_1"].name, fed)
    np.testing.assert_allclose(actual, expected, rtol=1e-5, atol=1e-6)
    tf.keras.backend.clear_session()
    actual = tf.keras.models.load_model(folder).predict(X)
    np.testing.assert_allclose(actual, expected, rtol=1e-5, atol=1e-6)


def test_untraceable_layer_is_described_only(tmp_path, caplog):
    class Eager(layers.Layer):
        def call(self, rows):
            return rows * float(np.asarray(tf.get_static_value(rows[0, 0])))

    layer = Eager()
    layer.build([None, 3])
    layer.input_spec = layers.InputSpec(shape=[None, 3])
    tf.saved_model.save(layer, str(tmp_path / "m"))
    assert "Skipping full serialization of object" in caplog.text
    loaded = tf.keras.models.load_model(str(tmp_path / "m"))
    assert (type(loaded).__name__, loaded.name) == ("Eager", layer.name)


def test_deferred_sequential_model(tmp_path):
    class Scaled(layers.Layer):
        def __init__(self, factor):
            super().__init__()
            self.factor = factor

        def call(self, rows):
            return rows * self.factor

    for name, first in [("own", Scaled(2.0)), ("known", layers.Dense(3))]:
        model = tf.keras.Sequential([first, layers.Dense(2)])
        model.compile("sgd", "mse")
        model.fit(X, Y, verbose=0)
        model.save(str(tmp_path / name), save_format="tf")
        loaded = tf.keras.models.load_model(str(tmp_path / name))
        np.testing.assert_allclose(loaded.predict(X), model.predict(X), rtol=1e-5, atol=1e-6)
