"""fuse_layers: convolutions, batch normalizations and pooling gradients with ReLU, compared with unfused ops."""

import functools

import numpy as np
import pytest

import tfmini as tf
from tests.executor.programs import kinds, lowered, with_and_without
from tfmini._src.compiler.passes import fuse_layers
from tfmini._src.devices.host.native.library import library

pytestmark = pytest.mark.skipif(library() is None, reason="the CPU's kernels are not built here")


on_both_ways = functools.partial(with_and_without, fuse_layers, library=lambda: None)


def randn(*shape):
    return np.random.RandomState(sum(shape)).randn(*shape).astype("f")


def close(found, wanted):
    for got, expected in zip(found, wanted):
        tolerance = 1e-5 * max(np.abs(expected).max(initial=0), 1)
        np.testing.assert_allclose(got, expected, rtol=1e-5, atol=tolerance)


@pytest.mark.parametrize("batch", [0, 1, 3])
@pytest.mark.parametrize("filters", [1, 15, 16, 17, 33])
def test_conv_bias_relu_is_one_call(monkeypatch, batch, filters):
    x = tf.placeholder(tf.float32, [None, None, 9, 7])
    bias = tf.constant(randn(filters))
    for add in (tf.add, tf.nn.bias_add):
        for padding in ("SAME", "VALID", [[0, 0], [1, 2], [3, 0], [0, 0]]):
            maps = tf.nn.conv2d(x, tf.constant(randn(3, 3, 7, filters)), [1, 2, 1, 1], padding)
            layers = [tf.nn.relu(maps), add(maps, bias), tf.nn.relu(add(maps, bias))]
            for layer in layers:
                ops = kinds(lowered(layer, feeds=[x]))
                assert ops[-1] == "fused" and set(ops) <= {"const", "fused"}
                close(*on_both_ways(monkeypatch, [layer], {x: randn(batch, 8, 9, 7)}))


@pytest.mark.parametrize("stride", [1, 2])
def test_network_gradients_match_numpy(monkeypatch, stride):
    x = tf.placeholder(tf.float32, [None, 12, 12, 5])
    filters = [tf.Variable(randn(3, 3, *sizes)) for sizes in ((5, 6), (6, 17), (17, 8))]
    maps = x
    for kernel in filters:
        maps = tf.nn.conv2d(maps, kernel, [1, stride, stride, 1], "SAME")
        maps = tf.nn.relu(tf.nn.bias_add(maps, tf.constant(randn(maps.shape[3].value))))
    expected = [maps, *tf.gradients(tf.reduce_sum(tf.square(maps)), [x, *filters])]
    ops = kinds(lowered(*expected, feeds=[x]))
    assert "Conv2D" not in ops and ops.count("Conv2DBackpropInput") == 1
    close(*on_both_ways(monkeypatch, expected, {x: randn(2, 12, 12, 5)}))


def test_gradients_match_finite_differences():
    x = tf.placeholder(tf.float32, [2, 6, 6, 4])
    maps = tf.nn.relu(
        tf.nn.bias_add(
            tf.nn.conv2d(x, tf.constant(randn(3, 3, 4, 5)), 1, "SAME"), tf.constant(randn(5))
        )
    )
    maps = tf.nn.relu(tf.nn.conv2d(maps, tf.constant(randn(3, 3, 5, 6)), 1, "SAME"))
    maps = tf.nn.max_pool(maps, 2, 2, "SAME")
    with tf.Session():
        assert (
            tf.test.compute_gradient_error(
                x, [2, 6, 6, 4], maps, [2, 3, 3, 6], randn(2, 6, 6, 4), 1e-3
            )
            < 0.05
        )


def test_transposed_conv_and_bias_are_fused(monkeypatch):
    x = tf.placeholder(tf.float32, [None, 5, 5, 6])
    kernel = tf.constant(randn(3, 3, 8, 6))
    shape = tf.stack([tf.shape(x)[0], 10, 10, 8])
    maps = tf.nn.conv2d_transpose(x, kernel, shape, 2)
    maps = tf.nn.relu(tf.nn.bias_add(maps, tf.constant(randn(8))))
    assert "Conv2DBackpropInput" not in kinds(lowered(maps, feeds=[x]))
    close(*on_both_ways(monkeypatch, [maps], {x: randn(3, 5, 5, 6)}))


