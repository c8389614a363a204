"""tf.signal.frame."""

import numpy as np
import pytest

import tfmini as tf
from tests.support.sessions import run

X = np.random.RandomState(0).uniform(-1, 1, (2, 3, 8)).astype("f")


def close(actual, expected):
    assert actual.shape == expected.shape
    np.testing.assert_allclose(actual, expected, rtol=1e-4, atol=1e-4)


@pytest.mark.parametrize("length, step", [(3, 1), (4, 2), (2, 3), (8, 8)])
def test_frame(length, step):
    expected = np.lib.stride_tricks.sliding_window_view(X, length, axis=-1)[..., ::step, :]
    close(run(tf.signal.frame(X, length, step)), expected)
    added = np.zeros((2, 3, length + step * (expected.shape[-2] - 1)), "f")
    for index in range(expected.shape[-2]):
        added[..., index * step : index * step + length] += expected[..., index, :]
    close(run(tf.signal.overlap_and_add(expected, step)), added)
