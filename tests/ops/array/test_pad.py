"""Pad: TensorFlow's errors for invalid calls."""

import pytest

import tfmini as tf
from tests.ops.refusals import refused

REFUSED = [
    (
        lambda t: tf.pad(t.i, [[1, 1, 1], [1, 1, 1]]),
        ValueError,
        ("Dimension must be 2 but is 3 for 'Pad' (op: 'Pad') with input shapes: [2,3], [2,3]."),
    ),
    (lambda t: tf.pad(t.i, [[1, 1], [1, 1]], "EDGE"), ValueError, "Unknown padding mode: EDGE"),
]


@pytest.mark.parametrize("make, error, text", REFUSED)
def test_is_refused(make, error, text):
    refused(make, error, text)
