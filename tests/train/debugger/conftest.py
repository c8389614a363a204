"""Fixtures of the debugger's tests."""

import pytest

import tfmini as tf


@pytest.fixture
def model():
    """A step whose loss is infinite if x contains 0: (x, loss, a training op)."""
    x = tf.placeholder(tf.float32, [2], name="x")
    v = tf.get_variable("v", initializer=[1.0, 2.0])
    y = tf.log(x * v, name="scope/y")
    loss = tf.reduce_sum(y, name="loss")
    picked = tf.cond(loss > 0.0, lambda: loss * 2.0, lambda: loss)
    words = tf.as_string(tf.identity([1, 2], name="ints"), name="words")
    step = tf.train.get_or_create_global_step()
    with tf.control_dependencies([words]):
        train = tf.train.GradientDescentOptimizer(0.1).minimize(picked, global_step=step)
    return x, loss, train
