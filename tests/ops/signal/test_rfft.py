"""tf.signal.rfft and irfft against numpy."""

import numpy as np
import pytest

import tfmini as tf
from tests.support.sessions import run

X = np.random.RandomState(0).uniform(-1, 1, (2, 3, 8)).astype("f")


def close(actual, expected):
    assert actual.shape == expected.shape
    np.testing.assert_allclose(actual, expected, rtol=1e-4, atol=1e-4)


@pytest.mark.parametrize("rank", [1, 2, 3])
@pytest.mark.parametrize("lengths", [None, (3, 4, 9), (1, 2, 6)], ids=str)
def test_rfft_and_irfft(rank, lengths):
    suffix = {1: "", 2: "2d", 3: "3d"}[rank]
    axes = tuple(range(-rank, 0))
    lengths = lengths and lengths[-rank:]
    forward = getattr(tf.signal, "rfft" + suffix)(X, lengths)
    close(run(forward), np.fft.rfftn(X, lengths, axes))
    spectrum = np.fft.rfftn(X, axes=axes).astype("F")
    close(
        run(getattr(tf.signal, "irfft" + suffix)(spectrum, lengths)),
        np.fft.irfftn(spectrum, lengths, axes),
    )
