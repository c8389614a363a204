"""tf.contrib.metrics beyond tf.metrics: rates, F1, counts, kappa, covariance, correlation, batch accuracy."""

import numpy as np


def build(tf):
    metrics = tf.contrib.metrics
    guesses = tf.placeholder(tf.float32, [None], name="guesses")
    labels = tf.placeholder(tf.float32, [None], name="labels")
    classes = tf.placeholder(tf.int64, [None], name="classes")
    chosen = tf.placeholder(tf.int64, [None, 1], name="chosen")
    weights = tf.placeholder(tf.float32, [None], name="weights")
    limits = [0.25, 0.5]
    made = {
        "fpr": metrics.streaming_false_positive_rate(guesses, labels),
        "fnr": metrics.streaming_false_negative_rate(guesses, labels, weights),
        "tp": metrics.streaming_true_positives_at_thresholds(guesses, labels, limits),
        "fn": metrics.streaming_false_negatives_at_thresholds(guesses, labels, limits, weights),
        "fp": metrics.streaming_false_positives_at_thresholds(guesses, labels, limits),
        "tn": metrics.streaming_true_negatives_at_thresholds(guesses, labels, limits),
        "fprs": metrics.streaming_false_positive_rate_at_thresholds(guesses, labels, limits),
        "fnrs": metrics.streaming_false_negative_rate_at_thresholds(
            guesses, labels, limits, weights
        ),
        "at": metrics.precision_at_recall(labels, guesses, 0.5, num_thresholds=5),
        "recall": metrics.recall_at_precision(labels, guesses, 0.6, weights, 5),
        "strict": metrics.recall_at_precision(labels, guesses, 0.6, None, 5, strict_mode=True),
        "f1": metrics.f1_score(labels, guesses, num_thresholds=5),
        "count": metrics.count(guesses),
        "weighed": metrics.count(guesses, weights, "m", "u", "weighed"),
        "kappa": metrics.cohen_kappa(classes, chosen, 3),
        "kappas": metrics.cohen_kappa(tf.reshape(classes, [-1, 1]), classes, 3, weights),
        "covariance": metrics.streaming_covariance(guesses, labels),
        "weighted": metrics.streaming_covariance(guesses, labels, weights, name="weighted"),
        "pearson": metrics.streaming_pearson_correlation(guesses, labels),
        "correlation": metrics.streaming_pearson_correlation(guesses, labels, weights, "m", "u"),
    }
    values, updates = metrics.aggregate_metric_map(made)
    now = [
        metrics.accuracy(classes, tf.reshape(chosen, [-1])),
        metrics.accuracy(classes, tf.reshape(chosen, [-1]), weights),
        metrics.confusion_matrix(classes, classes, 3),
    ]
    rng = np.random.RandomState(6)
    feeds = [
        {
            guesses: rng.rand(size).round(1),
            labels: rng.randint(0, 2, size),
            classes: rng.randint(0, 3, size),
            chosen: rng.randint(0, 3, (size, 1)),
            weights: rng.rand(size).round(1),
        }
        for size in (4, 3)
    ]
    racing = (
        "covariance",
        "weighted",
        "pearson",
        "correlation",
    )  # read variables that the step writes
    at_once = [updates[key] for key in sorted(updates) if key not in racing]
    steps = [("update", at_once, feed) for feed in feeds]
    return {
        "facts": {"local": [v.name for v in tf.local_variables()]},
        "steps": [
            ("initialize", tf.local_variables_initializer()),
            *steps,
            ("values", [values[key] for key in sorted(values) if key not in racing]),
            ("now", now, feeds[0]),
        ],
    }
