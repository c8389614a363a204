"""tf.signal: Fourier and cosine transforms, windows, and spectra of signals over time."""

from tfmini.hints import no_attributes as _no_attributes
from tfmini.ops.cosine_transforms import dct, idct, mfccs_from_log_mel_spectrograms
from tfmini.ops.fourier import fft, fft2d, fft3d, ifft, ifft2d, ifft3d
from tfmini.ops.framing import frame, overlap_and_add
from tfmini.ops.mel_scales import linear_to_mel_weight_matrix
from tfmini.ops.real_fourier import (
    fftshift,
    ifftshift,
    irfft,
    irfft2d,
    irfft3d,
    rfft,
    rfft2d,
    rfft3d,
)
from tfmini.ops.spectrograms import inverse_stft, inverse_stft_window_fn, stft
from tfmini.ops.windows import hamming_window, hann_window

__all__ = [name for name in globals() if not name.startswith("_")]
__getattr__ = _no_attributes(__name__, globals())
