"""Tensor contractions and the cross product."""

from __future__ import annotations

from typing import Any

import numpy as np

from tfmini._src.base import dtypes
from tfmini._src.base.errors import FailedPreconditionError, invalid
from tfmini._src.devices.host.threads import run_slices
from tfmini._src.graph.opdef import op, public, raw
from tfmini._src.graph.scopes import name_scope
from tfmini._src.graph.shape_inference import Dims, InferenceError, merge, with_rank_at_least
from tfmini._src.graph.tensor import Tensor, TensorLike
from tfmini._src.ops import ops
from tfmini._src.ops.operands import shape_text
from tfmini._src.ops.type_lists import REAL_NUMBERS


@op("Cross", "a: T, b: T -> product: T", T=REAL_NUMBERS)
def cross_op(xp, a, b):
    if a.shape != b.shape:
        message = f"{shape_text(a.shape)} vs. {shape_text(b.shape)}"
        invalid(f"Both inputs must be of same shape: {message}")
    if a.ndim < 1:
        invalid(f"Input must be at least 1D{shape_text(a.shape)}")
    if a.shape[-1] != 3:
        raise FailedPreconditionError(
            None, None, "Cross-products are only defined for 3-element vectors."
        )
    if xp is np and a.size < _MIN_PARALLEL_ELEMENTS:  # `cross` calls more functions
        next_a, next_b = a.take(_NEXT_AXES, -1), b.take(_NEXT_AXES, -1)
        return (a * next_b - b * next_a).take(_NEXT_AXES, -1)
    return xp.cross(a, b) if xp is not np else _cross(a, b)


_NEXT_AXES, _MIN_PARALLEL_ELEMENTS = np.array([1, 2, 0]), 1 << 13


