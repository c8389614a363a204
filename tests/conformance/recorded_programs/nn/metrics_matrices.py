"""tf.metrics from confusion matrices, with weights, absent classes, several batches; tf.confusion_matrix."""

import numpy as np


def build(tf):
    labels = tf.placeholder(tf.int64, [None], name="labels")
    guesses = tf.placeholder(tf.int64, [None], name="guesses")
    weights = tf.placeholder(tf.float32, [None], name="weights")
    made = [
        tf.metrics.mean_iou(labels, guesses, 4),
        tf.metrics.mean_iou(labels, guesses, 5, weights, name="weighted"),
        tf.metrics.mean_per_class_accuracy(labels, guesses, 4),
        tf.metrics.mean_per_class_accuracy(labels, guesses, 5, weights, "kept", "updated"),
    ]
    tables = [
        tf.confusion_matrix(labels, guesses),
        tf.confusion_matrix(labels, guesses, 6, tf.float32, weights=weights),
    ]
    values, updates = zip(*made)
    rng = np.random.RandomState(4)
    steps = []
    for i, size in enumerate((1, 5, 9)):
        feed = {labels: rng.randint(0, 3, size), guesses: rng.randint(0, 4, size)}
        feed[weights] = rng.rand(size).round(1)
        steps += [(f"update {i}", updates, feed), (f"tables {i}", tables, feed)]
        steps.append((f"values {i}", values))
    return {"steps": [("initialize", tf.local_variables_initializer()), *steps]}
