"""assert_type, assert_integer, assert_scalar and other static checks."""

import pytest

import tfmini as tf


@pytest.fixture
def x():
    return tf.placeholder(tf.float32, [2], name="x")


def test_assert_scalar(x):
    assert tf.assert_scalar(5, name="five").name == "five:0"
    text = r"^hintExpected scalar shape for x:0, saw shape: \(2,\).$"
    with pytest.raises(ValueError, match=text):
        tf.assert_scalar(x, message="hint")
    with pytest.raises(ValueError, match="saw shape: <unknown>."):
        tf.assert_scalar(tf.placeholder(tf.float32))


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
