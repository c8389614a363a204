"""Gathering of slices by index along an axis; the gradients touch only those slices."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from tfmini._src.base import dtypes
from tfmini._src.base.errors import invalid
from tfmini._src.base.names.deprecation import deprecated
from tfmini._src.devices.cuda.gather_scatter import gather as gathered_on_gpu
from tfmini._src.devices.host.native import gather as gathering, rows as native
from tfmini._src.graph.composite_values import IndexedSlices
from tfmini._src.graph.opdef import op, public, raw
from tfmini._src.graph.scopes import colocate_with, name_scope
from tfmini._src.graph.shape_inference import (
    Dims,
    InferenceError,
    input_value,
    with_rank,
    with_rank_at_least,
)
from tfmini._src.graph.static_values import get_static_value
from tfmini._src.graph.tensor import Tensor, TensorLike
from tfmini._src.ops import ops
from tfmini._src.ops.array.reshape import reshape_gradient
from tfmini._src.ops.bounds import describe_outside_index
from tfmini._src.ops.operands import ANY, INDEX
from tfmini._src.ops.ragged_dispatch import accepts_ragged


def _check_range(indices: Any, size: int) -> None:
    problem = describe_outside_index(indices, size)
    if problem:
        invalid(problem)


def _take_rows(xp: Any, params: Any, indices: Any) -> Any:
    result = native.take_rows(params, indices) if xp is np else None
    if result is not None:
        return result
    _check_range(indices, params.shape[0])
    return params.take(indices, 0)


@op(
    "Gather",
    "params: Tparams, indices: Tindices -> output: Tparams",
    host_or_cuda=True,
    validate_indices=True,
    Tparams=ANY,
    Tindices=INDEX,
)
def gather_v1(xp, params, indices):
    if not getattr(params, "ndim", 0):
        invalid("params must be at least 1 dimensional")
    return _take_rows(xp, params, indices)


@gather_v1.bind
def _(ctx):
    return _row_gather_kernel(ctx, lambda params, indices: gather_v1.kernel(np, params, indices))


def _row_gather_kernel(ctx: Any, other: Callable) -> Callable | None:
    """Returns a kernel that gathers rows directly or calls the kernel `other`; None if the inputs may be scalars."""
    index = ctx.constants.get("indices")
    if ctx.dims[1] == () and index is not None and len(ctx.dims[0] or ()) == 1:
        row = int(index)
        if row < 0:
            return None

        def element(params, indices, *axis):
            return params[row] if row < len(params) else other(params, indices, *axis)

        return element
    if not ctx.dims[0] or not ctx.dims[1]:
        return None
    take = native.row_taker(ctx.attrs["Tparams"].numpy, ctx.attrs["Tindices"].numpy)
    if take is None:
        return None

    def rows(params, indices, *axis):
        result = take(params, indices)
        return other(params, indices, *axis) if result is None else result

    return rows


@gather_v1.on_gpu
def _(gpu, params, indices):
    """Returns zeros for out-of-range indices, because checking them would require synchronizing with the GPU."""
    if not params.ndim:
        invalid("params must be at least 1 dimensional")
    return gathered_on_gpu(gpu.xp, params, indices)


@gather_v1.infer
def _(op) -> Dims:
    params, indices = with_rank_at_least(op.inputs[0]._dims, 1), op.inputs[1]._dims
    return None if params is None or indices is None else indices + params[1:]


@op(
    "GatherV2",
    "params: Tparams, indices: Tindices, axis: Taxis -> output: Tparams",
    host_or_cuda=True,
    static_inputs=("axis",),
    batch_dims=0,
    Tparams=ANY,
    Tindices=INDEX,
    Taxis=INDEX,
)
def gather_v2(xp, params, indices, axis, *, batch_dims):
    dim = _checked_axis(params, axis)
    if batch_dims:
        return _gather_batches(xp, params, indices, dim, batch_dims)
    if 0 in params.shape[:dim]:  # empty result: indices are not checked
        return xp.empty(params.shape[:dim] + indices.shape + params.shape[dim + 1 :], params.dtype)
    if not dim:
        return _take_rows(xp, params, indices)
    result = gathering.take_along(params, indices, dim, 0) if xp is np else None
    if result is not None:
        return result
    _check_range(indices, params.shape[dim])
    return params.take(indices, dim)


@gather_v2.bind
def _(ctx):
    axis, batch_dims = ctx.constants.get("axis"), ctx.attrs["batch_dims"]
    if (
        batch_dims
        or axis is None
        or axis.ndim
        or not ctx.dims[0]
        or axis not in (0, -len(ctx.dims[0]))
    ):
        return None
    return _row_gather_kernel(ctx, lambda *inputs: gather_v2.kernel(np, *inputs, batch_dims=0))


@gather_v2.on_gpu
def _(gpu, params, indices, axis, *, batch_dims):
    """Returns zeros for out-of-range indices."""
    dim = _checked_axis(params, axis)
    if batch_dims:
        batch_dims = _batch_axes(params, indices, dim, batch_dims)
    return gathered_on_gpu(gpu.xp, params, indices, dim, batch_dims)


def _checked_axis(params: Any, axis: Any) -> int:
    rank = getattr(params, "ndim", 0)
    if axis.ndim:
        invalid("axis must be scalar")
    if not rank:
        invalid("params must be at least 1 dimensional")
    dim = int(axis)
    if not -rank <= dim < rank:
        invalid(f"Expected axis in the range [{-rank}, {rank}), but got {dim}")
    return dim % rank


def _batch_axes(params: Any, indices: Any, axis: int, batch_dims: int) -> int:
    """Returns `batch_dims` as a non-negative number; raises InvalidArgumentError unless the batch axes match."""
    rank = indices.ndim
    if not -rank <= batch_dims < rank:
        invalid(f"Expected batch_dims in the range [{-rank}, {rank}), but got {batch_dims}")
    batch_dims %= rank
    if batch_dims >= params.ndim:
        invalid(f"batch_dims ({batch_dims}) must be less than rank(params) ({params.ndim}).")
    if batch_dims > axis:
        invalid(f"batch_dims ({batch_dims}) must be less than or equal to axis ({axis}).")
    shape = params.shape
    for i in range(batch_dims):
        if shape[i] != indices.shape[i]:
            invalid(
                f"params.shape[{i}]: {shape[i]} should be equal to indices.shape[{i}]: "
                f"{indices.shape[i]}"
            )
    return batch_dims


def _gather_batches(xp: Any, params: Any, indices: Any, axis: int, batch_dims: int) -> Any:
    batch_dims = _batch_axes(params, indices, axis, batch_dims)
    result = gathering.take_along(params, indices, axis, batch_dims) if xp is np else None
    if result is not None:
        return result
    shape = params.shape
    _check_range(indices, shape[axis])
    batches, outer = shape[:batch_dims], shape[batch_dims:axis]
    inner, index_shape = shape[axis + 1 :], indices.shape[batch_dims:]
    count = math.prod(batches)
    blocks = params.reshape(count, math.prod(outer), shape[axis], math.prod(inner))
    rows = xp.arange(count)[:, None]
    # [batch, index, outer, inner]
    gathered = blocks[rows, :, indices.reshape(count, math.prod(index_shape))]
    return gathered.transpose(0, 2, 1, 3).reshape(batches + outer + index_shape + inner)


@gather_v2.infer
def _(op) -> Dims:
    params, indices = with_rank_at_least(op.inputs[0]._dims, 1), op.inputs[1]._dims
    with_rank(op.inputs[2]._dims, 0)
    batch_dims = op.attrs["batch_dims"]
    axis = input_value(op, 2)
    if axis is None:
        if params is None or indices is None:
            return None
        return (None,) * (len(params) + len(indices) - 1)
    dim = int(axis)
    with_rank_at_least(params, -dim if dim < 0 else dim + 1)
    with_rank_at_least(params, -batch_dims if batch_dims < 0 else batch_dims + 1)
    if params is None or indices is None:
        return None
    if batch_dims < -len(indices):
        raise InferenceError(
            f"Subshape start out of bounds: {batch_dims}, for shape with rank {len(indices)}"
        )
    dim %= len(params)
    return params[:dim] + indices[batch_dims:] + params[dim + 1 :]


# Gradients ---------------------------------------------------------------------------------------


def _params_shape(params: Tensor) -> Any:
    with colocate_with(params):
        return ops.cast(ops.shape(params, out_type=dtypes.int64), dtypes.int32)


def _slices(params_shape: Any, indices: Tensor, size: Tensor, grad: Any) -> IndexedSlices:
    """Returns the gradient of gathering rows: the rows of `grad` and the indices that they came from."""
    values_shape = ops.concat([size, params_shape[1:]], 0)
    values = reshape_gradient(grad, values_shape)
    return IndexedSlices(values, ops.reshape(indices, size), params_shape)


@gather_v1.gradient
def _(op, grad):
    params, indices = op.inputs
    params_shape = _params_shape(params)
    size = ops.expand_dims(ops.size(indices), 0)
    return _slices(params_shape, indices, size, grad), None


@gather_v2.gradient
def _(op, grad):
    params, indices, axis = op.inputs
    params_shape = _params_shape(params)
    size = ops.expand_dims(ops.size(indices), 0)
    static_axis = get_static_value(axis)
    batch_dims = op.attrs["batch_dims"]
    if batch_dims < 0:
        batch_dims += indices.shape.ndims
    if static_axis == 0:
        return _slices(params_shape, indices, size, grad), None, None
    return _dense_gradient(params_shape, indices, axis, batch_dims, grad), None, None


def _dense_gradient(
    params_shape: Any, indices: Tensor, axis: Tensor, batch_dims: int, grad: Any
) -> Tensor:
    """Moves the gathered axis next to the batch axes, sums the rows, and moves the axis back."""
    outer_shape = params_shape[:axis]
    inner_shape = params_shape[axis:][1:]
    values_shape = ops.concat([outer_shape, [-1], inner_shape], 0)
    rank = ops.size(values_shape)
    outer_rank = ops.size(outer_shape)
    batch_axes = ops.range(batch_dims)
    middle_axes = ops.range(batch_dims, outer_rank)
    inner_axes = ops.range(outer_rank + 1, rank)
    values = reshape_gradient(grad, values_shape)
    forward = ops.concat([batch_axes, [outer_rank], middle_axes, inner_axes], 0)
    values = ops.transpose(values, forward)
    result = _sum_rows(params_shape, values, indices, batch_dims, params_shape[axis])
    inverse_permutation = ops.concat([batch_axes, middle_axes + 1, [batch_dims], inner_axes], 0)
    return ops.transpose(result, inverse_permutation)


def _sum_rows(
    params_shape: Any, values: Tensor, indices: Tensor, batch_dims: int, count: Any
) -> Tensor:
    """Sums the rows of `values` with equal indices in each batch."""
    size = ops.expand_dims(ops.size(indices), 0)
    if not batch_dims:
        return ops.unsorted_segment_sum(values, ops.reshape(indices, size), count)
    shape = ops.shape(values)
    outer_shape = shape[:batch_dims]
    inner_shape = shape[batch_dims:][1:]
    batches = raw.Prod(outer_shape, [0], keep_dims=False)
    flat_shape = ops.concat([[-1], inner_shape], 0)
    count *= batches
    dtype = indices.dtype.base_dtype
    cast_params_shape = ops.cast(params_shape, dtype)
    stride = ops.ones((), dtype=dtype)
    indices = _add_batch_offsets(cast_params_shape, stride, indices, batch_dims, ops.range)
    values = ops.reshape(values, flat_shape)
    result = ops.unsorted_segment_sum(values, ops.reshape(indices, size), count)
    return ops.reshape(result, ops.concat([outer_shape, flat_shape], 0))


def _add_batch_offsets(
    params_shape: Any, stride: Any, indices: Any, batch_dims: int, count: Callable
) -> Any:
    """Converts per-batch indices to indices into the concatenation of all batches.

    `stride` is 1 in the dtype of the indices; `count` is the function that creates a range.
    """
    dtype, rank = indices.dtype.base_dtype, indices.shape.ndims
    for axis in range(batch_dims, 0, -1):
        size = params_shape[axis - 1]
        stride *= params_shape[axis]
        start = ops.zeros((), dtype=dtype)
        step = ops.ones((), dtype=dtype)
        positions = count(start, size, step)
        positions *= stride
        shape = ops.stack([1] * (axis - 1) + [size] + [1] * (rank - axis), axis=0)
        indices += ops.reshape(positions, shape)
    return indices


# Public ------------------------------------------------------------------------------------------


@public
@accepts_ragged("params", "indices")
def gather(
    params: TensorLike,
    indices: TensorLike,
    validate_indices: bool | None = None,
    name: str | None = None,
    axis: TensorLike | None = None,
    batch_dims: int = 0,
) -> Tensor:
    """Gathers slices of `params` by index along an axis.

    Args:
      params: a tensor of rank 1 or more, or a variable; only the gathered slices are read.
      indices: int32 or int64 tensor.
      validate_indices: ignored.
      axis: the axis; by default the first non-batch axis.
      batch_dims: the number of leading axes shared by `params` and `indices`.

    Returns:
      A tensor of shape
      `params.shape[:axis] + indices.shape[batch_dims:] + params.shape[axis + 1:]`.

    Raises:
      InvalidArgumentError (when run): if an index is negative or too large.

    Example: `tf.gather(["a", "b", "c"], [2, 0])` is ["c", "a"].
    """
    if axis is None:
        axis = batch_dims
    if get_static_value(axis) != 0:
        return raw.GatherV2(params, indices, axis, batch_dims=batch_dims, name=name)
    # Distributed variables are read completely.
    is_distributed = hasattr(type(params), "device_map")
    if not is_distributed and hasattr(params, "sparse_read") and hasattr(params, "handle"):
        return params.sparse_read(indices, name=name)
    return raw.GatherV2(params, indices, axis, name=name)


@public
@deprecated(
    "2017-10-25",
    "`tf.batch_gather` is deprecated, please use `tf.gather` with `batch_dims=-1` instead.",
)
@accepts_ragged("params", "indices")
def batch_gather(params: TensorLike, indices: TensorLike, name: str | None = None) -> Tensor:
    """Gathers along the last axis of `indices`; each batch element is gathered from its own slice of `params`.

    Args:
      params: a tensor whose leading axes match all axes of `indices` but the last.
      indices: int32 or int64 tensor of known rank.

    Raises:
      ValueError: if the rank of `indices` is unknown or does not match.
    """
    with name_scope(name, "BatchGather", [params, indices]):
        indices = ops.convert_to_tensor(indices, name="indices")
        params = ops.convert_to_tensor(params, name="params")
        if indices._dims is None:
            raise ValueError("batch_gather does not allow indices with unknown shape.")
        return _batch_gather(params, indices, len(indices._dims) - 1)


def _batch_gather(params: Tensor, indices: Tensor, batch_dims: int) -> Tensor:
    index_dims, param_dims = indices._dims, params._dims
    assert index_dims is not None
    if batch_dims < 0:
        raise ValueError(
            f"batch_dims = {batch_dims} must be less than rank(indices) = {len(index_dims)}"
        )
    if param_dims is not None and batch_dims >= len(param_dims):
        raise ValueError(
            f"batch_dims = {batch_dims} must be less than rank(params) = {len(param_dims)}"
        )
    indices_shape = ops.shape(indices)
    params_shape = ops.shape(params)
    dtype = indices.dtype.base_dtype
    stride = ops.ones((), dtype=dtype)
    cast_params_shape = raw.Cast(params_shape, DstT=dtype)
    flat_indices = _add_batch_offsets(cast_params_shape, stride, indices, batch_dims, raw.Range)
    flat_indices = ops.reshape(flat_indices, [-1])
    outer_shape = params_shape[batch_dims + 1 :]
    size = raw.Prod(params_shape[: batch_dims + 1], [0], keep_dims=False)
    flat_params = ops.reshape(params, ops.concat([[size], outer_shape], axis=0))
    flat_result = gather(flat_params, flat_indices)
    result = ops.reshape(flat_result, ops.concat([indices_shape, outer_shape], axis=0))
    batch_shape = indices.get_shape()[:batch_dims].merge_with(params.get_shape()[:batch_dims])
    full_dims = batch_shape.concatenate(index_dims[batch_dims:])
    result.set_shape(full_dims.concatenate(params.get_shape()[batch_dims + 1 :]))
    return result
