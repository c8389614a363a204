"""The global step of a graph."""

import tfmini as tf


def test_a_variable_of_that_name_is_it():
    step = tf.Variable(0, trainable=False, name="global_step")
    found = tf.train.get_global_step()
    assert found.name == step.name
