"""Graph pictures in notebooks."""

from xml.etree import ElementTree

import tfmini as tf


def drawn(graph):
    """The elements of the picture, which must be well-formed."""
    return ElementTree.fromstring(graph._repr_html_())


def titles(svg):
    return [title.text for title in svg.iter("title")]


def test_picture_draws_operations_and_inputs():
    x = tf.placeholder(tf.float32, [], name="x")
    tf.exp(x, name="y")
    (svg,) = drawn(tf.get_default_graph()).iter("svg")
    assert titles(svg) == ["x: Placeholder", "y: Exp"]
    (line,) = svg.iter("line")
    above, below = svg.iter("rect")
    assert float(above.get("y")) < float(line.get("y1")) < float(below.get("y"))


def test_scope_is_collapsible_box():
    with tf.name_scope("scope"):
        tf.add(tf.constant(1, name="a"), 2, name="sum")
    tf.constant(3, name="b")
    picture = drawn(tf.get_default_graph())
    outer, inner, innermost = picture.iter("svg")
    assert titles(outer) == ["scope: 3 operations", "b: Const"]
    assert titles(inner) == ["scope/a: Const", "scope/sum: 2 operations"]
    assert titles(innermost) == ["scope/sum/y: Const", "scope/sum: Add"]
    assert [summary.text for summary in picture.iter("summary")] == ["scope", "scope/sum"]


def test_control_dependency_is_dashed():
    with tf.control_dependencies([tf.no_op(name="first")]):
        tf.no_op(name="second")
    (line,) = drawn(tf.get_default_graph()).iter("line")
    assert line.get("stroke-dasharray") == "3"


def test_loop_is_drawn():
    tf.while_loop(lambda i: i < 3, lambda i: i + 1, [0])
    assert len(list(drawn(tf.get_default_graph()).iter("svg"))) >= 2


def test_large_graph_refers_to_tensorboard():
    for _ in range(301):
        tf.no_op()
    picture = drawn(tf.get_default_graph())
    assert list(picture.iter("svg")) == []
    assert "301 operations" in (picture.text or "")


def test_picture_is_self_contained():
    tf.constant(1)
    picture = tf.get_default_graph()._repr_html_()
    assert [word for word in ("http", "<script", "src=") if word in picture] == []
