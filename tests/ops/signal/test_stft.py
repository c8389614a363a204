"""tf.signal.stft and inverse_stft."""

import numpy as np

import tfmini as tf
from tests.support.sessions import run


def close(actual, expected):
    assert actual.shape == expected.shape
    np.testing.assert_allclose(actual, expected, rtol=1e-4, atol=1e-4)


def test_inverse_stft_restores_the_signal():
    x = np.random.RandomState(3).uniform(-1, 1, 64).astype("f")
    spectra = tf.signal.stft(x, 16, 4)
    window = tf.signal.inverse_stft_window_fn(4)
    back = run(tf.signal.inverse_stft(spectra, 16, 4, window_fn=window))
    close(back[16:48], x[16:48])
