"""The mel scale of perceived pitch, mel = 1127 ln(1 + hertz / 700), and mel-frequency cepstral coefficients."""

from __future__ import annotations

from typing import Any

from tfmini._src.base import dtypes
from tfmini._src.base.dtypes import DTypeLike
from tfmini._src.graph.opdef import public
from tfmini._src.graph.scopes import name_scope
from tfmini._src.graph.tensor import Tensor, TensorLike
from tfmini._src.ops import ops


def _to_mel(hertz: Tensor) -> Tensor:
    with name_scope(None, "hertz_to_mel", [hertz]):
        hertz = ops.convert_to_tensor(hertz)
        return 1127.0 * ops.log(1.0 + hertz / 700.0)


def _check_options(bins: Any, sample_rate: Any, lowest: float, highest: float, dtype: Any) -> None:
    if bins <= 0:
        raise ValueError(f"num_mel_bins must be positive. Got: {bins}")
    if sample_rate <= 0.0:
        raise ValueError(f"sample_rate must be positive. Got: {sample_rate}")
    if lowest < 0.0:
        raise ValueError(f"lower_edge_hertz must be non-negative. Got: {lowest}")
    if lowest >= highest:
        raise ValueError(f"lower_edge_hertz {lowest:.1f} >= upper_edge_hertz {highest:.1f}")
    if highest > sample_rate / 2:
        raise ValueError(
            "upper_edge_hertz must not be larger than the Nyquist frequency (sample_rate / 2). Got: "
            f"{highest} for sample_rate: {sample_rate}"
        )
    if not dtype.is_floating:
        raise ValueError(f"dtype must be a floating point type. Got: {dtype}")


@public
def linear_to_mel_weight_matrix(
    num_mel_bins: int = 20,
    num_spectrogram_bins: TensorLike = 129,
    sample_rate: TensorLike = 8000,
    lower_edge_hertz: float = 125.0,
    upper_edge_hertz: float = 3800.0,
    dtype: DTypeLike = dtypes.float32,
    name: str | None = None,
) -> Tensor:
    """Returns a matrix that converts a spectrogram to mel bins: `tf.matmul(spectrogram, matrix)`.

    Args:
      num_mel_bins: the number of mel bins, which are overlapping triangles between the edges.
      num_spectrogram_bins: the number of bins in the spectrogram, from 0 to half the sample rate.
      sample_rate: the number of samples per second, a number or constant scalar.
      lower_edge_hertz, upper_edge_hertz: the lower edge of the lowest bin and the upper edge of the highest.
      dtype: a float dtype.

    Returns:
      [num_spectrogram_bins, num_mel_bins] Tensor.

    Raises:
      ValueError: if the numbers are out of range, or `sample_rate` is not known statically.
    """
    with name_scope(name, "linear_to_mel_weight_matrix") as name:
        if isinstance(sample_rate, Tensor):
            sample_rate = ops.get_static_value(sample_rate)
            if sample_rate is None:
                raise ValueError(
                    "`sample_rate` was a non-constant Tensor. Must be a Python float or a constant "
                    "Tensor."
                )
        _check_options(num_mel_bins, sample_rate, lower_edge_hertz, upper_edge_hertz, dtype)
        sample_rate = ops.convert_to_tensor(sample_rate, dtype, name="sample_rate")
        lowest = ops.convert_to_tensor(lower_edge_hertz, dtype, name="lower_edge_hertz")
        highest = ops.convert_to_tensor(upper_edge_hertz, dtype, name="upper_edge_hertz")
        zero = ops.convert_to_tensor(0.0, dtype)
        # The bin of frequency 0, the mean, is excluded.
        nyquist = sample_rate / 2.0
        linear = ops.linspace(zero, nyquist, num_spectrogram_bins)[1:]
        bins = ops.expand_dims(_to_mel(linear), 1)
        edges = ops.linspace(_to_mel(lowest), _to_mel(highest), num_mel_bins + 2)
        triples = ops.frame(edges, frame_length=3, frame_step=1)
        lower, center, upper = (
            ops.reshape(t, [1, num_mel_bins]) for t in ops.split(triples, 3, axis=1)
        )
        rising = (bins - lower) / (center - lower)
        falling = (upper - bins) / (upper - center)
        weights = ops.maximum(zero, ops.minimum(rising, falling))
        return ops.pad(weights, [[1, 0], [0, 0]], name=name)


@public
def mfccs_from_log_mel_spectrograms(
    log_mel_spectrograms: TensorLike, name: str | None = None
) -> Tensor:
    """Computes mel-frequency cepstral coefficients from log mel spectrograms.

    Args:
      log_mel_spectrograms: [..., mel bins] float32 tensor.

    Returns:
      [..., mel bins] float32 Tensor; usually only the first 13 are used.

    Raises:
      ValueError: if the number of bins is 0.
    """
    with name_scope(name, "mfccs_from_log_mel_spectrograms", [log_mel_spectrograms]):
        value = ops.convert_to_tensor(log_mel_spectrograms, dtype=dtypes.float32)
        if value._dims and value._dims[-1] is not None:
            bins: Any = value._dims[-1]
            if bins == 0:
                raise ValueError(f"num_mel_bins must be positive. Got: {value}")
        else:
            bins = ops.shape(value)[-1]
        transformed = ops.dct(value, type=2)
        return transformed * ops.rsqrt(ops.cast(bins, dtypes.float32) * 2.0)
