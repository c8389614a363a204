"""tf.contrib.losses.log_loss with weights of every shape that it takes."""

import numpy as np

from tests.conformance.recorded_programs.nn._loss_tables import (
    OLDER_WEIGHTS,
    numbers,
    of_older_loss,
)


def build(tf):
    return of_older_loss(
        tf,
        tf.contrib.losses.log_loss,
        [np.abs(numbers(1, 4, 3)), (numbers(2, 4, 3) > 0).astype(np.float32)],
        OLDER_WEIGHTS,
    )
