"""Gradients of While nodes."""

import tfmini as tf
from tfmini._src.functions.control_flow_v2 import with_control_flow_v2


def test_gradient_loop_keeps_parallel_iterations():
    with with_control_flow_v2():
        x = tf.constant(2.0)
        y = tf.while_loop(lambda x: x < 99.0, lambda x: x * x, [x], parallel_iterations=3)
        grad = tf.gradients(y, x)[0]
    loops = [
        op
        for op in tf.get_default_graph().get_operations()
        if op.type in ("While", "StatelessWhile")
    ]
    assert [op.get_attr("parallel_iterations") for op in loops] == [3, 3]
    with tf.Session() as session:
        assert session.run(grad) == 8 * 2.0**7  # y is x ** 8
