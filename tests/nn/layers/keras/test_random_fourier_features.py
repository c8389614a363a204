"""`RandomFourierFeatures` as TensorFlow 1.15.5 computes it, in graphs and in eager mode."""

import contextlib

import numpy as np
import pytest

import tfmini as tf
from tfmini._src.nn.layers.keras.random_fourier_features import RandomFourierFeatures
from tfmini._src.session.eager.enable import eager_mode

K = tf.keras.backend


@pytest.mark.parametrize("eager", [False, True])
def test_features_of_both_kernels(eager):
    with tf.Graph().as_default(), eager_mode() if eager else contextlib.nullcontext():
        np.random.seed(1)
        x = tf.constant([[1.0, 2.0], [0.5, -1.0]])
        layer = RandomFourierFeatures(3, "laplacian")
        layer.build((None, 2))
        layer.bias.assign([0.0, 1.0, 2.0]) if eager else K.set_value(layer.bias, [0.0, 1.0, 2.0])
        random = np.random.RandomState(1).uniform(0.0, 1.0, (2, 3))
        kernel = np.tan(np.pi * (random - 0.5))
        expected = np.cos(np.array([[1.0, 2.0], [0.5, -1.0]]) @ kernel + [0.0, 1.0, 2.0])
        np.testing.assert_allclose(K.get_value(layer(x)), expected, atol=1e-4)
        gaussian = RandomFourierFeatures(2000, scale=2.0)
        a, b = K.get_value(gaussian(x))
        assert abs(a @ b / 1000 - np.exp(-9.25 / 8)) < 0.1
        assert RandomFourierFeatures(2, name="r")(x).dtype == tf.float32


def test_state_and_configuration():
    with tf.Graph().as_default():
        layer = RandomFourierFeatures(3, name="r")
        layer(tf.ones([1, 2]))
        assert [w.name for w in layer.weights] == [
            "r/random_features_scale:0",
            "r/unscaled_random_features:0",
            "r/random_features_bias:0",
        ]
        assert layer.trainable_weights == []
        assert layer.get_config() == {
            "name": "r",
            "trainable": False,
            "dtype": "float32",
            "output_dim": 3,
            "kernel_initializer": "gaussian",
            "scale": 1.0,
        }
        assert layer.compute_output_shape((None, 2)).as_list() == [None, 3]
        ones = RandomFourierFeatures(1, tf.ones_initializer(), trainable=True)
        restored = RandomFourierFeatures.from_config(ones.get_config())
        assert restored.kernel_initializer["class_name"] == "Ones"


@pytest.mark.parametrize(
    "make, text",
    [
        (
            lambda: RandomFourierFeatures(0),
            "`output_dim` should be a positive integer. Given: 0.",
        ),
        (
            lambda: RandomFourierFeatures(1, "x"),
            r"Unsupported kernel type: 'x'. Supported kernel types: \['gaussian', 'laplacian'\].",
        ),
        (
            lambda: RandomFourierFeatures(1, scale=0.0),
            "When provided, `scale` should be a positive float. Given: 0.0.",
        ),
        (
            lambda: RandomFourierFeatures(1)(tf.ones([2, 2, 2])),
            "The rank of the input tensor should be 2. Got 3 instead.",
        ),
        (
            lambda: RandomFourierFeatures(1)(tf.placeholder(tf.float32, [2, None])),
            "The last dimension of the inputs to `RandomFourierFeatures` should be defined. Found `None`.",
        ),
        (
            lambda: RandomFourierFeatures(1).compute_output_shape((None, None)),
            r"The innermost dimension of input shape must be defined. Given: \(\?, \?\)",
        ),
    ],
)
def test_invalid_arguments(make, text):
    with tf.Graph().as_default(), pytest.raises(ValueError, match=f"^{text}$"):
        make()
