"""Sums and maxima of sparse tensors along axes, as dense or sparse tensors."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from tfmini._src.base import dtypes
from tfmini._src.base.errors import invalid
from tfmini._src.base.names.deprecation import deprecated_args, deprecated_argument_lookup
from tfmini._src.base.names.signature import arguments_of
from tfmini._src.devices.numpy.segment_reduce import reduce_rows
from tfmini._src.graph.composite_values import SparseTensor
from tfmini._src.graph.opdef import OpDef, op, public, raw
from tfmini._src.graph.shape_inference import Dims, input_value
from tfmini._src.graph.tensor import Tensor, TensorLike
from tfmini._src.ops import ops
from tfmini._src.ops.math.reduction_ops import reduced_shape
from tfmini._src.ops.operands import shape_text
from tfmini._src.ops.sparse.sparse_indices import check_sparse, keys
from tfmini._src.ops.type_lists import NUMBERS, REAL_NUMBERS

_INPUTS = "input_indices: int64, input_values: T, input_shape: int64, reduction_axes: int32"
_STATIC = ("input_indices", "input_shape", "reduction_axes")


def _axes_to_keep(axes: Any, rank: int) -> list[int]:
    """Returns the axes that are not reduced; raises InvalidArgumentError for an out-of-range axis."""
    if axes.ndim > 1:
        invalid(
            f"Expected reduction_axes to be a scalar or a vector; got shape: {shape_text(axes.shape)}"
        )
    reduced = set()
    for axis in axes.ravel().tolist():
        if not -rank <= axis < rank:
            invalid(f"Invalid reduction dimension {axis}, for input with {rank} dimensions.")
        reduced.add(axis % rank)
    return [axis for axis in range(rank) if axis not in reduced]


def _check_operand(positions: Any, values: Any, shape: Any) -> None:
    if shape.ndim != 1:
        invalid(f"Expected input_shape to be a vector; got shape: {shape_text(shape.shape)}")
    check_sparse(positions, values, shape)


def _declare(name: str, types: tuple, ufunc: str) -> tuple[OpDef, OpDef]:
    def dense_kernel(xp, positions, values, shape, axes, *, keep_dims):
        _check_operand(positions, values, shape)
        sizes = shape.tolist()
        kept_axes = _axes_to_keep(axes, len(sizes))
        count = 1
        group = xp.zeros(len(positions), "i8")
        for axis in kept_axes:
            group = group * sizes[axis] + positions[:, axis]
            count *= sizes[axis]
        if ((group < 0) | (group >= count)).any():
            invalid("Index out of range in the sparse tensor that is reduced")
        result = reduce_rows(xp, getattr(xp, ufunc), values, group, count, 0, is_sorted=False)
        if keep_dims:
            return result.reshape([s if i in kept_axes else 1 for i, s in enumerate(sizes)])
        return result.reshape([sizes[axis] for axis in kept_axes])

    def sparse_kernel(xp, positions, values, shape, axes, *, keep_dims):
        _check_operand(positions, values, shape)
        rank = shape.size
        kept_axes = _axes_to_keep(axes, rank)
        (sort_keys,) = keys(xp, positions[:, kept_axes])
        unique, first, group = xp.unique(sort_keys, return_index=True, return_inverse=True)
        reduce = getattr(xp, ufunc)
        result = reduce_rows(xp, reduce, values, group.reshape(-1), len(unique), 0, is_sorted=False)
        selected = positions[first]
        if not keep_dims:
            return selected[:, kept_axes], result, shape[kept_axes]
        reduced_axes = [axis for axis in range(rank) if axis not in kept_axes]
        selected[:, reduced_axes] = 0
        new_shape = shape.copy()
        new_shape[reduced_axes] = 1
        return selected, result, new_shape

    dense = op(name, f"{_INPUTS} -> output: T", static_inputs=_STATIC, keep_dims=False, T=types)(
        dense_kernel
    )
    dense.infer(_dense_shape)
    sparse = op(
        f"{name}Sparse",
        f"{_INPUTS} -> output_indices: int64, output_values: T, output_shape: int64",
        static_inputs=_STATIC,
        keep_dims=False,
        T=types,
    )(sparse_kernel)
    sparse.infer(lambda op: [None, None, None])
    return dense, sparse


def _dense_shape(op: Any) -> Dims:
    shape, axes = input_value(op, 2), input_value(op, 3)
    if shape is None or axes is None:
        return None
    sizes = shape.ravel().tolist()
    reduced = {axis % len(sizes) for axis in axes.ravel().tolist()} if sizes else set()
    if op.attrs["keep_dims"]:
        return tuple(1 if i in reduced else size for i, size in enumerate(sizes))
    return tuple(size for i, size in enumerate(sizes) if i not in reduced)


sum_op, sum_sparse_op = _declare("SparseReduceSum", NUMBERS, "add")
max_op, max_sparse_op = _declare("SparseReduceMax", REAL_NUMBERS, "maximum")


@sum_op.gradient
def _(op, grad):
    positions, _, shape, axes = op.inputs
    retained = reduced_shape(shape, axes)
    grad = ops.reshape(grad, retained)
    scale = shape // ops.cast(retained, dtypes.int64)
    return None, ops.gather_nd(grad, positions // scale), None, None


def _reduction_axes(x: SparseTensor, axis: Any, reduction_axes: Any) -> Any:
    """Returns the axes, which may be passed by either name; all by default."""
    if reduction_axes is not None:
        if axis is not None:
            raise ValueError("Can't specify both axis' and 'reduction_indices'.")
        axis = reduction_axes
    if axis is not None:
        return axis
    rank = x.dense_shape.shape.as_list()[0] if x.dense_shape.shape.is_fully_defined() else None
    if rank is not None:
        return ops.constant(np.arange(rank), dtype=dtypes.int32)
    return ops.range(0, ops.rank(x))


def _reduce(
    reduction: Callable, x: SparseTensor, axis: Any, keepdims: Any, old_axes: Any, old_keep: Any
) -> Any:
    keepdims = deprecated_argument_lookup("keepdims", keepdims, "keep_dims", old_keep)
    keep_dims = False if keepdims is None else keepdims
    axes = _reduction_axes(x, axis, old_axes)
    return reduction(x.indices, x.values, x.dense_shape, axes, keep_dims)


_KEEP_DIMS = deprecated_args(None, "keep_dims is deprecated, use keepdims instead", "keep_dims")
_AXES = deprecated_args(None, "reduction_axes is deprecated, use axis instead", "reduction_axes")


@_KEEP_DIMS
@_AXES
def sparse_reduce_max(
    sp_input: SparseTensor,
    axis: TensorLike | None = None,
    keepdims: bool | None = None,
    reduction_axes: TensorLike | None = None,
    keep_dims: bool | None = None,
) -> Tensor:
    """Computes the maximum of the elements of a SparseTensor along axes as a Tensor; 0 if there are none.

    Args:
      sp_input: real SparseTensor.
      axis: an axis or a list of axes; all by default.
      keepdims: whether to keep the reduced axes with size 1.
      reduction_axes: the old name of `axis`.
      keep_dims: the old name of `keepdims`.

    Example: `tf.sparse.reduce_max(tf.SparseTensor([[0, 0], [0, 2], [1, 1]], [1, 1, 1], [2, 3]), 1)` is `[1, 1]`.
    """
    return _reduce(raw.SparseReduceMax, sp_input, axis, keepdims, reduction_axes, keep_dims)


@_KEEP_DIMS
@arguments_of(sparse_reduce_max)
def sparse_reduce_max_sparse(*args: Any) -> SparseTensor:
    """Computes the maximum along axes as a SparseTensor; see `tf.sparse.reduce_max`."""
    return SparseTensor(*_reduce(raw.SparseReduceMaxSparse, *args))


@_KEEP_DIMS
@_AXES
@public
@arguments_of(sparse_reduce_max)
def sparse_reduce_sum(*args: Any) -> Tensor:
    """Sums the elements of a SparseTensor along axes as a Tensor; see `tf.sparse.reduce_max` for the arguments.

    Example: `tf.sparse.reduce_sum(tf.SparseTensor([[0, 0], [0, 2], [1, 1]], [1, 1, 1], [2, 3]), 1)` is `[2, 1]`.
    """
    return _reduce(raw.SparseReduceSum, *args)


@_KEEP_DIMS
@arguments_of(sparse_reduce_max)
def sparse_reduce_sum_sparse(*args: Any) -> SparseTensor:
    """Computes the sum along axes as a SparseTensor; see `tf.sparse.reduce_sum`."""
    return SparseTensor(*_reduce(raw.SparseReduceSumSparse, *args))


def _reduced_v2(
    reduction_name: str, x: SparseTensor, axis: Any, keepdims: Any, sparse: bool, name: Any
) -> Any:
    reduction_inputs = x.indices, x.values, x.dense_shape, _reduction_axes(x, axis, None)
    reduction = getattr(raw, f"{reduction_name}Sparse" if sparse else reduction_name)
    result = reduction(*reduction_inputs, keep_dims=bool(keepdims), name=name)
    return SparseTensor(*result) if sparse else result


def sparse_reduce_max_v2(
    sp_input: SparseTensor,
    axis: Any = None,
    keepdims: bool | None = None,
    output_is_sparse: bool = False,
    name: str | None = None,
) -> Tensor | SparseTensor:
    """Computes the maximum along axes, as a Tensor or, if `output_is_sparse`, a SparseTensor."""
    return _reduced_v2("SparseReduceMax", sp_input, axis, keepdims, output_is_sparse, name)


@arguments_of(sparse_reduce_max_v2)
def sparse_reduce_sum_v2(*args: Any) -> Tensor | SparseTensor:
    """Computes the sum along axes, as a Tensor or, if `output_is_sparse`, a SparseTensor."""
    return _reduced_v2("SparseReduceSum", *args)
