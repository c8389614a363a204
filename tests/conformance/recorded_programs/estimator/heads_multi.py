"""Several heads on one network: classification, a probability and regression, with different weights."""

import numpy as np

from tests.support.models.estimator_runs import columns, record_estimator, rows

TOLERANCE = 1e-4  # four training steps


def build(tf):
    features, labels = rows()
    features["age"] = features["age"]
    of = tf.contrib.estimator
    labels = {
        "classes": labels + (features["number"] > 2),
        "chance": np.clip(features["age"] / 10, 0, 1),
        "numbers": np.stack([features["age"], features["weight"]], 1),
    }

    def make(config):
        heads = [
            of.multi_class_head(3, name="classes"),
            of.logistic_regression_head(name="chance"),
            of.regression_head(label_dimension=2, weight_column="weight", name="numbers"),
        ]
        head = of.multi_head(heads, [1.0, 2.0, 0.5])
        return tf.estimator.DNNEstimator(head, [4], columns(tf)[:1], config=config)

    return record_estimator(tf, make, features, labels)
