"""tfmini.contrib.distributions against scipy and numpy, and bijectors of one's own."""

import numpy as np
import pytest
import scipy

import tfmini as tf

c = tf.contrib.distributions


def run(fetches):
    with tf.Session() as session:
        return session.run(fetches)


def test_poisson():
    poisson, expected = c.Poisson(np.float64(3.5)), scipy.stats.poisson(3.5)
    k = np.arange(9.0)
    prob, cdf, samples = run([poisson.prob(k), poisson.cdf(k), poisson.sample(4000, seed=1)])
    np.testing.assert_allclose(prob, expected.pmf(k), rtol=1e-12)
    np.testing.assert_allclose(cdf, expected.cdf(k), rtol=1e-12)
    # Within three deviations of what 4,000 draws give for the variance, nine for the mean.
    np.testing.assert_allclose([samples.mean(), samples.var()], 3.5, rtol=0.08)


def test_logistic():
    logistic = c.Logistic(np.float64(1), np.float64(2))
    expected = scipy.stats.logistic(1, 2)
    x = np.linspace(-5, 5, 7)
    prob, cdf, samples = run([logistic.prob(x), logistic.cdf(x), logistic.sample(4000, seed=1)])
    np.testing.assert_allclose(prob, expected.pdf(x), rtol=1e-12)
    np.testing.assert_allclose(cdf, expected.cdf(x), rtol=1e-12)
    assert scipy.stats.kstest(samples, expected.cdf).pvalue > 0.01


def test_one_hot():
    one_hot = c.OneHotCategorical(probs=np.array([0.2, 0.3, 0.5]))
    samples, covariance = run([one_hot.sample(8000, seed=1), one_hot.covariance()])
    np.testing.assert_array_equal(samples.sum(1), 1)
    # Within four deviations of what 8,000 draws give.
    np.testing.assert_allclose(samples.mean(0), [0.2, 0.3, 0.5], atol=0.02)
    np.testing.assert_allclose(np.cov(samples.T), covariance, atol=0.02)


@pytest.mark.parametrize("static", [False, True])
def test_mixtures_draw_what_they_say(static):
    tf.set_random_seed(1)  # a family's own seed reaches neither of its parts, as in TensorFlow
    cat = c.Categorical(probs=[0.25, 0.75])
    parts = [c.Normal(0.0, 1.0), c.Normal(4.0, 2.0)]
    mixture = c.Mixture(cat, parts, use_static_graph=static)
    family = c.MixtureSameFamily(cat, c.Normal([0.0, 4.0], [1.0, 2.0]))
    fetches = [mixture.sample(4000, seed=1), family.sample(4000, seed=2)]
    fetches += [mixture.mean(), mixture.stddev(), family.mean(), family.stddev()]
    fetches += [mixture.prob(3.0), family.prob(3.0)]
    samples, of_family, *rest = run(fetches)

    def cdf(x):
        return 0.25 * scipy.stats.norm.cdf(x) + 0.75 * scipy.stats.norm.cdf(x, 4, 2)

    assert scipy.stats.kstest(samples, cdf).pvalue > 0.01
    assert scipy.stats.kstest(of_family, cdf).pvalue > 0.01
    stddev = np.sqrt(0.25 * 1 + 0.75 * (4 + 16) - 9)
    density = 0.25 * scipy.stats.norm.pdf(3) + 0.75 * scipy.stats.norm.pdf(3, 4, 2)
    np.testing.assert_allclose(rest, [3, stddev, 3, stddev, density, density], rtol=1e-5)


def test_family_takes_validate_args():
    """TensorFlow fails here with an AttributeError of its own."""
    cat = c.Categorical(probs=[0.25, 0.75])
    family = c.MixtureSameFamily(cat, c.Normal([0.0, 4.0], 1.0), validate_args=True)
    assert run(family.mean()) == 3.0


def test_log_normal():
    log_normal = c.TransformedDistribution(
        c.Normal(np.float64(0.5), np.float64(0.25)), c.bijectors.Exp()
    )
    expected = scipy.stats.lognorm(0.25, scale=np.exp(0.5))
    x = np.linspace(0.5, 4, 6)
    prob, cdf, half = run([log_normal.prob(x), log_normal.cdf(x), log_normal.quantile(0.5)])
    np.testing.assert_allclose(prob, expected.pdf(x), rtol=1e-10)
    np.testing.assert_allclose(cdf, expected.cdf(x), rtol=1e-10)
    np.testing.assert_allclose(half, np.exp(0.5), rtol=1e-10)


def test_relaxed_samples_have_gradients():
    logits = tf.constant([[1.0, 2.0, 0.5]])
    one_hot = c.RelaxedOneHotCategorical(0.5, logits=logits).sample(seed=1)
    coins = c.RelaxedBernoulli(0.5, logits=logits).sample(1000, seed=1)
    slope = tf.gradients(one_hot[:, 0], logits)[0]
    total, coins, slope = run([tf.reduce_sum(one_hot, 1), coins, slope])
    np.testing.assert_allclose(total, 1, rtol=1e-6)
    assert ((coins > 0) & (coins <= 1)).all()
    # P[sigmoid((logit + noise) / t) > 1/2] = P[noise > -logit] = sigmoid(logit); within three deviations of 1,000 draws
    np.testing.assert_allclose(
        (coins > 0.5).mean(0)[0], scipy.special.expit([1.0, 2.0, 0.5]), atol=0.05
    )
    assert np.all(slope != 0)


class Cube(c.bijectors.Bijector):
    """y = x^3, its determinant known forward only."""

    def __init__(self):
        super().__init__(forward_min_event_ndims=0)

    def _forward(self, x):
        return x**3.0

    def _inverse(self, y):
        return y ** (1.0 / 3.0)

    def _forward_log_det_jacobian(self, x):
        return tf.log(3.0 * x**2.0)


def test_bijector_of_ones_own():
    cube = Cube()
    assert cube.name == "cube"
    x = tf.constant([[1.0, 2.0]])
    y = cube.forward(x)
    assert cube.forward(x) is y
    assert cube.inverse(y) is x
    log_det = cube.inverse_log_det_jacobian(y, event_ndims=1)
    with pytest.raises(ValueError, match=r"event_ndims \(-1\) must be larger than min_event_ndims"):
        cube.inverse_log_det_jacobian(y, event_ndims=-1)
    assert cube.inverse_log_det_jacobian(y, event_ndims=1) is log_det
    got = run([log_det, cube.forward_log_det_jacobian(x, 0), cube.inverse(tf.constant([27.0]))])
    np.testing.assert_allclose(got[0], [-np.log(3.0) - np.log(12.0)], rtol=1e-6)
    np.testing.assert_allclose(got[1], [[np.log(3.0), np.log(12.0)]], rtol=1e-6)
    np.testing.assert_allclose(got[2], [3.0], rtol=1e-6)


def test_a_bijector_without_a_determinant():
    class Half(c.bijectors.Bijector):
        """Only forward."""

    with pytest.raises(NotImplementedError, match="inverse_log_det_jacobian not implemented"):
        Half(forward_min_event_ndims=0).inverse_log_det_jacobian(1.0, 0)
    with pytest.raises(TypeError, match="forward_min_event_ndims to be of type int, got str"):
        Half(forward_min_event_ndims="0")
    with pytest.raises(ValueError, match="inverse_min_event_ndims must be a non-negative"):
        Half(forward_min_event_ndims=0, inverse_min_event_ndims=-1)
