"""Canned Estimators with options: weights, string labels, reductions, partitioners, combiners, normalization."""

import numpy as np

from tests.support.models.estimator_runs import columns, record_estimator, rows

TOLERANCE = 5e-4  # four training steps, batches normalized: on a GPU sums are in another order


def build(tf):
    features, labels = rows()
    of, estimators = tf.feature_column, tf.estimator
    heads = tf.contrib.estimator
    words = np.array(["no", "yes"])[labels]
    amounts = features["age"] * 0.5 + labels
    parts = tf.min_max_variable_partitioner(max_partitions=2, min_slice_size=4)
    mean, total = "weighted_sum_over_batch_size", "weighted_sum_by_nonzero_weights"

    def dense():
        age, kind, number, _, _ = columns(tf)
        return [age, of.embedding_column(number, 2), of.indicator_column(kind)]

    def sparse():
        age, kind, number, buckets, cross = columns(tf)
        return [age, kind, number, buckets, cross]

    def rate(step=0.05):
        return lambda: tf.train.GradientDescentOptimizer(step)

    makers = {
        "baseline of words": (
            words,
            lambda config: estimators.BaselineClassifier(
                n_classes=2,
                weight_column="weight",
                label_vocabulary=["no", "yes"],
                optimizer=rate(),
                loss_reduction=mean,
                config=config,
            ),
        ),
        "baseline of numbers": (
            amounts,
            lambda config: estimators.BaselineRegressor(
                weight_column="weight", optimizer="Adam", loss_reduction=mean, config=config
            ),
        ),
        "baseline of a head": (
            amounts,
            lambda config: estimators.BaselineEstimator(
                heads.regression_head(), optimizer=rate(), config=config
            ),
        ),
        "dnn of words": (
            words,
            lambda config: estimators.DNNClassifier(
                [4, 3],
                dense(),
                weight_column="weight",
                label_vocabulary=["no", "yes"],
                optimizer=rate(),
                activation_fn=tf.tanh,
                input_layer_partitioner=parts,
                loss_reduction=mean,
                batch_norm=True,
                config=config,
            ),
        ),
        "dnn of numbers": (
            amounts,
            lambda config: estimators.DNNRegressor(
                [4],
                dense(),
                weight_column="weight",
                optimizer=rate(),
                activation_fn=tf.nn.elu,
                input_layer_partitioner=parts,
                loss_reduction=total,
                batch_norm=True,
                config=config,
            ),
        ),
        "dnn of a head": (
            labels,
            lambda config: estimators.DNNEstimator(
                heads.binary_classification_head(thresholds=[0.3]),
                [4],
                dense(),
                optimizer=rate(),
                activation_fn=tf.sigmoid,
                input_layer_partitioner=parts,
                batch_norm=True,
                config=config,
            ),
        ),
        "linear of words": (
            words,
            lambda config: estimators.LinearClassifier(
                sparse(),
                weight_column="weight",
                label_vocabulary=["no", "yes"],
                optimizer=rate(),
                partitioner=parts,
                loss_reduction=mean,
                sparse_combiner="mean",
                config=config,
            ),
        ),
        "linear of numbers": (
            amounts,
            lambda config: estimators.LinearRegressor(
                sparse(),
                weight_column="weight",
                optimizer="SGD",
                partitioner=parts,
                loss_reduction=total,
                sparse_combiner="sqrtn",
                config=config,
            ),
        ),
        "linear of a head": (
            amounts,
            lambda config: estimators.LinearEstimator(
                heads.regression_head(),
                sparse(),
                optimizer=rate(),
                partitioner=parts,
                sparse_combiner="mean",
                config=config,
            ),
        ),
        "both of words": (
            words,
            lambda config: estimators.DNNLinearCombinedClassifier(
                linear_feature_columns=sparse(),
                linear_optimizer=rate(),
                dnn_feature_columns=dense(),
                dnn_optimizer="SGD",
                dnn_hidden_units=[3],
                dnn_activation_fn=tf.tanh,
                weight_column="weight",
                label_vocabulary=["no", "yes"],
                input_layer_partitioner=parts,
                loss_reduction=mean,
                batch_norm=True,
                linear_sparse_combiner="mean",
                config=config,
            ),
        ),
        "both of numbers": (
            amounts,
            lambda config: estimators.DNNLinearCombinedRegressor(
                linear_feature_columns=sparse(),
                linear_optimizer=rate(0.005),
                dnn_feature_columns=dense(),
                dnn_optimizer=rate(0.005),
                dnn_hidden_units=[3],
                dnn_activation_fn=tf.tanh,
                weight_column="weight",
                input_layer_partitioner=parts,
                loss_reduction=total,
                batch_norm=True,
                linear_sparse_combiner="sqrtn",
                config=config,
            ),
        ),
        "both of a head": (
            labels,
            lambda config: estimators.DNNLinearCombinedEstimator(
                heads.binary_classification_head(),
                linear_feature_columns=sparse(),
                linear_optimizer=rate(),
                dnn_feature_columns=dense(),
                dnn_optimizer=rate(),
                dnn_hidden_units=[3],
                dnn_activation_fn=tf.tanh,
                input_layer_partitioner=parts,
                linear_sparse_combiner="mean",
                config=config,
            ),
        ),
    }
    facts, steps = {}, []
    for name, (wanted, make) in makers.items():
        found = record_estimator(tf, make, features, wanted)
        facts.update({f"{name}: {key}": value for key, value in found["facts"].items()})
        steps += [(name, *step[1:]) for step in found["steps"]]
    return {"facts": facts, "steps": steps}
