"""The folders of an Estimator, and subclasses that override its methods."""

import os

import tfmini as tf


def test_the_folder_of_an_evaluation(tmp_path):
    estimator = tf.estimator.Estimator(lambda features: None, str(tmp_path))
    assert estimator.eval_dir() == os.path.join(tmp_path, "eval")
    assert estimator.eval_dir("test") == os.path.join(tmp_path, "eval_test")


def test_a_library_that_switches_off_the_check_of_overridden_methods(monkeypatch):
    """adanet does so in its Estimator's constructor."""

    class Trained(tf.estimator.Estimator):
        def train(self, input_fn, steps=None):
            return "trained"

    allowed = staticmethod(lambda _: None)
    monkeypatch.setattr(tf.estimator.Estimator, "_assert_members_are_not_overridden", allowed)
    assert Trained(lambda features: None).train(None) == "trained"
