"""A binary head with class names, thresholds, regularization and a custom loss."""

import numpy as np

from tests.support.models.estimator_runs import columns, record_estimator, rows

TOLERANCE = 1e-4  # four training steps


def build(tf):
    features, labels = rows()
    words = ["no", "yes"]
    labels = np.array(words)[labels]

    def loss(labels, logits, features):
        return tf.nn.sigmoid_cross_entropy_with_logits(labels=labels, logits=logits) * 2.0

    def make(config):
        head = tf.contrib.estimator.binary_classification_head(
            thresholds=(0.3,), label_vocabulary=words, loss_fn=loss, name="two"
        )

        def model(features, labels, mode):
            logits = tf.feature_column.linear_model(features, columns(tf)[:3])
            return head.create_estimator_spec(
                features,
                mode,
                logits,
                labels,
                tf.train.AdamOptimizer(0.1),
                regularization_losses=[tf.constant(0.25), tf.reduce_sum(logits**2) * 0.01],
            )

        return tf.estimator.Estimator(model, config=config)

    return record_estimator(tf, make, features, labels)
