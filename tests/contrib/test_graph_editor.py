"""Walks through a graph, and filters of its operations and tensors."""

import pytest

import tfmini as tf

editor = tf.contrib.graph_editor


@pytest.fixture
def names():
    """a -> b -> c, a -> d."""
    with tf.Graph().as_default() as graph:
        a = tf.constant(1.0, name="a")
        b = tf.negative(a, name="b")
        tf.exp(b, name="c")
        tf.square(a, name="d")
        yield lambda name: graph.get_tensor_by_name(name + ":0")


def named(items):
    return sorted(item.name for item in items)


def test_walks(names):
    assert named(editor.get_forward_walk_ops(names("a").op)) == ["a", "b", "c", "d"]
    assert named(editor.get_forward_walk_ops(names("a"))) == ["b", "c", "d"]
    assert named(editor.get_forward_walk_ops(names("b").op, inclusive=False)) == ["c"]
    assert named(editor.get_forward_walk_ops(names("a").op, stop_at_ts=[names("b")])) == [
        "a",
        "b",
        "d",
    ]
    within = [names("a").op, names("d").op]
    assert named(editor.get_forward_walk_ops(names("a").op, within_ops=within)) == ["a", "d"]
    assert named(editor.get_backward_walk_ops(names("c").op)) == ["a", "b", "c"]


def test_filters(names):
    graph = names("a").graph
    assert named(editor.filter_ops(graph, lambda op: op.type == "Exp")) == ["c"]
    assert named(editor.filter_ops_from_regex(graph, "^[ab]$")) == ["a", "b"]
    assert named(editor.filter_ts(names("b").op, True)) == ["a:0", "b:0"]
    assert named(editor.filter_ts_from_regex(graph, "^[cd]:")) == ["c:0", "d:0"]


def test_what_cannot_be_copied_or_rerouted_is_refused():
    """Messages as TensorFlow's."""
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


def test_what_cannot_be_detached_or_connected_is_refused():
    """Messages as TensorFlow's."""
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
