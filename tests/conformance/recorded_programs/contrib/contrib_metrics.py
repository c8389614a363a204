"""tf.contrib.metrics: the older names of tf.metrics, predictions first; two batches of each."""

import numpy as np


def build(tf):
    metrics = tf.contrib.metrics
    guesses = tf.placeholder(tf.float32, [None, 3], name="guesses")
    labels = tf.placeholder(tf.float32, [None, 3], name="labels")
    classes = tf.placeholder(tf.int64, [None], name="classes")
    chosen = tf.placeholder(tf.int64, [None], name="chosen")
    weights = tf.placeholder(tf.float32, [None, 1], name="weights")
    sets = tf.reshape(classes, [-1, 1])
    top = tf.stack([chosen, classes], 1)
    m = {"metrics_collections": "m", "updates_collections": "u", "name": "named"}
    made = [
        metrics.streaming_true_positives(guesses, labels),
        metrics.streaming_true_negatives(guesses, labels, **m),
        metrics.streaming_false_positives(guesses, labels),
        metrics.streaming_false_negatives(guesses, labels, 0.5),
        metrics.streaming_mean(guesses, weights),
        metrics.streaming_mean_tensor(tf.constant([1.0, 2.0])),
        metrics.streaming_accuracy(chosen, classes),
        metrics.streaming_precision(guesses, labels),
        metrics.streaming_recall(guesses, labels, weights),
        metrics.streaming_mean_absolute_error(guesses, labels),
        metrics.streaming_mean_squared_error(guesses, labels, weights),
        metrics.streaming_root_mean_squared_error(guesses, labels),
        metrics.streaming_mean_relative_error(guesses, labels, guesses),
        metrics.streaming_mean_cosine_distance(guesses, labels, 1),
        metrics.streaming_percentage_less(guesses, 0.5),
        metrics.streaming_mean_iou(chosen, classes, 3),
        metrics.streaming_auc(guesses, labels, num_thresholds=4),
        metrics.streaming_precision_at_thresholds(guesses, labels, [0.25, 0.5]),
        metrics.streaming_recall_at_thresholds(guesses, labels, [0.25, 0.5]),
        metrics.streaming_specificity_at_sensitivity(guesses, labels, 0.5, num_thresholds=4),
        metrics.streaming_sensitivity_at_specificity(guesses, labels, 0.5, None, 4),
        metrics.streaming_recall_at_k(guesses, classes, 2),
        metrics.streaming_sparse_recall_at_k(guesses, sets, 2),
        metrics.streaming_sparse_precision_at_k(guesses, sets, 1, class_id=1),
        metrics.streaming_sparse_precision_at_top_k(top, sets),
        metrics.sparse_recall_at_top_k(sets, top, class_id=2),
        metrics.streaming_sparse_average_precision_at_k(guesses, sets, 2),
        metrics.streaming_sparse_average_precision_at_top_k(top, sets),
    ]
    values, updates = metrics.aggregate_metrics(*made)
    rng = np.random.RandomState(4)
    feeds = [
        {
            guesses: rng.rand(size, 3).round(1) + 0.01,
            labels: rng.randint(0, 2, (size, 3)),
            classes: rng.randint(0, 3, size),
            chosen: rng.randint(0, 3, size),
            weights: rng.rand(size, 1).round(1),
        }
        for size in (4, 2)
    ]
    feeds = [{**feed, guesses: np.minimum(feed[guesses], 1.0)} for feed in feeds]
    return {
        "facts": {"local": [v.name for v in tf.local_variables()]},
        "steps": [
            ("initialize", tf.local_variables_initializer()),
            *[("update", updates, feed) for feed in feeds],
            ("values", values),
        ],
    }
