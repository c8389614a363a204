"""tf.losses of classes: hinge, log loss, cross entropies; smoothing, ranks that differ by one, gradients."""

import numpy as np


def build(tf):
    losses = tf.losses
    onehot = tf.placeholder(tf.int32, [3, 4], name="onehot")
    classes = tf.placeholder(tf.int64, [3], name="classes")
    free = tf.placeholder(tf.int32, name="free")
    start = np.linspace(-2, 3, 12).reshape(3, 4).astype(np.float32)
    x = tf.get_variable("x", initializer=tf.constant(start))
    wide = tf.get_variable("wide", initializer=tf.constant(start.astype(np.float64)))
    column = tf.constant([1.0, 0.0, 2.5])
    weights = tf.placeholder(tf.float32, name="weights")
    made = [
        losses.hinge_loss(onehot, x),
        losses.hinge_loss(onehot, x, tf.reshape(column, [3, 1])),
        losses.log_loss(onehot, tf.sigmoid(x)),
        losses.log_loss(onehot, tf.sigmoid(x), column[:, None], epsilon=0.01, scope="log"),
        losses.sigmoid_cross_entropy(onehot, x),
        losses.sigmoid_cross_entropy(onehot, x, label_smoothing=0.2),
        losses.softmax_cross_entropy(onehot, x),
        losses.softmax_cross_entropy(onehot, x, column, label_smoothing=0.1),
        losses.softmax_cross_entropy(onehot, wide, 0.5, reduction=losses.Reduction.MEAN),
        losses.sparse_softmax_cross_entropy(classes, x),
        losses.sparse_softmax_cross_entropy(classes[:, None], x, column[:, None]),
        losses.sparse_softmax_cross_entropy(tf.cast(classes, tf.int32), wide, column),
        losses.sparse_softmax_cross_entropy(free, x, 2.0),
        losses.sparse_softmax_cross_entropy(free, x, weights),
    ]
    whole = np.array([[0, 1, 0, 0], [1, 0, 0, 0], [0, 0, 0, 1]], np.int32)
    feed = {onehot: whole, classes: [1, 0, 3], free: [1, 0, 3], weights: [1.0, 0.0, 2.0]}
    deep = {**feed, free: [[1], [0], [3]], weights: [[1.0], [0.0], [2.0]]}
    grads = [tf.gradients(loss, [x, wide]) for loss in made]
    return {
        "facts": {"shapes": [loss.shape.as_list() for loss in made]},
        "steps": [
            ("initialize", tf.global_variables_initializer()),
            ("losses", made, feed),
            ("with a last dimension", made[-2:], deep),
            ("gradients", [g for pair in grads for g in pair if g is not None], feed),
        ],
    }
