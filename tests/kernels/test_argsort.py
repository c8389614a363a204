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
    places = np.random.RandomState(0).randint(-1, extent + 1, count).astype(dtype)
    found, order = argsort.stable_order(xp, xp.asarray(places), extent)
    known = np.where((places < 0) | (places >= extent), extent, places)
    np.testing.assert_array_equal(order, np.argsort(known, kind="stable"))
    np.testing.assert_array_equal(found, np.sort(known))
    assert found.dtype == order.dtype == np.int64


@pytest.mark.parametrize("count", [300, 5000])
def test_thread_order_does_not_change_results(order, count):
    places = np.random.RandomState(1).randint(0, 1000, count)
    found, numbers = argsort.stable_order(xp, xp.asarray(places), 1000)
    np.testing.assert_array_equal(numbers, np.argsort(places, kind="stable"))
    np.testing.assert_array_equal(found, np.sort(places))


def test_keys_beyond_32_bits():
    places = np.random.RandomState(1).randint(0, 2**40, 3000)
    found, numbers = argsort.stable_order(xp, xp.asarray(places), 2**40)
    np.testing.assert_array_equal(numbers, np.argsort(places, kind="stable"))
    np.testing.assert_array_equal(found, np.sort(places))


def test_equal_and_sorted_keys():
    for places in (np.zeros(4000, int), np.arange(4000), np.arange(4000)[::-1].copy()):
        found, numbers = argsort.stable_order(xp, xp.asarray(places), 4000)
        np.testing.assert_array_equal(numbers, np.argsort(places, kind="stable"))
        np.testing.assert_array_equal(found, np.sort(places))
