"""concat_matmuls: sums of products with common rows become one product."""

import numpy as np

import tfmini as tf
from tests.executor.programs import kinds, lowered


def products(count, transpose=True):
    left = [tf.placeholder(tf.float32, [None, 3]) for _ in range(count)]
    right = [tf.placeholder(tf.float32, [None, 2]) for _ in range(count)]
    return left, right, [tf.matmul(a, b, transpose_a=transpose) for a, b in zip(left, right)]


def test_sum_of_products_becomes_one_matmul():
    left, right, terms = products(4)
    total = tf.add_n(terms)
    assert kinds(lowered(total, feeds=left + right)) == ["const", "ConcatV2", "ConcatV2", "MatMul"]
    rng = np.random.RandomState(3)
    feed = {t: rng.rand(n + 1, t.shape[1]) for n in range(4) for t in (left[n], right[n])}
    with tf.Session() as session:
        got = session.run(total, feed)
    expected = sum(feed[a].T @ feed[b] for a, b in zip(left, right))
    np.testing.assert_allclose(got, expected, rtol=1e-5)


def test_few_products_are_not_joined():
    left, right, terms = products(2)
    assert kinds(lowered(tf.add_n(terms), feeds=left + right)).count("MatMul") == 2


def test_shared_product_is_not_joined():
    left, right, terms = products(3)
    fetched = kinds(lowered(tf.add_n(terms), terms[0], feeds=left + right))
    read = kinds(lowered(tf.add_n(terms), terms[0] * 2.0, feeds=left + right))
    assert fetched.count("MatMul") == read.count("MatMul") == 3


def test_untransposed_products_are_not_joined():
    left = [tf.placeholder(tf.float32, [4, 3]) for _ in range(3)]
    right = [tf.placeholder(tf.float32, [3, 2]) for _ in range(3)]
    total = tf.add_n([tf.matmul(a, b) for a, b in zip(left, right)])
    assert kinds(lowered(total, feeds=left + right)).count("MatMul") == 3


def test_control_inputs_still_run_first():
    v = tf.Variable(np.ones([2, 3], "f"))
    x = tf.placeholder(tf.float32, [2, 2])
    with tf.control_dependencies([v.assign_add(np.ones([2, 3], "f"))]):
        terms = [tf.matmul(v, x * float(n), transpose_a=True) for n in range(3)]
    total = tf.add_n(terms)
    with tf.Session() as session:
        session.run(v.initializer)
        assert session.run(total, {x: np.eye(2)}).tolist() == [[6.0, 6.0]] * 3


def test_bias_gradient_uses_joined_matrix():
    """As in a bias gradient next to the matrix gradient."""
    left, right, terms = products(4)
    sums = [tf.raw_ops.BiasAddGrad(out_backprop=b) for b in right]
    fetches = [tf.add_n(sums), tf.add_n(terms)]
    ops = kinds(lowered(*fetches, feeds=left + right))
    assert ops == ["const", "ConcatV2", "BiasAddGrad", "ConcatV2", "MatMul"]
    rng = np.random.RandomState(3)
    feed = {t: rng.rand(n + 1, t.shape[1]) for n in range(4) for t in (left[n], right[n])}
    with tf.Session() as session:
        got, product = session.run(fetches, feed)
    np.testing.assert_allclose(got, sum(feed[b].sum(axis=0) for b in right), rtol=1e-5)
    expected = sum(feed[a].T @ feed[b] for a, b in zip(left, right))
    np.testing.assert_allclose(product, expected, rtol=1e-5)


def test_unrelated_bias_gradients_are_kept():
    left, right, terms = products(3)
    other = [tf.placeholder(tf.float32, [None, 2]) for _ in range(3)]
    sums = [tf.raw_ops.BiasAddGrad(out_backprop=b) for b in other]
    ops = kinds(lowered(tf.add_n(sums), tf.add_n(terms), feeds=left + right + other))
    assert ops.count("BiasAddGrad") == 3 and ops.count("AddN") == 1
