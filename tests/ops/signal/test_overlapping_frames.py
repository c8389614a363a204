"""tf.signal.frame."""

import numpy as np
import pytest

import tfmini as tf
from tests.support.sessions import run

X = np.random.RandomState(0).uniform(-1, 1, (2, 3, 8)).astype("f")


def close(got, want):
    assert got.shape == want.shape
    np.testing.assert_allclose(got, want, rtol=1e-4, atol=1e-4)


@pytest.mark.parametrize("length, step", [(3, 1), (4, 2), (2, 3), (8, 8)])
def test_frame(length, step):
    want = np.lib.stride_tricks.sliding_window_view(X, length, axis=-1)[..., ::step, :]
    close(run(tf.signal.frame(X, length, step)), want)
    added = np.zeros((2, 3, length + step * (want.shape[-2] - 1)), "f")
    for number in range(want.shape[-2]):
        added[..., number * step : number * step + length] += want[..., number, :]
    close(run(tf.signal.overlap_and_add(want, step)), added)
