"""Short-time Fourier transform and its inverse."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from tfmini._src.base import dtypes
from tfmini._src.graph.opdef import public
from tfmini._src.graph.scopes import name_scope
from tfmini._src.graph.tensor import Tensor, TensorLike
from tfmini._src.ops import ops
from tfmini._src.ops.signal.window_functions import hann_window


def _scalar_tensor(value: Any, name: str) -> Tensor:
    value = ops.convert_to_tensor(value, name=name)
    value.shape.assert_has_rank(0)
    return value


def _enclosing_power_of_two(value: Tensor) -> Tensor:
    static = ops.get_static_value(value)
    if static is not None:
        return ops.constant(int(2 ** np.ceil(np.log(static) / np.log(2.0))), value.dtype)
    power = ops.ceil(ops.log(ops.cast(value, dtypes.float32)) / ops.log(2.0))
    return ops.cast(ops.pow(2.0, power), value.dtype)


@public
def stft(
    signals: TensorLike,
    frame_length: TensorLike,
    frame_step: TensorLike,
    fft_length: TensorLike | None = None,
    window_fn: Callable[..., Any] | None = hann_window,
    pad_end: bool = False,
    name: str | None = None,
) -> Tensor:
    """Computes the short-time Fourier transform: the spectrum of each windowed frame.

    Args:
      signals: [..., samples] float32 tensor.
      frame_length, frame_step: the length and distance of frames in samples; integer scalars.
      fft_length: the transform length; by default the smallest power of two that is at least the frame length.
      window_fn: a function of a length and a dtype, or None for no window.
      pad_end: whether to zero-pad the end to a full frame.

    Returns:
      [..., frames, fft_length // 2 + 1] complex64 Tensor.
    """
    with name_scope(name, "stft", [signals, frame_length, frame_step]):
        signals = ops.convert_to_tensor(signals, name="signals")
        signals.shape.with_rank_at_least(1)
        frame_length = _scalar_tensor(frame_length, "frame_length")
        frame_step = _scalar_tensor(frame_step, "frame_step")
        if fft_length is None:
            fft_length = _enclosing_power_of_two(frame_length)
        else:
            fft_length = ops.convert_to_tensor(fft_length, name="fft_length")
        frames = ops.frame(signals, frame_length, frame_step, pad_end=pad_end)
        if window_fn is not None:
            window = window_fn(frame_length, dtype=frames.dtype)
            frames *= window
        return ops.rfft(frames, [fft_length])


@public
def inverse_stft_window_fn(
    frame_step: TensorLike,
    forward_window_fn: Callable[..., Any] = hann_window,
    name: str | None = None,
) -> Callable[..., Any]:
    """Returns the synthesis window with which `tf.signal.inverse_stft` inverts `tf.signal.stft`.

    Args:
      frame_step: the frame distance in samples, an integer scalar.
      forward_window_fn: the window of the forward transform, a function of a length and a dtype.

    Returns:
      A function of a length and a dtype that returns a [length] window.
    """
    with name_scope(name, "inverse_stft_window_fn", [forward_window_fn]):
        frame_step = _scalar_tensor(frame_step, "frame_step")

    def inverse_window(frame_length: Any, dtype: Any) -> Tensor:
        """Returns the forward window divided by the sum of squares of all overlapping windows."""
        with name_scope(name, "inverse_stft_window_fn", [forward_window_fn]):
            frame_length = _scalar_tensor(frame_length, "frame_length")
            forward = forward_window_fn(frame_length, dtype=dtype)
            total = ops.square(forward)
            overlaps = -(-frame_length // frame_step)
            total = ops.pad(total, [(0, overlaps * frame_step - frame_length)])
            total = ops.reshape(total, [overlaps, frame_step])
            total = ops.reduce_sum(total, 0, keepdims=True)
            total = ops.tile(total, [overlaps, 1])
            total = ops.reshape(total, [overlaps * frame_step])
            return forward / total[:frame_length]

    return inverse_window


@public
def inverse_stft(
    stfts: TensorLike,
    frame_length: TensorLike,
    frame_step: TensorLike,
    fft_length: TensorLike | None = None,
    window_fn: Callable[..., Any] | None = hann_window,
    name: str | None = None,
) -> Tensor:
    """Reconstructs a signal from the spectra of its frames.

    Args:
      stfts: [..., frames, fft_length // 2 + 1] complex64 tensor.
      frame_length, frame_step: the length and distance of frames in samples; integer scalars.
      fft_length: the transform length; by default the smallest power of two that is at least the frame length.
      window_fn: a function of a length and a dtype, or None; `inverse_stft_window_fn(frame_step)` reconstructs
        the input of `tf.signal.stft`.

    Returns:
      [..., samples] float32 Tensor.
    """
    with name_scope(name, "inverse_stft", [stfts]):
        stfts = ops.convert_to_tensor(stfts, name="stfts")
        stfts.shape.with_rank_at_least(2)
        frame_length = _scalar_tensor(frame_length, "frame_length")
        frame_step = _scalar_tensor(frame_step, "frame_step")
        if fft_length is None:
            fft_length = _enclosing_power_of_two(frame_length)
        else:
            fft_length = _scalar_tensor(fft_length, "fft_length")
        frames = _fit_length(ops.irfft(stfts, [fft_length]), frame_length)
        if window_fn is not None:
            window = window_fn(frame_length, dtype=stfts.dtype.real_dtype)
            frames *= window
        return ops.overlap_and_add(frames, frame_step)


def _fit_length(frames: Tensor, frame_length: Tensor) -> Tensor:
    """Crops or pads frames to a length."""
    static = ops.get_static_value(frame_length)
    dims = frames._dims
    if static is None or dims is None or dims[-1] is None:
        frames = frames[..., :frame_length]
        rank = ops.rank(frames)
        shape = ops.shape(frames)
        zeros = ops.zeros([rank - 1, 2], dtype=frame_length.dtype)
        missing = ops.maximum(0, frame_length - shape[-1])
        frames = ops.pad(frames, ops.concat([zeros, [[0, missing]]], 0))
    elif dims[-1] > static:
        frames = frames[..., :static]
    elif dims[-1] < static:
        paddings = [[0, 0]] * (len(dims) - 1) + [[0, static - dims[-1]]]
        frames = ops.pad(frames, paddings)
    if static is not None and frames.shape.ndims is not None:
        frames.set_shape([None] * (frames.shape.ndims - 1) + [static])
    return frames
