"""tf.raw_ops: ops by type, with keyword arguments only."""

import pytest

import tfmini as tf


def test_framework_test_ops_are_hidden():
    tf.get_default_graph().create_op("A", [], [tf.float32])  # declares them
    assert not {"A", "TwoIntOutputs"} & {*dir(tf.raw_ops)}
    with pytest.raises(AttributeError, match="has no attribute 'TwoIntOutputs'"):
        tf.raw_ops.TwoIntOutputs  # noqa: B018
