"""tf.contrib.losses.log_loss with weights of every shape that it takes."""

import numpy as np

from tests.recorded_programs.nn._loss_tables import numbers, of_older_loss


def build(tf):
    weights = [
        1.0,
        0.0,
        0.5,
        np.abs(numbers(3, 4)),
        np.abs(numbers(3, 4, 1)),
        np.abs(numbers(3, 4, 3)),
    ]
    return of_older_loss(
        tf,
        tf.contrib.losses.log_loss,
        [np.abs(numbers(1, 4, 3)), (numbers(2, 4, 3) > 0).astype(np.float32)],
        weights,
    )
