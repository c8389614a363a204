"""Gamma, exponential, beta and t-distributions: rejection sampling, undefined statistics."""

import numpy as np

FUNCTIONS = ("log_prob", "prob", "log_cdf", "cdf", "survival_function")
METHODS = ("mean", "stddev", "variance", "entropy", "mode", "batch_shape_tensor")
TOLERANCE = 5e-5  # float32; the maximum difference was below 1e-5


def build(tf):
    d, contrib = tf.distributions, tf.contrib.distributions
    shape = tf.Variable([[0.5], [2.5]], name="shape")
    rate = tf.placeholder(tf.float32, [None], name="rate")
    all_of_them = [
        d.Gamma(shape, rate),
        d.Exponential(rate),
        d.Exponential(np.array([0.5, 2.0]), name="double"),
        d.Beta([[0.5], [2.5]], [[1.5], [0.75]]),
        d.Beta(np.array(2.0), np.array([3.0, 0.5]), name="double_beta"),
        d.StudentT([0.5, 1.5, 3.0], [1.0, 0.0, -1.0], -2.0),
        d.StudentT(np.array(4.0), loc=np.array(0.0), scale=np.array([1.0, 2.0]), name="t"),
        contrib.GammaWithSoftplusConcentrationRate(shape, rate),
        contrib.BetaWithSoftplusConcentration(rate, rate),
        contrib.ExponentialWithSoftplusRate(rate),
        contrib.StudentTWithAbsDfSoftplusScale([-5.5, 3.2], 0.0, rate),
    ]
    values, statistics, samples = [], [], []
    for one in all_of_them:
        x = tf.constant(0.25, one.dtype, name="x")
        functions = FUNCTIONS if "Student" in type(one).__name__ else FUNCTIONS[:4]
        values += [getattr(one, function)(x) for function in functions]
        # TensorFlow itself fails for the variance of a float64 t-distribution.
        methods = METHODS[3:] if one.name == "t/" else METHODS
        statistics += [getattr(one, method)() for method in methods]
        samples += [one.sample(seed=1), one.sample([3, 1])]
    values.append(all_of_them[1].log_survival_function([1.0, 2.0]))
    between = [
        all_of_them[0].kl_divergence(d.Gamma(1.0, rate, name="other")),
        all_of_them[1].kl_divergence(all_of_them[0]),
        all_of_them[3].cross_entropy(d.Beta(2.0, 2.0)),
    ]
    slopes = tf.gradients(samples[:2] + samples[6:8] + between, [shape, rate])
    slopes += tf.gradients(samples[3] + all_of_them[1].log_prob(samples[3]), [rate])
    feed = {rate: [1.5, 0.75]}
    return {
        "facts": {
            "text": [str(one) for one in all_of_them],
            "parameters": [sorted(one.parameters) for one in all_of_them],
            "shapes": [
                sorted(kind.param_static_shapes([2]))
                for kind in (d.Gamma, d.Exponential, d.Beta, d.StudentT)
            ],
        },
        "steps": [
            ("initialize", tf.global_variables_initializer()),
            ("statistics", statistics, feed),
            ("values", values, feed),
            ("samples", samples, feed),
            ("between", between, feed),
            ("slopes", slopes, feed),
        ],
    }
