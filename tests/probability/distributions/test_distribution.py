"""tfmini.distributions beyond the golden programs. The oracles are scipy, numpy and integrals."""

import numpy as np
import pytest

import tfmini as tf
from tests.support.lazy_modules import scipy
from tests.support.oracles import laws
from tests.support.sessions import run
from tfmini._src.probability.distributions.kullback_leibler import register_kl

d = tf.distributions


def test_normal_tails():
    x = np.array([-300.0, -30.0, -8.0, -0.5, 0.0, 3.0, 9.0, 30.0])
    normal = d.Normal(np.float64(0), np.float64(1))
    log_cdf, cdf, log_survival = run(
        [normal.log_cdf(x), normal.cdf(x), normal.log_survival_function(x)]
    )
    np.testing.assert_allclose(log_cdf, scipy.special.log_ndtr(x), rtol=1e-6)
    np.testing.assert_allclose(cdf, scipy.special.ndtr(x), rtol=1e-12)
    np.testing.assert_allclose(log_survival, scipy.special.log_ndtr(-x), rtol=1e-6, atol=1e-15)


def test_subclass_attributes_are_kept():
    """Edward's random variables keep their sample in `_value`."""

    class RandomVariable(d.Normal):
        def __init__(self, *args):
            super().__init__(*args)
            self._value = self.sample()

    x, values = [0.0, 2.0], RandomVariable(1.0, 2.0)
    actual = run([values.log_prob(x), values.prob(x), values.cdf(x), values.quantile([0.5])])
    normal = laws.normal(1, 2)
    x = np.array(x)
    expected = [np.log(normal.pdf(x)), normal.pdf(x), normal.cdf(x), [1.0]]
    for ours, theirs in zip(actual, expected):
        np.testing.assert_allclose(ours, theirs, rtol=1e-6)


def test_normal_quantiles():
    p = np.array([0.0, 1e-300, 1e-16, 0.001, 0.1353, 0.3, 0.5, 0.9, 1 - 1e-12, 1.0])
    actual = run(d.Normal(np.float64(1), np.float64(2)).quantile(p))
    np.testing.assert_allclose(actual, 1 + 2 * scipy.special.ndtri(p), rtol=1e-12)


DENSITIES = {
    "beta": (lambda: d.Beta(np.float64(2), np.float64(3)), lambda: laws.beta(2, 3)),
    "exponential": (lambda: d.Exponential(np.float64(2)), lambda: laws.gamma(1, 0.5)),
    "gamma": (
        lambda: d.Gamma(np.float64(3), np.float64(2)),
        lambda: laws.gamma(3, 0.5),
    ),
    "laplace": (lambda: d.Laplace(np.float64(1), np.float64(2)), lambda: laws.laplace(1, 2)),
    "normal": (lambda: d.Normal(np.float64(1), np.float64(2)), lambda: laws.normal(1, 2)),
    "student": (
        lambda: d.StudentT(np.float64(5), np.float64(1), np.float64(2)),
        lambda: laws.student(5, 1, 2),
    ),
    "uniform": (
        lambda: d.Uniform(np.float64(-1), np.float64(3)),
        lambda: laws.uniform(-1, 3),
    ),
}


@pytest.mark.parametrize("name", DENSITIES)
def test_densities_and_samples(name):
    make, expect = DENSITIES[name]
    ours, expected = make(), expect()
    x = np.linspace(0.05, 0.95, 7)
    fetches = [ours.prob(x), ours.cdf(x), ours.mean(), ours.entropy(), ours.sample(4000, seed=1)]
    prob, cdf, mean, entropy, samples = run(fetches)
    np.testing.assert_allclose(prob, expected.pdf(x), rtol=1e-10)
    np.testing.assert_allclose(cdf, expected.cdf(x), rtol=1e-10)
    np.testing.assert_allclose([mean, entropy], [expected.mean, expected.entropy], rtol=1e-8)
    assert laws.kolmogorov(samples, expected.cdf) > 0.01


