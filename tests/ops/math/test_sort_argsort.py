"""Sorting: stability, and TensorFlow's errors."""

import numpy as np
import pytest

import tfmini as tf


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        ({"axis": [0]}, "axis must be a constant scalar"),
    ],
)
def test_refused(arguments, text):
    with tf.Graph().as_default(), pytest.raises(ValueError, match=f"^{text}$"):
        tf.sort([1, 2], **arguments)


def test_equal_elements_keep_their_order():
    values = np.array([2, 1, 2, 1, 2])
    with tf.Graph().as_default(), tf.Session() as session:
        assert session.run(tf.argsort(values)).tolist() == [1, 3, 0, 2, 4]
        down = tf.argsort(values, direction="DESCENDING")
        assert session.run(down).tolist() == [0, 2, 4, 1, 3]
