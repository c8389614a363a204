"""Slicing: Slice and StridedSlice."""

from __future__ import annotations

import builtins
import functools
from typing import Any

import numpy as np

from tfmini._src.base.errors import InvalidArgumentError, invalid
from tfmini._src.graph.op_traits.forwarding import is_aligned_part
from tfmini._src.graph.opdef import op, public, raw
from tfmini._src.graph.shape_inference import (
    Dims,
    InferenceError,
    constant_value,
    input_dims,
    input_value,
    merge,
    with_rank,
)
from tfmini._src.graph.tensor import Tensor, TensorLike
from tfmini._src.ops import ops
from tfmini._src.ops.array.strided_slice_spec import Masks, numpy_index, resolve_slices, sliced_dims
from tfmini._src.ops.operands import (
    ANY,
    INDEX,
    check_not_negative,
    dense,
    shape_text,
    unwrap_string,
)

# Slice -------------------------------------------------------------------------------------------


@op(
    "Slice",
    "input: T, begin: Index, size: Index -> output: T",
    view=True,
    static_inputs=("begin", "size"),
    T=ANY,
    Index=INDEX,
)
def slice_op(xp, value, begin, size):
    shape = getattr(value, "shape", ())
    if begin.shape != size.shape or begin.shape != (len(shape),):
        invalid(
            f"Expected begin and size arguments to be 1-D tensors of size {len(shape)}, but got "
            f"shapes {shape_text(begin.shape)} and {shape_text(size.shape)} instead."
        )
    index = []
    for axis, (first, count, total) in enumerate(zip(begin.tolist(), size.tolist(), shape)):
        if count == -1:
            count = total - first
        if not total and (first or count):
            invalid(
                f"Expected begin[{axis}] == 0 (got {first}) and size[{axis}] == 0 (got {count}) when "
                f"input.dim_size({axis}) == 0"
            )
        if not 0 <= first <= total:
            invalid(f"Expected begin[{axis}] in [0, {total}], but got {first}")
        if count < 0 or first + count > total:
            invalid(f"Expected size[{axis}] in [0, {total - first}], but got {count}")
        index.append(builtins.slice(first, first + count))
    return value[tuple(index)] if index else value


def _is_shared(array: Any, parts: list[tuple[int, int, int]]) -> bool:
    """Whether a (first, last, step) slice shares memory in TensorFlow: the entire array or aligned rows."""
    shape = np.shape(array)
    is_full = [part == (0, size, 1) for part, size in zip(parts, shape)]
    if builtins.all(is_full):
        return True
    first, last, step = parts[0]
    return step == 1 and builtins.all(is_full[1:]) and is_aligned_part(array, first, last)


def _shares_part(input: Any, begin: Any, size: Any) -> bool:
    parts = []
    for first, count, total in zip(begin.tolist(), size.tolist(), np.shape(input)):
        parts.append((first, total if count == -1 else first + count, 1))
    return _is_shared(input, parts)


slice_op.forwards(output="input", view=True, when=_shares_part)


@slice_op.indexing
def _(view):
    begin, sizes = view.operands.get("begin"), view.operands.get("size")
    if begin is None or sizes is None or not view.is_static:
        return ""
    if not begin.shape == sizes.shape == (len(view.dims),):
        return ""
    bounds = []
    for first, count, total, width in zip(begin, sizes, view.dims, view.result):
        if not 0 <= first <= first + width <= total or count not in (-1, width):
            return ""
        end = first + width if count != -1 else ""
        bounds.append(f"{first or ''}:{end}")
    while bounds[-1] == ":" and len(bounds) > 1:
        bounds.pop()
    return f"[{', '.join(bounds)}]"


