"""The order of equal elements, recorded from numpy 1.18.5."""

import numpy as np
import pytest

from tfmini._src.programs.runner import call_shims

SEVENS = np.arange(40) * 7 % 5
BITS = np.array([[1, 0] * 20, list(range(40))])
NEGATIVE = -np.float32(np.where(np.arange(36) % 6, np.arange(36) % 4, np.nan))


@pytest.mark.parametrize(
    "function, args, kwargs, expected",
    [
        (SEVENS.argsort, (), {}, "0 20 15 30 10 25 35 5 23 8 33 28 13 3 38 18 6 21 1 36"),
        (NEGATIVE.argsort, (0,), {}, "35 15 23 11 7 27 19 31 3 26 34 10 2 22 14 33 21 29 25 17"),
        (BITS.argsort, (), {"axis": 1}, "19 37 35 33 31 29 27 25 23 21 17 15 13 39 11 1 3 9 7 5"),
        (np.argsort, (BITS, None), {}, "39 25 29 23 21 31 19 17 33 15 35 13"),
        (np.argsort, (["b", "a", "b"] * 7,), {}, "10 1 4 16 7 13 19 18 17 15 14 12 0 9 8 6 5 3"),
        (np.argsort, (), {"a": SEVENS}, "0 20 15 30 10"),
        (SEVENS[:16].argsort, (), {}, "0 5 10 15 3 8 13 1 6 11 4 9 14 2 7 12"),
        (SEVENS.argsort, (-1, "stable"), {}, "0 5 10 15 20 25 30 35 3 8"),
        (np.argsort, (SEVENS,), {"kind": "mergesort"}, "0 5 10 15 20 25 30 35 3 8"),
    ],
)
def test_equal_elements(function, args, kwargs, expected):
    order = np.ravel(call_shims.call(function, *args, **kwargs))
    assert sorted(set(order)) == list(range(order.max() + 1))
    expected = list(map(int, expected.split()))
    assert order[: len(expected)].tolist() == expected


def test_argsort_of_columns_and_scalars():
    columns = call_shims.call(np.argsort, BITS.T.copy(), 0)
    assert columns[:, 0].tolist() == call_shims.call(BITS.argsort)[0].tolist()
    assert columns[:, 1].tolist() == list(range(40))
    assert call_shims.call(np.argsort, 3).shape == np.argsort(3).shape


def test_large_arrays_and_subclasses_sort_stably():
    zeros = np.zeros(20000)
    assert call_shims.call(zeros.argsort).tolist() == list(range(20000))
    masked = np.ma.array([1, 0] * 10)
    assert call_shims.call(masked.argsort).tolist() == [*range(1, 20, 2), *range(0, 20, 2)]
