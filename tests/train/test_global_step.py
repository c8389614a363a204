"""The global step of a graph."""

import tfmini as tf


def test_variable_named_global_step_is_found():
    step = tf.Variable(0, trainable=False, name="global_step")
    result = tf.train.get_global_step()
    assert result.name == step.name
