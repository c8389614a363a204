"""Audio: WAV files, spectrograms, and mel-frequency cepstral coefficients for speech models."""

from __future__ import annotations

from typing import Any

import numpy as np

from tfmini._src.base.errors import invalid
from tfmini._src.devices.host.codecs import wav
from tfmini._src.graph.opdef import Attr, op, raw
from tfmini._src.graph.shape_inference import Dims, InferenceError, checked_ranks, with_rank
from tfmini._src.graph.tensor import Tensor, TensorLike
from tfmini._src.ops.operands import dense, shape_text

_MIN_ENERGY = 1e-12  # minimum argument of logarithms


def _rate(value: Any) -> int:
    if value.ndim:
        text = "Input sample_rate should be a scalar tensor, got "
        invalid(f"{text}{shape_text(value.shape)} instead.")
    return int(value)


# WAV files -------------------------------------------------------------------------------------------


@op(
    "DecodeWav",
    "contents: string -> audio: float, sample_rate: int32",
    sized_by_values=True,
    desired_channels=-1,
    desired_samples=-1,
)
def decode_wav_op(xp, contents, *, desired_channels, desired_samples):
    value = dense(contents)
    if value.ndim:
        invalid(f"contents must be scalar, got shape {shape_text(value.shape)}")
    try:
        samples, rate = wav.decode(value.item())
    except wav.UnreadableWavError as error:
        invalid(str(error))
    channels = samples.shape[1] if desired_channels == -1 else desired_channels
    count = len(samples) if desired_samples == -1 else desired_samples
    # The last channel is repeated for missing ones; missing samples are silence.
    selected = samples[:count, np.minimum(np.arange(channels), samples.shape[1] - 1)]
    audio = np.zeros((count, channels), "f")
    audio[: len(selected)] = selected
    return audio, np.array(rate & 0xFFFFFFFF, "u4").astype("i4")


@decode_wav_op.infer
def _(op) -> list[Dims]:
    with_rank(op.inputs[0]._dims, 0)
    sizes: list[int | None] = []
    for name in ("desired_channels", "desired_samples"):
        size = op.attrs[name]
        if size < -1:
            attr = name.removeprefix("desired_")
            raise InferenceError(f"{attr} must be non-negative, got {size}")
        sizes.append(None if size == -1 else size)
    channels, samples = sizes
    return [(samples, channels), ()]


@op(
    "EncodeWav",
    "audio: float, sample_rate: int32 -> contents: string",
    infer=checked_ranks(2, 0, result=()),
)
def encode_wav_op(xp, audio, sample_rate):
    if audio.ndim != 2:
        invalid(f"audio must be 2-dimensional{shape_text(audio.shape)}")
    rate = _rate(sample_rate)
    if rate <= 0:
        invalid(f"sample_rate must be in (0, 2^32), got: {rate & 0xFFFFFFFFFFFFFFFF}")
    if not audio.size:
        invalid("audio is null")
    return wav.encode(audio, rate)


def decode_wav(
    contents: TensorLike,
    desired_channels: int = -1,
    desired_samples: int = -1,
    name: str | None = None,
) -> Any:
    """Decodes a 16-bit WAV file.

    Args:
      contents: a scalar string, the file contents.
      desired_channels: the number of output channels: extra channels are dropped, and the last one is repeated for
        missing ones; -1 for the channels of the file.
      desired_samples: the number of output samples, padded with silence; -1 for all samples.

    Returns:
      A named tuple: `audio` [samples, channels], float32 in [-1, 1], and `sample_rate`, a scalar int32.

    Raises:
      InvalidArgumentError (when run): if the file is not a 16-bit WAV file.

    Example: `audio, rate = tf.audio.decode_wav(tf.read_file(path), desired_channels=1)`.
    """
    return raw.DecodeWav(
        contents, desired_channels=desired_channels, desired_samples=desired_samples, name=name
    )


def encode_wav(audio: TensorLike, sample_rate: TensorLike, name: str | None = None) -> Tensor:
    """Encodes audio as a 16-bit WAV file.

    Args:
      audio: [samples, channels] float32, clipped to [-1, 1].
      sample_rate: the number of samples per second, a scalar int32.

    Returns:
      A scalar string.

    Raises:
      InvalidArgumentError (when run): if there are no samples, or the rate is not positive.
    """
    return raw.EncodeWav(audio, sample_rate, name=name)


# Spectrograms ----------------------------------------------------------------------------------------


def _frame_count(count: int, window: int, stride: int) -> int:
    return 0 if count < window else 1 + (count - window) // stride


def _bins(window: int) -> int:
    """Returns the number of FFT bins of a window: half the next power of two, plus one."""
    return (1 << max(window - 1, 0).bit_length()) // 2 + 1


