"""tf.signal: Fourier and cosine transforms, windows, and spectra of signals over time."""

from tfmini.names.namespaces import namespace as _namespace
from tfmini.ops.signal.cosine_transforms import dct, idct, mfccs_from_log_mel_spectrograms
from tfmini.ops.signal.fourier import fft, fft2d, fft3d, ifft, ifft2d, ifft3d
from tfmini.ops.signal.framing import frame, overlap_and_add
from tfmini.ops.signal.mel_scales import linear_to_mel_weight_matrix
from tfmini.ops.signal.real_fourier import (
    fftshift,
    ifftshift,
    irfft,
    irfft2d,
    irfft3d,
    rfft,
    rfft2d,
    rfft3d,
)
from tfmini.ops.signal.spectrograms import inverse_stft, inverse_stft_window_fn, stft
from tfmini.ops.signal.windows import hamming_window, hann_window

__all__ = [
    "dct",
    "fft",
    "fft2d",
    "fft3d",
    "fftshift",
    "frame",
    "hamming_window",
    "hann_window",
    "idct",
    "ifft",
    "ifft2d",
    "ifft3d",
    "ifftshift",
    "inverse_stft",
    "inverse_stft_window_fn",
    "irfft",
    "irfft2d",
    "irfft3d",
    "linear_to_mel_weight_matrix",
    "mfccs_from_log_mel_spectrograms",
    "overlap_and_add",
    "rfft",
    "rfft2d",
    "rfft3d",
    "stft",
]
_namespace(globals())
