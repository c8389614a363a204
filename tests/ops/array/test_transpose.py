"""Transpose: TensorFlow's errors for invalid calls."""

import pytest

import tfmini as tf
from tests.ops.refusals import refused

REFUSED = [
    (
        lambda t: tf.transpose(t.cube, [[0, 1, 2]]),
        ValueError,
        (
            "Shape must be rank 1 but is rank 2 for 'transpose' (op: 'Transpose') with "
            "input shapes: [3,4,5], [1,3]."
        ),
    ),
    (
        lambda t: tf.transpose(t.cube, 0),
        ValueError,
        (
            "Shape must be rank 1 but is rank 0 for 'transpose' (op: 'Transpose') with "
            "input shapes: [3,4,5], []."
        ),
    ),
    (
        lambda t: tf.transpose(t.q, [0, 2]),
        ValueError,
        (
            "perm dim 2 is out of range of input rank 2 for 'transpose' (op: 'Transpose') "
            "with input shapes: ?, [2] and with computed input tensors: input[1] = <0 2>."
        ),
    ),
]


@pytest.mark.parametrize("make, error, text", REFUSED)
def test_errors_at_construction(make, error, text):
    refused(make, error, text)
