"""Dropout, l2_loss, zero_fraction, moments, l2_normalize, rankings, embeddings."""

from collections import Counter

import numpy as np
import pytest

import tfmini as tf
from tests.support.oracles.numeric_gradient import check
from tfmini._src.base import logs

X = np.random.RandomState(0).randn(200, 50).astype("f")


def run(fetches, feed=None):
    with tf.Session() as session:
        return session.run(fetches, feed)


def test_dropout_keeps_what_the_uniform_numbers_say():
    y = tf.nn.dropout(X, rate=0.25, seed=3)
    noise = tf.random_uniform([200, 50], seed=3)
    found, drawn = run([y, noise])
    np.testing.assert_allclose(found, X / np.float32(0.75) * (drawn >= 0.25), rtol=1e-6)
    assert 0.7 < (found != 0).mean() < 0.8


def test_dropout_gradient_is_zero_where_elements_were():
    x = tf.constant(X)
    y = tf.nn.dropout(x, 0.5, seed=1)
    found, slope = run([y, tf.gradients(y, x)[0]])
    np.testing.assert_array_equal(slope, np.where(found != 0, np.float32(2), 0))


def test_dropout_of_whole_columns():
    y = run(tf.nn.dropout(X, rate=0.5, noise_shape=[1, None], seed=1))
    kept = (y != 0).all(axis=0)
    assert 0 < kept.sum() < 50 and not y[:, ~kept].any()


def test_dropout_of_nothing_is_the_tensor_itself():
    x = tf.constant(X)
    assert tf.nn.dropout(x, rate=0) is x
    assert tf.nn.dropout(x, keep_prob=1.0) is x
    assert tf.nn.dropout(x, rate=tf.constant(0.0)) is x
    fed = tf.placeholder_with_default(0.0, [])
    np.testing.assert_array_equal(run(tf.nn.dropout(x, rate=fed, seed=1)), X)


def test_large_rates_warn(caplog, monkeypatch):
    monkeypatch.setattr(logs, "_counts", Counter())  # it is said five times in a process
    with caplog.at_level("WARNING", logger="tensorflow"):
        tf.nn.dropout(X, rate=0.875)
    assert "Large dropout rate: 0.875 (>0.5)." in caplog.text


def test_l2_loss():
    assert run(tf.nn.l2_loss(X)) == pytest.approx((X.astype("d") ** 2).sum() / 2, rel=1e-6)
    assert run(tf.nn.l2_loss(np.zeros((0, 3), "f"))) == 0
    assert run(tf.nn.l2_loss(np.float32(3))) == 4.5
    assert run(tf.nn.l2_loss(tf.transpose(X))) == pytest.approx((X**2).sum() / 2, rel=1e-5)
    assert run(tf.nn.l2_loss(np.full(1000, 2, "e"))).dtype == np.float16


def test_zero_fraction():
    values = np.array([[0.0, 1.0], [0.0, 0.0]], "f")
    assert run(tf.nn.zero_fraction(values)) == 0.75
    assert np.isnan(run(tf.nn.zero_fraction(np.zeros((0, 2), "f"))))


def test_moments_and_their_gradients():
    mean, variance = run(tf.nn.moments(tf.constant(X), [0]))
    np.testing.assert_allclose(mean, X.mean(0), atol=1e-6)
    np.testing.assert_allclose(variance, X.var(0), rtol=1e-5)
    x = X[:4, :3].astype("d")
    check(lambda t: list(tf.nn.moments(t, [1])), [x], order=1)
    weights = np.abs(X[4:8, :3]).astype("d")
    check(lambda t, w: list(tf.nn.weighted_moments(t, [0], w)), [x, weights], order=1)
    mean, variance = run(tf.nn.weighted_moments(x, [0], weights))
    np.testing.assert_allclose(mean, np.average(x, 0, weights))
    np.testing.assert_allclose(variance, np.average((x - mean) ** 2, 0, weights))


