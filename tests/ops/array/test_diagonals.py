"""Diagonals: TensorFlow's errors for invalid calls."""

import pytest

import tfmini as tf
from tests.ops.refusals import fails, refused

REFUSED = [
    (
        lambda t: tf.matrix_diag(3),
        ValueError,
        (
            "Shape must be at least rank 1 but is rank 0 for 'diag' (op: 'MatrixDiag') "
            "with input shapes: []."
        ),
    ),
    (
        lambda t: tf.matrix_diag_part([1, 2]),
        ValueError,
        (
            "Shape must be at least rank 2 but is rank 1 for 'diag_part' (op: "
            "'MatrixDiagPart') with input shapes: [2]."
        ),
    ),
    (
        lambda t: tf.matrix_set_diag(t.i, [[1, 2]]),
        ValueError,
        (
            "Shape must be rank 1 but is rank 2 for 'set_diag' (op: 'MatrixSetDiag') with "
            "input shapes: [2,3], [1,2]."
        ),
    ),
    (
        lambda t: tf.matrix_band_part(t.i, 0, t.k),
        TypeError,
        (
            "Input 'num_upper' of 'MatrixBandPart' Op has type int32 that does not match "
            "type int64 of argument 'num_lower'."
        ),
    ),
]

FAILING = [
    (
        lambda t: tf.matrix_set_diag(t.r, [1.0, 2.0]),
        {"r": [[1.0, 2.0, 3.0]] * 3},
        (
            "Either first dimensions of diagonal don't match input.shape[:-2], or "
            "diagonal.shape[:-1] is not equal to the longests diagonal in range "
            "[lower_diag_index:upper_diag_index].\nInput shape: [3,3]\nDiagonal shape: "
            "[2]\nExpected diagonal shape: [3]"
        ),
    ),
]


@pytest.mark.parametrize("make, error, text", REFUSED)
def test_errors_at_construction(make, error, text):
    refused(make, error, text)


@pytest.mark.parametrize("make, feed, text", FAILING)
def test_errors_at_run_time(make, feed, text):
    fails(make, feed, text)
