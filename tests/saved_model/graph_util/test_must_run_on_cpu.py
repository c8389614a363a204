"""Nodes that cannot run on a GPU, as in TensorFlow 1.15.5."""

import tfmini as tf


def test_variables_are_pinned_on_request():
    with tf.Graph().as_default():
        variable = tf.Variable(1.0, use_resource=False).op
        integers, text, number = (tf.constant(value).op for value in ([1, 2], "text", 1.0))
    asked = tf.graph_util.must_run_on_cpu
    assert [asked(op) for op in (variable, integers, text, number)] == [False, True, True, False]
    assert [asked(op, True) for op in (variable, number)] == [True, False]
    assert asked(variable.node_def, pin_variables_on_cpu=True)
