"""Complex exponentials compared with NumPy's in double precision, and with the C library's special cases."""

import numpy as np
import pytest

from tfmini._src.devices.host.native.math import complex_exponential
from tfmini._src.devices.host.native.math.complex_exponential import exponential


@np.errstate(all="ignore")
@pytest.mark.parametrize("threads", [1, 3])
def test_values_match_numpy(build, monkeypatch, threads):
    monkeypatch.setattr(complex_exponential, "thread_count", lambda: threads)
    rng = np.random.default_rng(0)
    for size in (1, 63, 64, 65, 9001):
        inputs = (rng.normal(0, 20, size) + 1j * rng.normal(0, 300, size)).astype("F")
        got, expected = exponential(inputs), np.exp(inputs.astype("D"))
        for part, exact in ((got.real, expected.real), (got.imag, expected.imag)):
            unit = np.spacing(np.maximum(np.abs(exact), 1e-37).astype("f"))
            assert (np.abs(part - exact) <= unit).all()
    special = [0.0, -0.0, 1.0, -1.0, np.inf, -np.inf, np.nan, 89.0, -104.0, 1e7, -1e30, 3e38]
    inputs = np.array([complex(a, b) for a in special for b in special], "F")
    got, expected = exponential(inputs), np.exp(inputs)
    for part, exact in ((got.real, expected.real), (got.imag, expected.imag)):
        exact[np.abs(exact) < 1e-37] *= 0  # threads may flush them
        np.testing.assert_allclose(np.where(np.abs(part) < 1e-37, part * 0, part), exact, 2e-7)
        np.testing.assert_array_equal(
            np.signbit(part)[exact == exact], np.signbit(exact)[exact == exact]
        )
    assert exponential(inputs[::2]).shape == (72,) and exponential(inputs[:0]).shape == (0,)
    assert exponential(inputs.astype("D")).dtype == np.complex128
