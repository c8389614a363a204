"""Normal distributions: samples, functions, statistics, divergences, gradients, far tails."""

import numpy as np

METHODS = ("mean", "stddev", "variance", "mode", "entropy", "batch_shape_tensor")
FUNCTIONS = ("log_prob", "prob", "log_cdf", "cdf", "log_survival_function", "survival_function")


def build(tf):
    loc = tf.Variable([0.5, -1.0], name="loc")
    log_scale = tf.placeholder(tf.float32, [None, 1], name="log_scale")
    normal = tf.distributions.Normal(loc, tf.exp(log_scale))
    wide = tf.distributions.Normal(np.float64(1.0), np.array([2.0, 3.0]), name="wide")
    x = tf.placeholder(tf.float32, [None, 2], name="x")
    statistics = [getattr(d, m)() for d in (normal, wide) for m in METHODS]
    values = [getattr(normal, f)(x) for f in FUNCTIONS] + [normal.quantile([0.1, 0.75])]
    tails = np.array([[-30.0, -12.0], [5.5, 9.0], [float("nan"), float("inf")]])
    values += [wide.log_cdf(tails), wide.cdf(tails, name="far"), wide.log_prob(2)]
    values += [wide.quantile(np.array([[0.0], [1e-20], [0.001], [0.2], [0.9], [1.0]]))]
    samples = [normal.sample(), normal.sample(3, seed=5), wide.sample([2, 1]), wide.sample((), 8)]
    moved = normal.copy(scale=[1.0, 3.0], name="moved")
    between = [
        normal.kl_divergence(moved),
        moved.cross_entropy(normal),
        tf.distributions.kl_divergence(moved, normal, name="kl", allow_nan_stats=False),
    ]
    loss = tf.reduce_sum(samples[1] ** 2) + tf.reduce_sum(between[0])
    slopes = tf.gradients(loss, [loc, log_scale])
    slopes += tf.gradients(values[2] + values[4], [loc, log_scale, x])
    slopes += tf.gradients(tf.reduce_sum(values[6]), [loc])
    feed = {log_scale: [[0.0], [0.5], [-1.0]], x: [[0.0, -1.0], [3.0, -13.0], [40.0, 0.3]]}
    return {
        "facts": {
            "text": [str(normal), repr(normal), str(wide), repr(moved)],
            "names": [normal.name, wide.name, sorted(moved.parameters)],
            "kind": repr(normal.reparameterization_type),
            "flags": [normal.allow_nan_stats, normal.validate_args, normal.dtype.name],
            "static": {
                key: shape.as_list()
                for key, shape in tf.distributions.Normal.param_static_shapes([2, 3]).items()
            },
        },
        "steps": [
            ("initialize", tf.global_variables_initializer()),
            ("statistics", statistics, {log_scale: feed[log_scale]}),
            ("values", values, feed),
            ("samples", samples, {log_scale: feed[log_scale]}),
            ("again", samples, {log_scale: feed[log_scale]}),
            ("between", between, {log_scale: feed[log_scale]}),
            ("slopes", slopes, feed),
        ],
    }
