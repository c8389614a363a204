"""Split: an error where TensorFlow crashes."""

import pytest

import tfmini as tf


def test_invalid_size(session):
    sizes = tf.placeholder(tf.int32)
    x = tf.placeholder_with_default([[1, 2, 3, 4]], None)
    with pytest.raises(tf.errors.InvalidArgumentError, match="at index 1 must be >= 0. Got: -2"):
        session.run(tf.split(x, sizes, 1, 3), {sizes: [5, -2, 1]})
