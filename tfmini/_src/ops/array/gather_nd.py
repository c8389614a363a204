"""Gathering of elements and slices at points (GatherNd), and computation of points (UnravelIndex)."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from tfmini._src.base import dtypes
from tfmini._src.base.errors import invalid
from tfmini._src.devices.cuda.gather_scatter import gather_nd as gathered_on_gpu
from tfmini._src.devices.host.native import gather as native
from tfmini._src.graph.composite_values import IndexedSlices
from tfmini._src.graph.opdef import op, public, raw
from tfmini._src.graph.scopes import name_scope
from tfmini._src.graph.shape_inference import (
    Dims,
    InferenceError,
    text,
    with_rank,
    with_rank_at_least,
)
from tfmini._src.graph.static_values import get_static_value
from tfmini._src.graph.tensor import Tensor, TensorLike
from tfmini._src.ops import ops
from tfmini._src.ops.bounds import describe_outside_point
from tfmini._src.ops.operands import ANY, INDEX, INDEX32, shape_text
from tfmini._src.ops.ragged_dispatch import accepts_ragged


def index_points(xp: Any, indices: Any, shape: tuple, is_gathered: bool = False) -> Any:
    """Converts points on the last axis of `indices` to a numpy index; raises an error if a point is out of range."""
    problem = describe_outside_point(xp, indices, shape, is_gathered)
    if problem:
        invalid(problem)
    return tuple(indices[..., i] for i in range(indices.shape[-1]))


@op(
    "GatherNd",
    "params: Tparams, indices: Tindices -> output: Tparams",
    host_or_cuda=True,
    Tparams=ANY,
    Tindices=INDEX,
)
def gather_nd_op(xp, params, indices):
    _check_gather(params, indices)
    if not indices.shape[-1]:
        return xp.broadcast_to(params, indices.shape[:-1] + params.shape).copy()
    if xp is np:
        result = _take_points(params, indices)
        if result is not None:
            return result
    return params[index_points(xp, indices, params.shape, is_gathered=True)]


@gather_nd_op.bind
def _(ctx):
    """Gathers directly if all points are valid; leaves other cases to the kernel."""
    if not all(ctx.dims) or not ctx.dims[1][-1]:
        return None

    def gather(params, indices):
        result = _take_points(params, indices)
        return gather_nd_op.kernel(np, params, indices) if result is None else result

    return gather


def _take_points(params: np.ndarray, indices: np.ndarray) -> np.ndarray | None:
    if not params.dtype.hasobject:
        return native.take_points(params, indices)
    if indices.shape[-1] != params.ndim or not params.flags.c_contiguous:
        return None
    flat_indices = native.number_points(indices, params.shape)
    return (
        None
        if flat_indices is None
        else params.reshape(-1).take(flat_indices).reshape(indices.shape[:-1])
    )


@gather_nd_op.on_gpu
def _(gpu, params, indices):
    """Returns zeros at out-of-range points, because checking them would require synchronizing with the GPU."""
    _check_gather(params, indices)
    if not indices.shape[-1]:
        return gather_nd_op.kernel(gpu.xp, params, indices)
    return gathered_on_gpu(gpu.xp, params, indices)


def _check_gather(params: Any, indices: Any) -> None:
    rank = getattr(params, "ndim", 0)
    if not rank:
        invalid("params must be at least a vector")
    if not indices.ndim:
        invalid("indices must be at least a vector")
    depth = indices.shape[-1]
    if depth > rank:
        invalid(f"index innermost dimension length must be <= params rank; saw: {depth} vs. {rank}")
    if not params.size and math.prod(indices.shape[:-1]):
        invalid(
            "Requested more than 0 entries, but params is empty.  Params shape: "
            f"{shape_text(params.shape)}"
        )


@gather_nd_op.infer
def _(op) -> Dims:
    params, indices = op.inputs[0]._dims, with_rank_at_least(op.inputs[1]._dims, 1)
    if params is None or indices is None or indices[-1] is None:
        return None
    depth = indices[-1]
    if depth > len(params):
        raise InferenceError(
            f"indices.shape[-1] must be <= params.rank, but saw indices shape: {text(indices)} and "
            f"params shape: {text(params)}"
        )
    return indices[:-1] + params[depth:]


@gather_nd_op.gradient
def _(op, grad):
    params, indices = op.inputs
    shape = ops.shape(params, out_type=indices.dtype)
    dims = indices._dims
    if dims is not None and len(dims) == 2 and dims[-1] == 1:
        return IndexedSlices(grad, ops.squeeze(indices, axis=-1), shape), None
    return ops.scatter_nd(indices, grad, shape), None


@public
@accepts_ragged("params", "indices")
def gather_nd(
    params: TensorLike, indices: TensorLike, name: str | None = None, batch_dims: int = 0
) -> Tensor:
    """Gathers elements or slices of `params` at points.

    Args:
      params: a tensor of rank 1 or more, or a variable.
      indices: integers [..., depth], points on the first `depth` axes.
      batch_dims: the number of leading axes shared by `params` and `indices`.

    Returns:
      A tensor of shape `indices.shape[:-1] + params.shape[depth:]`, apart from batch axes.

    Raises:
      InvalidArgumentError (when run): if a point is out of range.

    Example: for a 2 by 2 matrix, `tf.gather_nd(matrix, [[0, 0], [1, 1]])` is the diagonal.
    """
    static = get_static_value(batch_dims)
    if static is not None:
        batch_dims = int(np.squeeze(static))
    if batch_dims == 0:
        is_distributed = hasattr(type(params), "device_map")
        if not is_distributed and hasattr(params, "gather_nd") and hasattr(params, "handle"):
            return params.gather_nd(indices, name=name)
        return raw.GatherNd(params, indices, name=name)
    return batch_gather_nd(params, indices, batch_dims, name)


def batch_gather_nd(params: Any, indices: Any, batch_dims: Any, name: str | None) -> Tensor:
    """`gather_nd` with one or more leading batch axes."""
    with name_scope(name, "BatchGatherND", [params, indices]):
        indices = ops.convert_to_tensor(indices, name="indices")
        params = ops.convert_to_tensor(params, name="params")
        if not isinstance(batch_dims, int):
            raise TypeError(f"batch_dims must be an int; got {batch_dims!r}")
        if batch_dims < 0:
            raise ValueError("tf.gather_nd does not allow negative batch_dims.")
        for tensor, label in ((indices, "indices"), (params, "params")):
            rank = tensor.shape.ndims
            if rank is not None and batch_dims >= rank:
                raise ValueError(
                    f"batch_dims = {batch_dims} must be less than rank({label}) = {rank}"
                )
        params_shape, indices_shape = ops.shape(params), ops.shape(indices)
        batch_shape = params_shape[:batch_dims]
        batch_size = raw.Prod(batch_shape, [0])
        inner_rank = ops.rank(indices) - batch_dims - 1
        inner_shape = indices_shape[batch_dims:-1]
        # The batch coordinates are prepended to the points.
        ranges = [
            raw.Cast(raw.Range(0, size, 1), DstT=indices.dtype)
            for size in ops.unstack(batch_shape, axis=0)
        ]
        parts = [ops.reshape(x, shape=(-1,)) for x in ops.meshgrid(*ranges, indexing="ij")]
        grid = ops.transpose(ops.stack(parts, axis=0))
        grid_shape = ops.shape(grid)
        spread = ops.concat(
            [grid_shape[:1], ops.ones(inner_rank, dtype=dtypes.int32), grid_shape[1:]], axis=0
        )
        grid = ops.reshape(grid, spread)
        grid = ops.tile(grid, multiples=ops.concat(((1,), inner_shape, (1,)), axis=0))
        flat_shape = ops.concat(([batch_size], indices_shape[batch_dims:]), axis=0)
        flat_indices = ops.reshape(indices, shape=flat_shape)
        result = raw.GatherNd(params, ops.concat((grid, flat_indices), axis=-1))
        result_shape = ops.shape(result)
        return ops.reshape(result, shape=ops.concat((batch_shape, result_shape[1:]), axis=0))


# Flat indices as points --------------------------------------------------------------------------


@op("UnravelIndex", "indices: Tidx, dims: Tidx -> output: Tidx", Tidx=INDEX32)
def unravel_index_op(xp, indices, dims):
    if dims.ndim != 1:
        invalid(f'The indices can only be 1-D, got "{shape_text(dims.shape)}"')
    if indices.ndim > 1:
        invalid(f'The indices can only be scalar or vector, got "{shape_text(indices.shape)}"')
    # Out-of-range indices wrap around; negative ones yield negative coordinates. Products wrap in the
    # dtype, modulo a power of two.
    max_value = np.iinfo(dims.dtype).max
    stride, result = 1, []
    for size in reversed(dims.tolist()):
        count = (stride * size + max_value + 1) % (2 * max_value + 2) - max_value - 1
        if not count and indices.size:
            invalid(f"dims {dims.tolist()} have no elements, or more than {dims.dtype} can count")
        remainder = xp.fmod(indices, count) if count else indices
        result.append((remainder - xp.fmod(remainder, stride)) // stride)
        stride = count
    if not result:
        return xp.empty((0, *indices.shape), dims.dtype)
    return xp.stack(result[::-1]).astype(dims.dtype, copy=False)


@unravel_index_op.infer
def _(op) -> Dims:
    indices, (rank,) = op.inputs[0]._dims, with_rank(op.inputs[1]._dims, 1)
    if indices is None:
        return None
    if not indices:
        return (rank,)
    return rank, None if None in indices else int(np.prod(indices))


def unravel_index(indices: TensorLike, dims: TensorLike, name: str | None = None) -> Tensor:
    """Converts flat indices to coordinates.

    Args:
      indices: an integer scalar or vector.
      dims: the shape that is indexed, a vector of the same dtype.

    Returns:
      The coordinates as columns: [rank], or [rank, n] for n indices.
    """
    return raw.UnravelIndex(indices, dims, name=name)
