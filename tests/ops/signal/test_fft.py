"""tf.signal.fft, ifft, fftshift against numpy."""

import numpy as np
import pytest

import tfmini as tf
from tests.support.sessions import run

X = np.random.RandomState(0).uniform(-1, 1, (2, 3, 8)).astype("f")


def close(actual, expected):
    assert actual.shape == expected.shape
    np.testing.assert_allclose(actual, expected, rtol=1e-4, atol=1e-4)


@pytest.mark.parametrize("rank", [1, 2, 3])
def test_fft_and_ifft(rank):
    suffix = {1: "", 2: "2d", 3: "3d"}[rank]
    axes, z = tuple(range(-rank, 0)), (X + 1j * X[::-1]).astype("F")
    close(run(getattr(tf.signal, "fft" + suffix)(z)), np.fft.fftn(z, axes=axes))
    close(run(getattr(tf.spectral, "ifft" + suffix)(z)), np.fft.ifftn(z, axes=axes))


@pytest.mark.parametrize("axes", [None, 1, [0, 2]], ids=str)
def test_fftshift(axes):
    close(run(tf.signal.fftshift(X, axes)), np.fft.fftshift(X, axes))
    close(run(tf.signal.ifftshift(X, axes)), np.fft.ifftshift(X, axes))
