"""tf.contrib.losses: weights of the leading dimensions, smoothing, collections, gradients."""

import numpy as np


def build(tf):
    losses = tf.contrib.losses
    labels = tf.placeholder(tf.float32, [None, 3], name="labels")
    classes = tf.placeholder(tf.int64, [4, 1], name="classes")
    start = np.linspace(-1, 2, 12).reshape(4, 3).astype(np.float32)
    x = tf.get_variable("x", initializer=tf.constant(start))
    rows = tf.placeholder(tf.float32, [4], name="rows")
    column = tf.reshape(rows, [4, 1])
    whole = tf.constant(np.arange(12).reshape(4, 3) % 3)
    made = [
        losses.absolute_difference(x, labels),
        losses.absolute_difference(x, labels, rows, "named"),
        losses.mean_squared_error(x, labels, 0.5),
        losses.mean_squared_error(x, labels, whole),
        losses.mean_squared_error(x, labels, 0.0),
        losses.log_loss(tf.sigmoid(x), labels, column),
        losses.sigmoid_cross_entropy(x, labels, 2.0, 0.1),
        losses.softmax_cross_entropy(x, labels, rows),
        losses.softmax_cross_entropy(x, labels, label_smoothing=0.2),
        losses.sparse_softmax_cross_entropy(x, classes),
        losses.sparse_softmax_cross_entropy(x, classes, column),
        losses.mean_pairwise_squared_error(x, labels),
        losses.mean_pairwise_squared_error(x, labels, rows),
        losses.cosine_distance(x, labels, 1),
        losses.cosine_distance(x, labels, dim=0, weights=[1, 0, 2]),
        losses.compute_weighted_loss([[1.0, 2.0], [3.0, 4.0]], [1.0, 0.0]),
    ]
    hinge = losses.hinge_loss(x, labels)
    losses.add_loss(tf.reduce_mean(hinge))
    total = losses.get_total_loss()
    feed = {
        labels: np.eye(3, dtype=np.float32)[[0, 2, 1, 0]],
        classes: [[0], [2], [1], [0]],
        rows: [1.0, 0.0, 2.0, 0.5],
    }
    return {
        "facts": {
            "losses": [v.name for v in losses.get_losses()],
            "named": [v.name for v in losses.get_losses("named")],
            "penalties": losses.get_regularization_losses(),
        },
        "steps": [
            ("initialize", tf.global_variables_initializer()),
            ("losses", [*made, hinge, total], feed),
            ("gradient", tf.gradients(total, [x]), feed),
        ],
    }