@slice_op.infer
def _(op) -> Dims:
    dims = op.inputs[0]._dims
    begin_shape = merge(with_rank(op.inputs[1]._dims, 1), with_rank(op.inputs[2]._dims, 1))
    assert begin_shape is not None
    if begin_shape[0] is not None:
        dims = with_rank(dims, begin_shape[0])
    begin, sizes, size = input_dims(op, 1), input_dims(op, 2), input_value(op, 2)
    if size is None:
        if sizes is not None:
            with_rank(begin, len(sizes))
            return sizes
        return None if dims is None else (None,) * len(dims)
    begin = with_rank(begin, len(size))
    assert dims is not None
    result: list[int | None] = []
    for total, first, count in zip(dims, begin, size.tolist()):
        if count != -1:
            result.append(count)
        elif total is None or first is None:
            result.append(None)
        elif first > total:
            raise InferenceError(
                f"Negative dimension size caused by subtracting {first} from {total}"
            )
        else:
            result.append(total - first)
    return tuple(result)


@slice_op.gradient
def _(op, grad):
    value, begin = op.inputs[:2]
    rank = ops.rank(value)
    size = ops.shape(op.outputs[0])
    column = ops.stack([rank, 1])
    padding_before = ops.reshape(begin, column)
    padding_after = ops.reshape(ops.shape(value) - size - begin, column)
    return ops.pad(grad, ops.concat([padding_before, padding_after], 1)), None, None


@public
def slice(
    input_: TensorLike, begin: TensorLike, size: TensorLike, name: str | None = None
) -> Tensor:
    """Extracts a block of a tensor.

    Args:
      input_: a tensor.
      begin: the start of the block, one integer per axis.
      size: the size of the block, one integer per axis; -1 extends it to the end.

    Raises:
      InvalidArgumentError (when run): if the block exceeds the tensor.

    Example: `tf.slice(x, [1, 0], [2, -1])` is `x[1:3]`.
    """
    return raw.Slice(input_, begin, size, name=name)


# StridedSlice ------------------------------------------------------------------------------------


MASKS: dict[str, Any] = {
    "begin_mask": 0,
    "end_mask": 0,
    "ellipsis_mask": 0,
    "new_axis_mask": 0,
    "shrink_axis_mask": 0,
}


# Masks of `x[i]`.
_ONE_ELEMENT = Masks(0, 0, 0, 0, 1)


def mask_arguments(attrs: dict[str, Any]) -> dict[str, Any]:
    """Returns the masks of a node as keyword arguments."""
    return {name: attrs[name] for name in MASKS}


def selection(shape: tuple, begin: Any, end: Any, strides: Any, masks: Masks) -> tuple:
    """Returns the numpy index of a slice of an array of `shape`, after checking it."""
    if not (begin.ndim == 1 and begin.shape == end.shape == strides.shape):
        invalid(
            "Expected begin, end, and strides to be 1D equal size tensors, but got shapes "
            f"{shape_text(begin.shape)}, {shape_text(end.shape)}, and {shape_text(strides.shape)} "
            "instead."
        )
    try:
        sliced_dims(shape, begin, end, strides, masks)
    except ValueError as error:
        raise InvalidArgumentError(None, None, str(error)) from None
    return numpy_index(begin.tolist(), end.tolist(), strides.tolist(), masks)


@op(
    "StridedSlice",
    "input: T, begin: Index, end: Index, strides: Index -> output: T",
    view=True,
    static_inputs=("begin", "end", "strides"),
    T=ANY,
    Index=INDEX,
    **MASKS,
)
def strided_slice_op(
    xp,
    value,
    begin,
    end,
    strides,
    *,
    begin_mask,
    end_mask,
    ellipsis_mask,
    new_axis_mask,
    shrink_axis_mask,
):
    masks = Masks(begin_mask, end_mask, ellipsis_mask, new_axis_mask, shrink_axis_mask)
    try:
        if masks == _ONE_ELEMENT and begin.shape == end.shape == strides.shape == (1,):
            if strides[0] > 0 and value.__class__ is not bytes:
                return value[begin[0]]
        if begin.ndim == end.ndim == strides.ndim == 1:
            return value[numpy_index(begin.tolist(), end.tolist(), strides.tolist(), masks)]
    except (IndexError, ValueError, TypeError):
        pass
    value = dense(value)
    result = value[selection(value.shape, begin, end, strides, masks)]
    return result if result.__class__ is bytes else unwrap_string(result)


