"""tf.losses.compute_weighted_loss under every reduction, of several types, with weights of every shape."""

from tests.conformance.recorded_programs.nn._loss_tables import numbers, of_loss, weights_for


def build(tf):
    def loss(losses, weights, **more):
        return tf.losses.compute_weighted_loss(losses, weights, **more)

    made, total = of_loss(tf, loss, [numbers(2, 4, 3)], weights_for(tf, 4, 3))
    half = tf.losses.compute_weighted_loss(
        tf.constant([1.0, 2.0], tf.float16), tf.constant([1.0, 0.0])
    )
    double = tf.losses.compute_weighted_loss(tf.constant([1.0, 2.0], tf.float64), 2)
    made["steps"].append(("of other types", [half, double]))
    return made
