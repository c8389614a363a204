"""Estimators with mismatched data, files or older checkpoints."""

import os
import tempfile

import numpy as np


def _input(tf, x, y):
    return tf.estimator.inputs.numpy_input_fn({"x": x}, y, batch_size=4, shuffle=False)


def _columns(tf, size=1):
    return [tf.feature_column.numeric_column("x", shape=(size,))]


def _classifier(tf, folder=None, **options):
    return tf.estimator.DNNClassifier([2], _columns(tf), model_dir=folder, **options)


def _rows():
    return np.ones([4, 1], "f"), np.array([0, 1, 0, 1])


def _own(tf, mode_loss):
    def model(features, labels, mode):
        logits = tf.layers.dense(features["x"], 1)
        return tf.estimator.EstimatorSpec(mode, predictions=logits, **mode_loss(logits, labels))

    return tf.estimator.Estimator(model)


def evaluation_without_a_loss(tf):
    model = _own(tf, lambda logits, labels: {"loss": tf.reduce_sum(logits), "train_op": tf.no_op()})
    model.train(_input(tf, *_rows()), steps=1)
    other = tf.estimator.Estimator(
        lambda features, labels, mode: tf.estimator.EstimatorSpec(mode), model.model_dir
    )
    other.evaluate(_input(tf, *_rows()), steps=1)


def labels_of_another_rank_for_numbers(tf):
    x, _ = _rows()
    model = tf.estimator.LinearRegressor(_columns(tf))
    model.train(_input(tf, x, np.ones([4, 1, 1], "f")), steps=1)


def labels_of_another_shape_in_a_loss(tf):
    x, _ = _rows()
    model = _own(
        tf,
        lambda logits, labels: {
            "loss": tf.losses.mean_squared_error(labels, logits),
            "train_op": tf.no_op(),
        },
    )
    model.train(_input(tf, x, np.ones([4, 3], "f")), steps=1)


def a_checkpoint_of_a_larger_layer(tf):
    folder = tempfile.mkdtemp()
    tf.estimator.LinearClassifier(_columns(tf), folder).train(_input(tf, *_rows()), steps=1)
    wide = tf.estimator.LinearClassifier(_columns(tf, 2), folder)
    wide.train(_input(tf, np.ones([4, 2], "f"), _rows()[1]), steps=1)


def labels_fewer_than_features(tf):
    x, _ = _rows()
    _classifier(tf).train(_input(tf, x, np.array([0, 1])), steps=1)


def a_vocabulary_file_that_is_short(tf):
    before = os.getcwd()
    os.chdir(tempfile.mkdtemp())  # the message contains the path
    try:
        with open("words", "w") as file:
            file.write("a\nb\n")
        words = tf.feature_column.categorical_column_with_vocabulary_file("x", "words", 5)
        columns = [tf.feature_column.indicator_column(words)]
        model = tf.estimator.DNNClassifier([2], columns)
        model.train(_input(tf, np.array(["a", "b", "c", "a"]), _rows()[1]), steps=1)
    finally:
        os.chdir(before)


def a_vocabulary_file_that_is_not_there(tf):
    words = tf.feature_column.categorical_column_with_vocabulary_file("x", "/nowhere/words")
    tf.estimator.DNNClassifier([2], [tf.feature_column.indicator_column(words)])


def evaluation_of_a_folder_without_checkpoints(tf):
    _classifier(tf).evaluate(_input(tf, *_rows()), checkpoint_path="nowhere/model.ckpt-1")


def a_variable_that_is_not_there(tf):
    folder = tempfile.mkdtemp()
    model = _classifier(tf, folder)
    model.train(_input(tf, *_rows()), steps=1)
    model.get_variable_value("nothing")
