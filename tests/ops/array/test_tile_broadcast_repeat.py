"""Tile and broadcast: TensorFlow's errors for invalid calls."""

import pytest

import tfmini as tf
from tests.ops.refusals import refused

REFUSED = [
    (
        lambda t: tf.broadcast_static_shape(tf.TensorShape([2, 3]), tf.TensorShape([4])),
        ValueError,
        "Incompatible shapes for broadcasting: (2, 3) and (4,)",
    ),
    (lambda t: tf.repeat([1, 2], 2, axis=0.5), TypeError, "axis must be an int; got float"),
    (
        lambda t: tf.repeat([1, 2], 0.5),
        TypeError,
        "repeats must be an integer tensor; dtype=<dtype: 'float32'>",
    ),
]


@pytest.mark.parametrize("make, error, text", REFUSED)
def test_is_refused(make, error, text):
    refused(make, error, text)
