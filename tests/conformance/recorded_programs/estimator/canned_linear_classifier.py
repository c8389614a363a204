"""A LinearClassifier of numbers, words, ids and a cross, with weights of examples."""

from tests.support.models.estimator_runs import columns, recorded, rows

TOLERANCE = 1e-4  # four steps of training


def build(tf):
    features, labels = rows()

    def make(config):
        return tf.estimator.LinearClassifier(
            columns(tf), config=config, weight_column="weight", sparse_combiner="mean"
        )

    return recorded(tf, make, features, labels)
