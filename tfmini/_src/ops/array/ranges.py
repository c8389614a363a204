"""Tensors computed from indices: Range, LinSpace, one-hot codes, sequence masks, grids."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from tfmini._src.base import dtypes
from tfmini._src.base.dtypes import DTypeLike
from tfmini._src.base.errors import invalid
from tfmini._src.devices.cuda.gather_scatter import one_hot as one_hot_on_gpu
from tfmini._src.devices.host.native import gather as native
from tfmini._src.graph.composite_values import SparseTensor
from tfmini._src.graph.opdef import Attr, op, public, raw
from tfmini._src.graph.scopes import name_scope
from tfmini._src.graph.shape_inference import (
    Dims,
    InferenceError,
    input_value,
    size_input,
    with_rank,
)
from tfmini._src.graph.tensor import Tensor, TensorLike
from tfmini._src.ops import ops
from tfmini._src.ops.operands import ANY, INDEX32, dense, shape_text
from tfmini._src.ops.ragged_dispatch import accepts_ragged


def _scalar_inputs(op: Any, *names: str) -> None:
    for tensor, name in zip(op.inputs, names):
        try:
            with_rank(tensor._dims, 0)
        except InferenceError as error:
            raise InferenceError(f"{error}\n\t for '{name}'") from None


def _check_scalars(**values: Any) -> None:
    for name, value in values.items():
        if value.ndim:
            invalid(f"{name} must be a scalar, not shape {shape_text(value.shape)}")


def _range_problem(start: Any, limit: Any, delta: Any) -> str | None:
    if delta == 0:
        return f"Requires delta != 0: {_scalar_text(delta)}"
    if delta > 0 and not start <= limit:
        return (
            f"Requires start <= limit when delta > 0: {_scalar_text(start)}/{_scalar_text(limit)}"
        )
    if not delta > 0 and not start >= limit:
        return (
            f"Requires start >= limit when delta < 0: {_scalar_text(start)}/{_scalar_text(limit)}"
        )
    if not _range_ratio(start, limit, delta) < 2**63:
        operands = "/".join(map(_scalar_text, (start, limit, delta)))
        return f"Requires fewer than 2**63 steps of delta from start to limit: {operands}"
    return None


def _scalar_text(value: Any) -> str:
    return f"{value:g}" if value.dtype.kind == "f" else str(value)


_MAX_RANGE_SIZE = 2**60  # elements; for larger ranges NumPy's arange returns an empty array


def _range_ratio(start: Any, limit: Any, delta: Any) -> Any:
    """Returns the number of steps from start to limit, rounded up for integers; may be infinite or NaN for floats."""
    if start.dtype.kind == "i":
        return -((int(start) - int(limit)) // int(delta))
    with np.errstate(all="ignore"):
        return abs((limit - start) / delta)


def _range_size(start: Any, limit: Any, delta: Any) -> int:
    return math.ceil(_range_ratio(start, limit, delta))


@op(
    "Range",
    "start: Tidx, limit: Tidx, delta: Tidx -> output: Tidx",
    differentiable=False,
    static_inputs=("start", "limit", "delta"),
    Tidx=Attr(
        "type",
        dtypes.int32,
        allowed=(dtypes.bfloat16, dtypes.float32, dtypes.float64, dtypes.int32, dtypes.int64),
    ),
)
def range_op(xp, start, limit, delta):
    _check_scalars(start=start, limit=limit, delta=delta)
    problem = _range_problem(start, limit, delta)
    if problem:
        invalid(problem)
    size = _range_size(start, limit, delta)
    if size > _MAX_RANGE_SIZE:
        raise MemoryError
    if start.dtype.kind == "i":
        first, step = int(start), int(delta)
        return xp.arange(first, first + size * step, step, dtype=start.dtype)
    # Each element is the previous one plus delta, rounding included.
    steps = np.full(size, delta, start.dtype)
    steps[:1] = start
    return xp.asarray(np.add.accumulate(steps, dtype=start.dtype))


@range_op.infer
def _(op) -> Dims:
    _scalar_inputs(op, "start", "limit", "delta")
    values = [input_value(op, i) for i in (0, 1, 2)]
    if any(v is None for v in values):
        return (None,)
    problem = _range_problem(*values)
    if problem:
        raise InferenceError("Requires delta != 0" if "delta != 0" in problem else problem)
    return (_range_size(*values),)


_HIERARCHY = (dtypes.int32, dtypes.int64, dtypes.float32, dtypes.float64)


@op(
    "LinSpace",
    "start: T, stop: T, num: Tidx -> output: T",
    differentiable=False,
    static_inputs=("start", "stop", "num"),
    T=(dtypes.bfloat16, dtypes.float32, dtypes.float64),
    Tidx=INDEX32,
)
def lin_space_op(xp, start, stop, num):
    _check_scalars(start=start, stop=stop, num=num)
    if num <= 0:
        invalid(f"Requires num > 0: {num}")
    if num == 1:
        return xp.full(1, start, dtype=start.dtype)
    scalar = start.dtype.type
    step = (scalar(stop) - scalar(start)) / scalar(num - 1)
    result = scalar(start) + step * np.arange(num, dtype=start.dtype)
    result[0], result[-1] = start, stop
    return xp.asarray(result)


@lin_space_op.infer
def _(op) -> Dims:
    _scalar_inputs(op, "start", "stop", "num")
    num = input_value(op, 2)
    if num is None:
        return (None,)
    if num <= 0:
        raise InferenceError(f"Requires num > 0: {num}")
    return (int(num),)


@public
def linspace(
    start: TensorLike, stop: TensorLike, num: TensorLike, name: str | None = None
) -> Tensor:
    """Returns evenly spaced numbers from `start` to `stop`, including both.

    Args:
      start, stop: scalars of the same floating-point dtype.
      num: the number of values, an integer scalar of at least 1.

    Example: `tf.linspace(10.0, 12.0, 3)` is [10, 11, 12].
    """
    return raw.LinSpace(start, stop, num, name=name)


lin_space = linspace


# One-hot codes -----------------------------------------------------------------------------------


_FEW_CODES = (
    1 << 12
)  # minimum result elements; for fewer, comparing all is faster than finding the codes' positions


@op(
    "OneHot",
    "indices: TI, depth: int32, on_value: T, off_value: T -> output: T",
    host_or_cuda=True,
    differentiable=False,
    static_inputs=("depth",),
    axis=-1,
    T=ANY,
    TI=Attr("type", dtypes.int64, allowed=(dtypes.uint8, dtypes.int32, dtypes.int64)),
)
def one_hot_op(xp, indices, depth, on_value, off_value, *, axis):
    on_value, off_value = dense(on_value), dense(off_value)
    depth, position = _codes(indices, depth, on_value, off_value, axis)
    shape = indices.shape
    if position == len(shape) and indices.size * depth <= _FEW_CODES:
        is_on = xp.asarray(indices)[..., None] == xp.arange(depth)
        if on_value.dtype.kind != "O":
            return xp.where(is_on, on_value, off_value)
    outer, inner = math.prod(shape[:position]), math.prod(shape[position:])
    codes = xp.asarray(indices).reshape(-1).astype(np.int64)
    if xp is np:
        result = native.one_hot(codes, outer, depth, inner, on_value, off_value)
        if result is not None:
            return result.reshape(shape[:position] + (depth,) + shape[position:])
    result = xp.empty(outer * depth * inner, on_value.dtype)
    result[...] = off_value
    # Flat position of element 0 of each index's vector in the result.
    starts = xp.arange(outer) * (depth * inner)
    if inner != 1:
        starts = (starts[:, None] + xp.arange(inner)).reshape(-1)
    valid = codes.view(np.uint64) < depth  # negative codes, as unsigned, are too large
    if not valid.all():
        codes, starts = codes[valid], starts[valid]
    result[starts + codes * inner] = on_value
    return result.reshape(shape[:position] + (depth,) + shape[position:])


@one_hot_op.on_gpu
def _(gpu, indices, depth, on_value, off_value, *, axis):
    depth, position = _codes(indices, depth, on_value, off_value, axis)
    return one_hot_on_gpu(gpu.xp, indices, depth, on_value, off_value, position)


def _codes(indices: Any, depth: Any, on_value: Any, off_value: Any, axis: int) -> tuple[int, int]:
    """Returns the validated depth and axis of one-hot codes; raises InvalidArgumentError for invalid ones."""
    rank = indices.ndim
    if axis != -1 and not 0 <= axis <= rank:
        invalid(f"Expected axis to be -1 or between [0, {rank + 1}).  But received: {axis}")
    for name, value in (("depth", depth), ("on_value", on_value), ("off_value", off_value)):
        if value.ndim:
            invalid(f"{name} must be a scalar, but got: {shape_text(value.shape)}")
    if depth < 0:
        invalid(f"depth must be non-negative, got: {depth}")
    return int(depth), rank if axis == -1 else axis


@one_hot_op.infer
def _(op) -> Dims:
    axis = op.attrs["axis"]
    if axis < -1:
        raise InferenceError("axis must be >= -1")
    depth = size_input(op, 1)
    dims = op.inputs[0]._dims
    if dims is None:
        return None
    position = axis % (len(dims) + 1)
    return (*dims[:position], depth, *dims[position:])


@public
@accepts_ragged("indices")
def one_hot(
    indices: TensorLike,
    depth: TensorLike,
    on_value: TensorLike | None = None,
    off_value: TensorLike | None = None,
    axis: int | None = None,
    dtype: DTypeLike | None = None,
    name: str | None = None,
) -> Tensor:
    """Returns one-hot vectors of indices: `on_value` at the position of the index, `off_value` elsewhere.

    A negative index, or an index of `depth` or more, yields a vector of `off_value`.

    Args:
      indices: uint8, int32 or int64 tensor.
      depth: the number of classes, an int32 scalar.
      on_value, off_value: scalars of the same dtype; 1 and 0 by default.
      axis: the position of the new axis; last by default.
      dtype: the dtype of the result; by default the dtype of the values, or float32.

    Raises:
      TypeError: if the dtypes of `on_value`, `off_value` and `dtype` differ.

    Example: `tf.one_hot([0, 2], 3)` is [[1, 0, 0], [0, 0, 1]].
    """
    with name_scope(name, "one_hot", [indices, depth, on_value, off_value, axis, dtype]) as name:
        on_dtype = _get_dtype(on_value)
        off_dtype = _get_dtype(off_value)
        if on_dtype is None and off_dtype is None:
            dtype = dtypes.float32 if dtype is None else dtype
        elif dtype is None:
            dtype = off_dtype if on_dtype is None else on_dtype
        else:
            for value, which in ((on_dtype, "on_value"), (off_dtype, "off_value")):
                if value is not None and value != dtype:
                    raise TypeError(
                        f"dtype {value} of {which} does not match dtype parameter {dtype}"
                    )
        if on_dtype is None:
            on_value = ops.convert_to_tensor(1, dtype, name="on_value")
            on_dtype = dtype
        if off_dtype is None:
            off_value = ops.convert_to_tensor(0, dtype, name="off_value")
            off_dtype = dtype
        if on_dtype != off_dtype:
            raise TypeError(
                f"dtype {on_dtype} of on_value does not match dtype {off_dtype} of off_value"
            )
        return raw.OneHot(indices, depth, on_value, off_value, axis=axis, name=name)


def _get_dtype(value: Any) -> Any:
    return None if value is None else ops.convert_to_tensor(value).dtype.base_dtype


# Masks and grids ---------------------------------------------------------------------------------


@public
def all_dimensions(x: TensorLike) -> Tensor:
    """Returns the indices of all axes of `x`, as a constant if its rank is known."""
    if isinstance(x, Tensor) and x._dims is not None:
        return ops.constant(np.arange(len(x._dims)), dtype=dtypes.int32)
    if isinstance(x, SparseTensor) and x.dense_shape.get_shape().is_fully_defined():
        return ops.constant(np.arange(len(x.shape)), dtype=dtypes.int32)
    return raw.Range(0, ops.rank(x), 1)


@public
def sequence_mask(
    lengths: TensorLike,
    maxlen: TensorLike | None = None,
    dtype: Any = dtypes.bool,
    name: str | None = None,
) -> Tensor:
    """Creates a mask with one row per length, whose first `length` elements are True.

    Args:
      lengths: integer tensor.
      maxlen: the size of the new last axis, an integer scalar; by default the largest length.
      dtype: the dtype of the result.

    Returns:
      A tensor of `dtype` with the shape of `lengths` and a last axis of size `maxlen`.

    Raises:
      ValueError: if `maxlen` is not a scalar.

    Example: `tf.sequence_mask([1, 3], 3)` is [[True, False, False], [True, True, True]].
    """
    with name_scope(name, "SequenceMask", [lengths, maxlen]):
        lengths = ops.convert_to_tensor(lengths)
        if maxlen is None:
            maxlen = raw.Max(lengths, all_dimensions(lengths))
            maxlen = raw.Maximum(ops.constant(0, maxlen.dtype), maxlen)
        else:
            maxlen = ops.convert_to_tensor(maxlen)
        if maxlen._dims not in (None, ()):
            raise ValueError("maxlen must be scalar for sequence_mask")
        positions = raw.Range(ops.constant(0, maxlen.dtype), maxlen, ops.constant(1, maxlen.dtype))
        result = positions < raw.Cast(ops.expand_dims(lengths, -1), DstT=maxlen.dtype)
        if dtype is None or result.dtype.base_dtype == dtype.base_dtype:
            return result
        return raw.Cast(result, DstT=dtype)


@public
def meshgrid(*args: Any, **kwargs: Any) -> list[Tensor]:
    """Creates coordinate grids: repeats each vector along the axes of the others.

    Args:
      *args: vectors of the same dtype.
      indexing: "xy" (the default; swaps the first two axes) or "ij".

    Returns:
      A list of tensors, one per vector, whose rank is the number of vectors.

    Raises:
      TypeError: for an unknown keyword; ValueError: for an unknown `indexing`.
    """
    indexing = kwargs.pop("indexing", "xy")
    name = kwargs.pop("name", "meshgrid")
    if kwargs:
        raise TypeError(f"'{next(iter(kwargs))}' is an invalid keyword argument for this function")
    if indexing not in ("xy", "ij"):
        raise ValueError("indexing parameter must be either 'xy' or 'ij'")
    with name_scope(name, "meshgrid", args) as name:
        rank = len(args)
        ones = (1,) * rank
        outputs = [
            ops.reshape(ops.stack(x), (*ones[:i], -1, *ones[i + 1 :])) for i, x in enumerate(args)
        ]
        sizes = [ops.size(x) for x in args]
        dtype = ops.convert_to_tensor(args[0]).dtype.base_dtype
        if indexing == "xy" and rank > 1:
            outputs[0] = ops.reshape(outputs[0], (1, -1, *ones[2:]))
            outputs[1] = ops.reshape(outputs[1], (-1, 1, *ones[2:]))
            sizes[0], sizes[1] = sizes[1], sizes[0]
        factor = ops.ones(sizes, dtype)
        return [x * factor for x in outputs]


@public
def range(
    start: TensorLike,
    limit: TensorLike | None = None,
    delta: TensorLike = 1,
    dtype: DTypeLike | None = None,
    name: str = "range",
) -> Tensor:
    """Returns the numbers from `start` up to, but not including, `limit`, in steps of `delta`.

    Args:
      start: the first number, a scalar; a single argument is the limit, and the range starts at 0.
      limit: the exclusive end, a scalar.
      delta: the step, a scalar; negative counts down.
      dtype: the dtype of the result; by default the widest dtype of the three in the order int32,
        int64, float32, float64.

    Raises:
      ValueError, InvalidArgumentError (when run): if `delta` is 0 or has the wrong sign.

    Example: `tf.range(3, 18, 3)` is [3, 6, 9, 12, 15].
    """
    if limit is None:
        start, limit = 0, start
    with name_scope(name, "Range", [start, limit, delta]) as name:
        start = ops.convert_to_tensor(start, dtype=dtype, name="start")
        limit = ops.convert_to_tensor(limit, dtype=dtype, name="limit")
        delta = ops.convert_to_tensor(delta, dtype=dtype, name="delta")
        if dtype is None:
            assert all(t.dtype in _HIERARCHY for t in (start, limit, delta))
            dtype = max((t.dtype for t in (start, limit, delta)), key=_HIERARCHY.index)
            start = ops.cast(start, dtype)
            limit = ops.cast(limit, dtype)
            delta = ops.cast(delta, dtype)
        return raw.Range(start, limit, delta, name=name)
