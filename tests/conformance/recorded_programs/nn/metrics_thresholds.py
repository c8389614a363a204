"""tf.metrics at thresholds: counts, precision and recall, one rate at another; weights, batches."""

import numpy as np


def build(tf):
    metrics = tf.metrics
    labels = tf.placeholder(tf.int32, [None, 2], name="labels")
    guesses = tf.placeholder(tf.float32, [None, 2], name="guesses")
    weights = tf.placeholder(tf.float32, [None, 1], name="weights")
    limits = [0.25, 0.5, 0.75]
    made = [
        metrics.true_positives_at_thresholds(labels, guesses, limits),
        metrics.true_negatives_at_thresholds(labels, guesses, limits, weights),
        metrics.false_positives_at_thresholds(labels, guesses, limits, 2.0, "m", "u", "wrong"),
        metrics.false_negatives_at_thresholds(labels, guesses, [0.5]),
        metrics.precision_at_thresholds(labels, guesses, limits),
        metrics.precision_at_thresholds(labels, guesses, limits, weights, "m", "u", "precise"),
        metrics.recall_at_thresholds(labels, guesses, limits),
        metrics.recall_at_thresholds(tf.constant([1, 0, 1]), tf.constant([0.1, 0.9, 0.6]), [0.5]),
        metrics.sensitivity_at_specificity(labels, guesses, 0.6, num_thresholds=9),
        metrics.sensitivity_at_specificity(labels, guesses, 0.2, weights, 5, "m", "u", "first"),
        metrics.specificity_at_sensitivity(labels, guesses, 0.6, num_thresholds=9),
        metrics.specificity_at_sensitivity(labels, guesses, 1, weights, 5, "m", "u", "second"),
    ]
    values, updates = zip(*made)
    rng = np.random.RandomState(6)
    feeds = [
        {
            labels: rng.randint(0, 2, (size, 2)),
            guesses: rng.rand(size, 2).round(2),
            weights: rng.rand(size, 1).round(1),
        }
        for size in (5, 1, 7)
    ]
    return {
        "facts": {
            "local": [v.name for v in tf.local_variables()],
            "m": [v.name for v in tf.get_collection("m")],
            "u": [v.name for v in tf.get_collection("u")],
        },
        "steps": [
            ("initialize", tf.local_variables_initializer()),
            ("before", values),
            *[("update", updates, feed) for feed in feeds],
            ("after", values),
        ],
    }
