"""tf.compat.v2's DNNRegressor with weights, trained by Adam with dropout."""

from tests.support.models.estimator_runs import columns, in_order_of_names, record_estimator, rows
from tests.support.programs.internals import internal

TOLERANCE = 1e-4  # four training steps


def build(tf):
    of = internal(tf, "python.estimator.canned.dnn")
    features, _ = rows()
    age, kind, _, _, _ = columns(tf)

    def make(config):
        return of.DNNRegressorV2(
            [4, 3],
            [age, tf.feature_column.embedding_column(kind, 2)],
            weight_column="weight",
            optimizer="Adam",
            dropout=0.5,
            config=config,
        )

    return record_estimator(tf, sorted_metrics(tf, make), features, features["age"] * 2)


def sorted_metrics(tf, make):
    """`make` of an Estimator whose model function leaves the variables of its metrics in an order."""

    def sorted_make(config):
        estimator = make(config)
        model = estimator._model_fn

        def sorted_model(features, labels, mode, config):
            spec = model(features, labels, mode, config)
            in_order_of_names(tf)
            return spec

        estimator._model_fn = sorted_model
        return estimator

    return sorted_make
