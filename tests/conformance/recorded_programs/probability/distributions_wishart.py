"""Wishart distributions, and quantized distributions."""

import numpy as np

TOLERANCE = 1e-4  # float32 through Cholesky factors and logarithms of small differences


def build(tf):
    c = tf.contrib.distributions
    df = tf.placeholder(tf.float32, name="df")
    root = np.array([[1.0, 0.0], [0.5, 2.0]], np.float32)
    fed = tf.placeholder_with_default(np.stack([root, root + np.eye(2, dtype=np.float32)]),
                                      [None, None, None], name="fed")  # fmt: skip
    plain = c.WishartCholesky(3.0, root)
    batch = c.WishartCholesky(df, fed, validate_args=True, name="batch")
    factors = c.WishartCholesky(4.0, root, cholesky_input_output_matrices=True, name="factors")
    full = c.WishartFull(df, root @ root.T, validate_args=True)
    wisharts = [plain, batch, factors, full]
    normal = c.Normal(tf.constant([3.0, 5.0]), 2.0)
    bytes_ = c.QuantizedDistribution(normal, low=0.0, high=7.0, validate_args=True)
    above = c.QuantizedDistribution(normal, low=2.0, name="above")
    open_ = c.QuantizedDistribution(normal, name="open")
    rounded = [bytes_, above, open_]
    everything = wisharts + rounded
    samples = []
    for one in everything:
        samples += [one.sample(seed=1), one.sample([2, 1], seed=2)]
    statistics = []
    for one in wisharts:
        statistics += [one.mean(), one.variance(), one.mode(), one.entropy(), one.scale()]
        statistics += [one.mean_log_det(), one.log_normalization(), one.dimension]
    statistics += [plain.stddev(), full.stddev()]
    for one in everything:
        statistics += [one.batch_shape_tensor(), one.event_shape_tensor()]
    x = np.array([[2.0, 0.5], [0.5, 3.0]], np.float32)
    values = [plain.log_prob(x), plain.prob(np.stack([x, x * 2])), batch.log_prob(np.stack([x, x]))]
    values += [factors.log_prob(root), full.log_prob(x)]
    y = [2.0, 6.0]
    for one in rounded:
        values += [one.prob(y), one.log_prob(y), one.cdf(y), one.log_cdf(y), one.prob([7.0, 0.0])]
        values += [one.survival_function(y), one.log_survival_function(y)]
    errors = []
    for call in (lambda: c.WishartCholesky(1.0, root), factors.stddev):
        try:
            call()
        except ValueError as error:
            errors.append(str(error))
    feed = {df: 3.5}
    return {
        "facts": {
            "text": [str(one) for one in everything],
            "parameters": [sorted(one.parameters) for one in everything],
            "errors": errors,
        },
        "steps": [
            ("samples", samples, feed),
            ("statistics", statistics, feed),
            ("values", values, feed),
            ("slopes", tf.gradients([samples[2], values[2]], [df, fed]), feed),
        ],
    }
