"""Integer quotients and remainders compared with NumPy's: signs, exact ones and their neighbors, limits, threads."""

import numpy as np
import pytest

from tfmini._src.devices.host.native.math import integer_division
from tfmini._src.devices.host.native.math.integer_division import divide_integers


@pytest.mark.parametrize("threads", [1, 3])
@pytest.mark.parametrize("dtype, most", [("i", 1 << 30), ("l", 1 << 50)])
def test_quotients_match_numpy(build, monkeypatch, threads, dtype, most):
    monkeypatch.setattr(integer_division, "thread_count", lambda: threads)
    rng = np.random.default_rng(0)
    for size in (512, 575, 576, 577, 70_001):
        y = rng.integers(-most, most + 1, size) >> rng.integers(0, 45, size) % (most.bit_length())
        y[y == 0] = rng.choice([1, -1, most, -most])
        x = np.clip(y * rng.integers(-9, 9, size) + rng.integers(-1, 2, size), -most, most)
        x[::3] = rng.integers(-most, most + 1, x[::3].size)
        x, y = x.astype(dtype), y.astype(dtype)
        for name in ("floor_divide", "remainder"):
            for divisor in (y, y[0], y[:1].reshape(())):
                got = divide_integers(name, x, np.asarray(divisor))
                assert got.dtype == x.dtype
                np.testing.assert_array_equal(got, getattr(np, name)(x, divisor))
            for at in (0, size - 1):  # NumPy handles larger ones, the op rejects 0
                for wrong in (0, most + 1, np.iinfo(dtype).min, np.iinfo(dtype).max):
                    assert (
                        divide_integers(
                            name, x, np.where(np.arange(size) == at, wrong, y).astype(dtype)
                        )
                        is None
                    )
                    if wrong:
                        assert (
                            divide_integers(
                                name, np.where(np.arange(size) == at, wrong, x).astype(dtype), y
                            )
                            is None
                        )
    assert divide_integers("remainder", x[::2], y[::2]) is None
    assert divide_integers("remainder", x[:600].reshape(2, 300), y[:300]) is None
