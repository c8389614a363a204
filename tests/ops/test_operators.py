"""Operators of tensors: what they add, with operands that are no tensors, from either side."""

import numpy as np
import pytest

import tfmini as tf


def types(graph):
    return [(op.name, op.type) for op in graph.get_operations()]


def test_a_constant_operand_is_named_after_its_side(graph):
    x = tf.constant([1.0], name="x")
    x + 1, 1 - x
    assert types(graph)[1:] == [
        ("add/y", "Const"),
        ("add", "AddV2"),
        ("sub/x", "Const"),
        ("sub", "Sub"),
    ]


def test_strings_are_joined_by_add():
    text = tf.constant(["a", "b"]) + "c"
    assert text.op.type == "Add"
    with tf.Session() as session:
        assert session.run(text).tolist() == [b"ac", b"bc"]
        assert session.run(tf.constant("a") + tf.constant("b")) == b"ab"


def test_an_operand_that_knows_better_is_asked():
    class Knows:
        def __radd__(self, other):
            return "known"

        def __array__(self, *unused):
            raise TypeError("not an array")

    assert tf.constant(1.0) + Knows() == "known"


def test_numpy_leaves_its_operators_to_tensors():
    x = tf.constant([1.0, 2.0])
    assert isinstance(np.float32(2) * x, tf.Tensor)
    assert isinstance(np.ones(2, np.float32) - x, tf.Tensor)


@pytest.mark.parametrize(
    "dtype, result",
    [("int32", "float64"), ("int64", "float64"), ("uint8", "float32"), ("float16", "float16")],
)
def test_true_division_of_each_dtype(dtype, result):
    x = tf.constant([7], dtype)
    assert (x / x).dtype == result
    assert (x // x).dtype == dtype


def test_equality_is_identity():
    x, y = tf.constant(1), tf.constant(1)
    assert x == x and x != y and len({x, y}) == 2


def test_values():
    i = tf.constant([7, -7])
    b = tf.constant([True, False])
    with tf.Session() as session:
        got = session.run([i // 2, i % 2, i**2, 2 ** i[:1], -i, abs(i), ~b, b ^ True, b | b, b & b])
    want = [[3, -4], [1, 1], [49, 49], [128], [-7, 7], [7, 7], [0, 1], [0, 1], [1, 0], [1, 0]]
    for value, expected in zip(got, want):
        assert value.tolist() == expected