def _shares_strided_part(
    input: Any,
    begin: Any,
    end: Any,
    strides: Any,
    begin_mask: int,
    end_mask: int,
    ellipsis_mask: int,
    new_axis_mask: int,
    shrink_axis_mask: int,
) -> bool:
    masks = Masks(begin_mask, end_mask, ellipsis_mask, new_axis_mask, shrink_axis_mask)
    index = numpy_index(begin.tolist(), end.tolist(), strides.tolist(), masks)
    return _is_shared(input, resolve_slices(index, np.shape(input)))


strided_slice_op.forwards(output="input", view=True, when=_shares_strided_part)


def _is_fixed(*arrays: Any) -> bool:
    """Whether arrays are immutable, such as constants, so that results derived from them remain valid."""
    return not any(array.flags.writeable or array.base is not None for array in arrays)


@strided_slice_op.bind
def _(ctx):
    """Caches the numpy index, because bounds rarely change between the iterations of a loop."""
    masks = Masks.from_attrs(ctx.attrs)
    one_element = masks == _ONE_ELEMENT
    cached: tuple = (None, None, None, None)
    general_kernel = functools.partial(strided_slice_op.kernel, ctx.xp, **mask_arguments(ctx.attrs))

    def slice_value(value, begin, end, strides):
        nonlocal cached
        first, last, steps, index = cached
        try:
            if first is begin and last is end and steps is strides:
                return value[index]
            if one_element and not _is_fixed(begin, end, strides):
                return general_kernel(value, begin, end, strides)
            index = numpy_index(begin.tolist(), end.tolist(), strides.tolist(), masks)
            result = value[index]
        except (IndexError, ValueError, TypeError):
            return general_kernel(value, begin, end, strides)
        if _is_fixed(begin, end, strides):
            cached = begin, end, strides, index
        return result

    return slice_value


@strided_slice_op.infer
def _(op) -> Dims:
    value, *bounds = op.inputs
    length: Dims = None
    for tensor in bounds:
        length = merge(length, with_rank(tensor._dims, 1))
    strides = input_value(op, 3)
    if value._dims is None or length is None or length[0] is None or strides is None:
        return None
    masks = Masks.from_attrs(op.attrs)
    begin, end = constant_value(op.inputs[1]), constant_value(op.inputs[2])
    try:
        return sliced_dims(value._dims, begin, end, strides, masks)
    except ValueError as error:
        _blame_bounds(op, strides, masks)
        raise InferenceError(str(error)) from None


def _blame_bounds(op: Any, strides: np.ndarray, masks: Masks) -> None:
    """Raises the error if it is independent of the bounds; otherwise marks the bounds as read, for its message."""
    try:
        sliced_dims(op.inputs[0]._dims, None, None, strides, masks)
    except ValueError as error:
        raise InferenceError(str(error)) from None
    input_value(op, 1)
    input_value(op, 2)


@strided_slice_op.gradient
def _(op, grad):
    _, begin, end, strides = op.inputs
    shape = ops.shape(op.inputs[0], out_type=begin.dtype)
    grad = raw.StridedSliceGrad(shape, begin, end, strides, grad, **mask_arguments(op.attrs))
    return grad, None, None, None


