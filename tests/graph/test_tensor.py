"""Tensors."""

import copy

import pytest

import tfmini as tf
from tests.support.notes import read_hint


def test_copy_refers_to_same_output():
    with tf.Graph().as_default(), tf.Session() as session:
        x = tf.constant(2.0, name="x")
        copied = copy.copy(x)
        assert copied.name == "x:0" and copied.op is x.op
        doubled = copied * 2.0
        assert x.consumers() == [doubled.op]
        assert session.run([copied, doubled]) == [2.0, 4.0]
        assert session.run(doubled, {copied: 5.0}) == 10.0


def _set(thing, name):
    with pytest.raises(AttributeError, match="has no setter|can't set attribute"):
        setattr(thing, name, None)


def test_public_attributes_are_read_only():
    with tf.Graph().as_default():
        x = tf.constant(2.0, name="x")
        for name in ("op", "dtype", "value_index", "name", "graph", "device", "shape"):
            _set(x, name)
        for name in ("name", "type", "graph", "device", "inputs", "outputs", "control_inputs"):
            _set(x.op, name)
        assert x.op.name == "x" and x.graph.get_operation_by_name("x") is x.op


def test_partial_shapes_compare_by_identity():
    with tf.Graph().as_default():
        x = tf.placeholder(tf.float32, [None, 3])
        y, narrowed = tf.atan(x), tf.placeholder(tf.float32)
        narrowed.set_shape(x.shape)
        known = tf.zeros([2, 3])
        assert x.shape == x.shape and y.shape == y.shape
        assert x.shape != y.shape and narrowed.shape != x.shape
        assert tf.atan(known).shape == known.shape


def test_bool_conversion_hint():
    with pytest.raises(TypeError, match="using a `tf.Tensor` as a Python `bool`") as caught:
        bool(tf.constant(True, name="flag"))
    assert read_hint(caught.value).startswith(
        "Hint: 'flag:0' has no value during graph construction."
    )
