"""tf.losses of numbers: each with every kind of weights and reduction, unknown shapes, gradients."""

import numpy as np


def build(tf):
    losses = tf.losses
    labels = tf.placeholder(tf.float32, [2, 3], name="labels")
    x = tf.get_variable("x", initializer=tf.constant([[0.5, 1.5, -2.0], [3.0, 0.25, 1.0]]))
    by_row = tf.constant([[0.0], [2.0]])
    made = [
        losses.absolute_difference(labels, x),
        losses.absolute_difference(labels, x, 0.5, "scope", reduction=losses.Reduction.SUM),
        losses.mean_squared_error(labels, x),
        losses.mean_squared_error(labels, x, by_row, loss_collection="mine"),
        losses.mean_squared_error(labels, x, 0.0),
        losses.huber_loss(labels, x),
        losses.huber_loss(labels, x, by_row, delta=0.3, loss_collection=None),
        losses.cosine_distance(tf.nn.l2_normalize(labels, 1), tf.nn.l2_normalize(x, 1), axis=1),
        losses.cosine_distance(labels, x, dim=0, weights=[[1.0, 0.0, 3.0]]),
        losses.mean_pairwise_squared_error(labels, x),
        losses.mean_pairwise_squared_error(labels, x, by_row, scope="pairs"),
        losses.mean_pairwise_squared_error(tf.cast(labels, tf.int32), x, tf.constant(3)),
    ]
    for reduction in losses.Reduction.all():
        made.append(losses.mean_squared_error(labels, x, by_row, reduction=reduction))
    each = losses.mean_squared_error(labels, x, 2.0, reduction=losses.Reduction.NONE)
    double = losses.compute_weighted_loss(tf.constant([1.0, 2.0], tf.float64), [2, 3], "double")
    feed = {labels: np.array([[0, 2, 1], [3, -1, 0.5]], np.float32)}
    return {
        "facts": {
            "shapes": [loss.shape.as_list() for loss in made],
            "collected": [loss.name for loss in losses.get_losses()],
            "scoped": [loss.name for loss in losses.get_losses("scope")],
            "mine": [loss.name for loss in losses.get_losses(loss_collection="mine")],
        },
        "steps": [
            ("initialize", tf.global_variables_initializer()),
            ("losses", made, feed),
            ("each", [each, double], feed),
            ("gradients", [tf.gradients(loss, [x])[0] for loss in made[:14]], feed),
        ],
    }
