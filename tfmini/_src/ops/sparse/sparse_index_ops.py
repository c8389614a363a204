"""Sparse ops that only change indices or the dense shape: reorder, reshape, transpose, reset."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from tfmini._src.base import dtypes
from tfmini._src.base.errors import invalid
from tfmini._src.devices.host.native import sparse_rows
from tfmini._src.graph.composite_values import SparseTensor
from tfmini._src.graph.opdef import op, public, raw
from tfmini._src.graph.scopes import name_scope
from tfmini._src.graph.shape_inference import Dims, with_rank
from tfmini._src.graph.static_values import get_static_value, static_shape
from tfmini._src.graph.tensor import Tensor, TensorLike
from tfmini._src.ops import ops
from tfmini._src.ops.operands import ANY, check_not_negative, shape_text
from tfmini._src.ops.sparse.sparse_indices import as_sparse, check_parts, check_sizes, order


@op(
    "SparseReorder",
    "input_indices: int64, input_values: T, input_shape: int64 -> output_indices: int64, output_values: T",
    view=True,
    static_inputs=("input_shape",),
    T=ANY,
)
def sparse_reorder_op(xp, positions, values, shape):
    check_parts(positions, values, shape)
    check_sizes(positions, values, shape)
    sorting = order(xp, positions)
    return (positions, values) if sorting is None else (positions[sorting], values[sorting])


sparse_reorder_op.forwards(
    output_indices="input_indices",
    output_values="input_values",
    when=lambda input_indices: order(np, input_indices) is None,
    late=True,
)


@sparse_reorder_op.infer
def _(op) -> list[Dims]:
    positions, values = with_rank(op.inputs[0]._dims, 2), with_rank(op.inputs[1]._dims, 1)
    with_rank(op.inputs[2]._dims, 1)
    return [positions, values]


@sparse_reorder_op.gradient
def _(op, places_grad, values_grad):
    indices, shape = op.inputs[0], op.inputs[2]
    positions = ops.range(ops.shape(indices)[0])
    ordered = sparse_reorder(SparseTensor(indices, positions, shape))
    return None, ops.gather(values_grad, ops.invert_permutation(ordered.values)), None


def sparse_reorder(sp_input: TensorLike, name: str | None = None) -> SparseTensor:
    """Sorts a SparseTensor in row-major order, which most sparse ops require."""
    sp_input = as_sparse(sp_input)
    positions, values = raw.SparseReorder(
        sp_input.indices, sp_input.values, sp_input.dense_shape, name=name
    )
    if sp_input.shape.is_fully_defined():
        return SparseTensor(positions, values, sp_input.shape.as_list())
    return SparseTensor(positions, values, ops.identity(sp_input.dense_shape))


@op(
    "SparseReshape",
    "input_indices: int64, input_shape: int64, new_shape: int64 -> output_indices: int64, output_shape: int64",
    view=True,
    static_inputs=("input_shape", "new_shape"),
)
def sparse_reshape_op(xp, positions, shape, new_shape):
    if positions.ndim != 2:
        invalid(
            f"Input indices should be a matrix but received shape {shape_text(positions.shape)}"
        )
    if shape.ndim != 1:
        invalid(f"Input shape should be a vector but received shape {shape_text(shape.shape)}")
    if new_shape.ndim != 1:
        invalid(f"Target shape should be a vector but received shape {shape_text(new_shape.shape)}")
    sizes = shape.tolist()
    check_not_negative(sizes)
    expected = _infer_sizes(sizes, new_shape.tolist())
    target = xp.asarray(expected, "i8")
    if sizes == expected:
        return positions, target
    if xp is np and min(sizes, default=0) > 0 and min(expected, default=0) > 0:
        result = sparse_rows.reshape_points(positions, shape, target)
        if result is not None:
            return result, target
    flat = xp.zeros(len(positions), "i8")
    for size, column in zip(sizes, positions.T):
        flat = flat * size + column
    columns = []
    for size in reversed(expected):
        columns.append(flat % size if size else flat)
        flat = flat // size if size else flat
    result = xp.empty((len(positions), len(expected)), "i8")
    for i, column in enumerate(reversed(columns)):
        result[:, i] = column
    return result, target


sparse_reshape_op.forwards(
    output_indices="input_indices",
    output_shape="input_shape",
    when=lambda input_shape, new_shape: (
        input_shape.tolist() == _infer_sizes(input_shape.tolist(), new_shape.tolist())
    ),
)


def _infer_sizes(sizes: list[int], expected: list[int]) -> list[int]:
    """Returns `expected` with -1 inferred; raises InvalidArgumentError unless its element count matches `sizes`."""
    total, unknown = math.prod(sizes), -1
    for i, size in enumerate(expected):
        if size == -1:
            if unknown >= 0:
                invalid(f"only one output dimension may be -1, not both {unknown} and {i}")
            unknown = i
        elif size < 0:
            invalid(f"size {i} must be non-negative, not {size}")
    product = math.prod(size for size in expected if size != -1)
    actual = [1 if size == -1 else size for size in expected]
    shapes = f"input_shape={shape_text(tuple(sizes))} output_shape="
    if unknown >= 0:
        if product <= 0:
            invalid(
                "reshape cannot infer the missing input size for an empty tensor unless all "
                "specified input sizes are non-zero"
            )
        if total % product:
            invalid(
                f"Input to reshape is a SparseTensor with {total} dense values, but the requested "
                f"shape requires a multiple of {product}. {shapes}{shape_text(tuple(actual))}"
            )
        actual[unknown] = total // product
    elif product != total:
        invalid(
            f"Input to reshape is a tensor with {total} dense values, but the requested shape has "
            f"{product}. {shapes}{shape_text(tuple(actual))}"
        )
    return actual


@sparse_reshape_op.infer
def _(op) -> list[Dims]:
    (count, _), (rank,) = with_rank(op.inputs[0]._dims, 2), with_rank(op.inputs[2]._dims, 1)
    with_rank(op.inputs[1]._dims, 1)
    return [(count, rank), (rank,)]


@public
def sparse_reshape(
    sp_input: TensorLike, shape: TensorLike, name: str | None = None
) -> SparseTensor:
    """Reshapes a SparseTensor, preserving the row-major order of its elements.

    Args:
      sp_input: a SparseTensor.
      shape: integer vector; one size may be -1, which is inferred.

    Raises:
      ValueError, InvalidArgumentError (when run): if the element count differs, or -1 occurs twice.
    """
    sp_input = as_sparse(sp_input)
    shape = ops.cast(shape, dtype=dtypes.int64)
    with name_scope(name, "SparseReshape", [sp_input]) as name:
        positions, new_shape = raw.SparseReshape(
            sp_input.indices, sp_input.dense_shape, shape, name=name
        )
        expected = static_shape(shape)
        if expected.ndims is not None and sp_input.shape.is_fully_defined():
            static_value = get_static_value(shape)
            if static_value is not None and np.sum(static_value == -1) > 1:
                raise ValueError(
                    f"At most one dimension can be inferred (-1). Found: {static_value}"
                )
            static = _static_shape(sp_input.shape.as_list(), expected.as_list())
            if static is not None:
                new_shape = ops.constant(static, dtype=dtypes.int64)
        return SparseTensor(positions, ops.identity(sp_input.values), new_shape)


def _static_shape(sizes: list[int], expected: list[int | None]) -> list[int] | None:
    """Returns `expected` with -1 inferred, or None if unknown; raises ValueError if element counts differ."""
    total, unknown = math.prod(sizes), expected.count(None)
    if unknown > 1:
        return None
    static = [size for size in expected if size is not None]
    results = list(static)
    if unknown:
        filled = math.prod(static)
        results.insert(expected.index(None), total // filled if filled else 0)
    if math.prod(results) != total:
        raise ValueError(
            f"Cannot reshape a tensor with {total} elements to shape {expected} "
            f"({math.prod(results)} elements)."
        )
    return results


@public
def sparse_transpose(
    sp_input: SparseTensor, perm: TensorLike | None = None, name: str | None = None
) -> SparseTensor:
    """Permutes the axes of a SparseTensor and sorts it.

    Args:
      sp_input: a SparseTensor.
      perm: integer vector; axis i of the result is axis perm[i] of `sp_input`; by default, axes are reversed.
    """
    with name_scope(name, "SparseTranspose", [sp_input]) as name:
        if perm is None:
            rank = ops.rank(sp_input)
            perm = rank - 1 - ops.range(0, rank, 1)
        columns = ops.transpose(ops.gather(ops.transpose(sp_input.indices), perm))
        static_perm = get_static_value(ops.convert_to_tensor(perm))
        if static_perm is not None and sp_input.shape.is_fully_defined():
            sizes = sp_input.shape.as_list()
            shape: Any = [sizes[axis] for axis in static_perm] + sizes[len(static_perm) :]
        else:
            shape = ops.gather(sp_input.dense_shape, perm)
        return sparse_reorder(SparseTensor(columns, sp_input.values, shape))


def sparse_expand_dims(
    sp_input: SparseTensor, axis: TensorLike | None = None, name: str | None = None
) -> SparseTensor:
    """Inserts an axis of size 1 into a SparseTensor.

    Args:
      sp_input: a SparseTensor.
      axis: int or scalar tensor, the position of the new axis; last by default.

    Raises:
      TypeError: if `axis` is not an integer.
    """
    rank = sp_input.dense_shape.shape[0]
    axis = -1 if axis is None else axis
    with name_scope(name, "expand_dims", [sp_input]):
        if isinstance(axis, int | np.integer):
            axis = ops.convert_to_tensor(axis, name="axis", dtype=dtypes.int32)
        elif not isinstance(axis, Tensor):
            raise TypeError(
                "axis must be an integer value in range [-rank(sp_input) - 1, rank(sp_input)]"
            )
        axis = ops.where_v2(axis >= 0, axis, axis + rank + 1)
        count = ops.shape(sp_input.indices)[0]
        column = ops.zeros([count, 1], dtype=dtypes.int64)
        leading_indices = ops.slice(sp_input.indices, [0, 0], [-1, axis])
        trailing_indices = ops.slice(sp_input.indices, [0, axis], [-1, -1])
        positions = ops.concat([leading_indices, column, trailing_indices], axis=1)
        shape_before = ops.slice(sp_input.dense_shape, [0], [axis])
        shape_after = ops.slice(sp_input.dense_shape, [axis], [-1])
        one = ops.convert_to_tensor([1], name="new_shape", dtype=dtypes.int64)
        shape = ops.concat([shape_before, one, shape_after], axis=0)
        return SparseTensor(positions, sp_input.values, shape)


def sparse_reset_shape(sp_input: TensorLike, new_shape: TensorLike | None = None) -> SparseTensor:
    """Resets the dense shape of a SparseTensor to a larger shape or to the tightest shape.

    Args:
      sp_input: a SparseTensor.
      new_shape: integer vector of the same rank, no smaller in any axis; by default the tightest shape.

    Raises:
      ValueError, InvalidArgumentError (when run): if the new shape has a different rank or is too small.
    """
    sp_input = as_sparse(sp_input)
    positions, values = ops.identity(sp_input.indices), ops.identity(sp_input.values)
    old = ops.identity(sp_input.dense_shape)
    if new_shape is None:
        highest = ops.reduce_max(positions, axis=0)
        zero = ops.constant(0, dtype=dtypes.int64)
        shape: Any = ops.maximum(zero, ops.add(highest, ops.ones_like(old)))
        return SparseTensor(positions, values, shape)
    shape = ops.convert_to_tensor(new_shape)
    shape.shape.assert_has_rank(1)
    shape = ops.cast(shape, dtypes.int64)
    if shape.shape.rank is not None:
        shape.shape.dims[0].merge_with(old.shape[0])
    static_shape = get_static_value(shape)
    if static_shape is not None and sp_input.shape.is_fully_defined():
        sizes = np.array(sp_input.shape.as_list())
        if not np.all(sizes <= static_shape):
            raise ValueError(
                "Requested new_shape should have dimension sizes >= sp_input.shape.  Found "
                f"new_shape ({sizes}), sp_input.shape ({static_shape})."
            )
        return SparseTensor(positions, values, static_shape)
    equal = ops.assert_equal(ops.shape(old), ops.shape(shape))
    shape = ops.with_dependencies([equal], shape)
    shape_check = ops.assert_less_equal(old, shape)
    return SparseTensor(positions, values, ops.with_dependencies([shape_check], shape))
