"""tf.metrics of the k most likely classes: dense and sparse labels, one class, weights, names."""

import numpy as np


def build(tf):
    metrics = tf.metrics
    scores = tf.placeholder(tf.float32, [None, 5], name="scores")
    labels = tf.placeholder(tf.int64, [None, 2], name="labels")
    flat = tf.placeholder(tf.int64, [None], name="flat")
    weights = tf.placeholder(tf.float32, [None], name="weights")
    sparse = tf.SparseTensor(
        [[0, 0], [0, 1], [1, 0], [2, 0]], tf.constant([1, 3, 0, 4], tf.int64), [3, 2]
    )
    made = [
        metrics.precision_at_k(labels, scores, 2),
        metrics.precision_at_k(labels, scores, 3, class_id=1),
        metrics.precision_at_k(flat, scores, 2, None, weights, "m", "u", "named"),
        metrics.precision_at_k(sparse, scores, 2, class_id=3, weights=weights),
        metrics.recall_at_k(labels, scores, 2),
        metrics.recall_at_k(labels, scores, 1, 2, 0.5, ["m"], ["u"]),
        metrics.recall_at_k(sparse, scores, 3),
        metrics.sparse_precision_at_k(labels, scores, 1),
        metrics.precision_at_top_k(labels, tf.nn.top_k(scores, 2).indices),
        metrics.precision_at_top_k(labels, tf.nn.top_k(scores, 2).indices, 2, 0, name="of_0"),
        metrics.recall_at_top_k(flat, tf.nn.top_k(scores, 2).indices, k=2),
    ]
    values, updates = zip(*made)
    rng = np.random.RandomState(10)
    feeds = [
        {
            scores: rng.rand(3, 5).round(2),
            labels: rng.randint(0, 5, (3, 2)),
            flat: rng.randint(0, 5, 3),
            weights: rng.rand(3).round(1),
        }
        for _ in range(3)
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
