"""Estimators of tf.contrib.learn that cannot be, and inputs that they cannot take."""

import numpy as np


def _columns(tf):
    return [tf.contrib.layers.real_valued_column("x")]


def _model(tf, **options):
    return tf.contrib.learn.LinearClassifier(_columns(tf), **options)


def _input(tf):
    return {"x": tf.ones([2, 1])}, tf.ones([2, 1], tf.int32)


def two_folders(tf):
    config = tf.contrib.learn.RunConfig(model_dir="one")
    _model(tf, model_dir="two", config=config)


def a_model_of_two(tf):
    def model(features, labels):
        return features, labels

    tf.contrib.learn.Estimator(model).fit(input_fn=lambda: _input(tf), steps=1)


def a_prediction_of_no_name(tf):
    spec = tf.contrib.learn.MetricSpec(tf.metrics.accuracy)
    spec.create_metric_ops({}, tf.ones([2]), {"a": tf.ones([2]), "b": tf.ones([2])})


def a_prediction_of_another_name(tf):
    spec = tf.contrib.learn.MetricSpec(tf.metrics.accuracy, prediction_key="c")
    spec.create_metric_ops({}, tf.ones([2]), {"a": tf.ones([2])})


def an_unknown_activation(tf):
    model = tf.contrib.learn.DNNClassifier([2], _columns(tf), activation_fn="swoosh")
    model.fit(input_fn=lambda: _input(tf), steps=1)


CASES = {
    "one_class": lambda tf: _model(tf, n_classes=1),
    "names_of_two_classes": lambda tf: _model(tf, label_keys=["a", "b"]),
    "names_that_are_too_few": lambda tf: _model(tf, n_classes=3, label_keys=["a", "b"]),
    "arrays_and_a_function": lambda tf: _model(tf).fit(
        np.ones([2, 1]), np.ones([2]), input_fn=lambda: _input(tf), steps=1
    ),
    "neither_of_them": lambda tf: _model(tf).fit(steps=1),
    "both_steps": lambda tf: _model(tf).fit(input_fn=lambda: _input(tf), steps=1, max_steps=1),
    "tensors_for_arrays": lambda tf: _model(tf).fit(tf.ones([2, 1]), tf.ones([2]), steps=1),
    "weights_that_are_missing": lambda tf: _model(tf, weight_column_name="w").fit(
        input_fn=lambda: _input(tf), steps=1
    ),
    "metrics_that_are_a_list": lambda tf: _model(tf).evaluate(
        input_fn=lambda: _input(tf), metrics=[1]
    ),
    "params_that_nobody_takes": lambda tf: tf.contrib.learn.Estimator(
        lambda features, labels: None, params={"a": 1}
    ),
    "an_unknown_mode": lambda tf: tf.contrib.learn.ModelFnOps("ask"),
    "no_training_step": lambda tf: tf.contrib.learn.ModelFnOps(
        "train", tf.ones([2]), tf.constant(1.0)
    ),
    "no_loss": lambda tf: tf.contrib.learn.ModelFnOps("eval", tf.ones([2])),
    "no_predictions": lambda tf: tf.contrib.learn.ModelFnOps("infer"),
    "an_experiment_of_nothing": lambda tf: tf.contrib.learn.learn_runner.run(
        lambda output_dir: None, "folder"
    ),
    "an_experiment_nowhere": lambda tf: tf.contrib.learn.learn_runner.run(lambda output_dir: None),
    "nothing_to_run": lambda tf: tf.contrib.learn.run_n({}),
}