@pytest.mark.parametrize("training", [True, False])
def test_batch_norm_and_relu_are_fused(monkeypatch, training):
    x = tf.placeholder(tf.float32, [None, 5, 5, 9])
    vectors = [tf.constant(randn(9)), tf.constant(randn(9))]
    given_ones = {} if training else {"mean": randn(9), "variance": np.square(randn(9))}
    y, mean, variance = tf.nn.fused_batch_norm(x, *vectors, is_training=training, **given_ones)
    expected = [tf.nn.relu(y), mean, variance, *tf.gradients(tf.nn.relu(y), [x, *vectors])]
    for fetches in (expected, expected[:1]):
        assert not any(
            kind.startswith("FusedBatchNormV") for kind in kinds(lowered(*fetches, feeds=[x]))
        )
        close(*on_both_ways(monkeypatch, fetches, {x: randn(4, 5, 5, 9) + 100}))
    assert "FusedBatchNormV3" in kinds(lowered(tf.nn.relu(y), y, feeds=[x]))


def test_statistics_read_before_relu(monkeypatch):
    x = tf.placeholder(tf.float32, [3, 5, 5, 4])
    y, mean, _ = tf.nn.fused_batch_norm(x, tf.constant(randn(4)), tf.constant(randn(4)))
    with tf.control_dependencies([tf.Print(mean, [mean])]):
        layer = tf.nn.relu(y)
    close(*on_both_ways(monkeypatch, [layer], {x: randn(3, 5, 5, 4)}))


@pytest.mark.parametrize("size, stride", [(2, 2), (3, 2), (3, 1), (2, 3)])
def test_max_pool_and_relu_gradients_are_fused(monkeypatch, size, stride):
    x = tf.placeholder(tf.float32, [None, 9, 9, 20])
    maps = tf.nn.max_pool(tf.nn.relu(x), size, stride, "SAME")
    gradient = tf.gradients(tf.square(maps), x)
    ops = kinds(lowered(*gradient, feeds=[x]))
    assert "MaxPoolGrad" not in ops and "ReluGrad" not in ops
    fed = randn(2, 9, 9, 20)
    fed[0, 3, 3], fed[0, 5, 5], fed[1, 0, 0] = np.nan, np.inf, -np.inf
    ops, expected = on_both_ways(monkeypatch, gradient, {x: fed})
    np.testing.assert_allclose(ops, expected, rtol=1e-6, atol=1e-6)


def test_nan_and_infinity_propagate(monkeypatch):
    x = tf.placeholder(tf.float32, [1, 8, 8, 3])
    kernel, bias = randn(3, 3, 3, 4), randn(4)
    bias[1], bias[2], kernel[0, 0, 0, 3] = np.nan, np.inf, -np.inf
    maps = tf.nn.conv2d(x, tf.constant(kernel), 1, "SAME")
    layer = tf.nn.relu(tf.nn.bias_add(maps, tf.constant(bias)))
    ops, expected = on_both_ways(monkeypatch, layer, {x: randn(1, 8, 8, 3)})
    np.testing.assert_allclose(ops, expected, rtol=1e-5, atol=1e-5)


def test_shared_convolution_is_not_fused():
    x = tf.placeholder(tf.float32, [2, 8, 8, 3])
    maps = tf.nn.conv2d(x, tf.constant(randn(3, 3, 3, 4)), 1, "SAME")
    for other in (maps, tf.exp(maps)):
        assert "Conv2D" in kinds(lowered(tf.nn.relu(maps), other, feeds=[x]))
    half = tf.nn.conv2d(
        tf.cast(x, tf.float16), tf.constant(randn(3, 3, 3, 4).astype("e")), 1, "SAME"
    )
    assert "Conv2D" in kinds(lowered(tf.nn.relu(half), feeds=[x]))


def test_shape_mismatch_raises_op_error():
    x, kernel = (tf.placeholder(tf.float32, [None] * 4) for _ in range(2))
    layer = tf.nn.relu(tf.nn.conv2d(x, kernel, 1, "VALID"))
    with tf.Session() as session:
        with pytest.raises(tf.errors.UnimplementedError, match="grouped convolutions"):
            session.run(layer, {x: randn(1, 8, 8, 4), kernel: randn(3, 3, 2, 4)})
        with pytest.raises(tf.errors.InvalidArgumentError, match="would be negative"):
            session.run(layer, {x: randn(1, 2, 2, 4), kernel: randn(9, 9, 4, 4)})
    y, *_ = tf.nn.fused_batch_norm(x, tf.placeholder_with_default(randn(3), [None]), tf.zeros([4]))
    grad = tf.gradients(tf.nn.relu(y), x)
    with tf.Session() as session:
        with pytest.raises(tf.errors.InvalidArgumentError, match="scale must have"):
            session.run([tf.nn.relu(y), grad], {x: randn(1, 8, 8, 4)})
