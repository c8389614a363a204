"""tf.contrib.distributions: common options, copies, names and gradients of each; in eager mode."""

import numpy as np

from tests.conformance import scenes

_ROOT = np.float32([[1.5, 0.0], [0.5, 0.75]])
_FULL = np.float32([[2.0, 0.5], [0.5, 1.0]])
_TWO = np.float32([0.5, 2.0])


def _cases(tf):
    d = tf.contrib.distributions
    b = d.bijectors
    normal = lambda: d.Normal([0.0, 1.0], 1.0)  # noqa: E731
    vectors = lambda: d.MultivariateNormalDiag(np.zeros([2, 2], np.float32))  # noqa: E731
    return {
        "autoregressive": lambda **o: d.Autoregressive(
            lambda x: d.Independent(d.Normal(x * 0.5, 1.0), 1), tf.zeros([2]), 2, **o
        ),
        "batch": lambda **o: d.BatchReshape(normal(), [2, 1], **o),
        "binomial": lambda **o: d.Binomial([4.0, 2.0], probs=0.25, **o),
        "cauchy": lambda **o: d.Cauchy(_TWO, 2.0, **o),
        "chi2": lambda **o: d.Chi2(_TWO, **o),
        "chi2 of abs": lambda **o: d.Chi2WithAbsDf(-_TWO, **o),
        "conditional": lambda **o: d.ConditionalTransformedDistribution(
            normal(), b.Exp(), **_but(o)
        ),
        "deterministic": lambda **o: d.Deterministic(_TWO, 0.5, 0.25, **o),
        "relaxed log": lambda **o: d.ExpRelaxedOneHotCategorical(0.5, [1.0, 2.0], **o),
        "geometric": lambda **o: d.Geometric([0.5, -1.0], **o),
        "geometric of probs": lambda **o: d.Geometric(probs=[0.5, 1.0], **o),
        "half normal": lambda **o: d.HalfNormal(_TWO, **o),
        "independent": lambda **o: d.Independent(normal(), **_but(o)),
        "inverse gamma": lambda **o: d.InverseGamma(_TWO, [1.0, 2.0], **o),
        "inverse gamma of softplus": lambda **o: d.InverseGammaWithSoftplusConcentrationRate(
            _TWO, [1.0, 2.0], **o
        ),
        "kumaraswamy": lambda **o: d.Kumaraswamy(_TWO, 2.0, **o),
        "logistic": lambda **o: d.Logistic(_TWO, 2.0, **o),
        "mixture": lambda **o: d.Mixture(
            d.Categorical([0.0, 1.0]), [d.Normal(0.0, 1.0), d.Normal(2.0, 0.5)], **o
        ),
        "mixture of vectors": lambda **o: d.Mixture(
            d.Categorical([[0.0, 1.0], [1.0, 2.0]]),
            [vectors(), vectors()],
            use_static_graph=True,
            **o,
        ),
        "mixture of one family": lambda **o: d.MixtureSameFamily(
            d.Categorical([0.0, 1.0]),
            normal(),
            **{**o, "validate_args": False},  # TensorFlow's check fails
        ),
        "normals": lambda **o: d.MultivariateNormalDiag([1.0, 2.0], [0.5, 2.0], 3.0, **o),
        "normals of low rank": lambda **o: d.MultivariateNormalDiagPlusLowRank(
            [1.0, 2.0], [0.5, 2.0], None, [[0.5], [1.0]], [2.0], **o
        ),
        "normals of softplus": lambda **o: d.MultivariateNormalDiagWithSoftplusScale(
            [1.0, 2.0], _TWO, **o
        ),
        "normals of covariances": lambda **o: d.MultivariateNormalFullCovariance(
            [1.0, 2.0], _FULL, **o
        ),
        "normals of roots": lambda **o: d.MultivariateNormalTriL([1.0, 2.0], _ROOT, **o),
        "negative binomial": lambda **o: d.NegativeBinomial([2.0, 3.0], [0.5, -0.5], **o),
        "one-hot": lambda **o: d.OneHotCategorical([1.0, 2.0], **o),
        "poisson": lambda **o: d.Poisson(_TWO, **o),
        "poisson of quadratures": lambda **o: d.PoissonLogNormalQuadratureCompound(
            0.5, 1.0, 3, **o
        ),
        "quantized": lambda **o: d.QuantizedDistribution(normal(), -2.0, 3.0, **_but(o)),
        "relaxed": lambda **o: d.RelaxedBernoulli(0.5, [0.5, 1.0], **o),
        "relaxed of probs": lambda **o: d.RelaxedBernoulli(0.5, probs=[0.5, 0.25], **o),
        "relaxed one-hot": lambda **o: d.RelaxedOneHotCategorical(0.5, [0.5, 1.0], **o),
        "sinh": lambda **o: d.SinhArcsinh(_TWO, 2.0, 0.5, 1.5, **o),
        "transformed": lambda **o: d.TransformedDistribution(
            normal(), b.Exp(), None, [], **_but(o)
        ),
        "vector": lambda **o: d.VectorDeterministic(_TWO, **o),
        "exponentials": lambda **o: d.VectorExponentialDiag(_TWO, [1.0, 2.0], **o),
        "laplaces": lambda **o: d.VectorLaplaceDiag(_TWO, [1.0, 2.0], **o),
        "sinhs": lambda **o: d.VectorSinhArcsinhDiag(_TWO, [1.0, 2.0], **o),
        "wishart": lambda **o: d.WishartFull(3.0, _FULL, **o),
        "wishart of roots": lambda **o: d.WishartCholesky(3.0, _ROOT, True, **o),
    }


