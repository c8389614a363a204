"""Transforms, windows and frames against numpy and scipy."""

import numpy as np
import pytest
from scipy import fft as scipy_fft

import tfmini as tf
from tests.support.late_modules import LateModule

scipy_signal = LateModule("scipy.signal")

X = np.random.RandomState(0).uniform(-1, 1, (2, 3, 8)).astype("f")


def run(fetch):
    with tf.Session() as session:
        return session.run(fetch)


def close(got, want):
    assert got.shape == want.shape
    np.testing.assert_allclose(got, want, rtol=1e-4, atol=1e-4)


@pytest.mark.parametrize("rank", [1, 2, 3])
def test_complex(rank):
    suffix = {1: "", 2: "2d", 3: "3d"}[rank]
    axes, z = tuple(range(-rank, 0)), (X + 1j * X[::-1]).astype("F")
    close(run(getattr(tf.signal, "fft" + suffix)(z)), np.fft.fftn(z, axes=axes))
    close(run(getattr(tf.spectral, "ifft" + suffix)(z)), np.fft.ifftn(z, axes=axes))


@pytest.mark.parametrize("rank", [1, 2, 3])
@pytest.mark.parametrize("lengths", [None, (3, 4, 9), (1, 2, 6)], ids=str)
def test_real(rank, lengths):
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


@pytest.mark.parametrize("axes", [None, 1, [0, 2]], ids=str)
def test_shifts(axes):
    close(run(tf.signal.fftshift(X, axes)), np.fft.fftshift(X, axes))
    close(run(tf.signal.ifftshift(X, axes)), np.fft.ifftshift(X, axes))


@pytest.mark.parametrize("kind", [1, 2, 3])
@pytest.mark.parametrize("norm", [None, "ortho"])
@pytest.mark.parametrize("n", [None, 5, 11])
def test_cosine_transforms(kind, norm, n):
    if kind == 1 and norm:
        with pytest.raises(
            ValueError, match="^Normalization is not supported for the Type-I DCT.$"
        ):
            tf.signal.dct(X, kind, norm=norm)
        return
    close(run(tf.signal.dct(X, kind, n, norm=norm)), scipy_fft.dct(X, kind, n, norm=norm))
    inverse = {1: 1, 2: 3, 3: 2}[kind]
    close(run(tf.signal.idct(X, kind, n, norm=norm)), scipy_fft.dct(X, inverse, n, norm=norm))


@pytest.mark.parametrize("length", [1, 4, 5])
@pytest.mark.parametrize("name", ["hann", "hamming"])
def test_windows(length, name):
    made = run(getattr(tf.signal, name + "_window")(length, periodic=False, dtype=tf.float64))
    close(made, scipy_signal.get_window(name, length, fftbins=False))


@pytest.mark.parametrize("length, step", [(3, 1), (4, 2), (2, 3), (8, 8)])
def test_frames(length, step):
    want = np.lib.stride_tricks.sliding_window_view(X, length, axis=-1)[..., ::step, :]
    close(run(tf.signal.frame(X, length, step)), want)
    added = np.zeros((2, 3, length + step * (want.shape[-2] - 1)), "f")
    for number in range(want.shape[-2]):
        added[..., number * step : number * step + length] += want[..., number, :]
    close(run(tf.signal.overlap_and_add(want, step)), added)


def test_a_signal_comes_back():
    x = np.random.RandomState(3).uniform(-1, 1, 64).astype("f")
    spectra = tf.signal.stft(x, 16, 4)
    window = tf.signal.inverse_stft_window_fn(4)
    back = run(tf.signal.inverse_stft(spectra, 16, 4, window_fn=window))
    close(back[16:48], x[16:48])


def test_mel_bins_are_triangles():
    weights = run(tf.signal.linear_to_mel_weight_matrix(8, 65, 8000))
    assert weights.shape == (65, 8) and (weights >= 0).all() and not weights[0].any()
    peaks = weights.argmax(axis=0)
    assert (np.diff(peaks) > 0).all()


def test_coefficients_of_bins_whose_number_shows_in_the_step():
    bins = tf.placeholder(tf.float32, [2, 3, None])
    found = tf.signal.mfccs_from_log_mel_spectrograms(bins)
    with tf.Session() as session:
        close(session.run(found, {bins: X}), scipy_fft.dct(X) / np.sqrt(2 * X.shape[-1]))
    with pytest.raises(ValueError, match="^num_mel_bins must be positive. Got: Tensor"):
        tf.signal.mfccs_from_log_mel_spectrograms(tf.zeros([2, 3, 0]))
