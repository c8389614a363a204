"""Logistic distributions against scipy."""

import numpy as np
import scipy

import tfmini as tf
from tests.support.sessions import run

c = tf.contrib.distributions


def test_against_scipy():
    logistic = c.Logistic(np.float64(1), np.float64(2))
    expected = scipy.stats.logistic(1, 2)
    x = np.linspace(-5, 5, 7)
    prob, cdf, samples = run([logistic.prob(x), logistic.cdf(x), logistic.sample(4000, seed=1)])
    np.testing.assert_allclose(prob, expected.pdf(x), rtol=1e-12)
    np.testing.assert_allclose(cdf, expected.cdf(x), rtol=1e-12)
    assert scipy.stats.kstest(samples, expected.cdf).pvalue > 0.01
