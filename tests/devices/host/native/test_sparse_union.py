"""Unions of sparse indices, compared with Python sets and an explicit merge."""

import numpy as np
import pytest

from tfmini._src.devices.host.native.sparse_union import unite_indices


@pytest.mark.parametrize("rank", [1, 2, 3])
def test_sorted_indices_are_merged(build, rank):
    rng = np.random.RandomState(rank)
    for sizes in ((0, 0), (0, 5), (5, 0), (40, 60), (300, 300)):
        sets = [{tuple(row) for row in rng.randint(-3, 9, (size, rank)).tolist()} for size in sizes]
        a, b = (np.array(sorted(each), np.int64).reshape(-1, rank) for each in sets)
        result, a_rows, b_rows = unite_indices(a, b)
        assert [*map(tuple, result.tolist())] == sorted(sets[0] | sets[1])
        for rows, matrix in ((a_rows, a), (b_rows, b)):
            assert rows[rows >= 0].tolist() == [*range(len(matrix))]
            assert (result[rows >= 0] == matrix).all()


def test_unsorted_duplicates_are_merged_stepwise(build):
    a, b = np.array([[5], [1], [1]]), np.array([[1], [7], [5]])
    result, a_rows, b_rows = unite_indices(a, b)
    assert result.ravel().tolist() == [1, 5, 1, 1, 7, 5]
    assert a_rows.tolist() == [-1, 0, 1, 2, -1, -1]
    assert b_rows.tolist() == [0, -1, -1, -1, 1, 2]
    assert unite_indices(a.astype(np.int32), b) is None
    assert unite_indices(a[::2], b) is None
    assert unite_indices(a, np.zeros((2, 2), np.int64)) is None
