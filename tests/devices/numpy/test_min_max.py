"""Every form of minimum and maximum equals NumPy's reduction."""

import itertools

import numpy as np
import pytest

from tests.support import cases
from tfmini._src.devices.host import threads
from tfmini._src.devices.numpy.min_max import reduce_axes, row_extremes

RANDOM = np.random.RandomState(4)
# Transposed, folded with and without a rest, in parts, plain, empty.
SHAPES = [
    *[(7,), (1, 1), (5, 16), (5, 17), (3000, 3), (3001, 1000), (3001, 7), (2049, 512)],
    *[(2, 3, 4), (40, 50, 30), (20, 300, 200), (2, 3, 4, 5), (0, 3), (3, 0), (2, 0, 3)],
]


def values_of(shape, kind):
    if kind in "fd":
        values = RANDOM.randn(*shape).astype(kind)
        values[RANDOM.rand(*shape) < 0.2] = np.nan
        values[RANDOM.rand(*shape) < 0.1] = -np.inf
        return values
    return RANDOM.randint(0, 99, shape).astype(kind)


@pytest.fixture(autouse=True)
def two_threads(monkeypatch):
    pool = threads._Threads()
    pool.count = 2
    monkeypatch.setattr(threads, "_threads", pool)


@cases.in_one_test
@pytest.mark.parametrize("shape", SHAPES, ids=str)
@pytest.mark.parametrize("kind", ["f", "d", "i4", "u1"])
def test_all_axis_subsets(shape, kind):
    values = values_of(shape, kind)
    if kind in "fd":
        forms = [(np.fmax, -np.inf), (np.fmin, np.inf), (np.maximum, -np.inf)]
    else:
        forms = [(np.maximum, np.iinfo(kind).min), (np.minimum, np.iinfo(kind).max)]
    rank = len(shape)
    every = [a for n in range(rank + 1) for a in itertools.combinations(range(rank), n)]
    for (reduce, limit), axes, keep_dims in itertools.product(forms, every, (False, True)):
        expected = reduce.reduce(values, axis=axes, keepdims=keep_dims, initial=limit)
        for array in (values, np.asfortranarray(values)):
            got = reduce_axes(reduce, array, axes, keep_dims, limit)
            assert got.dtype == kind and got.shape == expected.shape
            np.testing.assert_array_equal(got, expected)


@pytest.mark.parametrize("columns", [1, 16, 17, 2000])
def test_strided_rows(columns):
    values = values_of((900, 2 * columns), "f")[:, ::2]
    expected = np.fmin.reduce(values, axis=1, initial=np.inf)
    np.testing.assert_array_equal(row_extremes(np.fmin, values, np.inf), expected)
