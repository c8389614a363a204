"""Graphs that cannot be frozen."""

import pytest

import tfmini as tf


def test_a_handle_that_is_fed_is_no_variable():
    with tf.Graph().as_default() as graph, tf.Session() as session:
        fed = tf.placeholder(tf.resource, [])
        read = tf.raw_ops.ReadVariableOp(resource=fed, dtype=tf.float32)
        text = "^Cannot find the variable that is an input to the ReadVariableOp.$"
        with pytest.raises(ValueError, match=text):
            tf.graph_util.convert_variables_to_constants(
                session, graph.as_graph_def(), [read.op.name]
            )
