"""MaxPoolV2 gradients with channels first, supported on GPUs only."""

import numpy as np
import pytest

import tfmini as tf


@pytest.mark.parametrize("data_format", ["NHWC", "NCHW"])
def test_gradients_use_data_format(gpu, data_format):
    image = np.random.RandomState(0).permutation(2 * 3 * 5 * 7).reshape(2, 3, 5, 7)
    size, strides = np.array([1, 1, 2, 3]), np.array([1, 1, 2, 1])  # over rows and columns, VALID
    chosen = np.zeros((2, 3, 2, 5) + image.shape, np.float32)
    for at in np.ndindex(2, 3, 2, 5):
        inside = tuple(slice(n * s, n * s + k) for n, s, k in zip(at, strides, size))
        chosen[at][np.where(image == image[inside].max())] = 1
    order = [0, 1, 2, 3] if data_format == "NCHW" else [0, 2, 3, 1]

    def placed(array):
        return tf.constant(np.transpose(array, order), tf.float32)

    x, weights = placed(image), placed(np.arange(60).reshape(2, 3, 2, 5))
    with tf.device("/gpu:0"):
        y = tf.raw_ops.MaxPoolV2(
            input=x,
            ksize=size[order],
            strides=strides[order],
            padding="VALID",
            data_format=data_format,
        )
        (grad,) = tf.gradients(y, x, weights)
        (second,) = tf.gradients(grad, weights, x)
    with tf.Session() as session:
        values = [np.transpose(v, np.argsort(order)) for v in session.run([y, grad, second])]
    expected = np.tensordot(np.arange(60).reshape(2, 3, 2, 5), chosen, 4)
    np.testing.assert_array_equal(values[0], np.tensordot(chosen, image, 4))
    np.testing.assert_array_equal(values[1], expected)
    np.testing.assert_array_equal(values[2], values[0])
