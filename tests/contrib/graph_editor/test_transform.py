"""Invalid copies and reroutes."""

import pytest

import tfmini as tf

editor = tf.contrib.graph_editor


def test_invalid_copies_and_reroutes():
    """Messages are TensorFlow's."""
    editor = tf.contrib.graph_editor
    with tf.Graph().as_default() as graph:
        a, b = tf.constant([1.0], name="a"), tf.constant([[2]], name="b")
        c = tf.identity(a, name="c")
        with pytest.raises(ValueError, match="Targets and replacements are not connected!"):
            editor.graph_replace(c, {b: a})
        with pytest.raises(ValueError, match=r"Dtypes <dtype: 'float32'> and <dtype: 'int32'> are"):
            editor.swap_ts(a, b)
        with pytest.raises(ValueError, match="ts0 and ts1 have different sizes: 1 != 2"):
            editor.reroute_ts([a], [a, c])
        with pytest.raises(ValueError, match="a does not belong to source scope: net/"):
            editor.copy(a.op, src_scope="net")
        with pytest.raises(ValueError, match="Use the keyword argument 'graph' to use regex"):
            editor.sgv("a")
        with pytest.raises(TypeError, match="Expected a tf.Graph, got: <class 'int'>"):
            editor.copy(a.op, dst_graph=5)
        with pytest.raises(ValueError, match=r"Found repetition in mapping: \[0, 0\]"):
            editor.sgv(c.op).remap_inputs([0, 0])
        with pytest.raises(ValueError, match="nothing not in subgraph"):
            editor.sgv(graph).find_op_by_name("nothing")
        assert str(editor.SubGraphView()) == "SubGraphView: empty"
        editor.add_control_inputs(c.op, b.op)
        with pytest.raises(ValueError, match="b is already a control_input of c"):
            editor.add_control_inputs(c.op, b.op)
