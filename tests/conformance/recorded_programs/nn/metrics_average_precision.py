"""tf.metrics.average_precision_at_k: dense and sparse labels, labels outside the classes, weights."""

import numpy as np


def build(tf):
    metrics = tf.metrics
    scores = tf.placeholder(tf.float32, [None, 5], name="scores")
    labels = tf.placeholder(tf.int64, [None, 2], name="labels")
    weights = tf.placeholder(tf.float32, [None], name="weights")
    sparse = tf.SparseTensor(
        [[0, 0], [0, 1], [1, 0], [2, 0]], tf.constant([1, 3, 0, 4], tf.int64), [3, 2]
    )
    made = [
        metrics.average_precision_at_k(labels, scores, 3),
        metrics.average_precision_at_k(labels, scores, 1, weights),
        metrics.average_precision_at_k(sparse, scores, 2, 0.5, "m", "u", "named"),
        metrics.sparse_average_precision_at_k(sparse, scores, 1),
    ]
    values, updates = zip(*made)
    rng = np.random.RandomState(11)
    feeds = [
        {
            scores: rng.rand(3, 5).round(2),
            labels: rng.randint(0, 5 + more, (3, 2)),
            weights: rng.rand(3).round(1),
        }
        for more in (0, 2, 0)
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
