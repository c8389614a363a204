"""What is fed becomes an array of the tensor's dtype, or an error."""

import pytest

import tfmini as tf


def fed(dtype, value):
    with tf.Graph().as_default(), tf.Session() as session:
        x = tf.placeholder(dtype)
        return session.run(tf.identity(x), {x: value})


def test_integers_in_a_list_wrap_around():
    assert list(fed(tf.uint8, [300, -1])) == [44, 255]
    assert fed(tf.int32, [[2**31]]) == -(2**31)
    assert fed(tf.uint64, [-1]) == 2**64 - 1


@pytest.mark.parametrize("value", [[2**64], 1e30])
def test_too_large_an_integer(value):
    with pytest.raises(OverflowError, match="Python int too large to convert to C long"):
        fed(tf.int32, value)


@pytest.mark.parametrize(
    "value, kind", [([300], "int"), (1.5, "float"), (None, "NoneType"), (["a", 2], "int")]
)
def test_a_string_is_not_made_of_something_else(value, kind):
    with pytest.raises(tf.errors.InternalError, match=f"Unsupported object type {kind}"):
        fed(tf.string, value)


def test_an_int_for_a_string():
    with pytest.raises(TypeError, match="^Type of feed value 300 with type <class 'int'> is not"):
        fed(tf.string, 300)
