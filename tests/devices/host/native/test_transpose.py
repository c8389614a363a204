"""Materialized transposed arrays, compared with NumPy's."""

import itertools

import numpy as np
import pytest

from tfmini._src.devices.host.native import transpose


@pytest.fixture(autouse=True)
def low_thresholds(monkeypatch):
    monkeypatch.setattr(transpose, "SMALL_COPY_ELEMENTS", 1)
    monkeypatch.setattr(transpose, "_MIN_PARALLEL_ELEMENTS", 1 << 10)


@pytest.mark.parametrize("dtype", ["f", "d", np.int32, "F", "M8[s]"])
def test_transpose_matches_numpy(build, dtype):
    rng = np.random.RandomState(0)
    copied = 0
    for shape in ((40, 33), (16, 16), (5, 17, 6), (4, 5, 6, 7), (3, 1, 20, 18), (2, 4, 3, 5, 6)):
        size = int(np.prod(shape)) * np.dtype(dtype).itemsize
        array = np.frombuffer(rng.bytes(size), dtype).reshape(shape)
        for order in itertools.permutations(range(len(shape))):
            transposed = array.transpose(order)
            got = transpose.in_order(transposed)
            assert got.shape == transposed.shape and got.dtype == transposed.dtype
            assert got.tobytes() == transposed.tobytes()
            assert got is transposed or got.flags.c_contiguous
            copied += got is not transposed
    assert copied > 30


def test_transposed_views(build):
    array = np.arange(60 * 50 * 8.0).reshape(60, 50, 8)
    for transposed in (
        array[3:50, 1:40].T,
        array[::2].transpose(2, 1, 0),
        array[:, ::-1].T,
        array[5].T,
    ):
        got = transpose.in_order(transposed)
        assert got is not transposed
        np.testing.assert_array_equal(got, transposed)


def test_unsupported_inputs_fall_back_to_numpy(build, use_build):
    array = np.ones((40, 40), "f")
    for kept in (
        array,
        array[:, ::2],
        array[:, ::2].T[::-1],
        array.astype(np.float16).T,
        array[:3].T,
        array.astype(object).T,
        array[:0].T,
        np.broadcast_to(np.float32(1), (40, 40)).T,
    ):
        assert transpose.in_order(kept) is kept
    use_build("0")
    assert transpose.in_order(array.T).base is array
