"""Rows scattered by index: sums and writes equal NumPy's slower `ufunc.at`."""

import numpy as np
import pytest

from tests.devices.numpy.windows.loops import Nothing
from tests.support import cases
from tfmini._src.devices.numpy import row_scatter as rows_


@pytest.fixture(autouse=True, params=["kernels", "numpy"])
def by(request, monkeypatch):
    """With kernels, if built, and by NumPy only."""
    if request.param == "numpy":
        monkeypatch.setattr(rows_, "native", Nothing())
    return request.param


def by_hand(rows, ids, count):
    total = np.zeros((count, *rows.shape[1:]), rows.dtype)
    np.add.at(total, ids, rows)
    return total


@cases.in_one_test
@pytest.mark.parametrize("dtype", [np.float32, np.float64, np.int32, np.int64, np.complex64])
@pytest.mark.parametrize("shape", [(700, 50), (600, 9, 7), (40_000,)], ids=str)
def test_row_sums_match_numpy(dtype, shape):
    random = np.random.RandomState(0)
    rows = (random.rand(*shape) * 9).astype(dtype)
    ids = random.randint(0, 30, shape[0])
    assert rows_.is_applicable(rows, ids)
    got = rows_.sum_rows(rows, ids, 33)
    assert got.dtype == dtype
    np.testing.assert_allclose(got, by_hand(rows, ids, 33), rtol=2e-4)


@pytest.mark.parametrize("count", [100, 9000])
def test_rows_are_added_in_place(count):
    random = np.random.RandomState(1)
    array = random.rand(count, 60).astype(np.float32)
    ids = random.randint(0, count, 800)
    rows = random.rand(800, 60).astype(np.float32)
    expected = array.copy()
    np.add.at(expected, ids, rows)
    rows_.add_rows(array, ids, rows)
    np.testing.assert_allclose(array, expected, rtol=1e-5)


def test_small_and_unsupported_inputs_are_rejected():
    assert not rows_.is_applicable(np.zeros((3, 3), np.float32), np.zeros(3, int))
    assert not rows_.is_applicable(np.zeros((900, 300), np.float16), np.zeros(900, int))
    assert not rows_.is_applicable(np.zeros((900, 300), np.float32), np.zeros(0, int))


SHAPES = [(5,), (4, 3), (4, 2, 3), (3, 0), (1000, 70), (2100, 1000)]


@cases.in_one_test
@pytest.mark.parametrize("shape", SHAPES, ids=str)
@pytest.mark.parametrize("count", [0, 1, 7, 2300])
@pytest.mark.parametrize("dtype", ["f", "S3", "?", object, "D"])
def test_last_duplicate_row_wins(by, shape, count, dtype):
    if by == "numpy" and shape == SHAPES[-1] and dtype != "f":
        return  # as with "f"
    if shape == SHAPES[-1]:  # 8 MB count as large, for any dtype
        shape = shape[0], min(shape[1], 4000 // np.dtype(dtype).itemsize)
    random = np.random.RandomState(2)
    array = random.randint(0, 9, shape, "i1").astype(dtype)
    ids = random.randint(0, shape[0], count).astype("i4")
    rows = random.randint(9, 99, (count, *shape[1:]), "i1").astype(dtype)
    expected = array.copy()
    for at, row in zip(ids, rows):
        expected[at] = row
    rows_.set_rows(array, ids, rows)
    np.testing.assert_array_equal(array, expected)


@pytest.mark.parametrize("count", [1, 4, 5, 40])
def test_scatter_add_with_few_and_many_rows(count):
    """By a full-size sum for many rows, else only at their targets."""
    array = np.arange(60.0).reshape(20, 3)
    ids = np.arange(count) * 7 % 20
    rows = np.arange(3.0 * count).reshape(count, 3)
    expected = array.copy()
    for at, row in zip(ids, rows):
        expected[at] += row
    rows_.add_rows(array, ids, rows)
    np.testing.assert_array_equal(array, expected)


@pytest.mark.parametrize("rows", [90, 100, 128])
def test_wide_rows_are_set_in_blocks(monkeypatch, rows):
    monkeypatch.setattr(rows_, "_MIN_SORTED_BYTES", 1)
    monkeypatch.setattr(rows_, "_BLOCK", 1 << 12)
    random = np.random.RandomState(3)
    array, inputs = random.rand(rows, 64), random.rand(3 * rows, 64)
    ids = random.randint(0, rows, 3 * rows)
    ids[ids == 7] = 8  # one is unchanged
    expected = array.copy()
    for at, row in zip(ids, inputs):
        expected[at] = row
    rows_.set_rows(array, ids, inputs)
    np.testing.assert_array_equal(array, expected)


def test_any_layout_and_dtype():
    rows = np.arange(6.0).reshape(2, 3)
    for value in (rows, rows.astype("f"), np.asfortranarray(rows), np.broadcast_to(7.0, (2, 3))):
        for array in (np.zeros((3, 3)), np.zeros((3, 3), order="F"), np.zeros((3, 6))[:, ::2]):
            rows_.set_rows(array, np.array([2, 0]), value)
            assert array.tolist() == [value[1].tolist(), [0, 0, 0], value[0].tolist()]
