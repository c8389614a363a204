"""compute_average_loss and scale_regularization_loss: weights of more and fewer dimensions, batch sizes."""

import numpy as np


def build(tf):
    nn = tf.nn
    known = tf.placeholder(tf.float32, [3], name="known")
    rows = tf.placeholder(tf.float64, [None, 2], name="rows")
    free = tf.placeholder(tf.float32, name="free")
    weights = tf.placeholder(tf.float32, name="weights")
    made = [
        nn.compute_average_loss(known),
        nn.compute_average_loss(known, global_batch_size=10),
        nn.compute_average_loss(known, 2.0),
        nn.compute_average_loss(known, [[1.0], [0.0], [2.0]]),
        nn.compute_average_loss(rows, [1.0, 3.0], 4),
        nn.compute_average_loss(rows, [[1.0], [3.0]]),
        nn.compute_average_loss(free),
        nn.compute_average_loss(free, weights),
        nn.scale_regularization_loss(known),
        nn.scale_regularization_loss(tf.constant(3.0)),
    ]
    feed = {known: [1.0, 2.0, 4.0], rows: np.array([[1.0, 2.0], [3.0, 5.0]]), free: [1.0, 3.0]}
    return {
        "steps": [
            ("scalar", made, {**feed, weights: 0.5}),
            ("column", made, {**feed, weights: [[2.0], [1.0]]}),
            ("fewer", made[-3], {free: [[1.0, 3.0]], weights: [2.0]}),
        ]
    }
