"""The folders of an Estimator."""

import os

import tfmini as tf


def test_the_folder_of_an_evaluation(tmp_path):
    estimator = tf.estimator.Estimator(lambda features: None, str(tmp_path))
    assert estimator.eval_dir() == os.path.join(tmp_path, "eval")
    assert estimator.eval_dir("test") == os.path.join(tmp_path, "eval_test")
