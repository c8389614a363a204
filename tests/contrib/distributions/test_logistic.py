"""Logistic distributions against their formulas."""

import numpy as np

import tfmini as tf
from tests.support.lazy_modules import scipy
from tests.support.oracles import laws
from tests.support.sessions import run

c = tf.contrib.distributions


def test_density_and_samples():
    logistic = c.Logistic(np.float64(1), np.float64(2))

    def cdf(x):
        return scipy.special.expit((x - 1) / 2)

    x = np.linspace(-5, 5, 7)
    prob, below, samples = run([logistic.prob(x), logistic.cdf(x), logistic.sample(4000, seed=1)])
    np.testing.assert_allclose(prob, cdf(x) * (1 - cdf(x)) / 2, rtol=1e-12)
    np.testing.assert_allclose(below, cdf(x), rtol=1e-12)
    assert laws.kolmogorov(samples, cdf) > 0.01
