"""tf.losses.softmax_cross_entropy under every reduction, smoothed, with weights of every shape."""

import numpy as np

from tests.conformance.recorded_programs.nn._loss_tables import numbers, of_loss


def build(tf):
    def loss(labels, logits, weights, **more):
        return tf.losses.softmax_cross_entropy(labels, logits, weights, label_smoothing=0.1, **more)

    values = [np.eye(3, dtype=np.float32)[[0, 2, 1, 1]], numbers(2, 4, 3)]
    rows = np.abs(numbers(3, 4))
    made, _ = of_loss(tf, loss, values, [0.5, rows, np.zeros(4, np.float32)])
    return made
