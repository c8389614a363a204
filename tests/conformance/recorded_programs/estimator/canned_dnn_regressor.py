"""A DNNRegressor with batch norms, dropout, a custom activation and shared embeddings."""

from tests.support.models.estimator_runs import record_estimator, rows

TOLERANCE = 1e-3  # in four steps batch norms of few rows amplify how the processor rounds sums


def build(tf):
    features, _ = rows()
    labels = features.pop("age")
    features["other"] = features["number"][::-1].copy()
    of = tf.feature_column

    def make(config):
        ids = [of.categorical_column_with_identity(name, 5) for name in ("number", "other")]
        weight = of.numeric_column("weight")
        return tf.estimator.DNNRegressor(
            [4, 3],
            [weight] + of.shared_embedding_columns(ids, 2),
            optimizer="SGD",
            activation_fn=tf.nn.tanh,
            dropout=0.25,
            batch_norm=True,
            config=config,
        )

    return record_estimator(tf, make, features, labels)
