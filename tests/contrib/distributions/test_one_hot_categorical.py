"""One-hot categorical distributions."""

import numpy as np

import tfmini as tf
from tests.support.lazy_modules import scipy
from tests.support.sessions import run

c = tf.contrib.distributions


def test_samples_and_covariance():
    one_hot = c.OneHotCategorical(probs=np.array([0.2, 0.3, 0.5]))
    samples, covariance = run([one_hot.sample(8000, seed=1), one_hot.covariance()])
    np.testing.assert_array_equal(samples.sum(1), 1)
    # Within four standard deviations for 8,000 draws.
    np.testing.assert_allclose(samples.mean(0), [0.2, 0.3, 0.5], atol=0.02)
    np.testing.assert_allclose(np.cov(samples.T), covariance, atol=0.02)


def test_relaxed_samples_have_gradients():
    logits = tf.constant([[1.0, 2.0, 0.5]])
    one_hot = c.RelaxedOneHotCategorical(0.5, logits=logits).sample(seed=1)
    coins = c.RelaxedBernoulli(0.5, logits=logits).sample(1000, seed=1)
    gradient = tf.gradients(one_hot[:, 0], logits)[0]
    total, coins, gradient = run([tf.reduce_sum(one_hot, 1), coins, gradient])
    np.testing.assert_allclose(total, 1, rtol=1e-6)
    assert ((coins > 0) & (coins <= 1)).all()
    # P[sigmoid((logit + noise) / t) > 1/2] = P[noise > -logit] = sigmoid(logit); within three standard deviations for
    # 1,000 draws
    np.testing.assert_allclose(
        (coins > 0.5).mean(0)[0], scipy.special.expit([1.0, 2.0, 0.5]), atol=0.05
    )
    assert np.all(gradient != 0)
