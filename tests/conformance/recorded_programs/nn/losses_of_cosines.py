"""tf.losses.cosine_distance under every reduction, with weights of every shape."""

from tests.conformance.recorded_programs.nn._loss_tables import numbers, of_loss, weights_for


def build(tf):
    def loss(labels, predictions, weights, **more):
        return tf.losses.cosine_distance(labels, predictions, axis=1, weights=weights, **more)

    values = [numbers(1, 4, 3), numbers(2, 4, 3)]
    made, _ = of_loss(tf, loss, values, weights_for(tf, 4, 1))
    return made
