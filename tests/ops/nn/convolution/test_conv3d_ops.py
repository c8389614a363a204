"""3-D convolutions."""

import numpy as np
import pytest

import tfmini as tf
from tests.conformance.samples import volumes
from tests.ops.nn.convolution.references import CLOSE, first, on_gpu

RANDOM = np.random.RandomState(8)


def images(*shape):
    return RANDOM.randn(*shape).astype("f")


@pytest.mark.parametrize("padding", ["SAME", "VALID"])
def test_channels_first_on_gpu(padding):
    x, w = images(2, 4, 3, 5, 4), images(2, 3, 2, 4, 3)
    strides = [1, 2, 1, 2, 1]
    expected = volumes.convolution(x, w, strides, padding)

    def build():
        source, kernel = tf.constant(first(x)), tf.constant(w)
        y = tf.nn.conv3d(source, kernel, [1, 1, 2, 1, 2], padding, data_format="NCDHW")
        return [y, *tf.gradients(y * first(expected), [source, kernel])]

    result = on_gpu(build)
    np.testing.assert_allclose(result[0], first(expected), **CLOSE)
    of_x = volumes.for_input(x.shape, w, expected, strides, padding)
    np.testing.assert_allclose(result[1], first(of_x), **CLOSE)
    of_w = volumes.for_filter(x, w.shape, expected, strides, padding)
    np.testing.assert_allclose(result[2], of_w, **CLOSE)


def test_grouped_convolution_on_gpu():
    x, w = images(1, 3, 3, 3, 4), images(2, 2, 2, 2, 6)
    one = [1, 1, 1, 1, 1]
    y = on_gpu(lambda: tf.nn.conv3d(x, w, one, "SAME"))
    for n in range(2):
        depths, filters = slice(2 * n, 2 * n + 2), slice(3 * n, 3 * n + 3)
        expected = volumes.convolution(x[..., depths], w[..., filters], one, "SAME")
        np.testing.assert_allclose(y[..., filters], expected, **CLOSE)


def test_grouped_convolution_on_cpu_is_refused():
    y = tf.nn.conv3d(images(1, 3, 3, 3, 4), images(2, 2, 2, 2, 6), [1, 1, 1, 1, 1], "SAME")
    with tf.Session() as session, pytest.raises(tf.errors.UnimplementedError, match="grouped"):
        session.run(y)
