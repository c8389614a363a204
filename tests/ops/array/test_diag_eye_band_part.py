"""Diagonals: what TensorFlow refuses, and its words."""

import numpy as np
import pytest

import tfmini as tf
from tests.ops.refusals import fails, refused

REFUSED = [
    (
        lambda t: tf.diag(3),
        ValueError,
        (
            "Shape must be at least rank 1 but is rank 0 for 'Diag' (op: 'Diag') with "
            "input shapes: []."
        ),
    ),
    (
        lambda t: tf.diag_part(t.x),
        ValueError,
        (
            "Input must have even and non-zero rank, input rank is 3 for 'DiagPart' (op: "
            "'DiagPart') with input shapes: [2,3,4]."
        ),
    ),
    (
        lambda t: tf.diag_part(t.i),
        ValueError,
        (
            "Dimensions must be equal, but are 2 and 3 for 'DiagPart' (op: 'DiagPart') "
            "with input shapes: [2,3]."
        ),
    ),
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
        lambda t: tf.matrix_set_diag(t.i, [1, 2, 3]),
        ValueError,
        (
            "Dimensions must be equal, but are 2 and 3 for 'set_diag' (op: "
            "'MatrixSetDiag') with input shapes: [2,3], [3]."
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
        lambda t: tf.matrix_set_diag(t.i, 1),
        ValueError,
        (
            "Shape must be at least rank 1 but is rank 0 for 'set_diag' (op: "
            "'MatrixSetDiag') with input shapes: [2,3], []."
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
    (lambda t: tf.eye(2.5), TypeError, "num_rows and num_columns must be positive integer values."),
]

FAILING = [
    (
        lambda t: tf.diag_part(t.r),
        {"r": np.arange(6.0).reshape(3, 2)},
        "Invalid shape [3,2]: dimensions 0 and 1 do not match.",
    ),
    (
        lambda t: tf.diag_part(t.r),
        {"r": [1.0]},
        (
            "The rank of the tensor should be                                          "
            "even and positive, got shape [1]"
        ),
    ),
    (lambda t: tf.diag(t.r), {"r": 1.0}, "Input must be at least rank 1, got 0"),
    (
        lambda t: tf.matrix_diag_part(t.r),
        {"r": [1.0]},
        "input must be at least 2-dim, received shape: [1]",
    ),
    (
        lambda t: tf.matrix_diag(t.r),
        {"r": 1.0},
        "diagonal must be at least 1-dim, received shape: []",
    ),
    (
        lambda t: tf.matrix_set_diag(t.r, [1.0, 2.0]),
        {"r": [1.0]},
        "input must be at least 2-dim, received shape: [1]",
    ),
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
    (
        lambda t: tf.matrix_set_diag(t.r, [1.0, 2.0], k=t.k),
        {"r": [[1.0, 2.0, 3.0]] * 3, "k": 5},
        (
            "Either first dimensions of diagonal don't match input.shape[:-2], or "
            "diagonal.shape[:-1] is not equal to the longests diagonal in range "
            "[lower_diag_index:upper_diag_index].\nInput shape: [3,3]\nDiagonal shape: "
            "[2]\nExpected diagonal shape: [3]"
        ),
    ),
    (
        lambda t: tf.matrix_set_diag(t.r, t.q),
        {"r": [[1.0, 2.0, 3.0]] * 3, "q": 1.0},
        "diagonal must be at least 1-dim, received shape: []",
    ),
    (
        lambda t: tf.matrix_band_part(t.r, 0, 0),
        {"r": [1.0]},
        "input must be at least 2-dim, received shape: [1]",
    ),
    (
        lambda t: tf.matrix_band_part(t.i, 5, 0),
        {},
        ("num_lower must be negative or less or equal to number of rows (2) got: 5"),
    ),
    (
        lambda t: tf.matrix_band_part(t.i, 0, 5),
        {},
        ("num_upper must be negative or less or equal to number of columns (3) got: 5"),
    ),
    (
        lambda t: tf.matrix_band_part(t.i, t.k, 0),
        {"k": [1]},
        "num_lower must be scalar, got shape [1]",
    ),
]


@pytest.mark.parametrize("make, error, text", REFUSED)
def test_is_refused(make, error, text):
    refused(make, error, text)


@pytest.mark.parametrize("make, feed, text", FAILING)
def test_fails_when_run(make, feed, text):
    fails(make, feed, text)