@op(
    "StridedSliceGrad",
    "shape: Index, begin: Index, end: Index, strides: Index, dy: T -> output: T",
    infer=lambda op: input_dims(op, 0),
    static_inputs=("shape", "begin", "end", "strides"),
    T=ANY,
    Index=INDEX,
    **MASKS,
)
def strided_slice_grad_op(
    xp,
    shape,
    begin,
    end,
    strides,
    dy,
    *,
    begin_mask,
    end_mask,
    ellipsis_mask,
    new_axis_mask,
    shrink_axis_mask,
):
    masks = Masks(begin_mask, end_mask, ellipsis_mask, new_axis_mask, shrink_axis_mask)
    if shape.ndim != 1:
        invalid(f"shape must be 1-D, got shape.shape = {shape_text(shape.shape)}")
    check_not_negative(shape.tolist())
    result = xp.zeros(shape.tolist(), dy.dtype)
    try:
        index = numpy_index(begin.tolist(), end.tolist(), strides.tolist(), masks)
        expected = result[index].shape
    except (IndexError, ValueError, TypeError):
        selection(result.shape, begin, end, strides, masks)
        raise
    if expected != dy.shape:
        invalid(f"shape of dy was {shape_text(dy.shape)} instead of {shape_text(expected)}")
    result[index] = dy
    return result


@strided_slice_grad_op.bind
def _(ctx):
    masks = Masks.from_attrs(ctx.attrs)
    cached: tuple = (None, None, None, None, None, None, None)
    general_kernel = functools.partial(
        strided_slice_grad_op.kernel, ctx.xp, **mask_arguments(ctx.attrs)
    )

    def scatter_gradient(shape, begin, end, strides, dy):
        nonlocal cached
        sizes, first, last, steps, dims, index, expected = cached
        is_cached = sizes is shape and first is begin and last is end and steps is strides
        if is_cached and dy.shape == expected:
            result = np.zeros(dims, dy.dtype)
            result[index] = dy
            return result
        result = general_kernel(shape, begin, end, strides, dy)
        if _is_fixed(shape, begin, end, strides):
            index = numpy_index(begin.tolist(), end.tolist(), strides.tolist(), masks)
            cached = shape, begin, end, strides, tuple(shape.tolist()), index, dy.shape
        return result

    return scatter_gradient


@strided_slice_grad_op.gradient
def _(op, grad):
    _, begin, end, strides, _ = op.inputs
    grad = strided_slice(grad, begin, end, strides, **mask_arguments(op.attrs))
    return None, None, None, None, grad


@public
def strided_slice(
    input_: TensorLike,
    begin: TensorLike,
    end: TensorLike,
    strides: Any = None,
    begin_mask: int = 0,
    end_mask: int = 0,
    ellipsis_mask: int = 0,
    new_axis_mask: int = 0,
    shrink_axis_mask: int = 0,
    var: Any = None,
    name: str | None = None,
) -> Tensor:
    """Extracts a strided slice of a tensor; the op behind `input_[begin:end:strides]`.

    Args:
      input_: a tensor.
      begin, end, strides: integer vectors of the same length, one element per spec; `strides` default to 1.
      begin_mask, end_mask: bit i ignores the begin or end of spec i and extends it to the boundary.
      ellipsis_mask: bit i makes spec i an ellipsis that spans all remaining axes.
      new_axis_mask: bit i makes spec i a new axis of size 1.
      shrink_axis_mask: bit i makes spec i select the element at `begin` and remove the axis.
      var: the variable that `input_` was read from; adds an `assign` method to the result.

    Raises:
      ValueError, InvalidArgumentError (when run): if an index is out of range.
    """
    if strides is None:
        strides = ops.ones_like(begin)
    masks = {
        "begin_mask": begin_mask,
        "end_mask": end_mask,
        "ellipsis_mask": ellipsis_mask,
        "new_axis_mask": new_axis_mask,
        "shrink_axis_mask": shrink_axis_mask,
    }
    result: Any = raw.StridedSlice(input_, begin, end, strides, **masks, name=name)
    parent_name = name

    def assign(val: Any, name: str | None = None) -> Any:
        """Assigns `val` to this slice of the variable."""
        if var is None:
            raise ValueError("Sliced assignment is only supported for variables")
        if name is None:
            name = parent_name + "_assign"  # type: ignore[operator]
        return var._strided_slice_assign(begin, end, strides, val, name, **masks)

    result.assign = assign
    return result