@op(
    "AudioSpectrogram",
    "input: float -> spectrogram: float",
    window_size=Attr("int"),
    stride=Attr("int"),
    magnitude_squared=False,
)
def audio_spectrogram_op(xp, audio, *, window_size, stride, magnitude_squared):
    if audio.ndim != 2:
        invalid(f"input must be 2-dimensional{shape_text(audio.shape)}")
    if window_size < 2 or stride < 1:
        text = f"window size {window_size} and stride {stride}"
        invalid(f"Spectrogram initialization failed for {text}")
    count, channels = audio.shape
    height, bins = _frame_count(count, window_size, stride), _bins(window_size)
    result = np.empty((channels, height, bins), "f")
    # Windows span channel boundaries and belong to the channel in which they end, as in TensorFlow.
    stream = np.ascontiguousarray(audio.T).reshape(-1).astype("d")
    positions = np.arange(window_size)
    hann_window = 0.5 - 0.5 * np.cos(2 * np.pi * positions / window_size)
    first = 0
    for channel in range(channels):
        last = _frame_count((channel + 1) * count, window_size, stride)
        if last - first != height:
            text = f"Expected height {height} but got {last - first}"
            invalid(f"Spectrogram size calculation failed: {text}")
        starts = np.arange(first, last) * stride
        windows = stream[starts[:, None] + positions] * hann_window
        spectra = np.fft.rfft(windows, 2 * (bins - 1), axis=1)
        powers = spectra.real**2 + spectra.imag**2
        result[channel] = powers if magnitude_squared else np.sqrt(powers.astype("f"))
        first = last
    return result


@audio_spectrogram_op.infer
def _(op) -> Dims:
    count, channels = with_rank(op.inputs[0]._dims, 2)
    window, stride = op.attrs["window_size"], op.attrs["stride"]
    height = None if count is None or stride < 1 else _frame_count(count, window, stride)
    return (channels, height, _bins(window))


# Cepstral coefficients -------------------------------------------------------------------------------


def _mel(frequency: Any) -> Any:
    return 1127.0 * np.log1p(frequency / 700.0)


def _bands(bins: int, rate: int, count: int, low: float, high: float) -> np.ndarray:
    """Returns the weight of each bin in each mel band, [bins, count]; adjacent triangles overlap by half."""
    spacing = 0.5 * rate / (bins - 1)
    centers = _mel(low) + (_mel(high) - _mel(low)) / (count + 1) * np.arange(1, count + 2)
    first, last = int(1.5 + low / spacing), int(high / spacing)
    table = np.zeros((bins, count))
    for position in range(first, min(last, bins - 1) + 1):
        mel = _mel(position * spacing)
        above = int(np.searchsorted(centers, mel))  # number of centers below it
        above = min(above, count)
        low_center = centers[above - 1] if above else _mel(low)
        share = (centers[above] - mel) / (centers[above] - low_center)
        if above:
            table[position, above - 1] += share
        if above < count:
            table[position, above] += 1 - share
    return table


@op(
    "Mfcc",
    "spectrogram: float, sample_rate: int32 -> output: float",
    static_inputs=("sample_rate",),
    upper_frequency_limit=4000.0,
    lower_frequency_limit=20.0,
    filterbank_channel_count=40,
    dct_coefficient_count=13,
)
def mfcc_op(
    xp,
    spectrogram,
    sample_rate,
    *,
    upper_frequency_limit,
    lower_frequency_limit,
    filterbank_channel_count,
    dct_coefficient_count,
):
    if spectrogram.ndim != 3:
        invalid(f"spectrogram must be 3-dimensional{shape_text(spectrogram.shape)}")
    rate, bins = _rate(sample_rate), spectrogram.shape[2]
    count, expected = filterbank_channel_count, dct_coefficient_count
    is_valid = rate > 0 and bins > 1 and count > 0 and 0 < expected <= count
    if not is_valid or not 0 <= lower_frequency_limit < upper_frequency_limit:
        text = f"channel count {bins} and sample rate {rate}"
        invalid(f"Mfcc initialization failed for {text}")
    if upper_frequency_limit / (0.5 * rate / (bins - 1)) >= bins:
        # TensorFlow logs that the spectrogram ends below the highest band, and continues with zeros.
        return np.zeros((*spectrogram.shape[:2], expected), "f")
    bands = _bands(bins, rate, count, lower_frequency_limit, upper_frequency_limit)
    energies = np.sqrt(spectrogram.astype("d")) @ bands
    logarithms = np.log(np.maximum(energies, _MIN_ENERGY))
    angles = np.outer(np.arange(count) + 0.5, np.arange(expected)) * (np.pi / count)
    return (logarithms @ (np.sqrt(2.0 / count) * np.cos(angles))).astype("f")


@mfcc_op.infer
def _(op) -> Dims:
    dims = with_rank(op.inputs[0]._dims, 3)
    with_rank(op.inputs[1]._dims, 0)
    return (dims[0], dims[1], op.attrs["dct_coefficient_count"])
