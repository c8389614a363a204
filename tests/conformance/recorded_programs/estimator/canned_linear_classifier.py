"""A LinearClassifier with three named classes."""

from tests.support.models.estimator_runs import columns, record_estimator, rows

TOLERANCE = 1e-4  # four training steps


def build(tf):
    features, _ = rows()
    labels = features.pop("kind")

    def make(config):
        age, _, number, buckets, _ = columns(tf)
        return tf.estimator.LinearClassifier(
            [age, number, buckets],
            n_classes=3,
            label_vocabulary=["a", "b", "c"],
            optimizer="Adam",
            config=config,
        )

    return record_estimator(tf, make, features, labels)
