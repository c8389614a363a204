"""Transformed distributions: log-normals, relaxed Bernoulli and one-hot, overridden shapes."""

import numpy as np

TOLERANCE = 5e-5  # float32; the maximum difference was below 1e-5


def build(tf):
    c = tf.contrib.distributions
    scores = tf.placeholder(tf.float32, [None, 3], name="scores")
    anything = tf.placeholder(tf.float32, name="anything")
    log_normal = c.TransformedDistribution(c.Normal([0.0, 1.0], 0.5), c.bijectors.Exp())
    coin = c.RelaxedBernoulli(0.5, logits=scores)
    fair = c.RelaxedBernoulli(2.0, probs=[0.5, 0.25], validate_args=True, name="fair")
    one_hot = c.RelaxedOneHotCategorical(0.5, logits=scores)
    warm = c.RelaxedOneHotCategorical(2.0, probs=[0.2, 0.3, 0.5], name="warm")
    wide = c.TransformedDistribution(
        c.Normal(0.0, 2.0), c.bijectors.Sigmoid(), batch_shape=[2], event_shape=[3], name="wide"
    )
    moved = c.TransformedDistribution(c.Normal([0.0, 5.0], 2.0), event_shape=[3], name="moved")
    unknown = c.TransformedDistribution(
        c.Normal(anything, 1.0), c.bijectors.PowerTransform(0.5), name="unknown"
    )
    everything = [log_normal, coin, fair, one_hot, warm, wide, moved, unknown]
    samples, values = [], []
    for one in everything:
        samples += [one.sample(seed=1), one.sample([2, 1], seed=2)]
        values += [one.batch_shape_tensor(), one.event_shape_tensor()]
    values += [log_normal.cdf([1.0, 2.0]), log_normal.quantile([0.5, 0.75]), log_normal.prob(2.0)]
    values += [log_normal.log_survival_function(1.0), log_normal.survival_function(1.0)]
    values += [log_normal.log_prob(samples[0]), coin.log_prob(samples[2]), fair.prob([0.25, 0.75])]
    values += [one_hot.log_prob(samples[6]), warm.log_prob(np.float32([0.2, 0.3, 0.5]))]
    values += [wide.log_prob(samples[10]), wide.prob(0.5 * np.ones([2, 3], np.float32))]
    values += [moved.log_prob(samples[12]), moved.entropy(), unknown.log_prob(samples[14])]
    power = c.bijectors.PowerTransform(2.0, validate_args=True)
    x = tf.constant([[0.5, 1.0]])
    y = power.forward(x)
    values += [power.inverse(y), power.inverse([3.0]), power.inverse_log_det_jacobian(y, 1)]
    values += [power.forward_log_det_jacobian(x, 1), power.forward_log_det_jacobian([0.5], 0)]
    slopes = tf.gradients([samples[2], samples[6], values[22], values[24]], [scores])
    feed = {scores: [[1.0, 2.0, 0.5], [0.0, -1.0, 3.0]], anything: [1.0, 2.0]}
    return {
        "facts": {
            "text": [str(one) for one in everything],
            "parameters": [sorted(one.parameters) for one in everything],
            "known": [power.inverse(y) is x, power.name, c.bijectors.Exp().name],
        },
        "steps": [("samples", samples, feed), ("values", values, feed), ("slopes", slopes, feed)],
    }
