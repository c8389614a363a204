"""Wrapping optimizers: savers of averages, errors."""

import pytest

import tfmini as tf

opt = tf.contrib.opt


def test_wrapper_requires_optimizer():
    with pytest.raises(TypeError, match="must be an instance of tf.train.Optimizer"):
        opt.MultitaskOptimizerWrapper("adam")
