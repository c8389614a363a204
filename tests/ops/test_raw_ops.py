"""tf.raw_ops: ops by their type, with keywords only."""

import pytest

import tfmini as tf


def test_adds_a_node_of_that_type():
    with tf.Graph().as_default():
        product = tf.raw_ops.MatMul(a=[[1.0]], b=[[2.0]], transpose_b=True, name="product")
    assert (product.op.type, product.name) == ("MatMul", "product:0")


def test_refuses_positions():
    message = (
        r"Add only takes keyword args \(possible keys: \['x', 'y', 'name'\]\). Please pass these "
        "args as kwargs instead."
    )
    with pytest.raises(TypeError, match=message):
        tf.raw_ops.Add(1, 2)


def test_has_no_other_names():
    with pytest.raises(AttributeError, match="has no attribute 'Nope'"):
        tf.raw_ops.Nope  # noqa: B018
    assert "AddV2" in dir(tf.raw_ops)
    assert not [name for name in dir(tf.raw_ops) if name.startswith("_")]


def test_has_no_op_of_tensorflows_own_tests():
    tf.get_default_graph().create_op("A", [], [tf.float32])  # declares them
    assert not {"A", "TwoIntOutputs"} & {*dir(tf.raw_ops)}
    with pytest.raises(AttributeError, match="has no attribute 'TwoIntOutputs'"):
        tf.raw_ops.TwoIntOutputs  # noqa: B018
