"""Uniform and Laplace distributions, in both precisions."""

import numpy as np

FUNCTIONS = ("log_prob", "prob", "log_cdf", "cdf", "log_survival_function", "survival_function")
METHODS = ("mean", "stddev", "variance", "entropy", "batch_shape_tensor", "event_shape_tensor")


def build(tf):
    d = tf.distributions
    low = tf.placeholder(tf.float32, name="low")
    loc = tf.Variable(np.array([0.25, -3.0]), name="loc")
    both = [
        d.Uniform(),
        d.Uniform(low, [[3.0], [4.0]], name="open"),
        d.Laplace(loc, np.array(2.0)),
        tf.contrib.distributions.Laplace([0.5], [[1.0], [2.0]], name="single"),
        tf.contrib.distributions.LaplaceWithSoftplusScale([0.5], low),
        tf.contrib.distributions.NormalWithSoftplusScale(low, [0.5, 1.0]),
    ]
    values, statistics, samples = [], [], []
    for one in both:
        x = np.array([[-1.5, 0.25], [3.5, float("nan")]], one.dtype.as_numpy_dtype)
        values += [getattr(one, function)(x) for function in FUNCTIONS]
        statistics += [getattr(one, method)() for method in METHODS]
        samples += [one.sample(seed=1), one.sample([3])]
    statistics += [both[1].range(), both[1].range("again"), both[2].mode()]
    loss = tf.reduce_sum(samples[3]) + tf.reduce_sum(samples[7])
    slopes = tf.gradients(loss, [low]) + tf.gradients(samples[5], [loc])
    slopes += tf.gradients(values[12:18], [loc])
    feed = {low: [1.0, 2.0]}
    return {
        "facts": {
            "text": [str(one) for one in both],
            "parameters": [sorted(one.parameters) for one in both],
        },
        "steps": [
            ("initialize", tf.global_variables_initializer()),
            ("statistics", statistics, feed),
            ("values", values, feed),
            ("samples", samples, feed),
            ("slopes", slopes, feed),
        ],
    }
