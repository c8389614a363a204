"""tf.raw_ops: ops by type, with keyword arguments only."""

import pytest

import tfmini as tf


def test_has_no_op_of_tensorflows_own_tests():
    tf.get_default_graph().create_op("A", [], [tf.float32])  # declares them
    assert not {"A", "TwoIntOutputs"} & {*dir(tf.raw_ops)}
    with pytest.raises(AttributeError, match="has no attribute 'TwoIntOutputs'"):
        tf.raw_ops.TwoIntOutputs  # noqa: B018
