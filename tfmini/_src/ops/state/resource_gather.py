"""Gathering of rows and points of resource variables."""

from __future__ import annotations

from typing import Any

import numpy as np

from tfmini._src.base import errors
from tfmini._src.base.errors import invalid
from tfmini._src.devices.cuda import gather_scatter as on_gpus
from tfmini._src.devices.host.native import rows as native
from tfmini._src.graph.composite_values import IndexedSlices
from tfmini._src.graph.op_traits.handle_kinds import VARIABLE
from tfmini._src.graph.opdef import Attr, op_with_handles, raw
from tfmini._src.graph.shape_inference import InferenceError, text, with_rank_at_least
from tfmini._src.ops import ops
from tfmini._src.ops.bounds import describe_outside_index, describe_outside_point
from tfmini._src.ops.state.assign import as_array
from tfmini._src.ops.state.resource_variables import (
    INDICES,
    handle_dims,
    handle_dims_or_own,
    require_initialized,
    variable_shape,
)

op = op_with_handles(resource=VARIABLE)


@op(
    "ResourceGather",
    "resource: resource, indices: Tindices -> output: dtype",
    device_state=True,
    host_or_cuda=True,
    stateful=True,
    batch_dims=0,
    validate_indices=True,
    dtype=Attr("type"),
    Tindices=INDICES,
)
def resource_gather(ctx, resource, indices, *, batch_dims, Tindices):
    xp = ctx.xp
    indices = as_array(xp, indices, Tindices)
    cell = require_initialized(ctx, resource)
    with cell.lock:
        params = cell.read()
        if params.ndim <= batch_dims:
            invalid(f"params must be at least {batch_dims + 1} dimensional")
        if not batch_dims and xp is np:
            result = native.take_rows(params, indices)
            if result is not None:
                return result
        size = params.shape[batch_dims]
        problem = describe_outside_index(indices, size)
        if problem:
            invalid(problem)
        if not batch_dims:
            return xp.take(params, indices, axis=0)
        batch = tuple(
            xp.arange(n).reshape((-1,) + (1,) * (indices.ndim - i - 1))
            for i, n in enumerate(indices.shape[:batch_dims])
        )
        return params[(*batch, indices)]


@resource_gather.bind
def _(ctx):
    """Gathers entire rows natively; leaves all other cases to the kernel."""
    batch_dims, dtype = ctx.attrs["batch_dims"], ctx.attrs["Tindices"]
    if batch_dims or not ctx.dims[1]:
        return None
    take = native.row_taker(ctx.attrs["dtype"].numpy, dtype.numpy)
    if take is None:
        return None

    def rows(resource, indices):
        with resource.lock:
            array = resource.array
            result = None if array is None or not array.ndim else take(array, indices)
        if result is None:
            return resource_gather.kernel(ctx, resource, indices, batch_dims=0, Tindices=dtype)
        return result

    return rows


@resource_gather.on_gpu
def _(gpu, resource, indices, *, batch_dims):
    """Returns zeros for out-of-range indices, because checking them would require synchronizing with the GPU."""
    with resource.lock:
        params = _initialized_value(resource)
        if params.ndim <= batch_dims:
            invalid(f"params must be at least {batch_dims + 1} dimensional")
        return on_gpus.gather(gpu.xp, params, indices, batch_dims, batch_dims)


def _initialized_value(cell: Any) -> Any:
    if not cell.initialized:
        raise errors.NotFoundError(None, None, cell.missing())
    return cell.read()


@resource_gather.infer
def _(op):
    params = handle_dims(op.inputs[0], op.attrs["dtype"])
    indices = op.inputs[1]._dims
    batch_dims = op.attrs["batch_dims"]
    with_rank_at_least(params, batch_dims + 1)
    if params is None or indices is None:
        return None
    return params[:batch_dims] + indices[batch_dims:] + params[batch_dims + 1 :]


@resource_gather.gradient
def _(op, grad):
    handle, indices = op.inputs
    params_shape = variable_shape(handle)
    size = ops.expand_dims(ops.size(indices), 0)
    values_shape = ops.concat([size, params_shape[1:]], 0)
    values = ops.reshape(grad, values_shape)
    indices = ops.reshape(indices, size)
    return IndexedSlices(values, indices, params_shape), None


@op(
    "ResourceGatherNd",
    "resource: resource, indices: Tindices -> output: dtype",
    device_state=True,
    host_or_cuda=True,
    stateful=True,
    dtype=Attr("type"),
    Tindices=INDICES,
)
def resource_gather_nd(ctx, resource, indices):
    xp, cell = ctx.xp, require_initialized(ctx, resource)
    with cell.lock:
        params = cell.read()
        depth = _depth(params, indices)
        problem = describe_outside_point(xp, indices, params.shape, is_gathered=True)
        if problem:
            invalid(problem)
        if not depth:
            return xp.broadcast_to(params, indices.shape[:-1] + params.shape).copy()
        return params[tuple(indices[..., i] for i in range(depth))]


def _depth(params: Any, indices: Any) -> int:
    if not indices.ndim:
        invalid("indices must be at least a vector")
    depth = indices.shape[-1]
    if depth > params.ndim:
        problem = "index innermost dimension length must be <= params rank; saw: "
        invalid(f"{problem}{depth} vs. {params.ndim}")
    return depth


@resource_gather_nd.on_gpu
def _(gpu, resource, indices):
    """Returns zeros at out-of-range points."""
    with resource.lock:
        params = _initialized_value(resource)
        if not _depth(params, indices):
            return gpu.xp.broadcast_to(params, indices.shape[:-1] + params.shape).copy()
        return on_gpus.gather_nd(gpu.xp, params, indices)


@resource_gather_nd.infer
def _(op):
    params = handle_dims_or_own(op.inputs[0], op.attrs["dtype"])
    indices = with_rank_at_least(op.inputs[1]._dims, 1)
    if params is None or indices is None or indices[-1] is None:
        return None
    if indices[-1] > len(params):
        raise InferenceError(
            "indices.shape[-1] must be <= params.rank, but saw indices shape: "
            f"{text(indices)} and params shape: {text(params)}"
        )
    return indices[:-1] + params[indices[-1] :]


@resource_gather_nd.gradient
def _(op, grad):
    handle, indices = op.inputs
    params_shape = raw.VariableShape(handle, out_type=indices.dtype)
    if indices.shape.ndims == 2 and indices._dims[-1] == 1:
        return IndexedSlices(grad, ops.squeeze(indices, axis=-1), params_shape), None
    return ops.scatter_nd(indices, grad, params_shape), None
