"""tf.contrib.losses.sparse_softmax_cross_entropy with weights of every shape that it takes."""

import numpy as np

from tests.conformance.recorded_programs.nn._loss_tables import numbers, of_older_loss


def build(tf):
    weights = [0.5, np.abs(numbers(3, 4)), np.zeros(4, np.float32)]
    return of_older_loss(
        tf,
        tf.contrib.losses.sparse_softmax_cross_entropy,
        [numbers(1, 4, 3), np.array([0, 2, 1, 1])],
        weights,
    )
