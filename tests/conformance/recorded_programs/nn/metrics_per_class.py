"""Per-class tf.metrics: mean_iou, mean_per_class_accuracy; ranks, weights, absent classes."""

import numpy as np


def build(tf):
    metrics = tf.metrics
    labels = tf.placeholder(tf.int32, [None, 2], name="labels")
    guesses = tf.placeholder(tf.int64, [None, 2], name="guesses")
    weights = tf.placeholder(tf.float32, [None, 2], name="weights")
    flat = (tf.constant([0, 1, 2, 2], tf.int64), tf.constant([0, 2, 2, 2], tf.int64))
    made = [
        metrics.mean_iou(labels, guesses, 4),
        metrics.mean_iou(labels, guesses, 5, weights, "m", "u", "weighted"),
        metrics.mean_iou(*flat, num_classes=3),
        metrics.mean_per_class_accuracy(labels, guesses, 4),
        metrics.mean_per_class_accuracy(labels, guesses, 4, weights, ["m"], ["u"], "each"),
        metrics.mean_per_class_accuracy(*flat, 3, weights=tf.constant([1, 0, 2, 1])),
    ]
    values, updates = zip(*made)
    rng = np.random.RandomState(9)
    feeds = [
        {
            labels: rng.randint(0, 4, (size, 2)),
            guesses: rng.randint(0, 4, (size, 2)),
            weights: rng.rand(size, 2).round(1),
        }
        for size in (4, 1, 6)
    ]
    return {
        "facts": {"local": [v.name for v in tf.local_variables()]},
        "steps": [
            ("initialize", tf.local_variables_initializer()),
            ("before", values),
            *[("update", updates, feed) for feed in feeds],
            ("after", values),
        ],
    }
