"""A Poisson head, which predicts log means; extra metrics, features among the predictions."""

from tests.support.models.estimator_runs import columns, record_estimator, rows

TOLERANCE = 1e-4  # four training steps


def build(tf):
    features, _ = rows()
    labels = (features["number"] * 2).astype("f")

    def more(labels, predictions, features):
        return {"largest": tf.metrics.mean(predictions["predictions"] * tf.to_float(labels))}

    def make(config):
        more_of = tf.contrib.estimator
        head = more_of.poisson_regression_head(weight_column="weight")
        clipped = more_of.clip_gradients_by_norm(tf.train.AdamOptimizer(0.05), 0.5)
        model = tf.estimator.DNNEstimator(
            head, [3], columns(tf)[:1], optimizer=clipped, config=config
        )
        return more_of.forward_features(more_of.add_metrics(model, more), ["weight"])

    return record_estimator(tf, make, features, labels)
