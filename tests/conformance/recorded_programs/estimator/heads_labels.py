"""A head of labels that do not exclude each other, with thresholds and classes measured alone."""

import numpy as np

from tests.support.models.estimator_runs import columns, recorded, rows

TOLERANCE = 1e-4  # four steps of training


def build(tf):
    features, labels = rows()
    labels = np.stack([labels, 1 - labels, (features["number"] > 2).astype("i")], 1)

    def make(config):
        head = tf.contrib.estimator.multi_label_head(
            3,
            weight_column="weight",
            thresholds=[0.25, 0.5],
            label_vocabulary=["x", "y", "z"],
            classes_for_class_based_metrics=["z", "x"],
            name="kinds",
        )
        return tf.estimator.LinearEstimator(head, columns(tf)[:2], config=config)

    return recorded(tf, make, features, labels)
