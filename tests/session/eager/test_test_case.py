"""`tf.test.TestCase` in eager mode."""

import pytest

import tfmini as tf
from tfmini._src.session.eager.enable import eager_mode


def test_cached_session_returns_eager_values():
    case = tf.test.TestCase()
    with tf.Graph().as_default(), eager_mode(), case.cached_session() as session:
        assert session.run([tf.constant(1), tf.constant(2)]) == [1, 2]
        with pytest.raises(RuntimeError, match="feed_dict is not supported when eager execution"):
            session.run(tf.constant(1), feed_dict={1: 2})
        with pytest.raises(RuntimeError, match="Optional args are not supported"):
            session.run(tf.constant(1), None, "options")
