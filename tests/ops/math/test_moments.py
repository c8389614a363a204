"""tf.nn.moments and tf.nn.l2_normalize."""

import numpy as np

import tfmini as tf
from tests.support.oracles.numeric_gradient import check
from tests.support.sessions import run

X = np.random.RandomState(0).randn(200, 50).astype("f")


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


def test_l2_normalize():
    rows = run(tf.nn.l2_normalize(X, 1))
    np.testing.assert_allclose(np.linalg.norm(rows, axis=1), 1, rtol=1e-5)
    check(lambda t: [tf.nn.l2_normalize(t, [0])], [X[:3, :4].astype("d")])
