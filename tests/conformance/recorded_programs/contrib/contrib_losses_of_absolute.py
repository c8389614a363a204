"""tf.contrib.losses.absolute_difference with weights of every shape that it takes."""

from tests.conformance.recorded_programs.nn._loss_tables import (
    OLDER_WEIGHTS,
    numbers,
    of_older_loss,
)


def build(tf):
    return of_older_loss(
        tf,
        tf.contrib.losses.absolute_difference,
        [numbers(1, 4, 3), numbers(2, 4, 3)],
        OLDER_WEIGHTS,
    )
