"""Bincounts: of all elements, by matrix row, of ragged and sparse rows; weighted and binary."""

import numpy as np
import pytest

import tfmini as tf
from tfmini._src.graph.opdef import raw

ROWS = [[0, 2, 2], [5, 1, 0]]
NONE = np.zeros(0, "f")
WEIGHTS = np.float32([[1, 10, 100], [1000, 0.5, 0.25]])


def run(made):
    with tf.Session(graph=made.graph) as session:
        value = session.run(made)
    assert made.shape.is_compatible_with(value.shape)
    return value


@pytest.mark.parametrize("kind", [np.int32, np.int64])
def test_matrix_rows(kind):
    with tf.Graph().as_default():
        rows, size = np.array(ROWS, kind), kind(4)
        counted = raw.DenseBincount(rows, size, NONE)
        assert counted.shape.as_list() == [2, 4]
        assert run(counted).tolist() == [[1, 0, 2, 0], [1, 1, 0, 0]]
        weighted = run(raw.DenseBincount(rows, size, WEIGHTS))
        assert weighted.tolist() == [[1, 0, 110, 0], [0.25, 0.5, 0, 0]]
        present = run(raw.DenseBincount(rows, size, NONE, binary_output=True))
        assert present.tolist() == [[1, 0, 1, 0], [1, 1, 0, 0]]
        present = run(raw.DenseBincount(rows, size, WEIGHTS, binary_output=True))
        assert present.tolist() == [[1, 0, 1, 0], [1, 1, 0, 0]]


@pytest.mark.parametrize("kind", ["i", "l", "f", "d"])
def test_vector_elements(kind):
    with tf.Graph().as_default():
        weights = np.array([1, 10, 100, 1000], kind)
        for inputs, expected in ((weights, [0, 1101, 10]), (weights[:0], [0, 3, 1])):
            made = raw.DenseBincount([1, 2, 1, 1], 3, inputs)
            assert made.shape.as_list() == [3]
            value = run(made)
            assert value.dtype == kind and value.tolist() == expected
        assert run(raw.DenseBincount(2, 4, NONE)).tolist() == [0, 0, 1, 0]
        assert run(raw.DenseBincount(np.zeros(0, "i"), 2, NONE)).tolist() == [0, 0]
        assert run(raw.DenseBincount(np.zeros([3, 0], "i"), 2, NONE)).shape == (3, 2)
        assert run(raw.DenseBincount(np.zeros([0, 3], "i"), 2, NONE)).shape == (0, 2)
        assert run(raw.DenseBincount([1, 2], 0, NONE)).shape == (0,)


def test_ragged_rows():
    splits, values = np.array([0, 2, 2, 5]), [1, 1, 0, 3, 9]
    with tf.Graph().as_default():
        made = raw.RaggedBincount(splits, values, 4, NONE)
        assert made.shape.as_list() == [None, None]
        assert run(made).tolist() == [[0, 2, 0, 0], [0, 0, 0, 0], [1, 0, 0, 1]]
        weights = np.float32([1, 2, 4, 8, 16])
        made = raw.RaggedBincount(splits, values, 4, weights)
        assert run(made).tolist() == [[0, 3, 0, 0], [0, 0, 0, 0], [4, 0, 0, 8]]
        made = raw.RaggedBincount(splits, values, 4, weights, binary_output=True)
        assert run(made).tolist() == [[0, 1, 0, 0], [0, 0, 0, 0], [1, 0, 0, 1]]


@pytest.mark.parametrize("splits", [[1, 5], [0, 4], [0, 6], [0, 3, 2, 5], []])
def test_invalid_row_splits(splits):
    with tf.Graph().as_default():
        made = raw.RaggedBincount(np.array(splits, "l"), [1, 1, 0, 3, 9], 4, NONE)
        with pytest.raises(tf.errors.InvalidArgumentError, match="^Splits must start with 0"):
            run(made)


def test_sparse_rows():
    indices = np.array([[0, 3], [2, 0], [2, 9]])
    with tf.Graph().as_default():
        inputs = (indices, [1, 2, 2], np.array([4, 10]), 3)
        assert run(raw.SparseBincount(*inputs, NONE)).tolist() == [
            [0, 1, 0],
            [0] * 3,
            [0, 0, 2],
            [0] * 3,
        ]
        made = run(raw.SparseBincount(*inputs, np.float32([1, 2, 4])))
        assert made.tolist() == [[0, 1, 0], [0] * 3, [0, 0, 6], [0] * 3]
        made = run(raw.SparseBincount(*inputs, NONE, binary_output=True))
        assert made.tolist() == [[0, 1, 0], [0] * 3, [0, 0, 1], [0] * 3]
        vector = raw.SparseBincount(indices[:, :1], [1, 2, 2], np.array([4]), 3, NONE)
        assert run(vector).tolist() == [0, 1, 2]


@pytest.mark.parametrize("row", [-1, 4])
def test_sparse_row_out_of_range(row):
    with tf.Graph().as_default():
        made = raw.SparseBincount(np.array([[0, 0], [row, 0]]), [1, 1], np.array([4, 10]), 3, NONE)
        with pytest.raises(tf.errors.InvalidArgumentError, match="not in the 4 rows"):
            run(made)


@pytest.mark.parametrize(
    "value, size, weights, text",
    [
        (np.zeros([1, 1, 1], "i"), 3, NONE, "at most rank 2 but is rank 3"),
        ([1], -1, NONE, r"size \(-1\) must be non-negative"),
        ([1, -1], 3, NONE, "Input must be non-negative"),
        ([1, 1], 3, np.ones(3, "f"), r"weights \[3\] must be empty or of the input's shape, \[2\]"),
    ],
)
def test_invalid_bincounts(value, size, weights, text):
    with tf.Graph().as_default():
        made = raw.DenseBincount(value, size, weights)
        with pytest.raises(tf.errors.InvalidArgumentError, match=text):
            run(made)
