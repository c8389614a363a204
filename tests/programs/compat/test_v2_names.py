"""`tf.compat.v2`: its namespaces, and functions whose arguments or values differ from those in `tf`."""

import inspect

import numpy as np
import pytest

import tfmini as tf
import tfmini.compat.v2 as tf2
import tfmini.compat.v2.nn
from tfmini.compat.v2.io import gfile

IMAGES = np.arange(48, dtype=np.float32).reshape(1, 4, 4, 3)


def test_namespaces_are_modules():
    assert tf.compat.v2 is tf2
    assert gfile.exists("/")
    assert tf2.float32 is tf.float32
    assert tf2.keras.layers.Dense is tf.keras.layers.Dense
    assert {"Variable", "reduce_sum", "image"} <= set(dir(tf2))
    with pytest.raises(AttributeError, match="placeholder"):
        _ = tf2.placeholder


def test_glimpse_dilation_and_erosion(session):
    kernel = np.zeros((2, 2, 3), np.float32)
    glimpse = tf2.image.extract_glimpse(IMAGES, [2, 2], [[0.0, 0.0]], noise="zero")
    assert session.run(glimpse).sum() == 282.0
    arguments = [1, 1, 1, 1], "SAME", "NHWC", [1, 1, 1, 1]
    assert session.run(tf2.nn.dilation2d(IMAGES, kernel, *arguments)).sum() == 1668.0
    assert session.run(tf2.nn.erosion2d(IMAGES, kernel, *arguments)).sum() == 1128.0
    with pytest.raises(ValueError, match="Data formats other than NHWC are not yet supported"):
        tfmini.compat.v2.nn.dilation2d(IMAGES, kernel, [1] * 4, "SAME", "NCHW", [1] * 4)


def test_conv3d_transpose(session):
    ones = tf.ones([2, 2, 2, 1, 1])
    grown = tf2.nn.conv3d_transpose(tf.fill([1, 1, 1, 1, 1], 3.0), ones, [1, 2, 2, 2, 1], 2)
    np.testing.assert_array_equal(session.run(grown), np.full([1, 2, 2, 2, 1], 3.0))


def test_recurrent_layers_use_version_two_defaults(session):
    """The values are TensorFlow's."""
    inputs = tf.constant(np.linspace(-1, 1, 24).reshape(2, 4, 3).astype(np.float32))
    for name, shapes, expected in (
        ("LSTM", [(3, 12), (3, 12), (12,)], [-0.1182, 0.9904]),
        ("GRU", [(3, 9), (3, 9), (2, 9)], [-0.4970, 0.3341]),
    ):
        kind = getattr(tf2.keras.layers, name)
        parameters = inspect.signature(kind).parameters
        assert parameters["recurrent_activation"].default == "sigmoid"
        layer = kind(3, kernel_initializer="ones", recurrent_initializer="ones")
        outputs = layer(inputs)
        session.run(tf.global_variables_initializer())
        assert [tuple(w.shape.as_list()) for w in layer.weights] == shapes
        np.testing.assert_allclose(session.run(outputs)[:, 0], expected, atol=6e-5)
