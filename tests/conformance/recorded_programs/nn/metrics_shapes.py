"""tf.metrics of tensors of unknown static rank: rank conditions, valid and invalid weights."""

import numpy as np


def build(tf):
    metrics = tf.metrics
    labels = tf.placeholder(tf.float32, name="labels")
    guesses = tf.placeholder(tf.float32, name="guesses")
    weights = tf.placeholder(tf.float32, name="weights")
    row = tf.placeholder(tf.float32, [None, 3], name="row")
    scores = tf.placeholder(tf.float32, name="scores")
    classes = tf.placeholder(tf.int64, name="classes")
    made = [
        metrics.mean(labels, weights),
        metrics.mean(labels, row),
        metrics.accuracy(labels, guesses, weights),
        metrics.mean_squared_error(labels, guesses),
        metrics.precision(labels, guesses, weights),
        metrics.recall_at_thresholds(labels, guesses, [0.5, 0.75], weights),
        metrics.recall_at_k(classes, scores, 2),
        metrics.mean(row, 1.0),
    ]
    values, updates = zip(*made)
    rng = np.random.RandomState(12)
    bits = rng.randint(0, 2, (2, 2, 3)).astype(np.float32)
    feed = {labels: bits[0], guesses: bits[1], row: rng.rand(2, 3).round(1)}
    feed.update({scores: rng.rand(2, 4).round(2), classes: [[0, 1], [2, 3]]})
    flat = {**feed, classes: [1, 3]}
    return {
        "steps": [
            ("initialize", tf.local_variables_initializer()),
            ("scalar weights", updates, {**feed, weights: 0.5}),
            ("whole weights", updates, {**flat, weights: bits[1] + 1}),
            ("after", values),
        ]
    }
