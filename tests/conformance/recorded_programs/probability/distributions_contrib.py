"""Distributions only in tf.contrib: logistic, Poisson, one-hot, relaxed, deterministic."""

import numpy as np


def build(tf):
    c = tf.contrib.distributions
    scores = tf.placeholder(tf.float32, [None, 3], name="scores")
    rate = tf.placeholder(tf.float32, name="rate")
    loc = tf.Variable([0.5, -1.0], name="loc")
    logistic = c.Logistic(loc, rate)
    poisson = c.Poisson(rate)
    by_log = c.Poisson(log_rate=np.array([0.1, 2.0]), name="by_log", validate_args=True)
    one_hot = c.OneHotCategorical(logits=scores)
    other = c.OneHotCategorical(probs=[0.2, 0.3, 0.5], dtype=tf.float32, name="other")
    relaxed = c.ExpRelaxedOneHotCategorical(0.5, logits=scores)
    warm = c.ExpRelaxedOneHotCategorical(2.0, probs=[0.2, 0.3, 0.5], validate_args=True)
    point = c.Deterministic([1.0, 2.0], atol=0.25, rtol=0.1, validate_args=True)
    unknown = c.Deterministic(rate, name="unknown")
    vector = c.VectorDeterministic([[1.0, 2.0], [3.0, 4.0]], validate_args=True)
    everything = [logistic, poisson, by_log, one_hot, other, relaxed, warm, point, unknown, vector]
    samples = []
    for one in everything:
        samples += [one.sample(seed=1), one.sample([2, 1], seed=2)]
    statistics = []
    for one in (logistic, poisson, by_log, one_hot, other, point):
        statistics += [one.mode(), one.variance(), one.stddev(), one.batch_shape_tensor()]
    for one in (logistic, poisson, point, vector):
        statistics.append(one.mean())
    for one in (logistic, one_hot, other, point, vector):
        statistics.append(one.entropy())
    statistics += [one_hot.covariance(), relaxed.event_shape_tensor(), vector.batch_shape_tensor()]
    x = np.array([[0.0, 1.0, 0.0], [0.0, 0.0, 1.0]], np.float32)
    log_x = np.log(np.array([[0.2, 0.3, 0.5], [0.6, 0.1, 0.3]], np.float32))
    values = [logistic.log_prob(0.5), logistic.cdf(0.5), logistic.log_cdf([0.5, -9.0])]
    values += [logistic.survival_function(2.0), logistic.log_survival_function(2.0)]
    values += [poisson.log_prob(2.0), poisson.prob(2), poisson.cdf(3.0), by_log.prob([1.0, 4.0])]
    values += [by_log.log_cdf([1.0, 4.0]), one_hot.log_prob(x), other.prob(x), other.prob(x[0])]
    values += [relaxed.log_prob(log_x), warm.log_prob(log_x[0]), warm.prob(log_x)]
    values += [point.prob([1.3, 2.5]), point.cdf(1.0), point.log_prob(1.0), unknown.prob(2.0)]
    values += [vector.prob([1.0, 2.0])]
    between = [one_hot.kl_divergence(other), other.cross_entropy(one_hot)]
    slopes = tf.gradients([samples[0], samples[1]], [loc, rate])
    slopes += tf.gradients([tf.exp(samples[10]), values[13]] + between, [scores])
    feed = {scores: [[1.0, 2.0, 0.5], [0.0, -1.0, 3.0]], rate: [2.0, 0.5]}
    return {
        "facts": {
            "text": [str(one) for one in everything],
            "parameters": [sorted(one.parameters) for one in everything],
        },
        "steps": [
            ("initialize", tf.global_variables_initializer()),
            ("samples", samples, feed),
            ("statistics", statistics, feed),
            ("values", values, feed),
            ("between", between, feed),
            ("slopes", slopes, feed),
        ],
    }
