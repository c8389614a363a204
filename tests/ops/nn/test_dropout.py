"""Dropout, l2_loss, zero_fraction, moments, l2_normalize, rankings, embeddings."""

from collections import Counter

import numpy as np
import pytest

import tfmini as tf
from tests.support.sessions import run
from tfmini._src.base import logs

X = np.random.RandomState(0).randn(200, 50).astype("f")


def test_dropout_follows_uniform_numbers():
    y = tf.nn.dropout(X, rate=0.25, seed=3)
    noise = tf.random_uniform([200, 50], seed=3)
    result, drawn = run([y, noise])
    np.testing.assert_allclose(result, X / np.float32(0.75) * (drawn >= 0.25), rtol=1e-6)
    assert 0.7 < (result != 0).mean() < 0.8


def test_dropout_gradient_matches_mask():
    x = tf.constant(X)
    y = tf.nn.dropout(x, 0.5, seed=1)
    result, gradient = run([y, tf.gradients(y, x)[0]])
    np.testing.assert_array_equal(gradient, np.where(result != 0, np.float32(2), 0))


def test_dropout_noise_shape():
    y = run(tf.nn.dropout(X, rate=0.5, noise_shape=[1, None], seed=1))
    retained = (y != 0).all(axis=0)
    assert 0 < retained.sum() < 50 and not y[:, ~retained].any()


def test_zero_rate_returns_the_tensor():
    x = tf.constant(X)
    assert tf.nn.dropout(x, rate=0) is x
    assert tf.nn.dropout(x, keep_prob=1.0) is x
    assert tf.nn.dropout(x, rate=tf.constant(0.0)) is x
    fed = tf.placeholder_with_default(0.0, [])
    np.testing.assert_array_equal(run(tf.nn.dropout(x, rate=fed, seed=1)), X)


def test_large_rates_warn(caplog, monkeypatch):
    monkeypatch.setattr(logs, "_counts", Counter())  # logged five times per process
    with caplog.at_level("WARNING", logger="tensorflow"):
        tf.nn.dropout(X, rate=0.875)
    assert "Large dropout rate: 0.875 (>0.5)." in caplog.text


def test_l2_loss():
    assert run(tf.nn.l2_loss(X)) == pytest.approx((X.astype("d") ** 2).sum() / 2, rel=1e-6)
    assert run(tf.nn.l2_loss(np.zeros((0, 3), "f"))) == 0
    assert run(tf.nn.l2_loss(np.float32(3))) == 4.5
    assert run(tf.nn.l2_loss(tf.transpose(X))) == pytest.approx((X**2).sum() / 2, rel=1e-5)
    assert run(tf.nn.l2_loss(np.full(1000, 2, "e"))).dtype == np.float16
