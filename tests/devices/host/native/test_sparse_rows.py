"""Sparse tensor kernels compared with Python loops."""

import itertools

import numpy as np
import pytest

from tfmini._src.devices.host.native import sparse_rows


@pytest.mark.parametrize("numbers", [np.int32, np.int64])
@pytest.mark.parametrize("keys", [np.int32, np.int64])
def test_unique_matches_python(build, keys, numbers):
    rng = np.random.RandomState(0)
    for count, most in ((0, 9), (1, 9), (200, 30), (4096, 10**9), (4096, 5)):
        x = rng.randint(-most, most, count).astype(keys)
        result, indices = sparse_rows.distinct(x, np.dtype(numbers))
        assert result.tolist() == list(dict.fromkeys(x.tolist()))
        assert (result.dtype, indices.dtype) == (keys, numbers)
        np.testing.assert_array_equal(result[indices], x)
    assert sparse_rows.distinct(np.zeros(4097, keys), np.dtype(numbers)) is None
    assert sparse_rows.distinct(np.zeros(9, np.uint8), np.dtype(numbers)) is None


@pytest.mark.parametrize("index", [np.int32, np.int64])
@pytest.mark.parametrize("dtype", ["f", "d"])
def test_sparse_segment_sums_match_numpy(build, dtype, index):
    rng = np.random.RandomState(0)
    rows, indices = rng.randn(20, 7).astype(dtype), rng.randint(0, 20, 50).astype(index)
    ids = np.sort(rng.randint(0, 9, 50)).astype(np.int32)
    sums, sizes = np.zeros((12, 7), dtype), np.maximum(np.bincount(ids, minlength=12), 1)
    np.add.at(sums, ids, rows[indices])
    for scale, divisor in enumerate((np.ones(12), sizes, np.sqrt(sizes))):
        got = sparse_rows.segment_sums(rows, indices, ids, 12, scale)
        np.testing.assert_array_equal(got, sums / divisor.astype(dtype)[:, None])
    assert len(sparse_rows.segment_sums(rows, indices, ids, None, 0)) == ids[-1] + 1
    for wrong in (-1, 20):
        bad = indices.copy()
        bad[7] = wrong
        assert sparse_rows.segment_sums(rows, bad, ids, 12, 0) is None
    assert sparse_rows.segment_sums(rows, indices, ids[::-1].copy(), 12, 0) is None
    assert sparse_rows.segment_sums(rows, indices, ids, int(ids[-1]), 0) is None


@pytest.mark.parametrize("dtype", ["f", np.int64, np.int8])
@pytest.mark.parametrize("is_sorted", [True, False])
def test_empty_rows_are_filled(build, dtype, is_sorted):
    rng = np.random.RandomState(1)
    for count, rows, rank in ((0, 4, 2), (30, 20, 2), (5, 40, 3), (40, 1, 1)):
        points = rng.randint(0, rows, (count, rank))
        if is_sorted:
            points = points[np.argsort(points[:, 0], kind="stable")]
        values = rng.randint(1, 9, count).astype(dtype)
        actual = sparse_rows.fill_empty_rows(points, values, rows, np.dtype(dtype).type(99))
        expected, positions = [], {}
        for row in range(rows):
            own = [i for i in range(count) if points[i, 0] == row]
            positions.update({i: len(expected) + index for index, i in enumerate(own)})
            expected += [([*points[i]], values[i]) for i in own] or [([row] + [0] * (rank - 1), 99)]
        assert actual[0].tolist() == [point for point, _ in expected]
        assert actual[1].tolist() == [value for _, value in expected]
        assert actual[2].tolist() == [row not in points[:, 0] for row in range(rows)]
        assert actual[3].tolist() == [positions[i] for i in range(count)]
    outside = np.array([[0, 0], [3, 0]])
    assert sparse_rows.fill_empty_rows(outside, np.zeros(2, "f"), 3, np.float32(0)) is None


def test_segment_gradients_match_numpy(build):
    rng = np.random.RandomState(3)
    grad, ids = rng.rand(4, 3).astype("f"), np.array([0, 0, 1, 3, 3, 3], "i")
    sizes = np.array([2, 1, 1, 3])[:, None]
    for index, (scale, root) in itertools.product(("i", "q"), ((1, sizes), (2, np.sqrt(sizes)))):
        indices = rng.randint(0, 7, 6).astype(index)
        expected = np.zeros((7, 3), "f")
        np.add.at(expected, indices, (grad / root.astype("f"))[ids])
        got = sparse_rows.segment_gradients(grad, indices, ids, 7, scale)
        np.testing.assert_array_equal(got, expected)
        assert sparse_rows.segment_gradients(grad, indices, ids + 1, 7, scale) is None
        assert sparse_rows.segment_gradients(grad, indices - 7, ids, 7, scale) is None


def test_sparse_add_gradients(build):
    numbers = np.arange(20)
    points = np.stack([numbers // 5, numbers % 5], 1)
    a, b = points[::2].copy(), points[::3].copy()
    kept = [n for n in numbers if n not in (0, 4) and (n % 2 == 0 or n % 3 == 0)]
    for dtype in ("f", "d", "F", np.int8):
        grad = np.arange(1, len(kept) + 1).astype(dtype)
        of = dict(zip(kept, grad.tolist()))
        a_grad, b_grad = sparse_rows.sparse_add_gradients(grad, a, b, points[kept])
        assert a_grad.tolist() == [of.get(n, 0) for n in numbers[::2].tolist()]
        assert b_grad.tolist() == [of.get(n, 0) for n in numbers[::3].tolist()]


def test_coordinates_are_reshaped(build):
    rng = np.random.RandomState(2)
    shape, other = np.array([4, 5, 6]), np.array([2, 60])
    points = np.stack(np.unravel_index(rng.permutation(120)[:50], shape), 1)
    got = sparse_rows.reshape_points(points, shape, other)
    flat = np.ravel_multi_index(tuple(points.T), shape)
    np.testing.assert_array_equal(got, np.stack(np.unravel_index(flat, other), 1))
    assert sparse_rows.reshape_points(points, shape[:2], other) is None


def test_point_order_is_checked(build):
    shape = 3, 4, 5
    points = np.stack(np.unravel_index(np.arange(0, 60, 7), shape), 1)
    assert sparse_rows.points_increase(points, shape) is True
    for row, axis, coordinate in ((0, 0, -1), (8, 2, 5), (4, 0, 0), (0, 2, 7)):
        bad = points.copy()
        bad[row, axis] = coordinate
        assert sparse_rows.points_increase(bad, shape) is False
    assert sparse_rows.points_increase(points[[0, 1, 1]], shape) is False
    assert sparse_rows.points_increase(points.astype("i4"), shape) is None


def test_fingerprint_concatenation(build):
    a, b = np.random.RandomState(0).randint(0, 2**63, (2, 20)).astype(np.uint64)
    factor, rest = 0xC6A4A7935BD1E995, (1 << 64) - 1

    def mixed(x):
        return x ^ x >> 47

    expected = []
    for x, y in zip(a.tolist(), b.tolist()):
        both = (x ^ factor ^ mixed(y * factor & rest) * factor & rest) * factor & rest
        expected.append(mixed(mixed(both) * factor & rest))
    assert sparse_rows.combine_fingerprints(a, b).tolist() == expected
