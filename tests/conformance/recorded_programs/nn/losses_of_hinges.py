"""tf.losses.hinge_loss under every reduction, with weights of every shape."""

import numpy as np

from tests.conformance.recorded_programs.nn._loss_tables import numbers, of_loss, weights_for


def build(tf):
    values = [(numbers(1, 4, 3) > 0).astype(np.float32), numbers(2, 4, 3)]
    made, _ = of_loss(tf, tf.losses.hinge_loss, values, weights_for(tf, 4, 3))
    return made
