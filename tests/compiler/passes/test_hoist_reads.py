"""hoist_reads: loops that write no variable read it once, before they begin."""

import numpy as np
import pytest

import tfmini as tf
from tests.executor.programs import kinds, lowered


def body_of(program):
    (node,) = [node for node in program.nodes if node.kind == "while"]
    return kinds(node.loop.program)


@pytest.mark.parametrize("layer", ["LSTM", "GRU", "SimpleRNN"])
def test_recurrent_layers_read_their_weights_once(layer):
    x = tf.placeholder(tf.float32, [2, 5, 3])
    program = lowered(getattr(tf.keras.layers, layer)(4)(x), feeds=[x])
    assert not {"ReadVariableOp", "Split", "StridedSlice"} & set(body_of(program))
    assert kinds(program).count("ReadVariableOp") == 3


@pytest.mark.parametrize("writer", ["op", "python"])
def test_a_loop_that_may_write_reads_each_time(writer):
    v = tf.get_variable("v", initializer=1.0, use_resource=True)
    session = tf.Session()

    def body(i, total):
        read = v.read_value()
        with tf.control_dependencies([read]):
            if writer == "op":
                write = v.assign_add(1.0)
            else:
                write = tf.py_func(lambda: v.load(i_plus.pop(), session), [], [])
        with tf.control_dependencies([write]):
            return i + 1, total + read

    i_plus = [np.float32(4), np.float32(3), np.float32(2)]
    result = tf.while_loop(lambda i, _: i < 3, body, (0, 0.0), parallel_iterations=1)[1]
    with session:
        session.run(v.initializer)
        assert session.run(result) == 1 + 2 + 3


def test_a_write_before_the_loop_is_seen():
    v = tf.get_variable("v", initializer=[1.0, 2.0], use_resource=True)
    with tf.control_dependencies([v.assign([3.0, 4.0])]):
        start = tf.zeros([])
    result = tf.while_loop(lambda y: y < 9.0, lambda y: y + tf.reduce_sum(v[:1]), (start,))
    with tf.Session() as session:
        session.run(v.initializer)
        assert session.run(result) == 9.0
