"""Depthwise convolutions."""

import numpy as np
import pytest

import tfmini as tf
from tests.conformance.samples.convolutions import convolution
from tests.ops.nn.convolution.references import CLOSE, first, on_gpu
from tfmini._src.devices.numpy.windows import convolution as convolving, depthwise_conv

RANDOM = np.random.RandomState(8)


def images(*shape):
    return RANDOM.randn(*shape).astype("f")


def by_channel(x, w, strides, padding):
    parts = [
        convolution(x[..., n : n + 1], w[:, :, n : n + 1], strides, padding=padding)
        for n in range(w.shape[2])
    ]
    return np.concatenate(parts, 3)


@pytest.mark.parametrize("padding", ["SAME", "VALID"])
def test_channels_first_on_gpu(padding):
    """The total is linear in both arguments, so each argument times its gradient sums to it."""
    x, w = images(2, 6, 5, 3), images(3, 2, 3, 2)
    expected = by_channel(x, w, [1, 2, 2, 1], padding)
    weights = images(*expected.shape)

    def build():
        source, kernel = tf.constant(first(x)), tf.constant(w)
        y = tf.nn.depthwise_conv2d(source, kernel, [1, 1, 2, 2], padding, data_format="NCHW")
        total = tf.reduce_sum(y * first(weights))
        grads = tf.gradients(total, [source, kernel])
        return [y, total, *(tf.reduce_sum(a * g) for a, g in zip([source, kernel], grads))]

    result = on_gpu(build)
    np.testing.assert_allclose(result[0], first(expected), **CLOSE)
    np.testing.assert_allclose(result[1:], (expected * weights).sum(), rtol=1e-4)


@pytest.mark.parametrize("padding", ["SAME", "VALID"])
def test_small_row_blocks(monkeypatch, padding):
    monkeypatch.setattr(convolving, "_CPU_BYTES", 1)
    monkeypatch.setattr(convolving, "_MIN_PARALLEL_MULTIPLICATIONS", 1)
    monkeypatch.setattr(depthwise_conv, "_BLOCK", 1)
    monkeypatch.setattr(depthwise_conv, "_MIN_PARALLEL_ELEMENTS", 1)
    x, w = images(2, 7, 5, 3), images(4, 3, 3, 2)
    strides = [1, 2, 2, 1]
    tensors = [tf.constant(x), tf.constant(w)]
    both = [tf.nn.conv2d(*tensors, strides, padding)]
    both.append(tf.nn.depthwise_conv2d(*tensors, strides, padding))
    gradients = [tf.gradients(y * y, tensors) for y in both]
    with tf.Session() as session:
        result, grads = session.run([both, gradients])
    expected = [convolution(x, w, strides, padding=padding), by_channel(x, w, strides, padding)]
    for y, expect, pair in zip(result, expected, grads):
        np.testing.assert_allclose(y, expect, **CLOSE)
        for array, grad in zip((x, w), pair):
            np.testing.assert_allclose((array * grad).sum(), 2 * (expect**2).sum(), rtol=1e-4)
