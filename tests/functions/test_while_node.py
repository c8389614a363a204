"""While nodes: captures of both functions, and loop variables."""

import pytest

import tfmini as tf
from tfmini._src.functions.defun import Defun
from tfmini._src.functions.while_node import while_node


@Defun(tf.int32, tf.float32)
def less_than_four(i, x):
    return i < 4


def test_body_may_capture():
    factor = tf.placeholder(tf.float32, [])

    @Defun(tf.int32, tf.float32)
    def multiply(i, x):
        return i + 1, x * factor

    results = while_node([tf.constant(0), tf.constant(1.0)], less_than_four, multiply, hostmem=[0])
    assert list(results[0].op.node_def.attr["_input_hostmem"].list.i) == [0]
    with tf.Session() as session:
        assert session.run(results, {factor: 3.0}) == [4, 81.0]


def test_body_without_captures():
    @Defun(tf.int32, tf.float32)
    def double(i, x):
        return i + 1, x + x

    results = while_node([tf.constant(2), tf.constant(1.0)], less_than_four, double)
    assert len(results[0].op.inputs) == 2
    with tf.Session() as session:
        assert session.run(results) == [4, 4.0]


def test_condition_must_not_capture():
    limit = tf.constant(3)

    @Defun(tf.int32)
    def below(i):
        return i < limit

    @Defun(tf.int32)
    def more(i):
        return i + 1

    with pytest.raises(ValueError, match="without implicitly captured inputs"):
        while_node([tf.constant(0)], below, more)


def test_signatures_must_match():
    @Defun(tf.int32)
    def more(i):
        return i + 1

    with pytest.raises(ValueError, match="signatures do not match"):
        while_node([tf.constant(0)], less_than_four, more)


def test_single_loop_variable():
    @Defun(tf.int32)
    def less_than_ten(i):
        return i < 10

    @Defun(tf.int32)
    def double(i):
        return i * 2

    results = while_node([tf.constant(3)], less_than_ten, double)
    with tf.Session() as session:
        assert session.run(results[0]) == 12
