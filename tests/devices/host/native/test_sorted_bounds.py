"""Insertion positions in rows compared with NumPy's: sizes, repeated elements, NaN among the values, threads."""

import numpy as np
import pytest

from tfmini._src.devices.host.native import sorted_bounds


@pytest.mark.parametrize("threads", [1, 3])
@pytest.mark.parametrize("dtype", "fdil")
def test_bounds_match_numpy(build, monkeypatch, threads, dtype):
    monkeypatch.setattr(sorted_bounds, "thread_count", lambda: threads)
    monkeypatch.setattr(sorted_bounds, "_MIN_PARALLEL_VALUES", 1)
    rng = np.random.default_rng(0)
    for size in (0, 1, 2, 7, 64):
        lines = np.sort(rng.integers(-9, 9, (40, size)), 1).astype(dtype)
        values = rng.integers(-12, 12, (40, 5)).astype(dtype)
        for side in ("left", "right"):
            actual = sorted_bounds.bounds(lines, values, side == "right")
            expected = [line.searchsorted(row, side) for line, row in zip(lines, values)]
            np.testing.assert_array_equal(actual, expected)
        if dtype in "fd":  # every comparison with NaN is false
            values[:] = np.nan
            assert (sorted_bounds.bounds(lines, values, False) == 0).all()
            assert (sorted_bounds.bounds(lines, values, True) == size).all()
    assert sorted_bounds.bounds(lines[:3], values, False) is None
    assert sorted_bounds.bounds(lines.astype(object), values.astype(object), False) is None
