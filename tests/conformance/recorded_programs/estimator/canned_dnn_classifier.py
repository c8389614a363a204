"""A DNNClassifier of numbers, an embedding and an indicator."""

from tests.support.models.estimator_runs import columns, recorded, rows

TOLERANCE = 1e-4  # four steps of training


def build(tf):
    features, labels = rows()
    of = tf.feature_column

    def make(config):
        age, kind, number, _, _ = columns(tf)
        used = [age, of.embedding_column(number, 2), of.indicator_column(kind)]
        return tf.estimator.DNNClassifier([5, 3], used, config=config)

    return recorded(tf, make, features, labels)
