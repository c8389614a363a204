"""Splitting of signals into overlapping frames, and overlap-add reconstruction."""

from __future__ import annotations

import math

from tfmini._src.base import dtypes
from tfmini._src.graph.opdef import public
from tfmini._src.graph.scopes import name_scope
from tfmini._src.graph.tensor import Tensor, TensorLike
from tfmini._src.ops import ops


def _frame_dims(
    signal: Tensor, frame_length: Tensor, frame_step: Tensor, pad_end: bool, axis: Tensor
) -> list | None:
    """Returns the static shape of the frames."""
    length, step, static_axis = (ops.get_static_value(t) for t in (frame_length, frame_step, axis))
    rank = signal.shape.ndims
    if rank is None:
        return None
    if static_axis is None:
        return [None] * (rank + 1)
    dims = signal.shape.as_list()
    size = dims[static_axis]
    count = None
    if dims and size is not None:
        if step is not None and pad_end:
            count = max(0, -(-size // step))
        elif step is not None and length is not None:
            count = max(0, (size - length + step) // step)
    return [*dims[:static_axis], count, length, *dims[static_axis:][1:]]


def _common_divisor(a: Tensor, b: Tensor) -> Tensor:
    """Returns the greatest common divisor of two integers, computed in the graph by Euclid's algorithm if unknown."""
    with name_scope(None, "gcd", [a, b]):
        a, b = ops.convert_to_tensor(a), ops.convert_to_tensor(b)
        a.shape.assert_has_rank(0)
        b.shape.assert_has_rank(0)
        for name, value in (("a", a), ("b", b)):
            if not value.dtype.is_integer:
                raise ValueError(f"{name} must be an integer type. Got: {value.dtype}")
        static = [ops.get_static_value(value) for value in (a, b)]
        if None not in static:
            divisor = math.gcd(*map(int, static))
            signed = -divisor if static[1] < 0 else divisor
            return ops.convert_to_tensor(a.dtype.as_numpy_dtype(signed))
        return ops.while_loop(
            lambda _, b: ops.greater(b, ops.zeros_like(b)),
            lambda a, b: [b, ops.mod(a, b)],
            [a, b],
            back_prop=False,
        )[0]


@public
def frame(
    signal: TensorLike,
    frame_length: TensorLike,
    frame_step: TensorLike,
    pad_end: bool = False,
    pad_value: TensorLike = 0,
    axis: TensorLike = -1,
    name: str | None = None,
) -> Tensor:
    """Splits an axis into frames of `frame_length` elements, one every `frame_step` elements.

    Args:
      signal: [..., samples, ...] tensor.
      frame_length, frame_step: integer scalars.
      pad_end: whether to pad the end so that a full frame starts at every step; otherwise,
        incomplete frames are dropped.
      pad_value: the padding, a scalar.
      axis: the axis of the samples.

    Returns:
      [..., frames, frame_length, ...] Tensor.

    Raises:
      ValueError: if a length, step, axis or value is not a scalar.

    Example: `tf.signal.frame([1, 2, 3, 4, 5], 3, 2)` is `[[1, 2, 3], [3, 4, 5]]`.
    """
    with name_scope(name, "frame", [signal, frame_length, frame_step, pad_value]):
        signal = ops.convert_to_tensor(signal, name="signal")
        frame_length = ops.convert_to_tensor(frame_length, name="frame_length")
        frame_step = ops.convert_to_tensor(frame_step, name="frame_step")
        axis = ops.convert_to_tensor(axis, name="axis")
        signal.shape.with_rank_at_least(1)
        for scalar in (frame_length, frame_step, axis):
            scalar.shape.assert_has_rank(0)
        dims = _frame_dims(signal, frame_length, frame_step, pad_end, axis)
        rank = ops.rank(signal)
        axis = ops.range(rank)[axis]
        shape = ops.shape(signal)
        outer, samples, inner = ops.split(shape, [axis, 1, rank - 1 - axis])
        samples = ops.reshape(samples, [])
        outer_rank, inner_rank = ops.size(outer), ops.size(inner)
        if pad_end:
            pad_value = ops.convert_to_tensor(pad_value, signal.dtype)
            pad_value.shape.assert_has_rank(0)
            count = -(-samples // frame_step)
            missing = ops.maximum(0, frame_length + frame_step * (count - 1) - samples)
            zeros_before = ops.zeros([outer_rank, 2], dtype=missing.dtype)
            zeros_after = ops.zeros([inner_rank, 2], dtype=missing.dtype)
            paddings = ops.concat([zeros_before, [[0, missing]], zeros_after], 0)
            signal = ops.pad(signal, paddings, constant_values=pad_value)
            shape = ops.shape(signal)
            samples = shape[axis]
        else:
            count = ops.maximum(0, 1 + (samples - frame_length) // frame_step)
        # Frames are composed of pieces that contain no frame boundary.
        piece = _common_divisor(frame_length, frame_step)
        per_frame = frame_length // piece
        per_step = frame_step // piece
        pieces = samples // piece
        kept_shape = ops.concat([outer, [pieces * piece], inner], 0)
        sliced_shape = ops.concat([outer, [pieces, piece], inner], 0)
        cut_signal = ops.reshape(
            ops.strided_slice(signal, ops.zeros_like(shape), kept_shape), sliced_shape
        )
        starts = ops.reshape(ops.range(count) * per_step, [count, 1])
        offsets = ops.reshape(ops.range(per_frame), [1, per_frame])
        indices = starts + offsets
        gathered = ops.gather(cut_signal, indices, axis=axis)
        frames = ops.reshape(gathered, ops.concat([outer, [count, frame_length], inner], 0))
        if dims:
            frames.set_shape(dims)
        return frames


@public
def overlap_and_add(signal: TensorLike, frame_step: TensorLike, name: str | None = None) -> Tensor:
    """Sums overlapping frames that start every `frame_step` elements.

    Args:
      signal: numeric tensor [..., frames, frame_length].
      frame_step: an integer scalar.

    Returns:
      [..., frame_length + frame_step * (frames - 1)] Tensor.

    Raises:
      ValueError: if `frame_step` is not an integer, or `signal` has rank below 2.
    """
    with name_scope(name, "overlap_and_add", [signal, frame_step]):
        signal = ops.convert_to_tensor(signal, name="signal")
        signal.shape.with_rank_at_least(2)
        frame_step = ops.convert_to_tensor(frame_step, name="frame_step")
        frame_step.shape.assert_has_rank(0)
        if not frame_step.dtype.is_integer:
            raise ValueError(f"frame_step must be an integer. Got {frame_step.dtype}")
        shape = ops.shape(signal)
        outer = shape[:-2]
        outer_rank = ops.size(outer)

        def with_outer(inner):
            return ops.concat([outer, inner], 0)

        frame_length = shape[-1]
        frames = shape[-2]
        length = frame_length + frame_step * (frames - 1)
        step = ops.get_static_value(frame_step)
        if step is not None and signal._dims is not None and step == signal._dims[-1]:
            return ops.reshape(signal, with_outer([length]), name="fast_path")
        # Each frame is split into segments of a step; segment i is shifted by i steps, and all are summed.
        segments = -(-frame_length // frame_step)
        paddings = [[0, segments], [0, segments * frame_step - frame_length]]
        outer_paddings = ops.zeros([outer_rank, 2], dtypes.int32)
        signal = ops.pad(signal, ops.concat([outer_paddings, paddings], 0))
        signal = ops.reshape(signal, with_outer([frames + segments, segments, frame_step]))
        order = ops.concat([ops.range(outer_rank), outer_rank + [1, 0, 2]], 0)
        signal = ops.transpose(signal, order)
        signal = ops.reshape(signal, with_outer([(frames + segments) * segments, frame_step]))
        signal = signal[..., : (frames + segments - 1) * segments, :]
        signal = ops.reshape(signal, with_outer([segments, frames + segments - 1, frame_step]))
        signal = ops.reduce_sum(signal, -3)
        signal = ops.reshape(signal, with_outer([(frames + segments - 1) * frame_step]))
        return signal[..., :length]
