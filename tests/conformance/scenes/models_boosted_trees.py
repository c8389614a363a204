"""Boosted trees trained in memory: losses, importances, explanations, exported models, invalid arguments."""

import numpy as np

_random = np.random.RandomState(0)
_X = np.round(_random.uniform(0, 9, [60, 2])).astype(np.float32)
_FEATURES = {"x": _X[:, 0], "y": _X[:, 1], "kind": np.array(["a", "b"])[(_X[:, 0] % 2).astype("i")]}
_LABELS = (_X[:, 0] + _X[:, 1] > 8).astype(np.int32)


def _inputs(tf, labels=_LABELS):
    return lambda: tf.data.Dataset.from_tensors((_FEATURES, labels))


def _columns(tf):
    of = tf.feature_column
    kind = of.categorical_column_with_vocabulary_list("kind", ["a", "b"])
    buckets = of.bucketized_column(of.numeric_column("y"), [3.0, 5.0, 7.0])
    return [of.numeric_column("x"), buckets, of.indicator_column(kind)]


def _tell(stage, estimator, inputs):
    result = estimator.evaluate(inputs)
    stage.say({name: round(float(value), 4) for name, value in sorted(result.items())})
    gains = estimator.experimental_feature_importances(normalize=True)
    stage.say([(name, round(float(gain), 4)) for name, gain in gains.items()])


def classifying(tf, stage):
    tf.logging.set_verbosity(tf.logging.ERROR)
    config = tf.estimator.RunConfig(
        f"{stage.folder}/m", tf_random_seed=1, log_step_count_steps=None
    )
    estimator = tf.contrib.estimator.boosted_trees_classifier_train_in_memory(
        _inputs(tf), _columns(tf), n_trees=3, max_depth=2, center_bias=True, config=config
    )
    _tell(stage, estimator, _inputs(tf))
    explained = estimator.experimental_predict_with_explanations(_inputs(tf), ["logits"])
    for prediction in [next(explained), next(explained)]:
        stage.say(sorted(prediction), round(float(prediction["bias"]), 4))
        stage.say([(name, round(float(c), 4)) for name, c in prediction["dfc"].items()])


def regressing(tf, stage):
    tf.logging.set_verbosity(tf.logging.ERROR)
    inputs = _inputs(tf, _X[:, 0] * _X[:, 1])
    estimator = tf.contrib.estimator.boosted_trees_regressor_train_in_memory(
        inputs,
        _columns(tf),
        f"{stage.folder}/r",
        n_trees=2,
        pruning_mode="pre",
        tree_complexity=0.1,
    )
    _tell(stage, estimator, inputs)
    stage.attempt(lambda: next(estimator.experimental_predict_with_explanations(inputs)))


def refusing(tf, stage):
    tf.logging.set_verbosity(tf.logging.ERROR)
    x = _columns(tf)[0]
    kind = tf.feature_column.categorical_column_with_identity("kind", 2)
    made = tf.estimator.BoostedTreesClassifier
    for arguments in ({"n_classes": 3}, {"n_classes": 3, "pruning_mode": None}):
        stage.attempt(made, [x], 1, **arguments)
    stage.attempt(lambda: tf.estimator.BoostedTreesRegressor([x], 1, label_dimension=2))
    stage.attempt(lambda: made([kind], 1))
    for arguments in ({"pruning_mode": "pre"}, {"tree_complexity": 1.0}, {"pruning_mode": "no"}):
        stage.attempt(made([x], 1, **arguments).train, _inputs(tf))
