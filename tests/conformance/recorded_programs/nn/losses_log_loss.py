"""tf.losses.log_loss with every reduction and all weight shapes."""

import numpy as np

from tests.conformance.recorded_programs.nn._loss_tables import numbers, of_loss, weights_for


def build(tf):
    values = [(numbers(1, 4, 3) > 0).astype(np.float32), np.abs(numbers(2, 4, 3))]
    made, _ = of_loss(tf, tf.losses.log_loss, values, weights_for(tf, 4, 3))
    return made
