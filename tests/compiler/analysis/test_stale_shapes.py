"""Shapes inferred from a fed constant are stale, but not shapes that only receive its elements."""

import numpy as np

import tfmini as tf
from tfmini._src.compiler.analysis.stale_shapes import stale_shapes


def _stale(feeds):
    ops = tf.get_default_graph().get_operations()
    return {tensor.op.name for tensor in stale_shapes(feeds, ops)}


def test_shape_change_invalidates_downstream():
    size = tf.constant([3, 4])
    y = tf.reshape(tf.zeros([12]), size, name="y")
    tf.multiply(y, tf.ones([4]), name="z")
    tf.raw_ops.Shape(input=y, name="measured")
    assert _stale([size]) == {"y", "z"}


def test_value_change_invalidates_dependent_shapes():
    size = tf.constant(3)
    tf.fill([tf.multiply(size, 2, name="twice"), 4], 1.0, name="y")
    assert {"y"} <= _stale([size]) <= {"y", "y/dims", "twice"}


def test_loop_shapes_are_invalidated():
    size = tf.constant([3])
    end = tf.while_loop(lambda y: tf.reduce_sum(y) < 9.0, lambda y: y + 1.0, [tf.zeros(size)])
    assert end.op.name in _stale([size])


def test_factor_change_invalidates_nothing():
    rate = tf.constant(0.5)
    tf.matmul(tf.zeros([2, 3]) * rate, tf.ones([3, 4]))
    assert _stale([rate]) == set()


def test_runtime_shapes_are_never_stale():
    x = tf.placeholder(tf.float32, [None, 3])
    y = tf.matmul(x, np.ones([3, 4], "f"))
    size = tf.placeholder_with_default([2, 2], [2])
    tf.reshape(y, tf.stack([tf.shape(y)[0] * 2, 2])), tf.reshape(y, size)
    assert _stale([x]) == _stale([y]) == _stale([size]) == set()
