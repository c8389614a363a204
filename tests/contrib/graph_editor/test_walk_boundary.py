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


def test_filter_ops_and_tensors(names):
    graph = names("a").graph
    assert named(editor.filter_ops(graph, lambda op: op.type == "Exp")) == ["c"]
    assert named(editor.filter_ops_from_regex(graph, "^[ab]$")) == ["a", "b"]
    assert named(editor.filter_ts(names("b").op, True)) == ["a:0", "b:0"]
    assert named(editor.filter_ts_from_regex(graph, "^[cd]:")) == ["c:0", "d:0"]
