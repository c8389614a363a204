"""Tensor operators: the nodes that they add, with non-tensor operands on either side."""

import pytest

import tfmini as tf


def test_string_addition_concatenates():
    text = tf.constant(["a", "b"]) + "c"
    assert text.op.type == "Add"
    with tf.Session() as session:
        assert session.run(text).tolist() == [b"ac", b"bc"]
        assert session.run(tf.constant("a") + tf.constant("b")) == b"ab"


def test_reflected_operand_takes_precedence():
    class Knows:
        def __radd__(self, other):
            return "known"

        def __array__(self, *unused):
            raise TypeError("not an array")

    assert tf.constant(1.0) + Knows() == "known"


@pytest.mark.parametrize(
    "dtype, result",
    [("int32", "float64"), ("int64", "float64"), ("uint8", "float32"), ("float16", "float16")],
)
def test_true_division_dtypes(dtype, result):
    x = tf.constant([7], dtype)
    assert (x / x).dtype == result
    assert (x // x).dtype == dtype


def test_operator_values():
    i = tf.constant([7, -7])
    b = tf.constant([True, False])
    with tf.Session() as session:
        got = session.run([i // 2, i % 2, i**2, 2 ** i[:1], -i, abs(i), ~b, b ^ True, b | b, b & b])
    want = [[3, -4], [1, 1], [49, 49], [128], [-7, 7], [7, 7], [0, 1], [0, 1], [1, 0], [1, 0]]
    for value, expected in zip(got, want):
        assert value.tolist() == expected
