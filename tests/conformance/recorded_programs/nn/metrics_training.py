"""A classifier trained for 20 steps and measured at each: losses, accuracies, areas, errors, by tf.metrics."""

import numpy as np


def build(tf):
    x = tf.placeholder(tf.float32, [None, 4], name="x")
    y = tf.placeholder(tf.int64, [None], name="y")
    logits = tf.layers.dense(tf.layers.dense(x, 6, tf.nn.relu), 3)
    loss = tf.losses.sparse_softmax_cross_entropy(y, logits)
    classes, likely = tf.argmax(logits, 1), tf.nn.softmax(logits)
    with tf.variable_scope("measured"):
        made = [
            tf.metrics.mean(loss),
            tf.metrics.accuracy(y, classes),
            tf.metrics.auc(tf.equal(y, 1), likely[:, 1], num_thresholds=20),
            tf.metrics.mean_iou(y, classes, 3),
            tf.metrics.mean_per_class_accuracy(y, classes, 3),
            tf.metrics.recall_at_k(y, logits, 2),
            tf.metrics.root_mean_squared_error(tf.one_hot(y, 3), likely),
        ]
    values, updates = zip(*made)
    train = tf.train.AdamOptimizer(0.05).minimize(loss)
    rng = np.random.RandomState(8)
    steps = []
    for i in range(20):
        batch = rng.rand(6, 4).round(2).astype(np.float32)
        feed = {x: batch, y: batch[:, :3].argmax(1)}
        steps += [(f"train {i}", train, feed), (f"measure {i}", updates, feed)]
    return {
        "facts": {"local": [v.name for v in tf.local_variables()]},
        "steps": [
            ("initialize", [tf.global_variables_initializer(), tf.local_variables_initializer()]),
            *steps,
            ("values", values),
            ("again", tf.local_variables_initializer()),
            ("nothing", values[:2]),
        ],
    }
