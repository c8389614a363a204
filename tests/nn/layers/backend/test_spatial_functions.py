"""Convolution, pooling, bias and row functions of `tf.keras.backend`."""

import numpy as np
import pytest

import tfmini as tf

pytestmark = pytest.mark.usefixtures("keras_session")

BACKEND = tf.keras.backend
X = np.arange(24.0, dtype=np.float32).reshape(1, 3, 4, 2)


def value(x):
    return BACKEND.get_session().run(x)


@pytest.mark.parametrize("first", [False, True])
def test_convolution_and_pooling_windows(first):
    order = "channels_first" if first else "channels_last"
    x = tf.constant(X.transpose(0, 3, 1, 2) if first else X)
    ones = tf.ones([2, 2, 2, 1])

    def last(y):
        return value(y).transpose(0, 2, 3, 1) if first else value(y)

    sums = X[:, :-1, :-1] + X[:, 1:, :-1] + X[:, :-1, 1:] + X[:, 1:, 1:]
    output = last(BACKEND.conv2d(x, ones, data_format=order))
    np.testing.assert_allclose(output[..., 0], sums.sum(-1))
    output = last(BACKEND.pool2d(x, (2, 2), data_format=order, pool_mode="avg"))
    np.testing.assert_allclose(output, sums / 4)
    output = last(BACKEND.bias_add(x, tf.constant([1.0, 2.0]), order))
    np.testing.assert_allclose(output, X + [1, 2])
    depthwise = tf.ones([2, 2, 2, 1]), tf.ones([1, 1, 2, 1])
    output = last(BACKEND.separable_conv2d(x, *depthwise, data_format=order))
    np.testing.assert_allclose(output[..., 0], sums.sum(-1))
    with pytest.raises(ValueError, match="Invalid padding: causal"):
        BACKEND.conv2d(x, ones, padding="causal")
    with pytest.raises(ValueError, match="Unexpected bias dimensions 2"):
        BACKEND.bias_add(x, tf.ones([2, 2]))


def test_causal_and_volume_convolutions():
    steps = tf.constant(X[0])
    convolved = value(BACKEND.conv1d(steps, tf.ones([2, 2, 1]), padding="causal"))[..., 0]
    sums = X[0].sum(-1)
    np.testing.assert_allclose(convolved, sums + np.pad(sums, [(0, 0), (1, 0)])[:, :-1])
    volume = tf.constant(X[..., None])
    assert value(BACKEND.conv3d(volume, tf.ones([3, 4, 2, 1, 1]))).item() == X.sum()
    assert value(BACKEND.pool3d(volume, (3, 4, 2))).item() == X.max()


def test_row_functions():
    rows = tf.constant([1.0, 2.0, 4.0])
    assert value(BACKEND.map_fn(lambda x: x * 2, rows)).tolist() == [2, 4, 8]
    assert value(BACKEND.foldl(lambda a, x: a - x, rows)) == -5
    assert value(BACKEND.foldr(lambda a, x: a - x, rows)) == 1


@pytest.mark.parametrize("padding", [None, 1])
def test_output_padding_of_transposed_convolution(padding):
    layer = tf.keras.layers.Conv2DTranspose(
        1, 2, strides=2, padding="valid", output_padding=padding, kernel_initializer="ones"
    )
    output = layer(tf.constant(X))
    assert output.shape.as_list() == list(layer.compute_output_shape(X.shape))
    session = BACKEND.get_session()
    session.run([v.initializer for v in layer.weights])
    expected = X.sum(-1).repeat(2, 1).repeat(2, 2)
    expected = np.pad(expected, [(0, 0), (0, padding or 0), (0, padding or 0)])
    np.testing.assert_allclose(session.run(output)[..., 0], expected)
    assert type(layer).from_config(layer.get_config()).output_padding == layer.output_padding
    with pytest.raises(ValueError, match="must be greater than output padding"):
        tf.keras.layers.Conv3DTranspose(1, 2, output_padding=1)
