"""Extremes and sums of rows, against numpy."""

import numpy as np
import pytest

from tfmini.backend.native import rows

SHAPES = [(5000, 1), (700, 17), (3, 4001), (1100, 1000)]


@pytest.mark.parametrize("dtype", ["f", "d"])
@pytest.mark.parametrize("name", ["maximum", "minimum", "fmax", "fmin"])
def test_extremes_of_rows(build, name, dtype):
    for shape in SHAPES:
        x = np.random.RandomState(shape[1]).randn(*shape).astype(dtype)
        x[::3, shape[1] // 2] = np.nan
        x[1] = np.nan
        limit = -np.inf if "max" in name else np.inf
        wanted = getattr(np, name).reduce(x, axis=1, initial=limit)
        np.testing.assert_array_equal(rows.extremes(name, x, limit), wanted)


@pytest.mark.parametrize("index", [np.int32, np.int64])
@pytest.mark.parametrize("dtype", ["f", "d", np.int32, np.int64])
def test_sums_of_rows_with_an_id(build, dtype, index):
    rng = np.random.RandomState(0)
    for columns in (1, 7, 300):
        count = 6000 // columns + 20
        given = rng.randint(-99, 99, (count, columns)).astype(dtype)
        ids = rng.randint(0, 30, count).astype(index)
        wanted = np.zeros((31, columns), dtype)
        np.add.at(wanted, ids, given)
        np.testing.assert_array_equal(rows.sum_rows(given, ids, 31), wanted)
        array = np.ones((31, columns), dtype)
        assert rows.add_rows(array, ids, given)
        np.testing.assert_array_equal(array, wanted + 1)


def test_what_does_not_suit_is_left_alone(build):
    given, ids = np.ones((5000, 2), "f"), np.zeros(5000, int)
    array = np.zeros((3, 2), "d")
    assert not rows.add_rows(array, ids, given)
    assert rows.sum_rows(given.astype(np.float16), ids, 3) is None
    assert rows.sum_rows(given[::2], ids[::2], 3) is None
    assert rows.extremes("maximum", given[:10], -np.inf) is None
    assert not array.any()