def _but(options):
    """Drops an option of distributions without `allow_nan_stats`."""
    return {k: v for k, v in options.items() if k != "allow_nan_stats"}


def _of(names, tell):
    def scene(tf, stage):
        for name in names(tf):
            with tf.Graph().as_default():
                tf.set_random_seed(1)
                stage.say(name)
                with stage.failing():
                    tell(tf, stage, _cases(tf)[name])

    scene.__module__ = __name__
    return scene


def _part(number, of):
    return lambda tf: list(_cases(tf))[number::of]


def _options(tf, stage, make):
    one = make(validate_args=True, allow_nan_stats=False, name="own")
    stage.say(repr(one), one.name, one.validate_args, one.allow_nan_stats)
    stage.say([(k, _plain(one.parameters[k])) for k in sorted(one.parameters)])
    stage.say([x.name for x in one._graph_parents], one.reparameterization_type, one.dtype)
    for name in ("distribution", "mixture_distribution", "components_distribution", "cat"):
        inner = getattr(one, name, None)
        if inner is not None:
            stage.say(name, repr(inner), inner.validate_args, inner.allow_nan_stats)
    try:
        copied = one.copy(name="copied", validate_args=False)
    except TypeError as error:
        stage.say("is not copied", str(error).partition("__init__()")[2])
    else:
        stage.say(repr(copied), copied.validate_args, copied.allow_nan_stats, type(copied).__name__)
        stage.say(sorted(set(copied.parameters) ^ set(one.parameters)))
    for method in ("mean", "stddev", "variance", "mode", "entropy", "sample"):
        try:
            made = getattr(one, method)(*[2] * (method == "sample"), name="named")
        except Exception as error:
            stage.say(method, "!!", type(error).__name__, str(error).split("\n")[0])
        else:
            stage.say(made.name, made.shape, made.dtype.name)
    stage.brief_graph(names=False)


def _plain(value):
    if isinstance(value, (bool, str, int, float, type(None))):
        return value
    return getattr(value, "name", type(value).__name__)


def _slopes(tf, stage, make):
    """Records gradients of log densities and samples with respect to all parameters."""
    one = make()
    drawn = one.sample(3, seed=3)
    value = tf.stop_gradient(drawn)
    inputs = [x for x in one._graph_parents if x.dtype.is_floating]
    with tf.Session() as session:
        for made in (one.log_prob(value), drawn):
            found = tf.gradients(made, inputs) if made.dtype.is_floating else []
            kept = [x for x in found if x is not None]
            stage.say([x is not None for x in found], session.run(kept))


for _n in range(4):
    globals()[f"options_{_n}"] = _of(_part(_n, 4), _options)
for _n in range(3):
    globals()[f"slopes_{_n}"] = _of(_part(_n, 3), _slopes)


def distributions_eagerly(tf, stage):
    for name in list(_cases(tf)):
        with scenes.eager_mode(tf):
            tf.set_random_seed(1)
            stage.say(name)
            with stage.failing():
                one = _cases(tf)[name](validate_args=True)
                stage.say(repr(one), one.is_scalar_batch(), one.is_scalar_event())
                drawn = one.sample(2, seed=3)
                stage.say(drawn.shape, one.log_prob(drawn))
            with stage.failing():
                stage.say(one.mean(), one.variance())
