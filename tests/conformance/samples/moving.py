"""Reordered axes and elements; diagonals."""

import numpy as np

from tests.conformance.samples import Sample

X = np.arange(24, dtype="f").reshape(2, 3, 4) / 8
INT = np.arange(6, dtype=np.int32).reshape(2, 3)
TEXT = np.array([[b"a", b"b"], [b"c", b"d"]], object)
COMPLEX = (X + 1j * X[::-1]).astype("F")


def ints(*values):
    return np.array(values, np.int32)


def longs(*values):
    return np.array(values, np.int64)


MOVED = [
    Sample("Transpose", [X, ints(2, 0, 1)], expect=np.transpose, gradient=[0]),
    Sample("Transpose", [INT, longs(1, 0)], expect=np.transpose, note="int32"),
    Sample("Transpose", [np.float32(3), ints()], expect=np.float32(3), note="scalar"),
    Sample("Transpose", [TEXT, ints(1, 0)], expect=np.transpose, note="strings"),
    Sample(
        "ConjugateTranspose",
        [COMPLEX, ints(1, 2, 0)],
        expect=lambda x, p: np.conj(x.transpose(p)),
        gradient=[0],
    ),
    Sample("InvertPermutation", [ints(2, 0, 1)], expect=ints(1, 2, 0)),
    Sample("InvertPermutation", [longs(1, 0)], expect=longs(1, 0), note="int64"),
    Sample(
        "ReverseV2",
        [np.arange(4 * 50 * 30 * 3, dtype="f").reshape(4, 50, 30, 3), np.array([2], "i4")],
        expect=lambda x, axes: x[:, :, ::-1],
        gradient=(),
        note="pixels",
    ),
    Sample(
        "ReverseV2",
        [np.arange(90 * 2 * 100 * 4).reshape(90, 2, 100, 4).astype("u1"), np.array([0, -2], "i4")],
        expect=lambda x, axes: x[::-1, :, ::-1],
        note="bytes of pixels",
    ),
    Sample("ReverseV2", [X, ints(-1, 0)], expect=X[::-1, :, ::-1], gradient=[0]),
    Sample("ReverseV2", [TEXT, longs(1)], expect=TEXT[:, ::-1], note="strings"),
    Sample("ReverseV2", [INT, ints()], expect=INT, note="no axis"),
    Sample("Reverse", [X, np.array([True, False, True])], expect=X[::-1, :, ::-1], gradient=[0]),
    Sample(
        "ReverseSequence",
        [X, longs(2, 3)],
        {"seq_dim": 1},
        np.stack([X[0][[1, 0, 2]], X[1][::-1]]),
        gradient=[0],
    ),
    Sample(
        "ReverseSequence",
        [INT, ints(2, 0, 1)],
        {"seq_dim": 0, "batch_dim": 1},
        np.array([[3, 1, 2], [0, 4, 5]], "i4"),
        note="batch behind",
    ),
    Sample("Roll", [X, np.int32(-1), np.int32(2)], expect=np.roll, gradient=[0]),
    Sample(
        "Roll",
        [X, longs(1, 4, 1), longs(0, 1, 0)],
        expect=lambda x, shift, axis: np.roll(x, tuple(shift), tuple(axis)),
        note="axes",
    ),
]


def matrices(diagonal):
    return diagonal[..., None] * np.eye(diagonal.shape[-1], dtype=diagonal.dtype)


def with_diagonal(x, diagonal):
    result = x.copy()
    for i in range(diagonal.shape[-1]):
        result[..., i, i] = diagonal[..., i]
    return result


SQUARE = X.reshape(4, 6)[:, :4]
DIAGONALS = [
    Sample("Diag", [X[0, 0]], expect=np.diag, gradient=[0]),
    Sample("Diag", [INT], expect=np.diag(INT.ravel()).reshape(2, 3, 2, 3), note="of a matrix"),
    Sample("DiagPart", [SQUARE], expect=np.diag, gradient=[0]),
    Sample(
        "DiagPart",
        [np.arange(36).reshape(2, 3, 2, 3)],
        expect=longs(0, 7, 14, 21, 28, 35).reshape(2, 3),
        note="of four axes",
    ),
    Sample("MatrixDiag", [X], expect=matrices, gradient=[0]),
    Sample(
        "MatrixDiag", [INT > 2], expect=(INT > 2)[..., None] & np.eye(3, dtype=bool), note="bool"
    ),
    Sample("MatrixDiagPart", [X], expect=lambda x: np.diagonal(x, 0, 1, 2), gradient=[0]),
    Sample("MatrixDiagPart", [SQUARE], expect=np.diag, gradient=[0], note="square"),
    Sample("MatrixSetDiag", [X, -X[:, 0, :3]], expect=with_diagonal, gradient=[0, 1]),
    Sample("MatrixSetDiag", [INT, ints(8, 9)], expect=with_diagonal, note="int32"),
    Sample(
        "MatrixBandPart",
        [X, np.int64(1), np.int64(0)],
        expect=np.tril(X) - np.tril(X, -2),
        gradient=[0],
    ),
    Sample("MatrixBandPart", [SQUARE, np.int32(-1), np.int32(1)], expect=np.tril(SQUARE, 1)),
    Sample(
        "MatrixBandPart",
        [np.full((2, 2), np.nan, "f"), np.int64(0), np.int64(-1)],
        expect=np.array([[np.nan, np.nan], [0, np.nan]], "f"),
        note="NaN",
        gradient=(),
    ),
]

SAMPLES = MOVED + DIAGONALS
