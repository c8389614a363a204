"""Graphs that cannot be frozen."""

import pytest

import tfmini as tf
from tests.support.notes import read_hint


def test_fed_handle_is_not_a_variable():
    with tf.Graph().as_default() as graph, tf.Session() as session:
        fed = tf.placeholder(tf.resource, [])
        read = tf.raw_ops.ReadVariableOp(resource=fed, dtype=tf.float32)
        text = "^Cannot find the variable that is an input to the ReadVariableOp.$"
        with pytest.raises(ValueError, match=text):
            tf.graph_util.convert_variables_to_constants(
                session, graph.as_graph_def(), [read.op.name]
            )


def test_conditionally_chosen_variable():
    with tf.Graph().as_default() as graph, tf.Session() as session:
        chosen = tf.placeholder(tf.bool, [], name="chosen")
        v, w = (tf.get_variable(n, initializer=[n], use_resource=True) for n in "vw")
        handle = tf.cond(chosen, lambda: tf.identity(v.handle), lambda: tf.identity(w.handle))
        read = tf.raw_ops.ReadVariableOp(resource=handle, dtype=tf.string)
        tf.identity(tf.function(lambda text: text + "!")(read), name="read")
        session.run(tf.global_variables_initializer())
        graph_def = graph.as_graph_def()
        frozen = tf.graph_util.convert_variables_to_constants(session, graph_def, ["read"])
    with tf.Graph().as_default(), tf.Session() as session:
        chosen, read = tf.import_graph_def(frozen, return_elements=["chosen:0", "read:0"])
        assert [session.run(read, {chosen: c}) for c in (True, False)] == [b"v!", b"w!"]


def test_unknown_output_error_lists_outputs():
    tf.nn.softmax(tf.placeholder(tf.float32, [2], name="x"), name="probs")
    graph = tf.get_default_graph().as_graph_def()
    with tf.Session() as session:
        with pytest.raises(AssertionError, match="^prob is not in graph") as caught:
            tf.graph_util.convert_variables_to_constants(session, graph, ["prob"])
    assert read_hint(caught.value) == "Hint: outputs that it has: probs."
