"""tf.losses.sigmoid_cross_entropy under every reduction, smoothed, with weights of every shape."""

import numpy as np

from tests.conformance.recorded_programs.nn._loss_tables import numbers, of_loss, weights_for


def build(tf):
    def loss(labels, logits, weights, **more):
        return tf.losses.sigmoid_cross_entropy(labels, logits, weights, label_smoothing=0.2, **more)

    values = [(numbers(1, 4, 3) > 0).astype(np.float32), numbers(2, 4, 3)]
    made, _ = of_loss(tf, loss, values, weights_for(tf, 4, 3))
    return made
