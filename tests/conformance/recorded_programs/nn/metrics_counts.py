"""Counting tf.metrics: true and false positives and negatives, precision, recall; weights, dtypes, empty inputs."""

import numpy as np


def build(tf):
    metrics = tf.metrics
    labels = tf.placeholder(tf.int32, [None], name="labels")
    guesses = tf.placeholder(tf.bool, [None, 1], name="guesses")
    weights = tf.placeholder(tf.float32, [None], name="weights")
    made = []
    for function in (
        metrics.true_positives,
        metrics.true_negatives,
        metrics.false_positives,
        metrics.false_negatives,
    ):
        made.append(function(labels, guesses))
        made.append(function(labels, guesses, weights, "metrics", "updates", "weighted"))
    for function in (metrics.precision, metrics.recall):
        made.append(function(labels, guesses))
        made.append(function(labels, guesses, 0.5, ["metrics"], ["updates"], name="half"))
        made.append(function(labels, guesses, weights[:, None]))
    values, updates = zip(*made)
    feeds = [
        {labels: [0, 0], guesses: [[False], [False]], weights: [1.0, 1.0]},
        {
            labels: [1, 0, 3, 1],
            guesses: np.array([[1], [1], [0], [1]], bool),
            weights: [0.5, 2.0, 1.0, 3.0],
        },
        {labels: [1], guesses: [[True]], weights: [0.25]},
    ]
    return {
        "facts": {
            "local": [v.name for v in tf.local_variables()],
            "metrics": [v.name for v in tf.get_collection("metrics")],
            "updates": [v.name for v in tf.get_collection("updates")],
        },
        "steps": [
            ("initialize", tf.local_variables_initializer()),
            ("before", values),
            *[("update", updates, feed) for feed in feeds],
            ("after", values),
        ],
    }
