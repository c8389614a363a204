"""Histograms compared with NumPy's formula: values on bin edges, outliers, NaN, threads."""

import numpy as np
import pytest

from tfmini._src.devices.host.native.math import histogram as native


@pytest.mark.parametrize("threads", [1, 3])
@pytest.mark.parametrize("dtype", "fd")
def test_counts_match_numpy(build, monkeypatch, threads, dtype):
    monkeypatch.setattr(native, "thread_count", lambda: threads)
    for size, bins in ((0, 3), (1, 1), (257, 7), (100_001, 50)):
        values = np.random.default_rng(0).uniform(-2, 3, size).astype(dtype)
        values[::5] = np.round(values[::5], 1)
        values[1:4] = [np.inf, -np.inf, -0.0][: values[1:4].size]
        low, width = np.dtype(dtype).type(-1), np.float64(3 / bins)
        positions = np.clip((values - low).astype("d") / width, 0, bins - 1).astype(int)
        result = native.histogram(values.reshape(1, -1), low, width, bins)
        np.testing.assert_array_equal(result, np.bincount(positions, minlength=bins))
    assert native.histogram(values[::2], low, width, bins) is None
    values[-1] = np.nan
    assert native.histogram(values, low, width, bins) is None
