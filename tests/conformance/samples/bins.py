"""Histograms, buckets, order statistics and sets."""

import numpy as np

from tests.conformance.samples import Sample

ROWS = np.array([[3, 1, 2.5], [6, 5, 4]], "f")
SET = np.array([[1, 2, 2, 9], [3, 4, 5, 5]], "i4")
PLACES = np.array([[0, 0], [0, 2], [1, 0]])
VALUES = np.array([2, 9, 7], "i4")
SHAPE = np.array([2, 3])
UNION = {"set_operation": "union"}


def words(*rows):
    return np.array(rows, object)


def sparse(places, values, shape, dtype="i4"):
    return np.array(places).reshape(-1, 2), np.array(values, dtype), np.array(shape)


SAMPLES = [
    Sample("HistogramFixedWidth", [np.array([-1, 0, 1.5, 2, 5, 15], "f"), np.array([0, 5], "f"), np.int32(5)],
           expect=np.array([2, 1, 1, 0, 2], "i4")),
    Sample("Bucketize", [np.array([[-5, 10000], [150, 10], [5, 100]], "i4")], {"boundaries": [0, 10, 100]},
           np.array([[0, 3], [3, 2], [1, 3]], "i4")),
    Sample("NthElement", [ROWS, np.int32(1)], expect=lambda x, n: np.sort(x)[:, 1], gradient=[0]),
    Sample("NthElement", [ROWS, np.int32(0)], {"reverse": True}, lambda x, n: x.max(axis=1), [0],
           note="largest"),
    Sample("DenseToDenseSetOperation", [SET, np.array([[2, 7], [5, 3]], "i4")], UNION, sparse(
        [[0, 0], [0, 1], [0, 2], [0, 3], [1, 0], [1, 1], [1, 2]], [1, 2, 7, 9, 3, 4, 5], [2, 4]), static=False),
    Sample("DenseToDenseSetOperation", [words([b"b", b"a", b""]), words([b"c", b"a", b"b"])],
           {"set_operation": "a-b"}, sparse([[0, 0]], [b""], [1, 1], object), static=False, note="text"),
    Sample("DenseToSparseSetOperation", [SET, PLACES, VALUES, SHAPE], {"set_operation": "intersection"},
           sparse([[0, 0], [0, 1]], [2, 9], [2, 2]), static=False),
    Sample("DenseToSparseSetOperation", [SET, PLACES, VALUES, SHAPE], {"set_operation": "b-a"},
           sparse([[1, 0]], [7], [2, 1]), static=False, note="difference"),
    Sample("SparseToSparseSetOperation",
           [PLACES, VALUES, SHAPE, np.array([[0, 0], [1, 1]]), np.array([2, 3], "i4"), np.array([2, 2])], UNION,
           sparse([[0, 0], [0, 1], [1, 0], [1, 1]], [2, 9, 3, 7], [2, 2]), static=False),
    Sample("SparseToSparseSetOperation",
           [PLACES[:0], VALUES[:0], SHAPE, PLACES[:0], VALUES[:0], SHAPE], UNION,
           sparse([], [], [2, 0]), static=False, note="empty"),
    Sample("SetSize", [PLACES, np.array([2, 2, 7], "i4"), SHAPE], expect=np.array([1, 1], "i4"), static=False),
]  # fmt: skip
