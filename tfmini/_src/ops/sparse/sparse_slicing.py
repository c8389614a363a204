"""SparseSplit, SparseSlice, SparseConcat, and selection of elements."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from tfmini._src.base import dtypes
from tfmini._src.base.errors import InternalError, invalid
from tfmini._src.base.names.deprecation import deprecated_args, deprecated_argument_lookup
from tfmini._src.graph.composite_values import SparseTensor
from tfmini._src.graph.opdef import Attr, op, public, raw
from tfmini._src.graph.scopes import name_scope
from tfmini._src.graph.shape_inference import Dims, merge, merge_dim, with_rank
from tfmini._src.graph.static_values import get_static_value
from tfmini._src.graph.tensor import TensorLike
from tfmini._src.ops import ops
from tfmini._src.ops.operands import ANY, shape_text, single_integer
from tfmini._src.ops.sparse.sparse_indices import (
    as_sparse,
    check_parts,
    check_sizes,
    keys,
    order,
)
from tfmini._src.ops.type_lists import NUMBERS


class KeywordRequired:
    """Default value of a first parameter that enforces keyword arguments."""

    def __repr__(self) -> str:
        return "KeywordRequired()"


@op(
    "SparseSplit",
    "split_dim: int64, indices: int64, values: T, shape: int64 -> output_indices: num_split*int64, "
    "output_values: num_split*T, output_shape: num_split*int64",
    static_inputs=("split_dim", "indices", "shape"),
    num_split=Attr("int", minimum=1),
    T=ANY,
)
def sparse_split_op(xp, split_dim, positions, values, shape, *, num_split):
    check_parts(positions, values, shape)
    axis, rank = single_integer(split_dim, "split_dim"), shape.size
    if axis < 0:
        invalid(f"num_dim must be in the interval [0, {rank})")
    if axis >= rank:
        invalid(f"Input split_dim should be between 0 and rank ({rank}), got {axis}")
    size = int(shape[axis])
    if not 1 <= num_split <= size:
        invalid(
            "Input num_split should be between 1 and the splitting dimension size "
            f"({size}), got {num_split}"
        )
    check_sizes(positions, values, shape)
    share, larger_parts = divmod(size, num_split)
    indices = xp.arange(num_split)
    starts = indices * share + xp.minimum(indices, larger_parts)
    part = xp.searchsorted(starts, positions[:, axis], "right") - 1
    sorting = xp.argsort(part, kind="stable")
    positions, values, part = positions[sorting], values[sorting], part[sorting]
    positions[:, axis] -= starts[part]
    shapes = xp.tile(shape, (num_split, 1))
    shapes[:, axis] = share + (indices < larger_parts)
    ends = xp.searchsorted(part, indices, "right")[:-1]
    return (*xp.split(positions, ends), *xp.split(values, ends), *shapes)


def _elements(dims: Dims) -> int | None:
    """Returns the number of elements of a static shape, if known."""
    return None if dims is None or None in dims else math.prod(dims)  # type: ignore[arg-type]


@sparse_split_op.infer
def _(op) -> list[Dims]:
    shape, count = op.inputs[3]._dims, op.attrs["num_split"]
    rank = _elements(shape)
    return [(None, rank)] * count + [(None,)] * count + [shape] * count


@deprecated_args(None, "split_dim is deprecated, use axis instead", "split_dim")
def sparse_split(
    keyword_required: object = KeywordRequired(),
    sp_input: TensorLike | None = None,
    num_split: Any = None,
    axis: TensorLike | None = None,
    name: str | None = None,
    split_dim: TensorLike | None = None,
) -> list[SparseTensor]:
    """Splits a SparseTensor along an axis; accepts keyword arguments only.

    Args:
      keyword_required: unused.
      sp_input: a SparseTensor.
      num_split: int, the number of parts; if the size is not divisible by it, the first parts are longer by one.
      axis: the axis.
      split_dim: the old name of `axis`.

    Returns:
      A list of `num_split` SparseTensors.

    Raises:
      ValueError: if an argument is missing or positional.
    """
    if not isinstance(keyword_required, KeywordRequired):
        raise ValueError("Keyword arguments are required for this function.")
    if sp_input is None:
        raise ValueError("sp_input is required")
    if num_split is None:
        raise ValueError("num_split is required")
    if axis is None:
        raise ValueError("axis is required")
    axis = deprecated_argument_lookup("axis", axis, "split_dim", split_dim)
    sp_input = as_sparse(sp_input)
    positions, values, shapes = raw.SparseSplit(
        axis,
        sp_input.indices,
        sp_input.values,
        sp_input.dense_shape,
        num_split=num_split,
        name=name,
    )
    return [SparseTensor(*parts) for parts in zip(positions, values, shapes)]


@op(
    "SparseSlice",
    "indices: int64, values: T, shape: int64, start: int64, size: int64 -> output_indices: int64, "
    "output_values: T, output_shape: int64",
    static_inputs=("indices", "shape", "start", "size"),
    T=ANY,
)
def sparse_slice_op(xp, positions, values, shape, start, size):
    check_parts(positions, values, shape)
    for label, vector in (("start", start), ("size", size)):
        if vector.ndim != 1:
            text = shape_text(vector.shape)
            invalid(f"Input {label} should be a vector but received shape {text}")
    rank = shape.size
    for label, vector in (("start", start), ("size", size)):
        if vector.size != rank:
            invalid(
                f"Expected {label} to be a vector of length {rank} but got length {vector.size}"
            )
    check_sizes(positions, values, shape)
    ends = [first + count for first, count in zip(start.tolist(), size.tolist())]
    selected_rows = _within(xp, positions, start.tolist(), ends)
    length = xp.where(start >= shape, 0, xp.minimum(size, shape - start))
    return positions[selected_rows] - start, values[selected_rows], length


def _within(xp: Any, positions: Any, start: list[int], end: list[int]) -> Any:
    """Returns the positions of the indices inside a box, comparing each axis only where previous axes match."""
    selected_rows = None
    for column, first, limit in zip(positions.T, start, end):
        left = column if selected_rows is None else column[selected_rows]
        (inside_indices,) = xp.nonzero((left >= first) & (left < limit))
        selected_rows = inside_indices if selected_rows is None else selected_rows[inside_indices]
    return xp.arange(len(positions)) if selected_rows is None else selected_rows


@sparse_slice_op.infer
def _(op) -> list[Dims]:
    shape = op.inputs[2]._dims
    return [(None, _elements(shape)), (None,), shape]


@sparse_slice_op.gradient
def _(op, places_grad, values_grad, shape_grad):
    grad = raw.SparseSliceGrad(values_grad, op.inputs[0], op.inputs[3], op.outputs[0])
    grad.set_shape(op.inputs[1].shape)
    return None, grad, None, None, None


@op(
    "SparseSliceGrad",
    "backprop_val_grad: T, input_indices: int64, input_start: int64, output_indices: int64 -> val_grad: T",
    infer=lambda op: (with_rank(op.inputs[1]._dims, 2)[0],),
    static_inputs=("input_indices", "input_start", "output_indices"),
    T=NUMBERS,
)
def sparse_slice_grad_op(xp, grad, positions, start, output_indices):
    if positions.ndim != 2 or output_indices.ndim != 2:
        invalid(
            "Input and output indices should be matrices but received shapes: "
            f"{shape_text(positions.shape)} and {shape_text(output_indices.shape)}"
        )
    if grad.ndim != 1:
        invalid(
            f"Input backprop_val_grad should be a vector but received shape: {shape_text(grad.shape)}"
        )
    if len(grad) != len(output_indices):
        invalid(
            "# elements of backprop_val_grad and # rows of output_indices should match (#nnz of sum): "
            f"got {len(grad)} and {len(output_indices)}"
        )
    if len(output_indices) > len(positions):
        invalid(
            "# rows of output_indices should be not greater than of input_indices, "
            f"got {len(output_indices)} and {len(positions)}"
        )
    rank = positions.shape[1]
    if start.ndim != 1:
        invalid(f"The input_start should be a vector but received shape {shape_text(start.shape)}")
    if start.size != rank:
        invalid(f"Expected input_start to be a vector of length {rank} but got length {start.size}")
    selected_points = output_indices + start
    result = xp.zeros(len(positions), grad.dtype)
    if len(selected_points):
        ends = [last + 1 for last in selected_points.max(axis=0).tolist()]
        selected_rows = _within(xp, positions, selected_points.min(axis=0).tolist(), ends)
        selected = positions[selected_rows]
        # The output indices of SparseSlice are the selected rows in the same order.
        if selected.shape == selected_points.shape and bool((selected == selected_points).all()):
            result[selected_rows] = grad
            return result
        expected, selected_keys = keys(xp, selected, selected_points)
        matches = xp.minimum(xp.searchsorted(selected_keys, expected), selected_keys.size - 1)
        is_found = selected_keys[matches] == expected
        result[selected_rows[is_found]] = grad[matches[is_found]]
        used = int(is_found.sum())
        if used < grad.size:
            text = f"Elements of backprop_val_grad aren't all propagated. Num elements:{grad.size}, used: {used}"
            raise InternalError(None, None, text)
    return result


@public
def sparse_slice(
    sp_input: TensorLike, start: TensorLike, size: TensorLike, name: str | None = None
) -> SparseTensor:
    """Extracts a slice of a SparseTensor that begins at `start`; `size` is clipped to the end.

    Args:
      sp_input: a SparseTensor.
      start: integer vector with one element per axis.
      size: integer vector with one element per axis.
    """
    sp_input = as_sparse(sp_input)
    start = ops.convert_to_tensor(start, dtypes.int64)
    size = ops.convert_to_tensor(size, dtypes.int64)
    with name_scope(name, "SparseSlice", [sp_input]) as name:
        parts = raw.SparseSlice(
            sp_input.indices, sp_input.values, sp_input.dense_shape, start, size, name=name
        )
        return SparseTensor(*parts)


@op(
    "SparseConcat",
    "indices: N*int64, values: N*T, shapes: N*int64 -> output_indices: int64, output_values: T, "
    "output_shape: int64",
    differentiable=False,
    static_inputs=("indices", "shapes"),
    concat_dim=Attr("int"),
    N=Attr("int", minimum=2),
    T=ANY,
)
def sparse_concat_op(xp, positions, values, shapes, *, concat_dim):
    for label, rank_name, rank, tensors in (
        ("indices", "matrix", 2, positions),
        ("values", "vector", 1, values),
        ("shapes", "vector", 1, shapes),
    ):
        for i, tensor in enumerate(tensors):
            if tensor.ndim != rank:
                invalid(
                    f"Input {label} should be a {rank_name} but received shape "
                    f"{shape_text(tensor.shape)} at position {i}"
                )
    first = shapes[0].tolist()
    rank = len(first)
    axis = concat_dim + rank if concat_dim < 0 else concat_dim
    if not 0 <= axis < rank:
        invalid(f"Concat dimension must be in range [{-rank}, {rank}), got {concat_dim}")
    for i, shape in enumerate(shapes[1:], 1):
        if shape.size != rank:
            invalid(
                "Ranks of all input tensors must match: expected "
                f"{rank} but got {shape.size} at position {i}"
            )
        for j, (expected, actual) in enumerate(zip(first, shape.tolist())):
            if j != axis and expected != actual:
                invalid(
                    f"Input shapes must match: expected {expected} for dimension {j} but got {actual} "
                    f"at position {i}"
                )
    for part, part_values, size in zip(positions, values, shapes):
        check_sizes(part, part_values, size)
    shape, shifted_positions, start = shapes[0].copy(), [], 0
    for part, size in zip(positions, shapes):
        part = part.copy()
        part[:, axis] += start
        shifted_positions.append(part)
        start += int(size[axis])
    shape[axis] = start
    joined, all_values = xp.concatenate(shifted_positions), xp.concatenate(values)
    sorting = order(xp, joined)
    if sorting is not None:
        joined, all_values = joined[sorting], all_values[sorting]
    return joined, all_values, shape


@sparse_concat_op.infer
def _(op) -> list[Dims]:
    count = op.attrs["N"]
    rows: int | None = 0
    columns: int | None = None
    shape: Dims = None
    for i in range(count):
        positions = with_rank(op.inputs[i]._dims, 2)
        values = with_rank(op.inputs[i + count]._dims, 1)
        part_shape = with_rank(op.inputs[i + 2 * count]._dims, 1)
        length = merge_dim(positions[0], values[0])
        rows = None if rows is None or length is None else rows + length
        columns = merge_dim(columns, positions[1])
        shape = merge(shape, part_shape)
    return [(rows, columns), (rows,), shape]


@deprecated_args(None, "concat_dim is deprecated, use axis instead", "concat_dim")
@public
def sparse_concat(
    axis: int,
    sp_inputs: Sequence[SparseTensor],
    name: str | None = None,
    expand_nonconcat_dim: bool = False,
    concat_dim: int | None = None,
    expand_nonconcat_dims: bool | None = None,
) -> SparseTensor:
    """Concatenates SparseTensors along an axis.

    Args:
      axis: the axis, counted from the end if negative.
      sp_inputs: a list of sorted SparseTensors of the same rank.
      expand_nonconcat_dim: whether sizes of the other axes may differ; the result has the maximum of each.
      concat_dim: the old name of `axis`.
      expand_nonconcat_dims: an alias of `expand_nonconcat_dim`.

    Returns:
      A sorted SparseTensor.

    Raises:
      TypeError: if `sp_inputs` is not a list of SparseTensors.
      InvalidArgumentError (when run): if the shapes do not match.
    """
    expand = deprecated_argument_lookup(
        "expand_nonconcat_dims",
        expand_nonconcat_dims,
        "expand_nonconcat_dim",
        expand_nonconcat_dim,
    )
    if expand_nonconcat_dims is not None:
        expand = expand_nonconcat_dims
    axis = deprecated_argument_lookup("axis", axis, "concat_dim", concat_dim)
    if not isinstance(sp_inputs, list | tuple):
        raise TypeError("Inputs must be a list or tuple.")
    parts = [as_sparse(part) for part in sp_inputs]
    if len(parts) == 1:
        return parts[0]
    shapes = [part.dense_shape for part in parts]
    if expand:
        shapes = _expand_shapes(shapes, axis)
    positions, values, shape = raw.SparseConcat(
        [part.indices for part in parts],
        [part.values for part in parts],
        shapes,
        concat_dim=axis,
        name=name,
    )
    static = [get_static_value(part_shape) for part_shape in shapes]
    if all(value is not None for value in static):
        sizes = static[0].copy()
        sizes[axis] = sum(value[axis] for value in static)
        shape = ops.convert_to_tensor(sizes)
    return SparseTensor(positions, values, shape)


def _expand_shapes(shapes: list, axis: int) -> list:
    """Returns the shapes with each axis but `axis` set to the maximum size."""
    rows = [ops.reshape(shape, [1, -1]) for shape in shapes]
    largest = ops.reduce_max(ops.concat(rows, 0), 0)
    return [
        ops.concat(
            [
                largest[:axis],
                shape[-1:] if axis == -1 else shape[axis : axis + 1],
                [] if axis == -1 else largest[axis + 1 :],
            ],
            0,
        )
        for shape in shapes
    ]


@public
def sparse_retain(sp_input: TensorLike, to_retain: TensorLike) -> SparseTensor:
    """Retains selected elements of a SparseTensor.

    Args:
      sp_input: a SparseTensor with n elements.
      to_retain: bool vector [n], the mask of elements to retain.

    Raises:
      ValueError: if `to_retain` has the wrong length or rank.
    """
    sp_input = as_sparse(sp_input)
    to_retain = ops.convert_to_tensor(to_retain)
    to_retain.shape.assert_has_rank(1)
    if sp_input.values.shape.dims is not None:
        sp_input.values.shape.dims[0].merge_with(to_retain.shape[0])
    retained = ops.reshape(ops.where_v2(to_retain), [-1])
    indices = ops.gather(sp_input.indices, retained)
    values = ops.gather(sp_input.values, retained)
    return SparseTensor(indices, values, ops.identity(sp_input.dense_shape))
