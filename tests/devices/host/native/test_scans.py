"""Cumulative sums and products equal NumPy's, at every position in a block."""

import itertools

import numpy as np
import pytest

from tfmini._src.devices.host.native.scans import scan

SHAPES = [(300,), (1, 300), (19, 31), (9, 1, 40), (5, 12, 7), (600, 2, 120)]


@pytest.mark.parametrize("dtype", ["f", "d", np.int32, np.int64])
@pytest.mark.parametrize("name", ["add", "multiply"])
def test_scans_match_numpy(build, use_build, name, dtype):
    ufunc = getattr(np, name)
    for shape in SHAPES:
        x = (np.random.RandomState(0).randn(*shape) * 3).astype(dtype)
        if x.dtype.kind == "f":
            x.flat[7], x.flat[8] = -0.0, np.nan
        for axis, exclusive, reverse in itertools.product(
            range(x.ndim), (False, True), (False, True)
        ):
            rows = np.moveaxis(x, axis, 0)[:: -1 if reverse else 1]
            with np.errstate(all="ignore"):
                sums = ufunc.accumulate(rows, 0, dtype)
            if exclusive:
                sums = np.concatenate([np.full_like(sums[:1], name == "multiply"), sums[:-1]])
            expected = np.moveaxis(sums[:: -1 if reverse else 1], 0, axis)
            np.testing.assert_array_equal(scan(name, x, axis, exclusive, reverse), expected)
    assert scan("add", x[:, :, ::2], 0, False, False) is None
    use_build("0")
    assert scan("add", x, 0, False, False) is None
