"""Matrix diagonals against their definition, element by element in Python."""

import itertools

import numpy as np
import pytest

import tfmini as tf
from tfmini._src.graph.opdef import raw

ALIGNMENTS = ("LEFT_RIGHT", "RIGHT_LEFT", "LEFT_LEFT", "RIGHT_RIGHT")
SHAPES = ((3, 4), (4, 3), (3, 3), (1, 5))
RANGES = ((0, 0), (1, 1), (-2, -2), (-1, 1), (-2, 0), (0, 2), (1, 2), (-2, -1))


def entries(rows, columns, low, high, align):
    """(diagonal, index within it, matrix row, column) of each element."""
    lengths = {k: sum(0 <= i + k < columns for i in range(rows)) for k in range(low, high + 1)}
    longest = max(lengths.values())
    for row, k in enumerate(range(high, low - 1, -1)):
        above, below = align.split("_")
        start = longest - lengths[k] if (above if k >= 0 else below) == "RIGHT" else 0
        pairs = [(i, i + k) for i in range(rows) if 0 <= i + k < columns]
        for step, (i, j) in enumerate(pairs):
            yield row, start + step, i, j


def cases():
    for shape, (low, high), align in itertools.product(SHAPES, RANGES, ALIGNMENTS):
        if -shape[0] < low and high < shape[1]:
            yield shape, low, high, align


def packed(matrix, low, high, align, padding):
    rows, columns = matrix.shape
    result = list(entries(rows, columns, low, high, align))
    created = np.full(
        (high - low + 1, 1 + max(step for _, step, _, _ in result)), padding, matrix.dtype
    )
    for row, step, i, j in result:
        created[row, step] = matrix[i, j]
    return created if high > low else created[0]


def run(make, *args, **attrs):
    with tf.Graph().as_default(), tf.Session() as session:
        created = make(*args, **attrs)
        value = session.run(created)
        assert created.shape.is_compatible_with(value.shape)
        return created.shape, value


def test_diag_part_in_every_alignment():
    for (rows, columns), low, high, align in cases():
        matrix = np.arange(1, rows * columns + 1, dtype="i").reshape(rows, columns)
        both = np.stack([matrix, matrix * 10])
        expected = np.stack([packed(m, low, high, align, -7) for m in both])
        k = low if low == high else [low, high]
        shape, value = run(raw.MatrixDiagPartV3, both, k, np.int32(-7), align=align)
        assert shape == expected.shape and value.tolist() == expected.tolist()


def test_diag_in_every_alignment():
    for (rows, columns), low, high, align in cases():
        matrix = np.arange(1, rows * columns + 1, dtype="f").reshape(rows, columns)
        inside = [(i, j) for _, _, i, j in entries(rows, columns, low, high, align)]
        expected = np.full((rows, columns), 0.5, "f")
        for i, j in inside:
            expected[i, j] = matrix[i, j]
        diagonals = packed(matrix, low, high, align, 9)
        shape, value = run(
            raw.MatrixDiagV3,
            diagonals,
            [low, high],
            rows,
            columns,
            np.float32(0.5),
            align=align,
        )
        assert shape == expected.shape and value.tolist() == expected.tolist()


def test_set_diag_in_every_alignment():
    for (rows, columns), low, high, align in cases():
        matrix = np.zeros((2, rows, columns), "f")
        new = np.arange(1, rows * columns + 1, dtype="f").reshape(rows, columns)
        expected = np.zeros((2, rows, columns), "f")
        for _, _, i, j in entries(rows, columns, low, high, align):
            expected[:, i, j] = new[i, j]
        diagonals = np.stack([packed(new, low, high, align, 9)] * 2)
        shape, value = run(raw.MatrixSetDiagV3, matrix, diagonals, [low, high], align=align)
        assert shape == expected.shape and value.tolist() == expected.tolist()
        assert not matrix.any()


@pytest.mark.parametrize(
    "k, rows, columns, wanted",
    [
        (0, -1, -1, (2, 2)),
        (1, -1, -1, (3, 3)),
        (-2, -1, -1, (4, 4)),
        (1, 2, -1, (2, 3)),
        (-1, -1, 4, (3, 4)),
        (0, 3, -1, (3, 2)),
    ],
)
def test_smallest_enclosing_matrix(k, rows, columns, wanted):
    expected = np.zeros(wanted, "i")
    for step in range(2):
        expected[step + max(-k, 0), step + max(k, 0)] = step + 5
    _, value = run(raw.MatrixDiagV3, [5, 6], k, rows, columns, np.int32(0))
    assert value.tolist() == expected.tolist()


def test_default_alignment():
    value = run(raw.MatrixDiagPartV3, np.arange(1, 10).reshape(3, 3), [-1, 1], np.int64(0))[1]
    assert value.tolist() == [[0, 2, 6], [1, 5, 9], [4, 8, 0]]


@pytest.mark.parametrize(
    "make, text",
    [
        (lambda: raw.MatrixDiagPartV3(np.ones((2, 3)), [1, 0], np.float64(0)), "1 > 0"),
        (
            lambda: raw.MatrixDiagPartV3(np.ones((2, 3)), [0, 1, 2], np.float64(0)),
            "received 3 elements",
        ),
        (lambda: raw.MatrixDiagPartV3(np.ones((2, 3)), -2, np.float64(0)), "between -2 and 3"),
        (
            lambda: raw.MatrixDiagPartV3(np.ones((2, 3)), [0, 3], np.float64(0)),
            "upper_diag_index is out",
        ),
        (lambda: raw.MatrixSetDiagV3(np.ones((2, 3)), np.ones(2), 5), "out of bound: 5"),
        (lambda: raw.MatrixSetDiagV3(np.ones((2, 3)), np.ones((2, 3)), [0, 1]), r"\[2,2\]"),
        (lambda: raw.MatrixDiagV3([[1, 2]], [0, 1], -1, -1, np.int32(0)), "number of diagonals"),
        (lambda: raw.MatrixDiagV3([1, 2], 0, 1, 2, np.int32(0)), "too small: 1, 2"),
        (lambda: raw.MatrixDiagV3([1, 2], 1, 2, 2, np.int32(0)), "too small: 2, 2"),
    ],
)
def test_invalid_diagonals(make, text):
    with tf.Graph().as_default(), tf.Session() as session:
        with pytest.raises((tf.errors.InvalidArgumentError, ValueError), match=text):
            session.run(make())


def test_partially_known_shapes():
    with tf.Graph().as_default():
        x = tf.placeholder(tf.float32, [None, 3, None])
        k = tf.placeholder(tf.int32, [])
        zero = np.float32(0)
        assert raw.MatrixDiagPartV3(x, [0, 1], zero).shape.as_list() == [None, 2, None]
        assert raw.MatrixDiagPartV3(x, 0, zero).shape.as_list() == [None, None]
        assert raw.MatrixDiagPartV3(x, k, zero).shape.ndims is None
        assert raw.MatrixDiagV3(x, [0, 2], -1, 9, zero).shape.as_list() == [None, None, 9]
        assert raw.MatrixDiagV3(x, 0, -1, -1, zero).shape.as_list() == [None, 3, None, None]
        assert raw.MatrixDiagV3(x, 0, k, 4, zero).shape.as_list() == [None, 3, None, None]
        assert raw.MatrixSetDiagV3(x, x[:, 0], 0).shape.as_list() == [None, 3, None]
