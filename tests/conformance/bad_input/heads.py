"""Invalid heads and canned Estimators, and labels that they reject."""

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
