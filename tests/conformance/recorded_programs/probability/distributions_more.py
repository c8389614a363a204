"""Binomial, Cauchy, chi-squared, half-normal and inverse gamma distributions: nodes and values."""

FUNCTIONS = ("log_prob", "prob", "log_cdf", "cdf")
METHODS = ("mean", "variance", "entropy", "mode")


def build(tf):
    d = tf.contrib.distributions
    rate = tf.placeholder(tf.float32, [None], name="rate")
    continuous = [
        d.Chi2(rate, validate_args=True),
        d.Chi2WithAbsDf(-rate),
        d.Chi2WithAbsDf(rate, validate_args=True, allow_nan_stats=False, name="whole"),
        d.HalfNormal(rate),
        d.HalfNormal([1.0, 2.0], validate_args=True, allow_nan_stats=False, name="half"),
        d.InverseGamma(rate, 2.0),
        d.InverseGamma([3.0, 4.0], rate, validate_args=True, allow_nan_stats=False, name="double"),
        d.InverseGammaWithSoftplusConcentrationRate(rate, 2.0),
    ]
    cauchy = d.Cauchy(rate, [1.0, 2.0], validate_args=True)
    binomial = d.Binomial([4.0, 5.0], probs=[0.5, 0.25], validate_args=True)
    of_logits = d.Binomial(4.0, logits=rate, allow_nan_stats=False, name="of_logits")
    x = tf.constant([0.5, 2.0])
    values = [getattr(one, name)(x) for one in [*continuous, cauchy] for name in FUNCTIONS]
    values += [one.prob([2.0, 3.0]) for one in (binomial, of_logits)]
    statistics = [getattr(one, name)() for one in continuous for name in METHODS]
    statistics += [cauchy.entropy(), cauchy.mode(), cauchy.quantile([0.25, 0.5])]
    statistics += [getattr(one, name)() for one in (binomial, of_logits) for name in METHODS[:2]]
    statistics += [binomial.mode(), continuous[3].quantile([0.25, 0.5])]
    samples = [one.sample([2], seed=1) for one in [*continuous, cauchy]]
    feed = {rate: [3.5, 4.25]}
    return {
        "facts": {"text": [str(one) for one in [*continuous, cauchy, binomial]]},
        "steps": [
            ("values", values, feed),
            ("statistics", statistics, feed),
            ("samples", samples, feed),
        ],
    }
