"""The switches between TensorFlow 1 and 2, and `tf.compat.v1`."""

import pytest

import tfmini as tf
import tfmini.compat.v1 as tf_v1


def test_v1_is_tf():
    assert tf_v1 is tf
    assert tf.compat.v1.Session is tf.Session


def test_behavior_of_version_one():
    tf.disable_v2_behavior()
    tf.disable_eager_execution()
    tf.disable_control_flow_v2()
    tf.disable_tensor_equality()
    assert not tf.executing_eagerly()
    assert not tf.control_flow_v2_enabled()


@pytest.mark.parametrize(
    "switch",
    [
        tf.enable_eager_execution,
        tf.enable_v2_behavior,
        tf.enable_control_flow_v2,
        tf.enable_tensor_equality,
    ],
)
def test_version_two_is_refused(switch):
    with pytest.raises(RuntimeError, match="tfmini|tf.equal"):
        switch()


def test_shapes_of_version_two():
    tf.enable_v2_tensorshape()
    try:
        assert tf.TensorShape([2, None])[0] == 2
        assert tf.TensorShape([2, None])[1] is None
    finally:
        tf.disable_v2_tensorshape()
    assert isinstance(tf.TensorShape([2, None])[0], tf.Dimension)
