"""WhileContext: serialization and parsing, in the same graph or under a scope."""

import tfmini as tf
from tfmini._src.ops.control_flow.while_context import WhileContext


def nested():
    """A loop with a nested loop and a cond."""

    def body(i, a):
        a = tf.while_loop(lambda b: b < 3.0, lambda b: b + 1.0, [a], name="inner")
        return i + 1, tf.cond(a > 2.0, lambda: a * 2.0, lambda: a)

    return tf.while_loop(lambda i, a: i < 3, body, (0, 1.0), maximum_iterations=5)


def test_proto_round_trip():
    nested()
    (context,) = tf.get_collection("while_context")
    message = context.to_proto()
    graph_def = tf.get_default_graph().as_graph_def()
    with tf.Graph().as_default():
        tf.import_graph_def(graph_def, name="")
        again = WhileContext.from_proto(message)
        assert str(again.to_proto()) == str(message)
        assert [c.name for c in again._nested_contexts] == [
            c.name for c in context._nested_contexts
        ]
        assert again.maximum_iterations.name == context.maximum_iterations.name


def test_import_scope_prefixes_frame_names():
    result = nested()
    (context,) = tf.get_collection("while_context")
    graph_def = tf.get_default_graph().as_graph_def()
    with tf.Graph().as_default() as graph, tf.Session() as session:
        tf.import_graph_def(graph_def, name="below")
        again = WhileContext.from_proto(context.to_proto(), "below")
        assert again.name == f"below/{context.name}"
        assert {e.op.get_attr("frame_name") for e in again.loop_enters} == {again.name.encode()}
        assert session.run(f"below/{result[1].name}") == 24.0
        assert not again.loop_enters[0].graph.get_collection("while_context")
        assert graph is again.pivot.graph


def test_unrelated_export_scope_returns_none():
    nested()
    (context,) = tf.get_collection("while_context")
    assert context.to_proto("elsewhere") is None