def test_count_distributions():
    alpha, n = np.array([1.0, 2.0, 0.5]), np.array([[2.0, 1.0, 1.0], [0.0, 4.0, 0.0]])
    mixed = d.DirichletMultinomial(np.float64(4), alpha)
    plain = d.Multinomial(np.float64(4), probs=alpha / alpha.sum())
    actual, samples, of_plain = run([mixed.prob(n), mixed.sample(3000, seed=2), plain.prob(n)])
    ways = 24 / scipy.special.factorial(n).prod(1)
    raised = scipy.special.poch(alpha, n).prod(1) / scipy.special.poch(alpha.sum(), 4)
    np.testing.assert_allclose(actual, ways * raised)
    np.testing.assert_allclose(of_plain, ways * ((alpha / alpha.sum()) ** n).prod(1))
    np.testing.assert_array_equal(samples.sum(1), 4)
    # Within four standard deviations for 3,000 draws.
    np.testing.assert_allclose(samples.mean(0), 4 * alpha / alpha.sum(), atol=0.1)


@pytest.mark.parametrize(
    ("a", "b"),
    [
        (
            lambda: d.Normal(np.float64(1), np.float64(2)),
            lambda: d.Normal(np.float64(0), np.float64(3)),
        ),
        (
            lambda: d.Gamma(np.float64(3), np.float64(2)),
            lambda: d.Gamma(np.float64(2), np.float64(1)),
        ),
        (lambda: d.Exponential(np.float64(3)), lambda: d.Gamma(np.float64(2), np.float64(1))),
    ],
)
def test_divergences_match_integrals(a, b):
    a, b = a(), b()
    if isinstance(a, d.Gamma):
        u = np.linspace(-25, 4, 100_001)
        x, weight = np.exp(u), np.exp(u) * (u[1] - u[0])
    else:
        x = np.linspace(-20, 20, 100_001)
        weight = x[1] - x[0]
    p, q, actual = run([a.prob(x), b.prob(x), a.kl_divergence(b)])
    retained = p > 0
    terms = np.where(retained, p * np.log(np.where(retained, p, 1) / np.where(retained, q, 1)), 0)
    np.testing.assert_allclose(actual, np.sum(terms * weight), rtol=1e-6)


def test_beta_sample_gradient_follows_gamma_samples():
    """It is a / (a + b) of two; the derivative of a is that of its quantile, b is constant."""
    theta = tf.placeholder(tf.float64, [])
    x = d.Beta(theta, np.float64(2)).sample(seed=3)
    drawn = [op.outputs[0] for op in x.graph.get_operations() if op.type == "RandomGamma"]
    value, gradient, a, b = run([x, tf.gradients(x, theta)[0], *drawn], {theta: 1.5})
    np.testing.assert_allclose(value, a / (a + b))
    step = 1e-5
    change = scipy.special.gammainc(1.5 + step, a) - scipy.special.gammainc(1.5 - step, a)
    density = a**0.5 * np.exp(-a) / scipy.special.gamma(1.5)
    moved = -change / (2 * step) / density
    np.testing.assert_allclose(gradient, b / (a + b) ** 2 * moved, rtol=1e-4)


@pytest.mark.parametrize("kind", ["normal", "laplace", "gamma", "student"])
def test_sample_gradients_match_quantiles(kind):
    """dx/dtheta = -(dF/dtheta) / f: the sample changes like its quantile."""
    make = {
        "normal": lambda t: d.Normal(t, 2.0 * t),
        "laplace": lambda t: d.Laplace(t, 2.0 * t),
        "gamma": lambda t: d.Gamma(t, np.float64(1)),
        "student": lambda t: d.StudentT(np.float64(5), t, 2.0 * t),
    }[kind]
    theta = tf.placeholder(tf.float64, [])
    ours = make(theta)
    x = ours.sample(seed=3)
    value, gradient = run([x, tf.gradients(x, theta)[0]], {theta: 1.5})
    at = tf.placeholder(tf.float64, [])
    cdf, prob = ours.cdf(at), ours.prob(at)
    if kind == "student":  # loc and scale only
        np.testing.assert_allclose(gradient, value / 1.5)
        return
    step = 1e-5
    above, below = (run(cdf, {theta: 1.5 + s, at: value}) for s in (step, -step))
    density = run(prob, {theta: 1.5, at: value})
    np.testing.assert_allclose(gradient, -(above - below) / (2 * step) / density, rtol=1e-4)


