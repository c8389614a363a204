"""A DNNLinearCombinedRegressor with weights, and an Estimator of only the wide half with a head of its own."""

from tests.support.models.estimator_runs import columns, recorded, rows

TOLERANCE = 1e-4  # four steps of training


def build(tf):
    features, _ = rows()
    labels = features["age"] * 2

    def make(config):
        age, kind, _, _, _ = columns(tf)
        return tf.estimator.DNNLinearCombinedRegressor(
            linear_feature_columns=[kind],
            dnn_feature_columns=[age],
            dnn_hidden_units=[3, 2],
            dnn_dropout=0.5,
            dnn_optimizer="RMSProp",
            weight_column="weight",
            config=config,
        )

    return recorded(tf, make, features, labels)
