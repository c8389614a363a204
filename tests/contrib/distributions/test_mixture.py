"""Mixtures sample from their components."""

import numpy as np
import pytest

import tfmini as tf
from tests.support.oracles import laws
from tests.support.sessions import run

c = tf.contrib.distributions


@pytest.mark.parametrize("static", [False, True])
def test_samples(static):
    tf.set_random_seed(1)  # a family's own seed reaches neither of its components, as in TensorFlow
    cat = c.Categorical(probs=[0.25, 0.75])
    parts = [c.Normal(0.0, 1.0), c.Normal(4.0, 2.0)]
    mixture = c.Mixture(cat, parts, use_static_graph=static)
    family = c.MixtureSameFamily(cat, c.Normal([0.0, 4.0], [1.0, 2.0]))
    fetches = [mixture.sample(4000, seed=1), family.sample(4000, seed=2)]
    fetches += [mixture.mean(), mixture.stddev(), family.mean(), family.stddev()]
    fetches += [mixture.prob(3.0), family.prob(3.0)]
    samples, of_family, *rest = run(fetches)

    first, second = laws.normal(), laws.normal(4, 2)

    def cdf(x):
        return 0.25 * first.cdf(x) + 0.75 * second.cdf(x)

    assert laws.kolmogorov(samples, cdf) > 0.01
    assert laws.kolmogorov(of_family, cdf) > 0.01
    stddev = np.sqrt(0.25 * 1 + 0.75 * (4 + 16) - 9)
    density = 0.25 * first.pdf(3) + 0.75 * second.pdf(3)
    np.testing.assert_allclose(rest, [3, stddev, 3, stddev, density, density], rtol=1e-5)
