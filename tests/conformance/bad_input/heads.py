"""Heads and ready Estimators that cannot be, and labels that they cannot take."""

import numpy as np


def _numbers(tf, **features):
    given = {"x": np.ones([4, 1], "f"), **features}
    return tf.estimator.inputs.numpy_input_fn(given, shuffle=False)


def _train(tf, model, labels, **features):
    given = {"x": np.ones([4, 1], "f"), **features}
    model.train(tf.estimator.inputs.numpy_input_fn(given, labels, shuffle=False), steps=1)


def _columns(tf):
    return [tf.feature_column.numeric_column("x")]


def _classifier(tf, **options):
    return tf.estimator.LinearClassifier(_columns(tf), **options)


def numbers_with_a_vocabulary(tf):
    model = _classifier(tf, n_classes=3, label_vocabulary=["a", "b", "c"])
    _train(tf, model, np.array([0, 1, 2, 1]))


def a_feature_that_is_missing(tf):
    columns = [tf.feature_column.numeric_column("y")]
    _train(tf, tf.estimator.DNNClassifier([2], columns), np.array([0, 1, 0, 1]))


def a_categorical_column_in_a_network(tf):
    column = tf.feature_column.categorical_column_with_identity("x", 3)
    _train(tf, tf.estimator.DNNClassifier([2], [column]), np.array([0, 1, 0, 1]))


def weights_of_the_wrong_shape(tf):
    model = _classifier(tf, weight_column=tf.feature_column.numeric_column("w", shape=2))
    _train(tf, model, np.array([0, 1, 0, 1]), w=np.ones([4, 2], "f"))


def deep_without_layers(tf):
    model = tf.estimator.DNNLinearCombinedClassifier(dnn_feature_columns=_columns(tf))
    _train(tf, model, np.array([0, 1, 0, 1]))


def a_loss_of_the_wrong_shape(tf):
    head = tf.contrib.estimator.regression_head(loss_fn=lambda labels, logits: logits[0])
    _train(tf, tf.estimator.LinearEstimator(head, _columns(tf)), np.ones([4], "f"))


def more_weights_than_heads(tf):
    head = tf.contrib.estimator.regression_head(name="a")
    tf.contrib.estimator.multi_head([head], [1.0, 2.0])


def no_optimizer(tf):
    head = tf.contrib.estimator.regression_head()
    tf.train.create_global_step()
    head.create_estimator_spec({}, "train", tf.ones([2, 1]), tf.ones([2, 1]))


def logits_of_the_wrong_width(tf):
    head = tf.contrib.estimator.regression_head(label_dimension=2)
    head.create_estimator_spec({}, "infer", tf.ones([2, 1]))


CASES = {
    "labels_of_the_wrong_width": lambda tf: _train(tf, _classifier(tf), np.ones([4, 2], "i")),
    "no_labels": lambda tf: _classifier(tf).train(_numbers(tf), steps=1),
    "an_unknown_optimizer": lambda tf: _train(
        tf, _classifier(tf, optimizer="Best"), np.array([0, 1, 0, 1])
    ),
    "an_optimizer_that_is_a_number": lambda tf: _train(
        tf, _classifier(tf, optimizer=0.1), np.array([0, 1, 0, 1])
    ),
    "no_reduction": lambda tf: _classifier(tf, loss_reduction=tf.losses.Reduction.NONE),
    "a_vocabulary_that_is_a_word": lambda tf: _classifier(tf, n_classes=3, label_vocabulary="abc"),
    "a_threshold_of_one": lambda tf: tf.contrib.estimator.binary_classification_head(
        thresholds=[1.0]
    ),
    "a_loss_without_logits": lambda tf: tf.contrib.estimator.regression_head(
        loss_fn=lambda labels: labels
    ),
    "a_vocabulary_of_another_length": lambda tf: tf.contrib.estimator.multi_label_head(
        3, label_vocabulary=["a"]
    ),
    "a_head_of_one_label": lambda tf: tf.contrib.estimator.multi_label_head(1),
    "weights_among_the_features": lambda tf: tf.estimator.regressor_parse_example_spec(
        _columns(tf), "y", weight_column="x"
    ),
    "stopping_no_estimator": lambda tf: tf.estimator.experimental.stop_if_higher_hook(None, "a", 1),
    "a_logit_function_of_numbers": lambda tf: tf.estimator.experimental.call_logit_fn(
        lambda features: 3, {}, "train", {}, None
    ),
}
