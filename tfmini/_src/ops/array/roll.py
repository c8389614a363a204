"""Rolling of elements along an axis."""

from __future__ import annotations

import numpy as np

from tfmini._src.base.errors import invalid
from tfmini._src.devices.host.native.library import address
from tfmini._src.devices.host.threads import run_slices
from tfmini._src.graph.opdef import op, public, raw
from tfmini._src.graph.shape_inference import (
    Dims,
    merge,
    with_rank_at_least,
    with_rank_at_most,
)
from tfmini._src.graph.tensor import Tensor, TensorLike
from tfmini._src.ops import ops
from tfmini._src.ops.operands import ANY, INDEX, shape_text


@op(
    "Roll",
    "input: T, shift: Tshift, axis: Taxis -> output: T",
    static_inputs=("shift", "axis"),
    T=ANY,
    Tshift=INDEX,
    Taxis=INDEX,
)
def roll_op(xp, value, shift, axis):
    problem = None
    if not value.ndim:
        problem = "input must be 1-D or higher"
    elif shift.ndim > 1:
        problem = f"shift must be a scalar or a 1-D vector. Found: {shape_text(shift.shape)}"
    elif axis.ndim > 1:
        problem = f"axis must be a scalar or a 1-D vector. Found: {shape_text(axis.shape)}"
    elif shift.shape != axis.shape:
        problem = "shift and axis must have the same size"
    if problem:
        invalid(problem)
    for position in axis.reshape(-1).tolist():
        if not -value.ndim <= position < value.ndim:
            position += value.ndim if position < 0 else 0
            invalid(f"axis {position} is out of range")
    shifts, axes = shift.reshape(-1).tolist(), axis.reshape(-1).tolist()
    if xp is np and len(axes) == 1:
        return _roll(value, shifts[0], axes[0] % value.ndim)
    return xp.roll(value, tuple(shifts), tuple(axes))


@roll_op.gradient
def _(op, grad):
    return ops.roll(grad, -op.inputs[1], op.inputs[2]), None, None


def _roll(value: np.ndarray, shift: int, axis: int) -> np.ndarray:
    """Rolls `value` along one axis with two copies; uses several threads for many elements."""
    result = np.empty(value.shape, value.dtype)
    size = value.shape[axis]
    shift = shift % size if size else 0

    def along(begin: int, end: int) -> tuple[slice, ...]:
        return (*[slice(None)] * axis, slice(begin, end))

    def roll(part: slice) -> None:
        """Rolls a range of positions of the first axis along another axis."""
        _copy_block(value[part][along(0, size - shift)], result[part][along(shift, size)])
        _copy_block(value[part][along(size - shift, size)], result[part][along(0, shift)])

    def fill(part: slice) -> None:
        """Fills a range of positions along the first axis, before and after the seam."""
        seam = min(max(shift, part.start), part.stop)
        for begin, end, start in ((part.start, seam, size - shift), (seam, part.stop, -shift)):
            _copy_block(value[begin + start : end + start], result[begin:end])

    work = roll if axis else fill
    if value.size < _MIN_PARALLEL_ELEMENTS:
        work(slice(0, len(value)))
    else:
        run_slices(work, len(value), 0)
    return result


_MIN_PARALLEL_ELEMENTS = 1 << 18
# glibc copies rows of at least `_MIN_ROW_BYTES` ten times as slowly if the target starts up to `_MIN_PAGE_OFFSET` bytes
# after the source, modulo the page size.
_MIN_COPIED_ELEMENTS, _MIN_ROW_BYTES, _PAGE, _MIN_PAGE_OFFSET = 1 << 14, 1 << 11, 1 << 12, 64


def _copy_block(source: np.ndarray, target: np.ndarray) -> None:
    width = source.itemsize
    row = source.nbytes if source.flags.c_contiguous else source.shape[-1] * width
    if source.size >= _MIN_COPIED_ELEMENTS and row >= _MIN_ROW_BYTES:
        page_offset = (address(target) - address(source)) % _PAGE
        strides = source.strides[-1], target.strides[-1]
        if (
            0 < page_offset < _MIN_PAGE_OFFSET
            and strides == (width, width)
            and not source.dtype.hasobject
        ):
            np.positive(source.view(np.uint8), out=target.view(np.uint8))
            return
    target[...] = source


@roll_op.infer
def _(op) -> Dims:
    with_rank_at_least(op.inputs[0]._dims, 1)
    shift = with_rank_at_most(op.inputs[1]._dims, 1)
    merge(shift, with_rank_at_most(op.inputs[2]._dims, 1))
    return op.inputs[0]._dims


@public
def roll(input: TensorLike, shift: TensorLike, axis: TensorLike, name: str | None = None) -> Tensor:
    """Rolls `input` along axes; elements shifted off one end reappear at the other.

    Args:
      input: a tensor of rank 1 or more.
      shift: the number of positions to shift by, an integer scalar or vector.
      axis: the axis or axes, in the same shape as `shift`.
    """
    return raw.Roll(input, shift, axis, name=name)