def _cross(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    result = np.empty(a.shape, a.dtype)
    a, b, rows = (x.reshape(-1, 3) for x in (a, b, result))

    def work(part: slice) -> None:
        left, right, columns = a[part].T, b[part].T, rows[part].T
        for axis, column in enumerate(columns):
            i, j = (axis + 1) % 3, (axis + 2) % 3
            np.multiply(left[i], right[j], out=column)
            column -= left[j] * right[i]

    run_slices(work, len(rows), _MIN_PARALLEL_ELEMENTS)
    return result


@cross_op.infer
def _(op) -> Dims:
    a, b = (with_rank_at_least(t._dims, 1) for t in op.inputs)
    dims = merge(a, b)
    if dims is not None and dims[-1] not in (None, 3):
        raise InferenceError(f"Dimension must be 3 but is {dims[-1]}")
    return dims


@cross_op.gradient
def _(op, grad):
    u, v = op.inputs
    return ops.cross(v, grad), ops.cross(grad, u)


@public
def cross(a: TensorLike, b: TensorLike, name: str | None = None) -> Tensor:
    """Returns the cross product of 3-vectors: [..., 3] times [..., 3] yields [..., 3]."""
    return raw.Cross(a, b, name=name)


@public
def tensordot(a: TensorLike, b: TensorLike, axes: TensorLike, name: str | None = None) -> Tensor:
    """Contracts `a` and `b` over pairs of axes.

    Args:
      a, b: tensors of the same dtype, which `tf.matmul` must support.
      axes: a number n for the last n axes of `a` and the first n axes of `b`, or two lists (or a [2, k] int32 tensor)
        of axes of `a` and of `b`.

    Returns:
      A Tensor with the remaining axes of `a`, followed by the remaining axes of `b`.

    Raises:
      ValueError: if the numbers of axes differ or are too large.

    Example: for matrices, `tf.tensordot(a, b, 1)` is `tf.matmul(a, b)`.
    """
    with name_scope(name, "Tensordot", [a, b, axes]) as name:
        a = ops.convert_to_tensor(a, name="a")
        b = ops.convert_to_tensor(b, name="b")
        a_axes, b_axes = _split_axes(a, axes)
        a_matrix, a_free, a_free_dims = _as_matrix(a, a_axes, last=True)
        b_matrix, b_free, b_free_dims = _as_matrix(b, b_axes, last=False)
        product = ops.matmul(a_matrix, b_matrix)
        if isinstance(a_free, list) and isinstance(b_free, list):
            return ops.reshape(product, a_free + b_free, name=name)
        a_free = ops.convert_to_tensor(a_free, dtype=dtypes.int32)
        b_free = ops.convert_to_tensor(b_free, dtype=dtypes.int32)
        result = ops.reshape(product, ops.concat([a_free, b_free], 0), name=name)
        if a_free_dims is not None and b_free_dims is not None:
            result.set_shape(a_free_dims + b_free_dims)
        return result


def _split_axes(a: Tensor, axes: Any) -> tuple[Any, Any]:
    """Returns the contracted axes of `a` and of the other operand, as lists or tensors."""
    if isinstance(axes, int | np.integer):
        if axes < 0:
            raise ValueError("'axes' must be at least 0.")
        rank: Any = a._rank()
        if rank is None:
            rank = ops.rank(a)
            first = ops.range(rank - axes, rank, dtype=dtypes.int32)
            return first, ops.range(axes, dtype=dtypes.int32)
        if axes > rank:
            raise ValueError(
                f"'axes' must not be larger than the number of dimensions of tensor {a}."
            )
        return list(range(rank - axes, rank)), list(range(axes))
    if not isinstance(axes, list | tuple):
        axes = ops.convert_to_tensor(axes, name="axes", dtype=dtypes.int32)
        return axes[0], axes[1]
    if len(axes) != 2:
        raise ValueError("'axes' must be an integer or have length 2.")
    a_axes, b_axes = axes
    if isinstance(a_axes, int | np.integer) and isinstance(b_axes, int | np.integer):
        a_axes, b_axes = [a_axes], [b_axes]
    if len(a_axes) != len(b_axes):
        raise ValueError(
            f"Different number of contraction axes 'a' and 'b', {len(a_axes)} != {len(b_axes)}."
        )
    return a_axes, b_axes


def _as_matrix(a: Tensor, axes: Any, last: bool) -> tuple[Tensor, Any, list | None]:
    """Returns `a` with `axes` as columns (`last`) or rows, its remaining dimensions, and their static values."""
    dims: Any = None if a._dims is None else list(a._dims)
    static = dims is not None and isinstance(axes, list | tuple)
    if static:
        axes = [i if i >= 0 else i + len(dims) for i in axes]
        free: Any = [i for i in range(len(dims)) if i not in axes]
        free_dims: Any = [dims[i] for i in free]
    if static and None not in dims:
        rows, columns = int(np.prod(free_dims)), int(np.prod([dims[i] for i in axes]))
        permutation = free + axes if last else axes + free
        as_matrix = [rows, columns] if last else [columns, rows]
        return ops.reshape(ops.transpose(a, permutation), as_matrix), free_dims, free_dims
    if static:
        _ = [dims[i] for i in axes]  # raises for a nonexistent axis
        axes = ops.convert_to_tensor(axes, dtype=dtypes.int32, name="axes")
        free = ops.convert_to_tensor(free, dtype=dtypes.int32, name="free")
        shape = ops.shape(a)
    else:
        free_dims = None
        shape = ops.shape(a)
        rank = ops.rank(a)
        axes = ops.convert_to_tensor(axes, dtype=dtypes.int32, name="axes")
        axes = ops.where(axes >= 0, axes, axes + rank)
        free, _ = ops.setdiff1d(ops.range(rank), axes)
    free_shape = ops.gather(shape, free)
    axes_shape = ops.gather(shape, axes)
    free_size = ops.reduce_prod(free_shape)
    axes_size = ops.reduce_prod(axes_shape)
    if last:
        permutation = ops.concat([free, axes], 0)
        matrix_shape = ops.stack([free_size, axes_size])
    else:
        permutation = ops.concat([axes, free], 0)
        matrix_shape = ops.stack([axes_size, free_size])
    return ops.reshape(ops.transpose(a, permutation), matrix_shape), free_shape, free_dims
