"""A BaselineClassifier with weights."""

from tests.support.models.estimator_runs import recorded, rows

TOLERANCE = 1e-4  # four steps of training


def build(tf):
    features, labels = rows()

    def make(config):
        return tf.estimator.BaselineClassifier(weight_column="weight", config=config)

    return recorded(tf, make, features, labels)
