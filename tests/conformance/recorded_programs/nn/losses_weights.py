"""Weights that stretch over losses: shapes known and not, the assertions that are left for the run."""

import numpy as np


def build(tf):
    losses = tf.losses
    reduction = losses.Reduction
    known = tf.placeholder(tf.float32, [2, 3], name="known")
    rows = tf.placeholder(tf.float32, [None, 3], name="rows")
    free = tf.placeholder(tf.float32, name="free")
    number = tf.placeholder(tf.float32, [], name="number")
    column = tf.placeholder(tf.float32, [None, 1], name="column")
    any_weights = tf.placeholder(tf.float32, name="any_weights")
    made = [
        losses.compute_weighted_loss(known, 3.0),
        losses.compute_weighted_loss(known, number),
        losses.compute_weighted_loss(known, np.ones([2, 1], np.float32)),
        losses.compute_weighted_loss(known, column, "by_column"),
        losses.compute_weighted_loss(rows, column, reduction=reduction.MEAN),
        losses.compute_weighted_loss(rows, number, reduction=reduction.SUM_OVER_BATCH_SIZE),
        losses.compute_weighted_loss(free, any_weights),
        losses.compute_weighted_loss(free, 2.0, reduction=reduction.SUM),
        losses.compute_weighted_loss(known, any_weights, reduction=reduction.NONE),
        losses.mean_squared_error(rows, known, column),
        losses.mean_pairwise_squared_error(rows, known, any_weights),
        losses.compute_weighted_loss(tf.constant([1, 2, 3]), tf.constant([1, 0, 1], tf.int64)),
        losses.compute_weighted_loss([[1.0, 2.0]], [[True, False]]),
    ]
    values = np.arange(6, dtype=np.float32).reshape(2, 3)
    feed = {known: values, rows: values + 1, free: values * 2, number: 0.5}
    feed[column] = [[0.0], [2.0]]
    scalar = {**feed, any_weights: 3.0}
    matrix = {**feed, any_weights: [[1.0], [0.0]]}
    return {
        "facts": {"shapes": [str(loss.shape) for loss in made]},
        "steps": [
            ("scalar", made, scalar),
            ("matrix", made, matrix),
            ("gradients", tf.gradients(made[6], [free, any_weights]), matrix),
        ],
    }
