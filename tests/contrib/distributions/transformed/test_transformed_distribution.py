"""Transformed distributions."""

import numpy as np

import tfmini as tf
from tests.support.oracles import laws
from tests.support.sessions import run

c = tf.contrib.distributions


def test_family_takes_validate_args():
    """TensorFlow fails with an internal AttributeError."""
    cat = c.Categorical(probs=[0.25, 0.75])
    family = c.MixtureSameFamily(cat, c.Normal([0.0, 4.0], 1.0), validate_args=True)
    assert run(family.mean()) == 3.0


def test_log_normal():
    log_normal = c.TransformedDistribution(
        c.Normal(np.float64(0.5), np.float64(0.25)), c.bijectors.Exp()
    )
    expected = laws.normal(0.5, 0.25)
    x = np.linspace(0.5, 4, 6)
    prob, cdf, half = run([log_normal.prob(x), log_normal.cdf(x), log_normal.quantile(0.5)])
    np.testing.assert_allclose(prob, expected.pdf(np.log(x)) / x, rtol=1e-10)
    np.testing.assert_allclose(cdf, expected.cdf(np.log(x)), rtol=1e-10)
    np.testing.assert_allclose(half, np.exp(0.5), rtol=1e-10)
