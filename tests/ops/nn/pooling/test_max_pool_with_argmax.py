"""Indices outside the image, for which TensorFlow crashes, are rejected."""

import numpy as np
import pytest

import tfmini as tf
from tfmini._src.base.errors import InvalidArgumentError


def _gradient(grad, positions):
    return tf.raw_ops.MaxPoolGradWithArgmax(
        input=tf.ones([1, 2, 2, 1]),
        grad=tf.placeholder_with_default(np.reshape(grad, [1, 1, 1, -1]).astype("f"), None),
        argmax=tf.placeholder_with_default(np.reshape(positions, [1, 1, 1, -1]), None),
        ksize=[1, 2, 2, 1],
        strides=[1, 2, 2, 1],
        padding="VALID",
    )


def test_last_index(session):
    assert session.run(_gradient([3], [3])).ravel().tolist() == [0, 0, 0, 3]


@pytest.mark.parametrize(
    ("grad", "positions", "text"),
    [
        ([3], [4], "Invalid output gradient index: 4, 0, 4"),
        ([3], [-1], "Invalid output gradient index: -1, 0, 4"),
        ([3, 3], [0], r"as many elements as argmax: \[1,1,1,2\] vs \[1,1,1,1\]"),
    ],
)
def test_invalid_indices(session, grad, positions, text):
    with pytest.raises(InvalidArgumentError, match=text):
        session.run(_gradient(grad, positions))
