"""tf.random_gamma."""

import numpy as np
import pytest

import tfmini as tf
from tfmini._src.graph.opdef import raw


def test_invalid_gamma_and_poisson_parameters():
    with tf.Session() as session:
        gamma = session.run(raw.RandomGamma([2], [-1.0, 0.0, 2.0], seed=1))
        poisson = session.run(tf.random_poisson([np.nan, -1.0, 0.0], [2], seed=1))
    assert np.isnan(gamma[:, 0]).all() and not gamma[:, 1].any() and (gamma[:, 2] > 0).all()
    assert np.isnan(poisson[:, 0]).all() and not poisson[:, 1:].any()


def test_gamma_gradient_matches_quantile():
    """A sample's derivative with respect to a equals that of its quantile."""
    special = pytest.importorskip("scipy.special")
    alpha = tf.constant([0.3, 1.0, 4.0, 60.0], tf.float64)
    sample = tf.random_gamma([5], alpha, dtype=tf.float64, seed=4)
    gradient = tf.gradients(sample[2], alpha)[0]
    with tf.Session() as session:
        a, x, actual = session.run([alpha, sample, gradient])
    quantile = special.gammainc(a, x[2])
    h = 1e-5
    moved = special.gammaincinv(a + h, quantile) - special.gammaincinv(a - h, quantile)
    np.testing.assert_allclose(actual, moved / (2 * h), rtol=1e-5)
