"""Split: errors where TensorFlow crashes or its graph optimizer removes the node."""

import pytest

import tfmini as tf


@pytest.mark.parametrize(
    "sizes, axis, num, text",
    [
        ([5, -2, 1], 1, 3, "Split size at index 1 must be >= 0. Got: -2"),
        (1, -5, None, r"-input rank\(-2\) <= split_dim < input rank \(2\), but got -5"),
    ],
)
def test_invalid_split(session, sizes, axis, num, text):
    fed = tf.placeholder(tf.int32)
    x = tf.placeholder_with_default([[1, 2, 3, 4]], None)
    pieces = tf.split(x, fed, axis, num) if num else tf.split(x, sizes, fed)
    with pytest.raises(tf.errors.InvalidArgumentError, match=text):
        session.run(pieces, {fed: sizes if num else axis})
