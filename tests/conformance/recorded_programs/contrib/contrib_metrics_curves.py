"""tf.contrib.metrics over whole streams: concatenated values, exact AUC, its intervals, curves, histograms."""

import numpy as np


def build(tf):
    metrics = tf.contrib.metrics
    guesses = tf.placeholder(tf.float32, [None], name="guesses")
    labels = tf.placeholder(tf.int32, [None], name="labels")
    weights = tf.placeholder(tf.float32, [None], name="weights")
    image = tf.placeholder(tf.float64, [2, None, 3], name="image")
    table = tf.placeholder(tf.float32, [None, 4], name="table")
    truths = tf.cast(labels, tf.bool)
    tables = tf.cast(tf.round(table), tf.bool)
    made = [
        metrics.streaming_concat(guesses),
        metrics.streaming_concat(image, 1, metrics_collections="m", updates_collections="u"),
        metrics.streaming_concat(image, -2, max_size=5, name="few"),
        metrics.streaming_dynamic_auc(labels, guesses),
        metrics.streaming_dynamic_auc(labels, guesses, "PR", "m", "u", "weighed", weights),
        metrics.auc_with_confidence_intervals(labels, guesses),
        metrics.auc_with_confidence_intervals(labels, guesses, weights, 0.9, False, "m", "u"),
        metrics.streaming_curve_points(truths, guesses, num_thresholds=5),
        metrics.streaming_curve_points(
            truths, guesses, weights, 4, ["m"], ["u"], "PR", "precisions"
        ),
        metrics.precision_recall_at_equal_thresholds(truths, guesses, num_thresholds=5),
        metrics.precision_recall_at_equal_thresholds(tables, table, table, 3, False, "tables"),
        metrics.auc_using_histogram(truths, guesses, [0.0, 1.0], nbins=7),
        metrics.auc_using_histogram(
            truths, tf.cast(guesses * 10, tf.int32), [0, 10], 5, ["h"], False, "ints"
        ),
    ]
    rng = np.random.RandomState(8)
    feeds = [
        {
            guesses: rng.rand(size).round(1),
            labels: np.arange(size) % 2,
            weights: rng.rand(size).round(1) + 0.5,
            image: rng.rand(2, size, 3),
            table: rng.rand(size, 4),
        }
        for size in (4, 3, 6)
    ]
    values = [list(value) if isinstance(value, tuple) else value for value, _ in made]
    updates = [update for _, update in made]
    flat = [v for value in values for v in (value if isinstance(value, list) else [value])]
    local = tf.local_variables() + tf.get_collection("h")
    return {
        "facts": {"local": [v.name for v in local]},
        "steps": [
            ("initialize", tf.variables_initializer(local)),
            *[("update", updates, feed) for feed in feeds],
            ("values", flat, feeds[0]),
        ],
    }
