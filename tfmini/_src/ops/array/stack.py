"""Stacking along a new axis (Pack) and unstacking (Unpack).

Pack also converts lists that contain tensors, such as the shape in `tf.reshape(x, [tf.shape(y)[0], 3])`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from tfmini._src.base.errors import invalid
from tfmini._src.base.nest.structure import map_structure
from tfmini._src.base.shapes import TensorShape
from tfmini._src.devices.cuda import concat
from tfmini._src.devices.host.native.concat import concatenate
from tfmini._src.graph.composite_values import CompositeValue
from tfmini._src.graph.convert_to_tensor import register_tensor_conversion_function
from tfmini._src.graph.eager.execution_mode import executing_eagerly
from tfmini._src.graph.op_traits.forwarding import has_aligned_rows
from tfmini._src.graph.opdef import Attr, op, public, raw
from tfmini._src.graph.scopes import name_scope
from tfmini._src.graph.shape_inference import Dims, InferenceError, merge
from tfmini._src.graph.tensor import Tensor, TensorLike
from tfmini._src.ops import ops
from tfmini._src.ops.operands import ANY, dense, shape_text
from tfmini._src.ops.ragged_dispatch import accepts_ragged


@op("Pack", "values: N*T -> output: T", host_or_cuda=True, N=Attr("int", minimum=1), T=ANY, axis=0)
def pack(xp, values, *, axis):
    values = [dense(v) for v in values]
    dim = _checked_axis(values, axis)
    first = values[0]
    if not first.shape:
        if first.dtype != object:
            return xp.array(values, first.dtype)
        result = np.empty(len(values), object)
        for i, value in enumerate(values):
            result[i] = value[()]
        return result
    if xp is np and len(values) <= _MAX_ASSIGNED_VALUES:
        return _stacking(first.shape, dim, len(values), first.dtype)(values)
    index = (slice(None),) * dim + (None,)
    parts = [value[index] for value in values]
    return concatenate(parts, dim) if xp is np else xp.concatenate(parts, dim)


_MAX_ASSIGNED_VALUES = 4  # up to this many, separate assignments are cheaper than a concatenation


def _stacking(dims: tuple[int, ...], axis: int, count: int, dtype: np.dtype) -> Callable:
    """Returns a kernel that stacks `count` arrays of this shape and falls back to the general kernel for others."""
    shape = (*dims[:axis], count, *dims[axis:])
    positions: list[Any] = [(*(slice(None),) * axis, index) for index in range(count)]

    def stack(values):
        result = np.empty(shape, dtype)
        for position, value in zip(positions, values):
            if value.shape != dims:
                return pack.kernel(np, values, axis=axis)
            result[position] = value
        return result

    return stack


@pack.bind
def _(ctx):
    dims, axis, dtype = ctx.dims[0], ctx.attrs["axis"], ctx.attrs["T"].numpy
    if dtype.hasobject or not ctx.has_static_shapes() or len({*ctx.dims}) != 1:
        return None
    count, rank = len(ctx.dims), len(dims) + 1
    if not dims:
        return lambda values: np.array(values, dtype)
    if count > _MAX_ASSIGNED_VALUES or not -rank <= axis < rank:
        return None
    return _stacking(dims, axis % rank, count, dtype)


pack.forwards(output="values", view=True, when=lambda N: N == 1)


@pack.on_gpu
def _(gpu, values, *, axis):
    return concat.stack(gpu.xp, values, _checked_axis(values, axis))


def _checked_axis(values: Any, axis: int) -> int:
    """Returns the new axis as a non-negative number; raises an error if the shapes of the values differ."""
    shape = values[0].shape
    for i, value in enumerate(values):
        if value.shape != shape:
            invalid(
                "Shapes of all inputs must match: values[0].shape = "
                f"{shape_text(shape)} != values[{i}].shape = {shape_text(value.shape)}"
            )
    rank = len(shape) + 1
    if not -rank <= axis < rank:
        invalid(f"axis = {axis} not in [{-rank}, {rank})")
    return axis % rank


@pack.infer
def _(op) -> Dims:
    dims = op.inputs[-1]._dims
    for i in range(len(op.inputs) - 2, -1, -1):
        try:
            dims = merge(op.inputs[i]._dims, dims)
        except InferenceError as error:
            raise InferenceError(f"{error}\n\tFrom merging shape {i} with other shapes.") from None
    if dims is None:
        return None
    axis = _static_axis(op, len(dims) + 1)
    return (*dims[:axis], len(op.inputs), *dims[axis:])


def _static_axis(op: Any, rank: int) -> int:
    axis = op.attrs["axis"]
    if not -rank <= axis < rank:
        raise InferenceError(f"Invalid axis: {axis}; must be in [{-rank},{rank})")
    return axis % rank


@pack.gradient
def _(op, grad):
    return ops.unstack(grad, num=op.attrs["N"], axis=op.attrs["axis"])


@public
@accepts_ragged("[values]")
def stack(values: Any, axis: int = 0, name: str = "stack") -> Tensor:
    """Stacks tensors of equal shape along a new axis.

    Args:
      values: a list of tensors of the same shape and dtype.
      axis: the position of the new axis, counted from the end if negative.

    Raises:
      ValueError: if `axis` is out of range, or the shapes differ.

    Example: three vectors of shape [2] yield shape [3, 2] with `axis=0` and [2, 3] with `axis=1`.
    """
    if axis == 0:
        try:
            return ops.convert_to_tensor(values, name=name)
        except (TypeError, ValueError):
            pass  # not constant, so it is packed below
    dims = ops.convert_to_tensor(values[0], name=name)._dims
    if dims is not None:
        rank = len(dims) + 1
        if not -rank <= axis < rank:
            raise ValueError(f"axis = {axis} not in [{-rank}, {rank})")
    if not isinstance(values, list | tuple):
        raise TypeError(f"Expected list for 'values' argument to 'pack' Op, not {values!r}.")
    return raw.Pack(values, axis=axis, name=name)


def is_tensor_like(value: Any) -> bool:
    """Whether a value is a tensor or a variable."""
    return isinstance(value, Tensor) or (
        hasattr(value, "_as_graph_element")
        and hasattr(value, "dtype")
        and not isinstance(value, CompositeValue)
    )


_PLAIN_TYPES = frozenset(
    [*np.sctypeDict.values(), np.ndarray, int, float, complex, bool, bytes, str, memoryview]
)


def _is_plain(values: Any) -> bool:
    """Whether nested lists contain only numbers, strings and arrays."""
    for value in values:
        value_type = type(value)
        if value_type is list or value_type is tuple:
            if not _is_plain(value):
                return False
        elif value_type not in _PLAIN_TYPES:
            return False
    return True


def _dtype_in(values: Any) -> Any:
    """Returns the dtype of the first tensor in nested lists; None if they contain none."""
    for value in values:
        if is_tensor_like(value):
            return value.dtype.base_dtype
        if isinstance(value, list | tuple):
            dtype = _dtype_in(value)
            if dtype is not None:
                return dtype
    return None


def _pack(values: Any, dtype: Any, name: str) -> Any:
    """Packs nested lists that contain tensors into one tensor; other lists are returned unchanged."""
    items: list[Any] = []
    with name_scope(name) as scope:
        for i, value in enumerate(values):
            if is_tensor_like(value):
                if value.dtype.base_dtype != dtype:
                    raise TypeError(
                        f"Cannot convert a list containing a tensor of dtype {value.dtype} to "
                        f"{dtype} (Tensor is: {value!r})"
                    )
            elif isinstance(value, list | tuple):
                value = _pack(value, dtype, str(i))
            items.append(value)
        if not any(is_tensor_like(item) for item in items):
            return items
        tensors = [
            item if is_tensor_like(item) else ops.constant(item, dtype=dtype, name=str(i))
            for i, item in enumerate(items)
        ]
        return raw.Pack(tensors, name=scope)


def _convert_list(
    values: Any, dtype: Any = None, name: str | None = None, as_ref: bool = False
) -> Any:
    if as_ref or _is_plain(values):
        return NotImplemented
    common = _dtype_in(values)
    if common is None:
        return NotImplemented
    if dtype is None:
        dtype = common
    elif dtype != common:
        values = map_structure(lambda v: _cast(v, dtype), values)
    if executing_eagerly() and all(is_tensor_like(value) for value in values):
        return raw.Pack(list(values), name=name or "packed")
    return _pack(values, dtype, name or "packed")


def _cast(value: Any, dtype: Any) -> Any:
    if is_tensor_like(value) and value.dtype.base_dtype != dtype:
        return raw.Cast(value, DstT=dtype)
    return value


register_tensor_conversion_function((list, tuple), _convert_list, 99)


@op("Unpack", "value: T -> output: num*T", view=True, num=Attr("int", minimum=0), T=ANY, axis=0)
def unpack(xp, value, *, num, axis):
    rank = value.ndim
    if not -rank <= axis < rank:
        invalid(f"axis = {axis} not in [{-rank}, {rank})")
    if value.shape[axis] != num:
        invalid(
            f"Input shape axis {axis % rank} must equal {num}, got shape {shape_text(value.shape)}"
        )
    if axis % rank:
        index = (slice(None),) * (axis % rank)
        return tuple([value[(*index, i)] for i in range(num)])
    return tuple(value)


unpack.forwards(
    output="value",
    view=True,
    when=lambda value, axis: axis in (0, -value.ndim) and has_aligned_rows(value),
)


@unpack.infer
def _(op) -> list[Dims]:
    dims, count = op.inputs[0]._dims, len(op.outputs)
    if dims is None:
        return [None] * count
    axis = _static_axis(op, len(dims))
    if dims[axis] not in (None, count):
        raise InferenceError(f"Dimension must be {count} but is {dims[axis]}")
    return [(*dims[:axis], *dims[axis + 1 :])] * count


@unpack.gradient
def _(op, *grads):
    return ops.stack(grads, axis=op.attrs["axis"])


@public
def unstack(
    value: TensorLike, num: int | None = None, axis: int = 0, name: str = "unstack"
) -> list[Tensor]:
    """Unstacks a tensor into slices along an axis, which is removed.

    Args:
      value: a tensor of rank 1 or more.
      num: the size of that axis, required if unknown statically.
      axis: the axis, counted from the end if negative.

    Returns:
      A list of `num` tensors.

    Raises:
      ValueError: if `axis` is out of range, or `num` is neither passed nor known.
    """
    if num is None:
        value = ops.convert_to_tensor(value)
        dims = value._dims
        if dims is not None:
            if not -len(dims) <= axis < len(dims):
                raise ValueError(f"axis = {axis} not in [{-len(dims)}, {len(dims)})")
            num = dims[axis]
        if num is None:
            raise ValueError(f"Cannot infer num from shape {value.shape}")
    return raw.Unpack(value, num=num, axis=axis, name=name)


@op(
    "ParallelConcat",
    "values: N*T -> output: T",
    N=Attr("int", minimum=1),
    T=ANY,
    shape=Attr("shape"),
)
def parallel_concat(xp, values, *, shape):
    for i, value in enumerate(values):
        if value.shape[1:] != shape[1:]:
            invalid(
                "Shapes of all inputs must match: values[0].shape = "
                f"{shape_text(values[0].shape)} != values[{i}].shape = {shape_text(value.shape)}"
            )
    return xp.concatenate(values)


@parallel_concat.infer
def _(op) -> Dims:
    shape = TensorShape.from_dims(op.attrs["shape"])
    if not shape.is_fully_defined():
        raise InferenceError("shape attr must be fully defined.")
    dims: Dims = (1, *(shape._dims or ())[1:])
    for index, tensor in enumerate(op.inputs):
        if tensor._dims is None or None in tensor._dims:
            raise InferenceError("All input shapes must be fully defined.")
        if tensor._dims[:1] != (1,):
            raise InferenceError("Size of first dimension must be 1.")
        try:
            dims = merge(tensor._dims, dims)
        except InferenceError as error:
            raise InferenceError(
                f"{error}\n\tFrom merging shape {index} with other shapes."
            ) from None
    return shape._dims


@public
def parallel_stack(values: Any, name: str = "parallel_stack") -> Tensor:
    """Stacks tensors of the same known shape along a new first axis; each is copied as soon as it is ready.

    Args:
      values: a list of tensors of the same fully known shape.
    """
    with name_scope(name):
        first = ops.convert_to_tensor(values[0])
        shape = TensorShape([len(values)]).concatenate(first.get_shape())
        return raw.ParallelConcat([ops.expand_dims(value, 0) for value in values], shape=shape)
