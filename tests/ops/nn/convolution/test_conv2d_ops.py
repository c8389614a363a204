"""Convolutions: cases supported on GPUs only, large batches, unmodified inputs."""

import numpy as np
import pytest

import tfmini as tf
from tests.conformance.samples.convolutions import convolution, for_filter, for_input
from tests.ops.nn.convolution.references import first, on_gpu
from tfmini._src.devices.numpy.windows import convolution as convolving

RANDOM = np.random.RandomState(8)
ONE = [1, 1, 1, 1]


def images(*shape):
    return RANDOM.randn(*shape).astype("f")


@pytest.mark.parametrize("padding", ["SAME", "VALID"])
def test_channels_first_on_gpu(padding):
    x, w = images(2, 6, 5, 3), images(3, 2, 3, 4)
    strides = [1, 2, 1, 1]
    expected = convolution(x, w, strides, padding=padding)
    grad = images(*expected.shape)

    def build():
        attrs = {"strides": [1, 1, 2, 1], "padding": padding, "data_format": "NCHW"}
        return [
            tf.nn.conv2d(first(x), w, **attrs),
            tf.nn.conv2d_backprop_input(first(x).shape, w, first(grad), **attrs),
            tf.nn.conv2d_backprop_filter(first(x), w.shape, first(grad), **attrs),
        ]

    result = on_gpu(build)
    close = {"rtol": 1e-4, "atol": 1e-4}
    np.testing.assert_allclose(result[0], first(expected), **close)
    np.testing.assert_allclose(
        result[1], first(for_input(x.shape, w, grad, strides, padding)), **close
    )
    np.testing.assert_allclose(result[2], for_filter(x, w.shape, grad, strides, padding), **close)


def test_grouped_convolution_on_gpu():
    x, w = images(2, 4, 4, 6), images(3, 3, 2, 9)

    def build():
        y = tf.nn.conv2d(x, w, ONE, "SAME")
        grad = y * 2.0
        return [
            y,
            tf.nn.conv2d_backprop_input(x.shape, w, grad, ONE, "SAME"),
            tf.nn.conv2d_backprop_filter(x, w.shape, grad, ONE, "SAME"),
        ]

    y, of_x, of_w = on_gpu(build)
    for n in range(3):
        depths, filters = slice(2 * n, 2 * n + 2), slice(3 * n, 3 * n + 3)
        part, kernel = x[..., depths], w[..., filters]
        expected = convolution(part, kernel, padding="SAME")
        grad = 2 * expected
        np.testing.assert_allclose(y[..., filters], expected, rtol=1e-4, atol=1e-5)
        np.testing.assert_allclose(
            of_x[..., depths],
            for_input(part.shape, kernel, grad, ONE, "SAME"),
            rtol=1e-4,
            atol=1e-4,
        )
        np.testing.assert_allclose(
            of_w[..., filters],
            for_filter(part, kernel.shape, grad, ONE, "SAME"),
            rtol=1e-4,
            atol=1e-4,
        )


def test_dilated_gradients_on_gpu():
    """Convolution is linear: its gradients are its transposes."""
    x, w = images(1, 6, 7, 2), images(2, 3, 2, 2)
    attrs = {"strides": [1, 2, 1, 1], "padding": "SAME", "dilations": [1, 2, 3, 1]}

    def build():
        y = tf.nn.conv2d(x, w, **attrs)
        grad = tf.sin(tf.reshape(tf.range(24.0), [1, 3, 4, 2]))
        grad = tf.concat([grad, grad], 2)[:, :, :7]
        return [
            tf.reduce_sum(y * grad),
            tf.reduce_sum(x * tf.nn.conv2d_backprop_input(x.shape, w, grad, **attrs)),
            tf.reduce_sum(w * tf.nn.conv2d_backprop_filter(x, w.shape, grad, **attrs)),
        ]

    result = on_gpu(build)
    np.testing.assert_allclose(result[1:], result[0], rtol=1e-4)


@pytest.mark.parametrize("bytes_at_a_time", [1, 5000])
def test_small_image_batches(monkeypatch, bytes_at_a_time):
    monkeypatch.setattr(convolving, "_CPU_BYTES", bytes_at_a_time)
    x, w = images(7, 5, 5, 2), images(3, 3, 2, 3)
    y = tf.nn.conv2d(x, w, ONE, "SAME")
    gradients = tf.gradients(tf.reduce_sum(y * y), list(y.op.inputs))
    with tf.Session() as session:
        result = session.run([y, *gradients])
    expected = convolution(x, w, padding="SAME")
    grad = 2 * expected
    np.testing.assert_allclose(result[0], expected, rtol=1e-4, atol=1e-5)
    of_x = for_input(x.shape, w, grad, ONE, "SAME")
    np.testing.assert_allclose(result[1], of_x, rtol=1e-4, atol=1e-4)
    np.testing.assert_allclose(
        result[2], for_filter(x, w.shape, grad, ONE, "SAME"), rtol=1e-4, atol=1e-4
    )


def test_fed_arrays_are_not_modified():
    x, w = images(2, 4, 4, 3), images(1, 1, 3, 3)
    fed, kernel = tf.placeholder("float32", x.shape), tf.placeholder("float32", w.shape)
    y = tf.nn.conv2d(fed, kernel, ONE, "SAME")
    before = x.copy(), w.copy()
    with tf.Session() as session:
        session.run([y, *tf.gradients(y * y, [fed, kernel])], {fed: x, kernel: w})
    np.testing.assert_array_equal(x, before[0])
    np.testing.assert_array_equal(w, before[1])


def test_noncontiguous_inputs():
    x, w = images(3, 4, 5, 2).transpose(0, 2, 1, 3), images(2, 2, 4, 2).transpose(1, 0, 3, 2)
    fed, kernel = tf.placeholder("float32", x.shape), tf.placeholder("float32", w.shape)
    with tf.Session() as session:
        result = session.run(tf.nn.conv2d(fed, kernel, ONE, "VALID"), {fed: x, kernel: w})
    np.testing.assert_allclose(result, convolution(x, w), rtol=1e-4, atol=1e-5)


def test_filter_gradient_is_deterministic():
    x, grad = images(37, 12, 12, 32), images(37, 12, 12, 48)
    of_filter = tf.nn.conv2d_backprop_filter(x, [3, 3, 32, 48], grad, ONE, "SAME")
    with tf.Session() as session:
        first = session.run(of_filter)
        for _ in range(5):
            np.testing.assert_array_equal(session.run(of_filter), first)


@pytest.mark.parametrize("strides", [[], [1]])
def test_short_strides_are_refused(session, strides):
    ones = tf.ones([1, 3, 3, 1])
    result = tf.nn.conv2d_backprop_filter(ones, [2, 2, 1, 1], ones, strides, "SAME")
    text = "Sliding window strides field must specify 4 dimensions"
    with pytest.raises(tf.errors.InvalidArgumentError, match=text):
        session.run(result)
