"""Stable sort of positions, compared with NumPy's."""

import numpy as np
import pytest

from tests.kernels.device import xp
from tests.support import cases
from tfmini._src.devices.cuda import argsort


@cases.in_one_test
@pytest.mark.parametrize("dtype", ["int32", "int64"])
@pytest.mark.parametrize("count", [0, 1, 256, 257, 2049, 10_000])
@pytest.mark.parametrize("extent", [1, 256, 70_000])
def test_stable_order(count, extent, dtype):
    indices = np.random.RandomState(0).randint(-1, extent + 1, count).astype(dtype)
    result, order = argsort.stable_order(xp, xp.asarray(indices), extent)
    known = np.where((indices < 0) | (indices >= extent), extent, indices)
    np.testing.assert_array_equal(order, np.argsort(known, kind="stable"))
    np.testing.assert_array_equal(result, np.sort(known))
    assert result.dtype == order.dtype == np.int64


@pytest.mark.parametrize("count", [300, 5000])
def test_thread_order_does_not_change_results(order, count):
    indices = np.random.RandomState(1).randint(0, 1000, count)
    result, numbers = argsort.stable_order(xp, xp.asarray(indices), 1000)
    np.testing.assert_array_equal(numbers, np.argsort(indices, kind="stable"))
    np.testing.assert_array_equal(result, np.sort(indices))


def test_keys_beyond_32_bits():
    indices = np.random.RandomState(1).randint(0, 2**40, 3000)
    result, numbers = argsort.stable_order(xp, xp.asarray(indices), 2**40)
    np.testing.assert_array_equal(numbers, np.argsort(indices, kind="stable"))
    np.testing.assert_array_equal(result, np.sort(indices))


def test_equal_and_sorted_keys():
    for indices in (np.zeros(4000, int), np.arange(4000), np.arange(4000)[::-1].copy()):
        result, numbers = argsort.stable_order(xp, xp.asarray(indices), 4000)
        np.testing.assert_array_equal(numbers, np.argsort(indices, kind="stable"))
        np.testing.assert_array_equal(result, np.sort(indices))
