"""Matrix products: every layout, rank and shape matches numpy."""

import itertools
import logging

import numpy as np
import pytest

import tfmini as tf
from tests.support import cases
from tfmini._src.base.names import deprecation

RANDOM = np.random.RandomState(2)


@cases.in_one_test
@pytest.mark.parametrize("dtype", ["float16", "float32", "float64", "int32", "complex64"])
@pytest.mark.parametrize("transposed", list(itertools.product([False, True], repeat=2)), ids=str)
@pytest.mark.parametrize("known", [True, False])
def test_matmul(dtype, transposed, known):
    a = RANDOM.uniform(-3, 3, (4, 3)).astype(dtype)
    b = RANDOM.uniform(-3, 3, (3, 5)).astype(dtype)
    wide = "D" if dtype == "complex64" else "d"
    want = a.astype(wide) @ b.astype(wide)
    a, b = (m.T.copy() if t else m for m, t in zip((a, b), transposed))
    fed = [tf.placeholder(dtype, m.shape if known else [None, None]) for m in (a, b)]
    product = tf.matmul(*fed, *transposed)
    with tf.Session() as session:
        got = session.run(product, dict(zip(fed, (a, b))))
    assert got.dtype == dtype
    last_digit = np.finfo(dtype).eps if dtype != "int32" else 0.0
    np.testing.assert_allclose(got, want, rtol=0, atol=27 * last_digit)  # sums of 3, up to 9 each


def test_bfloat16_product_is_truncated():
    x = tf.constant([[181.0]], tf.bfloat16)
    with tf.Session() as session:
        assert session.run(tf.cast(tf.matmul(x, -x), tf.float32)) == -32640  # of -32761


def test_sparse_product_gradient():
    a, b = tf.constant([[1.0, 0.0, 2.0]]), tf.constant([[3.0], [0.0], [4.0]])
    found = tf.gradients(tf.matmul(a, b, b_is_sparse=True), [a, b])
    with tf.Session() as session:
        a_grad, b_grad = session.run(found)
    assert a_grad.tolist() == [[3, 0, 4]] and b_grad.tolist() == [[1], [0], [2]]


def test_sparse_matmul_warns_only_through_matmul(caplog, monkeypatch):
    monkeypatch.setattr(deprecation, "_warned", set())
    with caplog.at_level(logging.WARNING, logger="tensorflow"), tf.Graph().as_default():
        tf.sparse_matmul([[1.0]], [[2.0]])
        assert not caplog.messages
        tf.matmul([[1.0]], [[2.0]], a_is_sparse=True)
    assert "Use `tf.linalg.matmul` instead" in caplog.messages[0]


@pytest.mark.parametrize("dtype", [np.int32, np.int64])
@pytest.mark.parametrize("largest", [9, 2**15, 2**24, 2**31 - 1])
def test_integer_products_wrap(dtype, largest):
    """Small ones are multiplied as doubles, which represent all of their sums exactly."""
    rng = np.random.RandomState(0)
    x, y = (rng.randint(-largest, largest, shape).astype(dtype) for shape in ((40, 70), (70, 30)))
    wanted = (x.astype(object) @ y.astype(object)) % 2 ** (8 * x.itemsize)
    with tf.Session() as session:
        found = session.run(tf.matmul(tf.constant(x), tf.constant(y)))
    assert found.dtype == dtype
    np.testing.assert_array_equal(found.astype(object) % 2 ** (8 * x.itemsize), wanted)
