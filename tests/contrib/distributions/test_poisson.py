"""Poisson distributions against their formulas."""

import numpy as np

import tfmini as tf
from tests.support.lazy_modules import scipy
from tests.support.sessions import run

c = tf.contrib.distributions


def test_density_and_samples():
    poisson = c.Poisson(np.float64(3.5))
    k = np.arange(9.0)
    prob, cdf, samples = run([poisson.prob(k), poisson.cdf(k), poisson.sample(4000, seed=1)])
    np.testing.assert_allclose(prob, 3.5**k * np.exp(-3.5) / scipy.special.factorial(k), rtol=1e-12)
    np.testing.assert_allclose(cdf, scipy.special.pdtr(k, 3.5), rtol=1e-12)
    # For 4,000 draws, within three standard deviations of the variance, and nine of the mean.
    np.testing.assert_allclose([samples.mean(), samples.var()], 3.5, rtol=0.08)
