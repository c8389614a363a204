"""Constants and placeholders."""

import pytest

import tfmini as tf


def test_placeholder_used_only_as_control_input_must_be_fed():
    with tf.Graph().as_default(), tf.Session() as session:
        x = tf.placeholder(tf.float32, name="x")
        with tf.control_dependencies([x]):
            one = tf.constant(1.0)
        expected = "You must feed a value for placeholder tensor 'x' with dtype float"
        for fetch in (one, tf.group(x), tf.shape(tf.zeros([2]) * x)):
            with pytest.raises(tf.errors.InvalidArgumentError, match=expected):
                session.run(fetch)
            session.run(fetch, {x: 2.0})
