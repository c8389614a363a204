"""tf.signal.linear_to_mel_weight_matrix."""

import numpy as np
import pytest

import tfmini as tf
from tests.support.lazy_modules import scipy
from tests.support.sessions import run

X = np.random.RandomState(0).uniform(-1, 1, (2, 3, 8)).astype("f")


def close(actual, expected):
    assert actual.shape == expected.shape
    np.testing.assert_allclose(actual, expected, rtol=1e-4, atol=1e-4)


def test_mel_bins_are_triangles():
    weights = run(tf.signal.linear_to_mel_weight_matrix(8, 65, 8000))
    assert weights.shape == (65, 8) and (weights >= 0).all() and not weights[0].any()
    peaks = weights.argmax(axis=0)
    assert (np.diff(peaks) > 0).all()


def test_mfccs_of_unknown_bin_count():
    bins = tf.placeholder(tf.float32, [2, 3, None])
    result = tf.signal.mfccs_from_log_mel_spectrograms(bins)
    with tf.Session() as session:
        close(session.run(result, {bins: X}), scipy.fft.dct(X) / np.sqrt(2 * X.shape[-1]))
    with pytest.raises(ValueError, match="^num_mel_bins must be positive. Got: Tensor"):
        tf.signal.mfccs_from_log_mel_spectrograms(tf.zeros([2, 3, 0]))
