"""Shape functions of ragged tensors: expand_dims, squeeze, tile, size, rank, one_hot."""

from __future__ import annotations

from typing import Any

from tfmini._src.base import dtypes
from tfmini._src.graph.scopes import name_scope
from tfmini._src.graph.static_values import get_static_value as constant_value
from tfmini._src.graph.tensor import Tensor
from tfmini._src.ops import ops
from tfmini._src.ops.ragged.ragged_range import repeat_ranges
from tfmini._src.ops.ragged.ragged_tensor import RaggedTensor
from tfmini._src.ops.ragged.row_partition import (
    integers,
    is_ragged,
    positive_axis,
    splits_from_lengths,
)


def expand_dims(input: Any, axis: Any, name: str | None = None) -> Any:
    """Inserts a dimension of size 1 at `axis`."""
    with name_scope(name, "RaggedExpandDims", [input]):
        input = ops.tensor_or_ragged(input, name="input")
        if not is_ragged(input):
            return ops.expand_dims(input, axis)
        rank = input.shape.ndims
        axis = positive_axis(axis, None if rank is None else rank + 1)
        if axis == 0:
            values, splits = input, ops.stack([0, input.nrows()])
        elif axis == 1:
            values, splits = input, ops.range(input.nrows() + 1)
        else:
            values, splits = expand_dims(input.values, axis - 1), input.row_splits
        return RaggedTensor.from_row_splits(values, splits, validate=False)


def squeeze(input: Any, axis: Any = None, name: str | None = None) -> Any:
    """Removes the dimensions `axis` of size 1; `axis` is required for a ragged tensor."""
    with name_scope(name, "RaggedSqueeze", [input]):
        input = ops.tensor_or_ragged(input)
        if isinstance(input, Tensor):
            return ops.squeeze(input, axis, name)
        if axis is None:
            raise ValueError("Ragged.squeeze must have an axis argument.")
        if isinstance(axis, int):
            axis = [axis]
        elif not isinstance(axis, list | tuple) or not all(isinstance(dim, int) for dim in axis):
            raise TypeError("Axis must be a list or tuple of integers.")
        axis = [positive_axis(dim, input.shape.ndims) for dim in axis]
        dense = [dim - input.ragged_rank for dim in axis if dim > input.ragged_rank]
        ragged = [dim for dim in axis if dim <= input.ragged_rank]
        result = ops.with_dependencies(_are_of_size_one(input, ragged), input.flat_values)
        if dense:
            result = ops.squeeze(result, dense)
        splits = [
            row_splits
            for dim, row_splits in enumerate(input.nested_row_splits, 1)
            if dim not in ragged
        ]
        if splits and 0 in ragged:
            splits.pop(0)
        result = RaggedTensor.from_nested_row_splits(result, splits)
        if set(range(input.ragged_rank + 1)) <= set(ragged):
            result = ops.squeeze(result, [0], name)
        return result


def _are_of_size_one(input: RaggedTensor, dims: list[int]) -> list:
    one = ops.constant(1, dtype=input.row_splits.dtype)
    checks = []
    for dim, lengths in enumerate(input.nested_row_lengths(), 1):
        if dim in dims:
            text = f"the given axis (axis = {dim}) is not squeezable!"
            checks.append(ops.Assert(ops.reduce_all(ops.equal(lengths, one)), [text]))
    if 0 in dims:
        two = ops.constant(2, dtype=dtypes.int32)
        text = "the given axis (axis = 0) is not squeezable!"
        checks.append(ops.Assert(ops.equal(ops.size(input.row_splits), two), [text]))
    return checks


def size(input: Any, out_type: Any = dtypes.int32, name: str | None = None) -> Tensor:
    """Returns the number of values."""
    values = input.flat_values if is_ragged(input) else input
    return ops.size(values, out_type=out_type, name=name)


def rank(input: Any, name: str | None = None) -> Tensor:
    """Returns the number of dimensions, uniform and ragged."""
    with name_scope(name, "RaggedRank", [input]) as name:
        if not is_ragged(input):
            return ops.rank(input, name)
        return input.ragged_rank + ops.rank(input.flat_values)


def one_hot(
    indices: Any,
    depth: Any,
    on_value: Any = None,
    off_value: Any = None,
    axis: Any = None,
    dtype: Any = None,
    name: str | None = None,
) -> Any:
    """Applies `tf.one_hot` to the values of a ragged tensor."""
    with name_scope(name, "RaggedOneHot", [indices]):
        indices = ops.tensor_or_ragged(indices, name="indices")
        if axis is not None:
            axis = positive_axis(axis, indices.shape.ndims)
            if axis < indices.ragged_rank:
                raise ValueError("axis may not be less than indices.ragged_rank.")
        return indices.with_flat_values(
            ops.one_hot(indices.flat_values, depth, on_value, off_value, axis, dtype, name)
        )


def tile(input: Any, multiples: Any, name: str | None = None) -> Any:
    """Repeats dimension i of a tensor `multiples[i]` times."""
    with name_scope(name, "RaggedTile", [input, multiples]):
        input = ops.tensor_or_ragged(input, name="input")
        if not is_ragged(input):
            return ops.tile(input, multiples, name)
        multiples = integers(multiples, "multiples", input.row_splits.dtype)
        multiples.shape.assert_has_rank(1)
        static = constant_value(multiples)
        values = _tiled_values(input, multiples, static)
        splits = _tiled_splits(input, multiples, static)
        return RaggedTensor.from_nested_row_splits(values, splits, validate=False)


def _tiled_values(input: RaggedTensor, multiples: Tensor, static: Any) -> Tensor:
    """Returns the values of the tiled tensor."""
    nested = input.nested_row_splits
    positions = ops.range(nested[-1][-1])
    previous = None
    for axis in range(len(nested), 0, -1):
        splits = nested[axis - 1]
        if previous is not None:
            splits = ops.gather(previous * multiples[axis + 1], splits)
        if static is None or static[axis] != 1:
            positions = repeat_ranges(positions, splits, multiples[axis])
        previous = splits
    values = ops.gather(input.flat_values, positions)
    outer_multiples = ops.concat([multiples[:1], multiples[len(nested) + 1 :]], axis=0)
    return ops.tile(values, outer_multiples)


def _tiled_splits(input: RaggedTensor, multiples: Tensor, static: Any) -> list[Tensor]:
    """Returns the row splits of the result, outermost first."""
    nested = input.nested_row_splits
    # Row ends of a level within a deeper one.
    ends = [{level: splits} for level, splits in enumerate(nested)]
    for source in range(len(nested)):
        for target in range(source + 1, len(nested) - 1):
            ends[source][target] = ops.gather(nested[target], ends[source][target - 1])
    result = []
    for axis, splits in enumerate(nested):
        lengths = (splits[1:] - splits[:-1]) * multiples[axis + 1]
        repeats: Any = 1
        for outer in range(axis - 1, -1, -1):
            if static is None or static[outer + 1] != 1:
                lengths = repeat_ranges(
                    lengths, ends[outer][axis - 1] * repeats, multiples[outer + 1]
                )
            repeats *= multiples[outer + 1]
        result.append(splits_from_lengths(ops.tile(lengths, multiples[:1])))
    return result
