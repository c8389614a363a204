"""Several newer heads under an Estimator: trained by a tf.keras optimizer, evaluated, used for prediction."""

import numpy as np

from tests.support.models.estimator_runs import columns, in_order_of_names, record_estimator, rows

TOLERANCE = 1e-4  # four training steps


def build(tf):
    features, labels = rows()
    of = tf.estimator
    labels = {
        "classes": labels + (features["number"] > 2),
        "chance": (features["age"] > 4).astype("f"),
        "numbers": np.stack([features["age"], features["weight"]], 1),
    }

    def make(config):
        heads = [
            of.MultiClassHead(3, name="classes"),
            of.BinaryClassHead(name="chance"),
            of.RegressionHead(label_dimension=2, weight_column="weight", name="numbers"),
        ]
        head = of.MultiHead(heads, [1.0, 2.0, 0.5])

        def model(features, labels, mode):
            inputs = tf.feature_column.input_layer(features, columns(tf)[:1])
            logits = tf.keras.layers.Dense(head.logits_dimension)(inputs)
            optimizer = tf.keras.optimizers.Adam(0.1)
            optimizer.iterations = tf.train.get_or_create_global_step()
            spec = head.create_estimator_spec(
                features,
                mode,
                logits,
                labels,
                optimizer,
                tf.trainable_variables(),
                regularization_losses=[tf.reduce_sum(logits**2) * 0.01],
            )
            in_order_of_names(tf)
            return spec

        return of.Estimator(model, config=config)

    return record_estimator(tf, make, features, labels)
