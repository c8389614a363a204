"""Weights and models saved to files and loaded."""

import json
from pathlib import Path

import numpy as np
import pytest

import tfmini as tf
from tests.models.keras.saving import layouts

pytestmark = pytest.mark.usefixtures("keras_session")

X = np.random.RandomState(0).rand(20, 4).astype(np.float32)

Y = np.random.RandomState(1).randint(0, 3, 20)


def compiled():
    layers = tf.keras.layers
    model = tf.keras.Sequential(
        [layers.Dense(5, input_shape=(4,)), layers.BatchNormalization(), layers.Dense(3)]
    )
    loss = tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True)
    model.compile(tf.keras.optimizers.Adam(0.01), loss)
    model.fit(X, Y, epochs=2, verbose=0)
    return model


def test_weights_in_checkpoint(tmp_path):
    model = compiled()
    expected = model.predict(X)
    model.save_weights(str(tmp_path / "weights"))
    names = {name for name, _ in tf.train.list_variables(str(tmp_path / "weights"))}
    value = "/.ATTRIBUTES/VARIABLE_VALUE"
    assert f"layer_with_weights-1/gamma{value}" in names
    assert f"layer_with_weights-0/kernel/.OPTIMIZER_SLOT/optimizer/m{value}" in names
    assert f"optimizer/learning_rate{value}" in names
    model.set_weights([w * 0 for w in model.get_weights()])
    model.load_weights(str(tmp_path / "weights")).assert_consumed()
    np.testing.assert_allclose(model.predict(X), expected, rtol=1e-6)


def test_missing_h5py_is_reported(tmp_path, monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "h5py", None)
    model = compiled()
    with pytest.raises(ImportError, match="`save_model` requires h5py."):
        model.save(str(tmp_path / "model.h5"))
    with pytest.raises(ImportError, match="`save_weights` requires h5py when saving in hdf5."):
        model.save_weights(str(tmp_path / "model.h5"))


def test_json_and_hdf5_round_trip(tmp_path):
    h5py = pytest.importorskip("h5py")
    model = compiled()
    expected = model.predict(X)
    with h5py.File(tmp_path / "model.h5", "w") as file:
        tf.keras.models.save_model(model, file)
        assert file.id.valid
    loaded = tf.keras.models.load_model(str(tmp_path / "model.h5"))
    np.testing.assert_allclose(loaded.predict(X), expected, rtol=1e-5)
    assert loaded.to_json() == model.to_json()
    np.random.seed(3)
    losses = model.fit(X, Y, verbose=0).history["loss"]
    np.random.seed(3)
    np.testing.assert_allclose(loaded.fit(X, Y, verbose=0).history["loss"], losses, rtol=1e-5)


def test_model_file_contents():
    """Attributes, groups, arrays and descriptions as in TensorFlow 1.15.5's files, so keras 2.x accepts both."""
    h5py = pytest.importorskip("h5py")
    expected = json.loads((Path(layouts.HERE) / "layouts.json").read_text())
    result = json.loads(json.dumps(layouts.layouts(tf.keras, h5py)))
    for name, rows in expected.items():
        assert result[name] == rows
        assert list(result[name]) == list(rows)


def test_late_weights_restore_from_checkpoint(tmp_path):
    class Net(tf.keras.Model):
        def __init__(self):
            super().__init__()
            self.inner = [tf.keras.layers.Dense(3), tf.keras.layers.Dense(2)]

        def call(self, x):
            return self.inner[1](self.inner[0](x))

    rows, wanted, prefix = np.ones((4, 3)), np.zeros((4, 2)), str(tmp_path / "w")
    first, second = Net(), Net()
    for model in (first, second):
        model.compile("adam", "mse")
    first.fit(rows, wanted, verbose=0, epochs=3)
    first.save_weights(prefix)
    second.load_weights(prefix)
    expected = first.predict(rows)
    np.testing.assert_allclose(second.predict(rows), expected, rtol=1e-5)
    third = Net()
    third.load_weights(prefix)
    session = tf.keras.backend.get_session()
    outputs = third(tf.constant(rows, tf.float32))
    assert (third.outputs, third.output_names) == ([outputs], ["output_1"])
    np.testing.assert_allclose(session.run(outputs), expected, rtol=1e-5)
    losses = [[model.train_on_batch(rows, wanted) for _ in range(2)] for model in (first, second)]
    np.testing.assert_allclose(losses[0], losses[1], rtol=1e-5)  # the optimizer continues too
    assert tf.keras.backend.get_value(second.optimizer.iterations) == 5