def test_discrete_samples_have_no_gradients():
    logits = tf.constant([0.5, 1.0])
    for one in (d.Bernoulli(logits), d.Categorical(logits)):
        assert one.reparameterization_type is d.NOT_REPARAMETERIZED
        assert tf.gradients(tf.cast(one.sample(), tf.float32), logits) == [None]


def test_nearest_registered_divergence_is_used():
    class Near(d.Normal):
        """A normal of one's own."""

    class Nearer(Near):
        """One more."""

    x, y = Nearer(0.0, 1.0), d.Normal(1.0, 1.0)
    np.testing.assert_allclose(run(x.kl_divergence(y)), 0.5)
    register_kl(Near, d.Normal)(lambda a, b, name=None: "near")
    assert x.kl_divergence(y) == "near"
    assert Near(0.0, 1.0).kl_divergence(y) == "near"
    np.testing.assert_allclose(run(y.kl_divergence(x)), 0.5)


def test_duplicate_registration_is_refused():
    @d.RegisterKL(dict, list)
    def first(a, b, name=None):
        return a

    with pytest.raises(ValueError, match=r"KL\(dict \|\| list\) has already been registered to: "):
        d.RegisterKL(dict, list)(first)


def test_multinomial_sample_means():
    counts = d.Multinomial([3.0, 10.0], probs=[[0.2, 0.8], [0.5, 0.5]]).sample(2000, seed=5)
    (counts,) = run([counts])
    assert counts.shape == (2000, 2, 2)
    np.testing.assert_array_equal(counts.sum(-1), np.tile([3, 10], [2000, 1]))
    # Within four standard deviations for 2,000 draws.
    np.testing.assert_allclose(counts.mean(0), [[0.6, 2.4], [5, 5]], atol=0.15)


def test_seeds_determine_samples():
    tf.set_random_seed(1)
    normal = d.Normal(0.0, 1.0)
    a, b, c, repeated = run(
        [normal.sample(4, s) for s in (1, 2, None)] + [d.Normal(0.0, 1.0).sample(4, 1)]
    )
    np.testing.assert_array_equal(a, repeated)
    assert not np.array_equal(a, b)
    assert not np.array_equal(a, c)


def test_reparameterization_types():
    assert (d.FULLY_REPARAMETERIZED == d.FULLY_REPARAMETERIZED) is True
    assert (d.FULLY_REPARAMETERIZED == d.NOT_REPARAMETERIZED) is False
    same_name = d.ReparameterizationType(d.FULLY_REPARAMETERIZED._rep_type)
    assert (same_name == d.FULLY_REPARAMETERIZED) is False
    assert d.Normal(0.0, 1.0).reparameterization_type is d.FULLY_REPARAMETERIZED
    assert d.Bernoulli(0.5).reparameterization_type is d.NOT_REPARAMETERIZED
    assert repr(d.ReparameterizationType("MINE")) == "<Reparameteriation Type: MINE>"


def test_deprecation_notice():
    assert "DEPRECATED" in d.Normal.__init__.__doc__
    assert "tfp.distributions" in d.kl_divergence.__doc__


def test_contrib_classes_are_the_same():
    for name in d.__all__:
        assert getattr(tf.contrib.distributions, name) is getattr(d, name)
