"""tf.losses.sparse_softmax_cross_entropy under every reduction, with weights of every shape."""

import numpy as np

from tests.conformance.recorded_programs.nn._loss_tables import numbers, of_loss


def build(tf):
    rows = np.abs(numbers(3, 4))
    weights = [
        1.0,
        0.0,
        0.5,
        rows,
        np.zeros(4, np.float32),
        tf.placeholder_with_default(rows, None),
    ]
    values = [np.array([0, 2, 1, 1]), numbers(2, 4, 3)]
    made, _ = of_loss(tf, tf.losses.sparse_softmax_cross_entropy, values, weights)
    return made
