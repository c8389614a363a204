"""fuse_matmul: matrix products with biases and activations, compared with unfused ops."""

import functools

import numpy as np
import pytest

import tfmini as tf
from tests.executor.programs import kinds, lowered, with_and_without
from tfmini._src.compiler.passes import fuse_matmul
from tfmini._src.devices.host.native.matmul import can_finish

pytestmark = pytest.mark.skipif(not can_finish(), reason="the CPU's kernels are not built here")

SIZES = [(64, 40, 50), (3, 784, 256), (1, 784, 256), (300, 500, 1), (0, 40, 50)]


on_both_ways = functools.partial(with_and_without, fuse_matmul, can_finish=lambda: False)


def randn(*shape, dtype="f"):
    return np.random.RandomState(sum(shape)).randn(*shape).astype(dtype)


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("activation", [None, tf.nn.relu, tf.tanh, tf.sigmoid])
def test_matmul_bias_activation_is_one_call(monkeypatch, activation, dtype):
    for batch, inner, columns in SIZES:
        with tf.Graph().as_default():
            a, b = tf.placeholder(dtype, [None, inner]), tf.placeholder(dtype, [inner, columns])
            bias = tf.placeholder(dtype, [columns])
            for add in (tf.add, tf.nn.bias_add):
                layer = add(tf.matmul(a, b), bias)
                layer = activation(layer) if activation else layer
                assert kinds(lowered(layer, feeds=[a, b, bias])) == ["fused"]
                feeds = {a: randn(batch, inner), b: randn(inner, columns), bias: randn(columns)}
                got, expected = on_both_ways(monkeypatch, layer, feeds)
                tolerance = {"float32": 1e-4, "float64": 1e-12}[dtype]
                np.testing.assert_allclose(got, expected, rtol=tolerance, atol=tolerance)


@pytest.mark.parametrize("turned", [(False, False), (True, False), (False, True), (True, True)])
def test_transposed_factors(monkeypatch, turned):
    a = tf.placeholder(tf.float32, [70, 60] if turned[0] else [60, 70])
    b = tf.placeholder(tf.float32, [50, 70] if turned[1] else [70, 50])
    bias = tf.placeholder(tf.float32, [50])
    product = tf.matmul(a, b, transpose_a=turned[0], transpose_b=turned[1])
    layer = tf.nn.relu(product + bias)
    feeds = {x: randn(*x.shape.as_list()) for x in (a, b, bias)}
    got, expected = on_both_ways(monkeypatch, layer, feeds)
    np.testing.assert_allclose(got, expected, rtol=1e-4, atol=1e-4)


def test_layer_gradients_match_numpy(monkeypatch):
    x = tf.placeholder(tf.float32, [None, 90])
    weights = [tf.Variable(randn(*shape)) for shape in ((90, 80), (80, 70))]
    biases = [tf.Variable(randn(size)) for size in (80, 70)]
    layer = x
    for kernel, bias in zip(weights, biases):
        layer = tf.nn.relu(tf.matmul(layer, kernel) + bias)
    fetches = [layer, *tf.gradients(tf.reduce_sum(tf.square(layer)), [x, *weights, *biases])]
    actual = kinds(lowered(*fetches, feeds=[x]))
    assert actual.count("fused") >= 3  # two layers, and the product followed by a ReLU gradient
    for got, expected in zip(*on_both_ways(monkeypatch, fetches, {x: randn(40, 90)})):
        np.testing.assert_allclose(got, expected, rtol=1e-5, atol=1e-5 * np.abs(expected).max())


def test_nan_and_infinity_propagate(monkeypatch):
    a, b, bias = randn(64, 40), randn(40, 64), randn(64)
    a[3, 2], a[5, 1], b[7, 9], bias[11], bias[12] = np.nan, np.inf, -np.inf, np.nan, np.inf
    for activation in (tf.nn.relu, tf.tanh, tf.sigmoid):
        x = tf.placeholder(tf.float32, [64, 40])
        layer = activation(tf.matmul(x, tf.constant(b)) + tf.constant(bias))
        got, expected = on_both_ways(monkeypatch, layer, {x: a})
        np.testing.assert_allclose(got, expected, rtol=1e-4, atol=1e-4)


def test_results_are_deterministic():
    x = tf.placeholder(tf.float32, [128, 300])
    layer = tf.nn.relu(tf.matmul(x, tf.constant(randn(300, 200))) + tf.constant(randn(200)))
    feeds = {x: randn(128, 300)}
    with tf.Session() as session:
        first = session.run(layer, feeds)
        for _ in range(5):
            np.testing.assert_array_equal(session.run(layer, feeds), first)


def test_shared_product_is_not_fused():
    a, b = tf.placeholder(tf.float32, [80, 80]), tf.placeholder(tf.float32, [80, 80])
    bias = tf.placeholder(tf.float32, [80])
    product = tf.matmul(a, b)
    layer = product + bias
    for others in ([product], [tf.exp(product)]):
        assert "MatMul" in kinds(lowered(layer, *others, feeds=[a, b, bias]))
    assert "MatMul" in kinds(lowered(product + product, feeds=[a, b, bias]))
    with tf.control_dependencies([tf.shape(product)[0:1].op]):
        assert "fused" in kinds(lowered(layer, feeds=[a, b, bias]))


def test_small_products_are_not_fused():
    a, b, bias = (tf.placeholder(tf.float32, shape) for shape in ([8, 30], [30, 20], [20]))
    assert "MatMul" in kinds(lowered(tf.nn.relu(tf.matmul(a, b) + bias), feeds=[a, b, bias]))


def test_product_shape_is_taken_from_result(monkeypatch):
    a, b = tf.placeholder(tf.float32, [None, 80]), tf.placeholder(tf.float32, [80, 90])
    bias = tf.placeholder(tf.float32, [90])
    product = tf.matmul(a, b)
    layer = tf.nn.relu(product + bias)
    shape = tf.shape(product)
    flat = tf.reshape(layer, tf.stack([shape[1], shape[0]]))
    assert "MatMul" not in kinds(lowered(flat, feeds=[a, b, bias]))
    feeds = {a: randn(70, 80), b: randn(80, 90), bias: randn(90)}
    got, expected = on_both_ways(monkeypatch, flat, feeds)
    np.testing.assert_allclose(got, expected, rtol=1e-4, atol=1e-4)
    before = tf.reshape(tf.range(tf.shape(product)[0]), [-1, 1])
    scaled = tf.matmul(a, b) + tf.cast(tf.reduce_sum(before), tf.float32)
    assert on_both_ways(monkeypatch, scaled, feeds)[0].shape == (70, 90)


def test_shape_mismatch_raises_op_error():
    a, b = tf.placeholder(tf.float32, [None, None]), tf.placeholder(tf.float32)
    layer = tf.nn.relu(tf.raw_ops.MatMul(a=a, b=b))
    assert kinds(lowered(layer, feeds=[a, b])) == ["fused"]
    with tf.Session() as session:
        for other, text in ((randn(80, 90), "size-incompatible"), (randn(70), "not a matrix")):
            with pytest.raises(tf.errors.InvalidArgumentError, match=text):
                session.run(layer, {a: randn(60, 70), b: other})
