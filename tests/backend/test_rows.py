"""Sums of rows by an index equal numpy's own, slow, way."""

import numpy as np
import pytest

from tfmini.backend import rows as rows_


def by_hand(rows, ids, count):
    total = np.zeros((count, *rows.shape[1:]), rows.dtype)
    np.add.at(total, ids, rows)
    return total


@pytest.mark.parametrize("dtype", [np.float32, np.float64, np.int32, np.int64, np.complex64])
@pytest.mark.parametrize("shape", [(700, 50), (600, 9, 7), (40_000,)], ids=str)
def test_sums(dtype, shape):
    random = np.random.RandomState(0)
    rows = (random.rand(*shape) * 9).astype(dtype)
    ids = random.randint(0, 30, shape[0])
    assert rows_.suits(rows, ids)
    got = rows_.sum_rows(rows, ids, 33)
    assert got.dtype == dtype
    np.testing.assert_allclose(got, by_hand(rows, ids, 33), rtol=2e-4)


@pytest.mark.parametrize("count", [100, 9000])
def test_adds_in_place(count):
    random = np.random.RandomState(1)
    array = random.rand(count, 60).astype(np.float32)
    ids = random.randint(0, count, 800)
    rows = random.rand(800, 60).astype(np.float32)
    wanted = array.copy()
    np.add.at(wanted, ids, rows)
    rows_.add_rows(array, ids, rows)
    np.testing.assert_allclose(array, wanted, rtol=1e-5)


def test_small_and_other_types_are_left_to_the_caller():
    assert not rows_.suits(np.zeros((3, 3), np.float32), np.zeros(3, int))
    assert not rows_.suits(np.zeros((900, 300), np.float16), np.zeros(900, int))
    assert not rows_.suits(np.zeros((900, 300), np.float32), np.zeros(0, int))
