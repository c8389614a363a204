"""Slices gathered by points and along axes, and one-hot encoding, compared with NumPy's indexing."""

import numpy as np
import pytest

from tfmini._src.devices.host.native import gather


@pytest.fixture(autouse=True)
def low_thresholds(monkeypatch):
    monkeypatch.setattr(gather, "_MIN_PARALLEL_BYTES", 1 << 10)


def table_of(rng, shape, dtype):
    size = np.dtype(dtype).itemsize
    return (
        np.frombuffer(rng.bytes(int(np.prod(shape)) * size), f"V{size}").view(dtype).reshape(shape)
    )


@pytest.mark.parametrize("index", [np.int32, np.int64])
@pytest.mark.parametrize("dtype", ["f", "d", np.int8, "V3"])
def test_gather_nd_matches_numpy(build, dtype, index):
    rng = np.random.RandomState(0)
    table = table_of(rng, (4, 5, 6, 7), dtype)
    for depth in (1, 2, 3, 4):
        for shape in ((1,), (70, 3), (), (900,)):
            points = rng.randint(0, [*table.shape[:depth]], (*shape, depth)).astype(index)
            got = gather.take_points(table, points)
            expected = table[tuple(points[..., i] for i in range(depth))]
            assert got.shape == expected.shape and got.dtype == table.dtype
            assert got.tobytes() == expected.tobytes()
            for wrong in (-1, table.shape[depth - 1]):
                bad = points.copy()
                bad.reshape(-1, depth)[-1, -1] = wrong
                assert gather.take_points(table, bad) is None
    assert gather.take_points(table[:0], np.zeros((3, 1), index)) is None
    got = gather.take_points(table[:, ::2], np.zeros((3, 1), index))
    assert got.tobytes() == table[[0, 0, 0], ::2].tobytes()
    assert gather.take_points(table, np.zeros((3, 2), index)[:, :1]) is None
    assert gather.take_points(table, np.zeros((0, 2), index)) is None


@pytest.mark.parametrize("index", [np.int32, np.int64])
@pytest.mark.parametrize("dtype", ["f", "d", np.int8, "V3"])
def test_gather_along_axis_matches_numpy(build, dtype, index):
    rng = np.random.RandomState(0)
    for shape, axis in (((5, 40), 1), ((3, 4, 9, 7), 2), ((3, 4, 9, 7), 3), ((2, 300, 3), 1)):
        table = table_of(rng, shape, dtype)
        for wanted_shape in ((), (1,), (2, 30)):
            ids = rng.randint(0, shape[axis], wanted_shape).astype(index)
            got = gather.take_along(table, ids, axis, 0)
            assert got.tobytes() == np.take(table, ids, axis).tobytes()
            assert got.shape == np.take(table, ids, axis).shape
            for wrong in (-1, shape[axis]):
                bad = ids.copy()
                bad.reshape(-1)[-1:] = wrong
                assert gather.take_along(table, bad, axis, 0) is None


def test_batched_gather_matches_numpy(build):
    rng = np.random.RandomState(0)
    table = rng.randn(6, 3, 50, 4).astype("f")
    ids = rng.randint(0, 3, (6, 7))
    expected = np.stack([each[at] for each, at in zip(table, ids)])
    np.testing.assert_array_equal(gather.take_along(table, ids, 1, 1), expected)
    ids = rng.randint(0, 50, (6, 2, 9)).astype(np.int32)
    expected = np.stack([each[:, at] for each, at in zip(table, ids)])
    np.testing.assert_array_equal(gather.take_along(table, ids, 2, 1), expected)


def test_missing_library_falls_back_to_numpy(use_build):
    use_build("0")
    table = np.ones((9, 9), "f")
    assert gather.take_points(table, np.zeros((5, 1), int)) is None
    assert gather.take_along(table, np.zeros(5, int), 1, 0) is None
    assert gather.one_hot(np.zeros(5, int), 5, 9, 1, np.float32(1), np.float32(0)) is None


@pytest.mark.parametrize("dtype", ["f", "d", "i4", "F"])
def test_one_hot_matches_numpy(build, monkeypatch, dtype):
    monkeypatch.setattr(gather, "_MIN_ONE_HOT_BYTES", 0)
    on, off = np.array([-3, 7]).astype(dtype)
    for outer, depth, inner in ((500, 7, 1), (3, 5, 40), (2, 0, 3), (1, 900, 1)):
        codes = np.random.RandomState(0).randint(-2, depth + 2, (outer, 1, inner))
        codes[0, 0, 0] = np.iinfo(np.int64).min
        expected = np.where(codes == np.arange(depth)[:, None], on, off).ravel()
        got = gather.one_hot(codes, outer, depth, inner, on, off)
        assert got.dtype == dtype and got.tobytes() == expected.tobytes()
    assert gather.one_hot(codes, 2, 900, 1, on, off) is None
    assert gather.one_hot(codes, 1, 900, 1, on, np.float16(0)) is None


@pytest.mark.parametrize("index", ["i4", "i8"])
def test_point_indices_are_raveled(build, index):
    rng = np.random.RandomState(0)
    shape = 7, 5, 3, 2
    for depth in (1, 2, 3, 4):
        points = np.stack([rng.randint(0, n, (4, 90)) for n in shape[:depth]], -1).astype(index)
        expected = np.ravel_multi_index(tuple(np.moveaxis(points, -1, 0)), shape[:depth]).ravel()
        np.testing.assert_array_equal(gather.number_points(points, shape), expected)
        for wrong in (-1, shape[depth - 1], np.iinfo(index).min):
            points[2, 50, -1] = wrong
            assert gather.number_points(points, shape) is None
    assert gather.number_points(np.zeros((3, 5), index), shape) is None
    assert gather.number_points(np.zeros((3, 2), "i2"), shape) is None
