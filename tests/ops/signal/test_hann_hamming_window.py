"""tf.signal.hann_window and hamming_window against scipy."""

import numpy as np
import pytest

import tfmini as tf
from tests.support.late_modules import LateModule
from tests.support.sessions import run

scipy_signal = LateModule("scipy.signal")


def close(got, want):
    assert got.shape == want.shape
    np.testing.assert_allclose(got, want, rtol=1e-4, atol=1e-4)


@pytest.mark.parametrize("length", [1, 4, 5])
@pytest.mark.parametrize("name", ["hann", "hamming"])
def test_hann_and_hamming(length, name):
    made = run(getattr(tf.signal, name + "_window")(length, periodic=False, dtype=tf.float64))
    close(made, scipy_signal.get_window(name, length, fftbins=False))
