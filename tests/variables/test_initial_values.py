"""Variables initialized from other variables: correct in any initialization order."""

import pytest

import tfmini as tf


def initialized(variables, feed=None):
    with tf.Session() as session:
        session.run(tf.global_variables_initializer(), feed)
        return [value.tolist() for value in session.run(variables)]


def test_initializer_in_conditional_is_refused(graph):
    def branch():
        with pytest.raises(ValueError) as caught:
            tf.Variable(tf.constant(1.0), name="v")
        assert str(caught.value) == (
            "Initializer for variable cond/v/ is from inside a control-flow construct, such as a loop "
            "or conditional. When creating a variable inside a loop or conditional, use a lambda as "
            "the initializer."
        )
        return tf.Variable(lambda: tf.constant(4.0)) + 1.0

    result = tf.cond(tf.constant(True), branch, lambda: tf.constant(0.0))
    assert initialized([result]) == [5.0]