def test_moments_from_statistics():
    x = X.astype("d")
    for shift in (None, np.float64(2)):
        statistics = tf.nn.sufficient_statistics(x, [0, 1], shift)
        mean, variance = run(tf.nn.normalize_moments(*statistics))
        assert mean == pytest.approx(x.mean()) and variance == pytest.approx(x.var())


def test_l2_normalize():
    rows = run(tf.nn.l2_normalize(X, 1))
    np.testing.assert_allclose(np.linalg.norm(rows, axis=1), 1, rtol=1e-5)
    check(lambda t: [tf.nn.l2_normalize(t, [0])], [X[:3, :4].astype("d")])


@pytest.mark.parametrize("k", [0, 1, 3, 16, 17, 40])
@pytest.mark.parametrize("kind", ["f", "e", "i4", "u1"])
def test_top_k_is_a_stable_sort(k, kind):
    values = (X[:20] * 3 + 5).astype(kind)  # with many equal elements as integers
    places = np.argsort(-values.astype("d"), axis=1, kind="stable")[:, :k]
    found = run(tf.nn.top_k(values, k))
    np.testing.assert_array_equal(found.indices, places)
    np.testing.assert_array_equal(found.values, np.take_along_axis(values, places, 1))


def test_top_k_meets_nan_as_tensorflow_does_and_takes_the_least_number_too():
    rows = np.array([[1, np.nan, 3], [-np.inf, -np.inf, 2]], "f")
    assert run(tf.nn.top_k(rows, 2)).indices.tolist() == [[1, 2], [2, 0]]
    assert run(tf.nn.top_k(rows, 1)).indices.tolist() == [[2], [2]]
    assert run(tf.nn.top_k(np.zeros((1, 3), "u1"), 2)).indices.tolist() == [[0, 1]]


def test_top_k_of_many_rows():
    values = np.random.RandomState(0).randint(0, 500, (2001, 300)).astype("f")
    places = np.argsort(-values, axis=1, kind="stable")[:, :7]
    np.testing.assert_array_equal(run(tf.nn.top_k(values, 7)).indices, places)
    values[1500, 3] = np.nan
    places[1500] = [3, 84, 34, 230, 257, 258, 16]  # TensorFlow 1.15.5's
    np.testing.assert_array_equal(run(tf.nn.top_k(values, 7)).indices, places)


def test_top_k_gradient():
    check(lambda t: [tf.nn.top_k(t, 2).values], [X[:3, :4].astype("d")], order=2)


@pytest.mark.parametrize("strategy", ["mod", "div"])
@pytest.mark.parametrize("ids", [[[0, 6], [3, 3]], 5, [[[1]]]])
def test_embeddings_in_parts(strategy, ids):
    table = np.arange(14.0).reshape(7, 2).astype("f")
    if strategy == "mod":
        parts = [table[0::3], table[1::3], table[2::3]]
    else:
        parts = [table[:3], table[3:5], table[5:]]
    ids = np.array(ids, "i4")
    found = run(tf.nn.embedding_lookup([tf.constant(p) for p in parts], ids, strategy))
    np.testing.assert_array_equal(found, table[ids])
    lengths = tf.placeholder(tf.float32, [None, 2])
    fed = tf.placeholder(tf.int32)
    dynamic = tf.nn.embedding_lookup([lengths, *map(tf.constant, parts[1:])], fed, strategy)
    for some in (ids, np.zeros((0, 2), "i4")):
        found = run(dynamic, {lengths: parts[0], fed: some})
        np.testing.assert_array_equal(found, table[some])


def test_embeddings_no_longer_than_asked():
    table = np.array([[3.0, 4.0], [0.3, 0.4]], "f")
    found = run(tf.nn.embedding_lookup(table, [[0], [1]], max_norm=1.0))
    np.testing.assert_allclose(found, [[[0.6, 0.8]], [[0.3, 0.4]]], rtol=1e-6)
