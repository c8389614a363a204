"""tf.contrib.distributions: values out of range, at boundaries and in tails; validated or not; in two precisions."""

import numpy as np

_OF_VALUES = (
    *("log_prob", "cdf", "log_cdf", "survival_function", "log_survival_function"),
    "quantile",
)
_POSITIVE = [0.0, 1.0, -1.0, 300.0, np.inf, np.nan]
_REAL = [0.5, -30.0, 30.0, -400.0, 400.0, np.inf, np.nan]
_WHOLE = [0.0, 2.0, 1.5, -1.0, 7.0, np.nan]
_KINDS = {
    "binomial": (lambda d, k, **o: d.Binomial(k(4.0), probs=k(0.25), **o), _WHOLE),
    "cauchy": (lambda d, k, **o: d.Cauchy(k(1.0), k(2.0), **o), _REAL),
    "chi2": (lambda d, k, **o: d.Chi2(k(3.0), **o), _POSITIVE),
    "chi2 of abs": (lambda d, k, **o: d.Chi2WithAbsDf(k(-3.5), **o), _POSITIVE),
    "deterministic": (lambda d, k, **o: d.Deterministic(k(2.0), k(0.5), k(0.25), **o), _WHOLE),
    "geometric": (lambda d, k, **o: d.Geometric(probs=k(0.25), **o), _WHOLE),
    "half normal": (lambda d, k, **o: d.HalfNormal(k(2.0), **o), _POSITIVE),
    "inverse gamma": (lambda d, k, **o: d.InverseGamma(k(1.5), k(2.0), **o), _POSITIVE),
    "kumaraswamy": (lambda d, k, **o: d.Kumaraswamy(k(0.5), k(2.0), **o), [0.25, 1.0, 0.0, 1.5]),
    "logistic": (lambda d, k, **o: d.Logistic(k(1.0), k(2.0), **o), _REAL),
    "negative binomial": (lambda d, k, **o: d.NegativeBinomial(k(2.0), k(-0.5), **o), _WHOLE),
    "poisson": (lambda d, k, **o: d.Poisson(k(2.5), **o), _WHOLE),
    "poisson of logs": (lambda d, k, **o: d.Poisson(log_rate=k(0.5), **o), _WHOLE),
    "quantized": (
        lambda d, k, **o: d.QuantizedDistribution(tf_normal(d, k), low=k(-2.0), high=k(3.0), **o),
        [0.0, -2.0, 3.0, 1.5, -7.0, 7.0],
    ),
    "relaxed": (lambda d, k, **o: d.RelaxedBernoulli(k(0.5), k(0.5), **o), [0.25, 0.75, 1.0]),
    "sinh": (lambda d, k, **o: d.SinhArcsinh(k(1.0), k(2.0), k(0.5), k(1.5), **o), _REAL),
    "vector": (
        lambda d, k, **o: d.VectorDeterministic(np.array([1.0, 2.0], k), k(0.5), **o),
        [[1.0, 2.0], [1.5, 2.5], [2.0, 2.0]],
    ),
}
_LEVELS = (0.0, 1.0, 1e-6, 0.999)


def tf_normal(d, kind):
    """A normal distribution."""
    return d.Normal(kind(0.5), kind(1.0))


tf_normal.__module__ = "elsewhere"  # not a scene


def _of(name):
    """A scene: a distribution evaluated at given values, in each precision, validated or not."""

    def scene(tf, stage):
        make, values = _KINDS[name]
        for kind, checks in ((np.float32, True), (np.float32, False), (np.float64, False)):
            with tf.Graph().as_default(), tf.Session() as session, stage.failing():
                tf.set_random_seed(3)
                made = make(tf.contrib.distributions, kind, validate_args=checks)
                stage.say(kind.__name__, checks, made)
                for method in _OF_VALUES:
                    given = [_LEVELS] if method == "quantile" else [values]
                    if checks:
                        given = [[value] for value in given[0]]
                    for value in given:
                        try:
                            stage.say(
                                method, session.run(getattr(made, method)(np.array(value, kind)))
                            )
                        except NotImplementedError:
                            stage.say(method, "is not there")
                            break
                        except tf.errors.InvalidArgumentError as error:
                            stage.say(method, value, error.message.split("]")[0])
                numbers = []
                for method in ("mean", "variance", "stddev", "mode", "entropy"):
                    try:
                        numbers.append(getattr(made, method)())
                    except NotImplementedError as error:
                        stage.say(error)
                stage.say([x.dtype.name for x in numbers], session.run(numbers))
                if checks:
                    drawn = [made.sample(2, seed=3), made.sample(seed=3, name="own")]
                    stage.say([x.name for x in drawn], [x.shape for x in drawn])

    return scene


for _name in _KINDS:
    _made = _of(_name)
    _made.__module__ = __name__
    globals()["values_of_" + _name.replace(" ", "_")] = _made
