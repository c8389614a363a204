"""A DNNLinearCombinedClassifier of three classes."""

from tests.support.models.estimator_runs import columns, record_estimator, rows

TOLERANCE = 1e-4  # four training steps


def build(tf):
    features, labels = rows()
    labels = labels + (features["number"] > 2)
    of = tf.feature_column

    def make(config):
        age, kind, number, buckets, cross = columns(tf)
        return tf.estimator.DNNLinearCombinedClassifier(
            linear_feature_columns=[kind, buckets, cross],
            dnn_feature_columns=[age, of.embedding_column(number, 3)],
            dnn_hidden_units=[4],
            n_classes=3,
            config=config,
        )

    return record_estimator(tf, make, features, labels)
