"""tf.contrib.metrics of spreads: covariances, correlations, with weights, over several batches."""

import numpy as np


def build(tf):
    metrics = tf.contrib.metrics
    labels = tf.placeholder(tf.float32, [None, 2], name="labels")
    guesses = tf.placeholder(tf.float32, [None, 2], name="guesses")
    weights = tf.placeholder(tf.float32, [None, 1], name="weights")
    made = [
        metrics.streaming_covariance(guesses, labels),
        metrics.streaming_covariance(guesses, labels, tf.tile(weights, [1, 2]), name="weighted"),
        metrics.streaming_pearson_correlation(guesses, labels),
        metrics.streaming_mean_cosine_distance(guesses, labels, 1, weights),
        metrics.streaming_mean_relative_error(guesses, labels, tf.abs(labels) + 0.1),
        metrics.streaming_percentage_less(guesses, 0.4),
        metrics.cohen_kappa(tf.constant([0, 1, 2, 1]), tf.constant([0, 2, 2, 1]), 3),
    ]
    values, updates = zip(*made)
    rng = np.random.RandomState(9)
    steps = []
    for i, size in enumerate((3, 1, 4)):
        batch = rng.rand(3, size, 2).round(1)
        feed = {labels: batch[0], guesses: batch[1], weights: batch[2, :, :1]}
        steps.append((f"update {i}", updates, feed))
    return {"steps": [("initialize", tf.local_variables_initializer()), *steps, ("values", values)]}
