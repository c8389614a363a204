"""fuse_cpu and blocks: trees of elementwise ops on large arrays, evaluated in blocks."""

import numpy as np
import pytest

import tfmini as tf
from tests.executor.programs import kinds, lowered
from tfmini._src.compiler.passes import fuse_native

LARGE = 1 << 17


@pytest.fixture(autouse=True)
def _no_library(monkeypatch):
    monkeypatch.setattr(fuse_native, "operations", dict)


def tree(x, y):
    return tf.tanh(x * y + 1.0) * tf.exp(-x) - y


def by_numpy(x, y):
    return np.tanh(x * y + 1.0) * np.exp(-x) - y


@pytest.mark.parametrize("shape", [[LARGE], [512, 512], None])
def test_fused_group_matches_numpy(shape):
    x, y = (tf.placeholder(tf.float64, shape) for _ in range(2))
    z = tree(x, y)
    if shape:
        assert kinds(lowered(z, feeds=[x, y])) == ["const", "fused"]
    rng = np.random.RandomState(3)
    a, b = rng.randn(2, *(shape or [700, 300]))
    with tf.Session() as session:
        got = session.run(z, {x: a, y: b})
    np.testing.assert_allclose(got, by_numpy(a, b), rtol=1e-12, atol=1e-15)


@pytest.mark.parametrize("size", [1, 7, (1 << 16) - 1, 1 << 16, (1 << 17) + 5, 300_001])
def test_fused_group_with_dynamic_size(size):
    x, y = (tf.placeholder(tf.float64, [None]) for _ in range(2))
    a, b = np.random.RandomState(size).randn(2, size)
    with tf.Session() as session:
        got = session.run(tree(x, y), {x: a, y: b})
    np.testing.assert_allclose(got, by_numpy(a, b), rtol=1e-12, atol=1e-15)


def test_strided_and_broadcast_inputs():
    x, y = (tf.placeholder(tf.float64, [None, None]) for _ in range(2))
    rng = np.random.RandomState(3)
    whole, row = rng.randn(400, 600), rng.randn(1, 300)
    with tf.Session() as session:
        got = session.run(tree(x, y), {x: whole[:, ::2], y: whole[:, 1::2]})
        np.testing.assert_allclose(got, by_numpy(whole[:, ::2], whole[:, 1::2]), rtol=1e-12)
        got = session.run(tree(x, y), {x: whole[:, ::2], y: row})
        np.testing.assert_allclose(got, by_numpy(whole[:, ::2], row), rtol=1e-12)


def test_small_arrays_are_not_fused():
    x, y = (tf.placeholder(tf.float32, [100]) for _ in range(2))
    assert "fused" not in kinds(lowered(tree(x, y), feeds=[x, y]))


def test_fetched_and_shared_results_are_not_aliased():
    x = tf.placeholder(tf.float32, [LARGE])
    middle = tf.exp(x) * 2.0
    end = tf.sin(middle) + tf.cos(middle)
    a = np.linspace(0, 1, LARGE, dtype="f")
    with tf.Session() as session:
        got = session.run([middle, end], {x: a})
    np.testing.assert_allclose(got[0], np.exp(a) * 2, rtol=1e-6)
    np.testing.assert_allclose(got[1], np.sin(got[0]) + np.cos(got[0]), rtol=1e-5, atol=1e-6)


def test_shape_mismatch_names_node():
    x, y = (tf.placeholder(tf.float32, [None]) for _ in range(2))
    product = tf.multiply(tf.exp(x), y, name="product")
    z = tf.sin(product)
    with tf.Session() as session, pytest.raises(tf.errors.InvalidArgumentError) as caught:
        session.run(z, {x: np.zeros(LARGE), y: np.zeros(LARGE + 1)})
    assert caught.value.op is product.op
    assert caught.value.message.startswith("Incompatible shapes: [131072] vs. [131073]")


def test_nan_and_infinity_raise_no_warnings():
    x = tf.placeholder(tf.float32, [LARGE])
    y = tf.log(x) / x
    with tf.Session() as session:
        got = session.run(y, {x: np.zeros(LARGE)})
    assert np.isneginf(got).all()
