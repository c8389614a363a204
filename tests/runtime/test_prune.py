"""What a step consists of."""

import pytest

import tfmini as tf


def test_what_changes_a_fed_variable_fails():
    with tf.Graph().as_default(), tf.Session() as session:
        v, x = tf.Variable(1.0, name="v"), tf.placeholder(tf.float32)
        session.run(v.initializer)
        wanted = "Input 0 of node AssignAdd was passed float from _arg_v_0_1:0 incompatible with expected float_ref."
        with pytest.raises(tf.errors.InvalidArgumentError, match=wanted):
            session.run(tf.assign_add(v, x), {v: 10.0, x: 2.0})
        assert session.run(v) == 1.0
