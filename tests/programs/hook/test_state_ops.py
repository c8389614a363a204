"""`tensorflow.python.ops.state_ops`: variables as ops."""

import pytest

import tfmini as tf

pytestmark = pytest.mark.usefixtures("tensorflow")


@pytest.mark.parametrize("make", ["variable_op", "variable_op_v2"])
def test_variable_op_node(make):
    from tensorflow.python.ops import state_ops

    with tf.Graph().as_default(), tf.Session() as session:
        v = getattr(state_ops, make)([2], tf.float32)
        assert (v.dtype, v.shape) == (tf.as_dtype("float32_ref"), tf.TensorShape([2]))
        with pytest.raises(tf.errors.FailedPreconditionError, match="uninitialized"):
            session.run(v)
        session.run(tf.assign(v, [1.0, 2.0]))
        assert session.run(tf.assign_add(v, [1.0, 1.0])).tolist() == [2.0, 3.0]


def test_variable_op_without_shape():
    from tensorflow.python.ops import state_ops

    with tf.Graph().as_default():
        assert state_ops.variable_op([2], tf.float32, set_shape=False).shape.ndims is None
