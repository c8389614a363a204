"""A BoostedTreesRegressor of numeric, bucketized and indicator columns, with a bias, weights and pruning."""

from tests.support.models.estimator_runs import columns, record_estimator, rows


def build(tf):
    features, _ = rows()
    labels = features["age"] * (features["number"] - 2)

    def make(config):
        age, kind, _, buckets, _ = columns(tf)
        return tf.estimator.BoostedTreesRegressor(
            [age, buckets, tf.feature_column.indicator_column(kind)],
            n_batches_per_layer=3,
            n_trees=4,
            max_depth=3,
            learning_rate=0.5,
            l1_regularization=0.01,
            l2_regularization=0.02,
            tree_complexity=0.1,
            min_node_weight=0.01,
            weight_column="weight",
            center_bias=True,
            pruning_mode="post",
            config=config,
        )

    return record_estimator(tf, make, features, labels, steps=60)
