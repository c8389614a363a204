"""assert_type, assert_integer, assert_scalar and others that are decided at once."""

import numpy as np
import pytest

import tfmini as tf


@pytest.fixture
def x():
    return tf.placeholder(tf.float32, [2], name="x")


def test_type(x):
    assert tf.assert_type(x, tf.float32).type == "NoOp"
    with pytest.raises(TypeError, match="^hint  x:0 must be of type <dtype: 'int32'>$"):
        tf.assert_type(x, tf.int32, message="hint")


def test_integer(x):
    assert tf.assert_integer(tf.constant(1)).name.endswith("statically_determined_was_integer")
    text = "^  Expected \"x\" to be integer type.  Found: x:0 of dtype <dtype: 'float32'>$"
    with pytest.raises(TypeError, match=text):
        tf.assert_integer(x)


def test_scalar(x):
    assert tf.assert_scalar(5, name="five").name == "five:0"
    text = r"^hintExpected scalar shape for x:0, saw shape: \(2,\).$"
    with pytest.raises(ValueError, match=text):
        tf.assert_scalar(x, message="hint")
    with pytest.raises(ValueError, match="saw shape: <unknown>."):
        tf.assert_scalar(tf.placeholder(tf.float32))


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (np.zeros(2), "to be a \"proper\" iterable.  Found: <class 'numpy.ndarray'>"),
    ],
)
def test_proper_iterable(value, text):
    tf.assert_proper_iterable([1])
    with pytest.raises(TypeError, match=text):
        tf.assert_proper_iterable(value)


def test_numeric():
    kinds = [tf.float64, tf.int8, tf.complex64, tf.bool, tf.string, tf.float16]
    tensors = [tf.placeholder(kind) for kind in kinds]
    assert [tf.is_numeric_tensor(t) for t in tensors] == [True, True, True, False, False, False]
    assert not tf.is_numeric_tensor(3)


def test_same_float_dtype(x):
    wide = tf.placeholder(tf.float64, name="wide")
    assert tf.assert_same_float_dtype() is tf.float32
    assert tf.assert_same_float_dtype([x, None]) is tf.float32
    assert tf.assert_same_float_dtype([wide], tf.float64) is tf.float64
    text = (
        r"wide:0, type=<dtype: 'float64'>, must be of the same type "
        r"\(<dtype: 'float32'>\) as x:0."
    )
    with pytest.raises(ValueError, match=text):
        tf.assert_same_float_dtype([x, wide])
    with pytest.raises(ValueError, match="Expected floating point type, got <dtype: 'int32'>."):
        tf.assert_same_float_dtype([tf.constant(1)])
