"""tf.metrics.auc: both curves, every way to sum, thresholds of one's own, weights."""

import numpy as np


def build(tf):
    auc = tf.metrics.auc
    labels = tf.placeholder(tf.bool, [None], name="labels")
    guesses = tf.placeholder(tf.float64, [None], name="guesses")
    weights = tf.placeholder(tf.float32, [None], name="weights")
    made = [auc(labels, guesses), auc(labels, guesses, weights, 7, "m", "u", "PR", "named")]
    for curve in ("ROC", "PR"):
        for method in ("trapezoidal", "careful_interpolation", "minoring", "majoring"):
            options = {"num_thresholds": 6, "curve": curve, "summation_method": method}
            made.append(auc(labels, guesses, **options))
    made.append(auc(labels, guesses, thresholds=[0.7, 0.2, 0.5]))
    values, updates = zip(*made)
    rng = np.random.RandomState(8)
    feeds = [
        {
            labels: rng.rand(size) > 0.4,
            guesses: rng.rand(size).round(2),
            weights: rng.rand(size).round(1),
        }
        for size in (9, 4)
    ]
    return {
        "steps": [
            ("initialize", tf.local_variables_initializer()),
            ("before", values),
            *[("update", updates, feed) for feed in feeds],
            ("after", values),
        ]
    }
