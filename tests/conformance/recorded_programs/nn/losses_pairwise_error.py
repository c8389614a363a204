"""tf.losses.mean_pairwise_squared_error with all weight shapes; it has no reduction."""

import numpy as np

from tests.conformance.recorded_programs.nn._loss_tables import numbers, of_loss


def build(tf):
    def loss(labels, predictions, weights, reduction, loss_collection):
        scope = reduction.replace("(", "").replace(")", "").replace(" ", "")
        pairs = tf.losses.mean_pairwise_squared_error
        return pairs(labels, predictions, weights, scope=scope, loss_collection=loss_collection)

    column = np.abs(numbers(3, 4, 1))
    values = [numbers(1, 4, 3), numbers(2, 4, 3)]
    made, _ = of_loss(tf, loss, values, [0.5, column, np.zeros((4, 1), np.float32)])
    return made
