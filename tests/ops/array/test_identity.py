"""Identity ops: TensorFlow's errors for invalid calls."""

import pytest

import tfmini as tf


def test_guarantee_const_refuses_resource_handle():
    v = tf.Variable(1.0, use_resource=True)
    promised = tf.guarantee_const(v.handle)
    with tf.Session() as session:
        session.run(v.initializer)
        with pytest.raises(tf.errors.InvalidArgumentError, match="cannot be a resource variable"):
            session.run(promised)
        assert session.run(tf.guarantee_const(v)) == 1.0
