"""`tf.contrib.signal`: what `tf.signal` has of frames, windows and spectra, under its name of before 1.13."""

from tfmini.names.namespaces import namespace as _namespace
from tfmini.ops.signal.cosine_transforms import mfccs_from_log_mel_spectrograms
from tfmini.ops.signal.framing import frame, overlap_and_add
from tfmini.ops.signal.mel_scales import linear_to_mel_weight_matrix
from tfmini.ops.signal.spectrograms import inverse_stft, inverse_stft_window_fn, stft
from tfmini.ops.signal.windows import hamming_window, hann_window

__all__ = [
    "frame",
    "hamming_window",
    "hann_window",
    "inverse_stft",
    "inverse_stft_window_fn",
    "linear_to_mel_weight_matrix",
    "mfccs_from_log_mel_spectrograms",
    "overlap_and_add",
    "stft",
]

_namespace(globals())
