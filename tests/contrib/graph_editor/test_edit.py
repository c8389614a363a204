"""Invalid detachments and connections."""

import pytest

import tfmini as tf

editor = tf.contrib.graph_editor


def test_invalid_detachments_and_connections():
    """Messages are TensorFlow's."""
    with tf.Graph().as_default() as graph:
        a = tf.constant([1.0], name="a")
        b = tf.identity(a, name="b")
        with pytest.raises(TypeError, match=r"Expected a util\.ControlOutputs, got"):
            editor.detach_control_outputs(b.op, graph)
        with pytest.raises(ValueError, match="ts0 and ts1 have different sizes: 0 != 1"):
            editor.swap_inputs(a.op, b.op)
        with pytest.raises(ValueError, match="ts0 and ts1 have different sizes: 0 != 1"):
            editor.bypass(a.op)
    with tf.Graph().as_default():
        c = tf.identity(tf.constant([1.0]), name="c")
        with pytest.raises(ValueError, match=r"Argument\[1\]: Wrong graph!"):
            editor.connect(b.op, c.op)
