"""Binomial, chi-squared, inverse gamma, half-normal and Cauchy distributions against their formulas."""

import numpy as np
import pytest

import tfmini as tf
from tests.support.lazy_modules import scipy
from tests.support.oracles import laws
from tests.support.sessions import run

POINTS = np.array([0.5, 1.0, 2.0, 3.0], np.float32)
TWO = np.array([3.0, 4.5, 6.0, 7.5], np.float32)
CASES = {
    "Chi2": ((TWO,), lambda: laws.gamma(TWO / 2, 2.0)),
    "Chi2WithAbsDf": ((-TWO,), lambda: laws.gamma(np.floor(TWO) / 2, 2.0)),
    "InverseGamma": ((TWO, 2.0), lambda: laws.inverse_gamma(TWO, 2.0)),
    "HalfNormal": ((TWO,), lambda: laws.half_normal(TWO)),
    "Cauchy": ((TWO, 2.0), lambda: laws.cauchy(TWO, 2.0)),
}


def test_half_normal_quantiles():
    p = np.array([0.01, 0.3, 0.5, 0.95], np.float32)
    result = tf.contrib.distributions.HalfNormal(TWO).quantile(p)
    np.testing.assert_allclose(
        run(result), TWO * scipy.special.ndtri((1 + p.astype("d")) / 2), rtol=1e-5
    )


@pytest.mark.parametrize("name", CASES)
def test_continuous_distributions(name):
    arguments, wanted = CASES[name]
    wanted = wanted()
    result = getattr(tf.contrib.distributions, name)(*arguments, validate_args=True)
    density = wanted.pdf(POINTS)
    values = {"prob": density, "log_prob": np.log(density), "cdf": wanted.cdf(POINTS)}
    for method, expected in values.items():
        value = run(getattr(result, method)(POINTS))
        np.testing.assert_allclose(value, expected, rtol=2e-4, err_msg=method)
    np.testing.assert_allclose(run(result.entropy()), wanted.entropy, rtol=1e-4)
    for method in ("mean", "var"):
        statistic = result.variance() if method == "var" else result.mean()
        np.testing.assert_allclose(run(statistic), getattr(wanted, method), rtol=1e-4)
    draws = run(result.sample(4000, seed=3))
    shares = run(tf.reduce_mean(tf.cast(draws < wanted.median.astype(np.float32), tf.float32), 0))
    np.testing.assert_allclose(shares, 0.5, atol=0.04)  # five standard deviations for 4,000 draws


def test_binomial():
    n, p = np.array([4.0, 5.0], np.float32), np.array([0.5, 0.25], np.float32)
    result = tf.contrib.distributions.Binomial(n, probs=p, validate_args=True)
    for counts in ([2.0, 5.0], [0.0, 1.0]):
        missed = n - counts
        expected = scipy.special.comb(n, counts) * p**counts * (1 - p) ** missed
        np.testing.assert_allclose(run(result.prob(counts)), expected, rtol=1e-4)
        expected = scipy.special.bdtr(counts, n.astype(int), p)
        np.testing.assert_allclose(run(result.cdf(counts)), expected, rtol=1e-4)
    expected = [n * p, n * p * (1 - p)]
    np.testing.assert_allclose(run([result.mean(), result.variance()]), expected, rtol=1e-5)
    assert run(result.mode()).tolist() == [2.0, 1.0]
    with pytest.raises(tf.errors.InvalidArgumentError, match="not less than or equal to n"):
        run(result.prob([5.0, 5.0]))
    with pytest.raises(tf.errors.InvalidArgumentError, match="fractional components"):
        tf.contrib.distributions.Binomial(2.5, probs=0.5, validate_args=True)


def test_undefined_statistics():
    few = tf.contrib.distributions.InverseGamma([1.0, 3.0], 2.0)
    assert np.isnan(run(few.mean())).tolist() == [True, False]
    strict = tf.contrib.distributions.InverseGamma([1.0, 3.0], 2.0, allow_nan_stats=False)
    with pytest.raises(tf.errors.InvalidArgumentError, match="mean undefined when any"):
        run(strict.mean())
    with pytest.raises(ValueError, match="`mean` is undefined for Cauchy distribution"):
        tf.contrib.distributions.Cauchy(0.0, 1.0, allow_nan_stats=False).mean()
