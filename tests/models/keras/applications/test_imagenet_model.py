"""The `tf.keras.applications` models match TensorFlow's: configurations, weights, graphs; weights come from files."""

import json
import socket
import warnings
from pathlib import Path

import numpy as np
import pytest

import tfmini as tf
from tests.models.keras.applications import architectures

GOLDEN = json.loads(Path(architectures.PATH).read_text(encoding="utf-8"))


@pytest.mark.parametrize("name", architectures.QUICK)
def test_architecture(name):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        assert architectures.describe(tf, name) == GOLDEN[name]


@pytest.mark.full
@pytest.mark.parametrize(
    "name", sorted({*architectures.MODELS} - {*architectures.QUICK, *architectures.LENGTHY})
)
def test_second_architecture(name):
    test_architecture(name)


@pytest.mark.full
@pytest.mark.parametrize("name", architectures.LENGTHY)
def test_deep_architecture(name):
    test_architecture(name)


def test_layers_argument():
    class Convolution(tf.keras.layers.Conv2D):
        pass

    class Layers:
        Conv2D = Convolution

        def __getattr__(self, name):
            return getattr(tf.keras.layers, name)

    options = {"weights": None, "input_shape": (32, 32, 3), "classes": 10, "alpha": 0.25}
    with tf.Graph().as_default():
        replaced = tf.keras.applications.MobileNet(layers=Layers(), utils=None, **options)
    tf.keras.backend.clear_session()
    with tf.Graph().as_default():
        usual = tf.keras.applications.MobileNet(**options)
    convolutions = [each for each in replaced.layers if isinstance(each, Convolution)]
    assert len(convolutions) == 15  # the first layer, those of 13 blocks, the classes
    assert [each.name for each in replaced.layers] == [each.name for each in usual.layers]
    assert not any(isinstance(each, Convolution) for each in usual.layers)
    with pytest.raises(TypeError, match="layer"):
        tf.keras.applications.MobileNet(layer=Layers(), **options)
    options["input_shape"] = (32, 32, 5)
    with tf.Graph().as_default(), pytest.warns(UserWarning, match="input_shape with 5 input chan"):
        tf.keras.applications.MobileNet(**options)


@pytest.mark.parametrize("name", ["MobileNetV2", "DenseNet121"])
def test_replaced_layers_get_arguments_by_name(name):
    """As object_detection's replacements expect: keras_applications passes only these by position."""

    class Layers:
        def Conv2D(self, filters, *kernel_size, **kwargs):
            assert bool(kernel_size) == (name != "MobileNetV2")
            return tf.keras.layers.Conv2D(filters, *kernel_size, **kwargs)

        def DepthwiseConv2D(self, **kwargs):
            return tf.keras.layers.DepthwiseConv2D(**kwargs)

        def ZeroPadding2D(self, **kwargs):
            return tf.keras.layers.ZeroPadding2D(**kwargs)

        def __getattr__(self, name):
            return getattr(tf.keras.layers, name)

    options = {"weights": None, "input_shape": (32, 32, 3), "classes": 10}
    with tf.Graph().as_default():
        replaced = getattr(tf.keras.applications, name)(layers=Layers(), **options)
        assert replaced.output_shape == (None, 10)


def test_weights_from_file(tmp_path):
    """Weights are read in layer order, as in the published files."""
    pytest.importorskip("h5py")
    with tf.Graph().as_default(), tf.Session() as session:
        tf.keras.backend.set_session(session)
        how = {"alpha": 0.25, "include_top": False, "pooling": "avg", "input_shape": (32, 32, 3)}
        first = tf.keras.applications.MobileNet(weights=None, **how)
        images = np.random.RandomState(0).rand(2, 32, 32, 3)
        expected = first.predict(images)
        path = str(tmp_path / "weights.h5")
        first.save_weights(path)
        second = tf.keras.applications.MobileNet(weights=path, **how)
        np.testing.assert_allclose(second.predict(images), expected, rtol=1e-5)


def test_unavailable_weights(tmp_path, monkeypatch):
    """Without a network the error tells where to download the file."""

    def refused(*_, **__):
        raise OSError("no network here")

    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setattr(socket, "create_connection", refused)
    with tf.Graph().as_default(), pytest.raises(OSError, match="vgg16_weights") as caught:
        tf.keras.applications.VGG16()
    assert "fchollet/deep-learning-models/releases/download/v0.1" in str(caught.value)
    for of in (tf.keras.applications.MobileNet, tf.keras.applications.MobileNetV2):
        with pytest.raises(ValueError, match=r"`input_shape` should be \(224, 224, 3\)"):
            of(input_shape=(128, 32, 3))  # of the size of weights, but not a square


def test_input_tensor():
    """A model is built on the program's tensor."""
    with tf.Graph().as_default():
        start = tf.keras.Input([32, 32, 3], name="pixels")
        scaled = tf.keras.layers.Lambda(tf.keras.applications.vgg16.preprocess_input)(start)
        model = tf.keras.applications.VGG16(weights=None, include_top=False, input_tensor=scaled)
        assert model.inputs == [start]
        assert model.output_shape == (None, 1, 1, 512)
