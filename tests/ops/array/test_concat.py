"""Concat: TensorFlow's errors for invalid calls."""

import pytest

import tfmini as tf
from tests.ops.refusals import refused

REFUSED = [
    (
        lambda t: tf.concat([t.i, t.i], -3),
        ValueError,
        (
            "Shape must be at least rank 3 but is rank 2 for 'concat' (op: 'ConcatV2') "
            "with input shapes: [2,3], [2,3], [] and with computed input tensors: input[2] "
            "= <-3>."
        ),
    ),
    (
        lambda t: tf.concat([1, 2], 0),
        ValueError,
        (
            "Can't concatenate scalars (use tf.stack instead) for 'concat' (op: "
            "'ConcatV2') with input shapes: [], [], []."
        ),
    ),
    (
        lambda t: tf.concat([1.0, 2.0], t.k),
        ValueError,
        (
            "Can't concatenate scalars (use tf.stack instead) for 'concat' (op: "
            "'ConcatV2') with input shapes: [], [], ?."
        ),
    ),
    (
        lambda t: tf.concat([[1.0, 2.0], t.p], t.k),
        ValueError,
        (
            "Shape must be rank 1 but is rank 2 for 'concat' (op: 'ConcatV2') with input "
            "shapes: [2], [?,3], ?."
        ),
    ),
]


@pytest.mark.parametrize("make, error, text", REFUSED)
def test_errors_at_construction(make, error, text):
    refused(make, error, text)
