"""Stochastic dual coordinate ascent without an Estimator: each loss, its value and predictions."""

import numpy as np

LOSSES = ("logistic_loss", "squared_loss", "hinge_loss", "smooth_hinge_loss", "poisson_loss")
TOLERANCE = 1e-4  # three training steps


def build(tf):
    fetches = []
    steps = []
    for number, loss in enumerate(LOSSES):
        with tf.variable_scope(loss):
            sparse = tf.contrib.linear_optimizer.SparseFeatureColumn([0, 0], [3, 1], [1.0, 0.5])
            examples = {
                "sparse_features": [sparse],
                "dense_features": [tf.constant([[1.0, -2.0]])],
                "example_labels": [1.0],
                "example_weights": [0.5],
                "example_ids": ["a"],
            }
            variables = {
                "sparse_features_weights": [tf.Variable(tf.zeros([5]), name="sparse")],
                "dense_features_weights": [tf.Variable(tf.zeros([2]), name="dense")],
            }
            options = {
                "symmetric_l1_regularization": 0.01,
                "symmetric_l2_regularization": 0.5,
                "loss_type": loss,
                "num_table_shards": 1 + number % 2,
            }
            model = tf.contrib.linear_optimizer.SdcaModel(examples, variables, options)
            step = model.minimize()
            steps.append(model.update_weights(step))
            fetches += [
                model.predictions(examples),
                model.unregularized_loss(examples),
                model.regularized_loss(examples),
                tf.maximum(
                    model.approximate_duality_gap(), 1e-5
                ),  # zero at the end, except for rounding
                *(v[0] for v in variables.values()),
            ]
    ids = np.array(["abc" * count for count in range(0, 80, 9)])
    return {
        "steps": [
            ("initialize", tf.global_variables_initializer()),
            *[("step", steps)] * 3,
            ("numbers", [*fetches, tf.train.sdca_fprint(ids)]),
        ]
    }
