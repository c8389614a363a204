"""A LinearRegressor of two numbers with an optimizer of its own and the mean as its loss."""

import numpy as np

from tests.support.models.estimator_runs import columns, recorded, rows

TOLERANCE = 1e-4  # four steps of training


def build(tf):
    features, _ = rows()
    labels = np.stack([features["age"], features["weight"]], 1)

    def make(config):
        return tf.estimator.LinearRegressor(
            columns(tf)[:3],
            label_dimension=2,
            optimizer=lambda: tf.train.GradientDescentOptimizer(0.05),
            config=config,
            loss_reduction=tf.losses.Reduction.SUM_OVER_BATCH_SIZE,
        )

    return recorded(tf, make, features, labels)
