"""group, tuple, with_dependencies: names, devices, dependencies."""

import pytest

import tfmini as tf
from tfmini._src.ops.control_flow.no_op_groups import with_dependencies


def test_group_rejects_other_types():
    with pytest.raises(TypeError, match=r"not '5' with type '<class 'int'>'"):
        tf.group(5)
    with pytest.raises(ValueError, match="Unknown keyword arguments: nam"):
        tf.group(nam="x")


def test_tuple_refuses_invalid_arguments():
    with pytest.raises(ValueError, match=r"Must have at least one Tensor: \[None\]"):
        tf.tuple([None])
    with pytest.raises(TypeError, match="Control input must be Operation or Tensor: 1"):
        tf.tuple([tf.constant(1)], control_inputs=[1])


def test_with_dependencies_keeps_references():
    variable = tf.Variable(1.0)
    waited = with_dependencies([tf.no_op()], variable._ref(), name="waited")
    assert (waited.op.type, waited.op.name) == ("RefIdentity", "waited")
