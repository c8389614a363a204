"""Scattering of elements and slices to points: ScatterNd, and updates to a copy of a tensor."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from tfmini._src.base import dtypes
from tfmini._src.base.errors import invalid
from tfmini._src.devices.cuda.gather_scatter import flat_row_indices, scatter, scatters
from tfmini._src.devices.cuda.launch import runs_cuda
from tfmini._src.devices.numpy.segment_reduce import reduce_rows
from tfmini._src.graph.opdef import op, public, raw
from tfmini._src.graph.shape_inference import (
    Dims,
    input_dims,
    unknown_dims,
    with_rank,
    with_rank_at_least,
)
from tfmini._src.graph.tensor import Tensor, TensorLike
from tfmini._src.ops import ops
from tfmini._src.ops.operands import ANY, INDEX, check_not_negative, dense, shape_text
from tfmini._src.ops.state.scatter_ops import (
    check_points,
    flat_point_indices,
    points_and_rows,
    points_problem,
    reduce_in_order,
    some_are_empty,
)


def _flat_positions(xp: Any, indices: Any, shape: tuple, on_gpu: bool) -> Any:
    """Returns flat indices of points into the first axes of `shape`; invalid points raise, or yield -1 on a GPU."""
    if on_gpu:
        return flat_row_indices(xp, indices, shape[: indices.shape[-1]]).reshape(-1)
    return flat_point_indices(xp, indices, shape)


def _check_scatter(shape: tuple, output: tuple, indices: Any, updates: Any) -> None:
    """Performs the checks common to ScatterNd and tensor scatters; `output` is the shape that must not be empty."""
    if not indices.ndim:
        invalid(f"Indices shape must have rank at least one. Found:{shape_text(indices.shape)}")
    if not updates.ndim:
        invalid(f"Updates shape must have rank at least one. Found:{shape_text(updates.shape)}")
    if some_are_empty(output, indices.shape, updates.shape):
        invalid("Indices and updates specified for empty output shape")
    outer, depth = indices.ndim - 1, indices.shape[-1]
    if updates.shape[:outer] != indices.shape[:outer]:
        invalid(
            "Outer dimensions of indices and update must match. Indices shape: "
            f"{shape_text(indices.shape)}, updates shape:{shape_text(updates.shape)}"
        )
    inner = len(shape) - depth
    if updates.ndim - outer != inner:
        invalid(
            "Inner dimensions of output shape must match inner dimensions of updates shape. "
            f"Output: {shape_text(shape)} updates: {shape_text(updates.shape)}"
        )
    if updates.shape[outer:] != shape[depth:]:
        invalid(
            f"The inner {inner} dimensions of output.shape={shape_text(shape)} must match the inner "
            f"{inner} dimensions of updates.shape={shape_text(updates.shape)}"
        )


def _check_points(shape: tuple, indices: Any, updates: Any) -> None:
    problem = points_problem(shape, indices.shape, updates.shape)
    if problem:
        invalid(problem)


@op(
    "ScatterNd",
    "indices: Tindices, updates: T, shape: Tindices -> output: T",
    sorts_indices=True,
    host_or_cuda=True,
    gradient=lambda op, grad: (None, ops.gather_nd(grad, op.inputs[0]), None),
    static_inputs=("shape",),
    T=ANY,
    Tindices=INDEX,
)
def scatter_nd_op(xp, indices, updates, shape):
    updates = dense(updates)
    if shape.ndim != 1:
        invalid("Shape must be a vector")
    sizes = tuple(shape.tolist())
    check_not_negative(sizes)
    _check_scatter(sizes, (len(sizes),), indices, updates)
    _check_points(sizes, indices, updates)
    if not indices.size:
        return (
            np.full(sizes, b"", object)
            if updates.dtype == object
            else xp.zeros(sizes, updates.dtype)
        )
    indices, updates = points_and_rows(indices, updates)
    depth = indices.shape[-1]
    rows = updates.reshape(-1, *sizes[depth:])
    on_gpu = runs_cuda(xp) and scatters(updates.dtype, "add")
    positions = _flat_positions(xp, indices, sizes, on_gpu)
    count = math.prod(sizes[:depth])  # may exceed int64, and then memory
    if updates.dtype == object:
        result = np.full((count, *sizes[depth:]), b"", object)
        np.add.at(result, positions, rows)
    else:
        result = reduce_rows(xp, xp.add, rows, positions, count, 0, is_sorted=False)
    return result.reshape(sizes)


@scatter_nd_op.infer
def _(op) -> Dims:
    indices, updates = op.inputs[0]._dims, op.inputs[1]._dims
    with_rank_at_least(indices, 1)
    with_rank_at_least(updates, 1)
    (rank,) = with_rank(op.inputs[2]._dims, 1)
    if rank is not None:
        check_points(unknown_dims(rank), indices, updates, "output")
    shape = input_dims(op, 2)
    check_points(shape, indices, updates, "output")
    return shape


@public
def scatter_nd(
    indices: TensorLike, updates: TensorLike, shape: TensorLike, name: str | None = None
) -> Tensor:
    """Scatters elements or slices into a tensor of zeros; updates at repeated points are summed.

    Args:
      indices: integers [..., depth], points on the first `depth` axes.
      updates: a tensor of shape `indices.shape[:-1] + shape[depth:]`.
      shape: the shape of the result, a vector of the dtype of `indices`.

    Raises:
      ValueError: if the shapes do not match; InvalidArgumentError (when run): if a point is out of range.

    Example: `tf.scatter_nd([[1], [3]], [9, 8], [5])` is [0, 9, 0, 8, 0].
    """
    return raw.ScatterNd(indices, updates, shape, name=name)


def _update(xp: Any, tensor: Any, indices: Any, updates: Any, reduce: str) -> Any:
    """Returns a copy of `tensor` with `updates` assigned, added or subtracted at the points."""
    result = tensor.copy()
    if not indices.size:
        return result
    indices, updates = points_and_rows(indices, updates)
    depth = indices.shape[-1]
    rows = result.reshape(-1, *tensor.shape[depth:])
    on_gpu = runs_cuda(xp) and scatters(tensor.dtype, reduce)
    positions = _flat_positions(xp, indices, tensor.shape, on_gpu)
    values = updates.reshape(-1, *tensor.shape[depth:])
    if on_gpu:
        scatter(xp, reduce, rows, positions, values)
    elif reduce == "update":
        rows[positions] = values
    elif xp is np and values.dtype.kind in "iufc":
        reduce_in_order(xp, rows, positions, values, reduce)
    else:
        getattr(xp, reduce).at(rows, positions, values)
    return result


def _infer_tensor_scatter(op: Any) -> Dims:
    dims = with_rank_at_least(op.inputs[0]._dims, 1)
    check_points(dims, op.inputs[1]._dims, op.inputs[2]._dims, "output")
    return dims


def _infer_add(op: Any) -> Dims:
    check_points(*(t._dims for t in op.inputs))
    return op.inputs[0]._dims


def declare_tensor_scatter(name: str, reduce: str, first: str = "tensor", **types: Any) -> Any:
    """Declares an op that assigns `updates` at points of a tensor, or combines them with its values using a ufunc."""

    @op(
        name,
        f"{first}: T, indices: Tindices, updates: T -> output: T",
        sorts_indices=True,
        host_or_cuda=True,
        **{"T": ANY, "Tindices": INDEX, **types},
    )
    def kernel(xp, tensor, indices, updates):
        updates = dense(updates)
        if first == "tensor":
            _check_scatter(tensor.shape, tensor.shape, indices, updates)
        _check_points(tensor.shape, indices, updates)
        return _update(xp, tensor, indices, updates, reduce)

    kernel.infer(_infer_tensor_scatter if first == "tensor" else _infer_add)
    return kernel


tensor_scatter_update_op = declare_tensor_scatter("TensorScatterUpdate", "update")
tensor_scatter_add_op = declare_tensor_scatter("TensorScatterAdd", "add")
tensor_scatter_sub_op = declare_tensor_scatter("TensorScatterSub", "subtract")
scatter_nd_non_aliasing_add = declare_tensor_scatter(
    "ScatterNdNonAliasingAdd",
    "add",
    "input",
    T=(
        *(dtypes.float32, dtypes.float64, dtypes.int32, dtypes.uint8, dtypes.int16, dtypes.int8),
        *(dtypes.complex64, dtypes.int64, dtypes.qint8, dtypes.quint8, dtypes.qint32),
        *(dtypes.bfloat16, dtypes.uint16, dtypes.complex128, dtypes.float16, dtypes.uint32),
        *(dtypes.uint64, dtypes.bool),
    ),
)


@tensor_scatter_update_op.gradient
def _(op, grad):
    indices = op.inputs[1]
    updates_grad = ops.gather_nd(grad, indices)
    identity_grad = ops.identity(grad)
    zeros = ops.zeros_like(op.inputs[2], dtype=grad.dtype)
    return ops.tensor_scatter_update(identity_grad, indices, zeros), None, updates_grad


@tensor_scatter_add_op.gradient
def _(op, grad):
    updates_grad = ops.gather_nd(grad, op.inputs[1])
    return ops.identity(grad), None, updates_grad


@tensor_scatter_sub_op.gradient
def _(op, grad):
    updates_grad = ops.gather_nd(grad, op.inputs[1])
    return ops.identity(grad), None, -updates_grad


@scatter_nd_non_aliasing_add.gradient
def _(op, grad):
    return grad, None, ops.gather_nd(grad, op.inputs[1])


@public
def tensor_scatter_update(
    tensor: TensorLike, indices: TensorLike, updates: TensorLike, name: str | None = None
) -> Tensor:
    """Returns a copy of `tensor` with `updates` assigned at the points `indices`; see `tf.scatter_nd`."""
    return raw.TensorScatterUpdate(tensor, indices, updates, name=name)


def tensor_scatter_add(
    tensor: TensorLike, indices: TensorLike, updates: TensorLike, name: str | None = None
) -> Tensor:
    """Returns a copy of `tensor` with `updates` added at the points `indices`; see `tf.scatter_nd`."""
    return raw.TensorScatterAdd(tensor, indices, updates, name=name)


def tensor_scatter_sub(
    tensor: TensorLike, indices: TensorLike, updates: TensorLike, name: str | None = None
) -> Tensor:
    """Returns a copy of `tensor` with `updates` subtracted at the points `indices`; see `tf.scatter_nd`."""
    return raw.TensorScatterSub(tensor, indices, updates, name=name)


tensor_scatter_nd_update = tensor_scatter_update
tensor_scatter_nd_add = tensor_scatter_add
tensor_scatter_nd_sub = tensor_scatter_sub
