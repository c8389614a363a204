"""tf.contrib.losses.mean_squared_error with weights of every shape that it takes."""

from tests.conformance.recorded_programs.nn._loss_tables import (
    OLDER_WEIGHTS,
    numbers,
    of_older_loss,
)


def build(tf):
    return of_older_loss(
        tf,
        tf.contrib.losses.mean_squared_error,
        [numbers(1, 4, 3), numbers(2, 4, 3)],
        OLDER_WEIGHTS,
    )
