"""tf.losses.mean_squared_error under every reduction, with weights of every shape."""

from tests.conformance.recorded_programs.nn._loss_tables import numbers, of_loss, weights_for


def build(tf):
    values = [numbers(1, 4, 3), numbers(2, 4, 3)]
    made, _ = of_loss(tf, tf.losses.mean_squared_error, values, weights_for(tf, 4, 3))
    return made
