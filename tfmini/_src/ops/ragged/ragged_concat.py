"""Concatenation of ragged tensors along an existing or a new dimension."""

from __future__ import annotations

from typing import Any

from tfmini._src.base.shapes import TensorShape
from tfmini._src.graph.opdef import public
from tfmini._src.graph.scopes import control_dependencies, name_scope
from tfmini._src.graph.tensor import Tensor, TensorLike
from tfmini._src.ops import ops
from tfmini._src.ops.ragged.ragged_array_ops import expand_dims
from tfmini._src.ops.ragged.ragged_gather import gather
from tfmini._src.ops.ragged.ragged_tensor import RaggedTensor, match_splits_dtypes
from tfmini._src.ops.ragged.row_partition import (
    is_ragged,
    positive_axis,
    splits_from_lengths,
    splits_match,
)


def concat(values: Any, axis: int, name: str | None = None) -> Any:
    """Concatenates tensors of the same rank, ragged or not, along a dimension."""
    if not isinstance(values, list | tuple):
        values = [values]
    with name_scope(name, "RaggedConcat", values):
        return _concat_ragged(values, axis, stacked=False)


@public(name="ragged_stack")
def stack(values: TensorLike, axis: int = 0, name: str | None = None) -> Any:
    """Stacks tensors of the same rank R, ragged or not, into one ragged tensor of rank R + 1.

    Args:
      values: a non-empty list of tensors.
      axis: the position of the new dimension.

    Raises:
      ValueError: if `values` is empty, ranks differ, or `axis` is out of range.

    Example: `tf.ragged.stack([[[1, 2]], [[3], [4]]])` is [[[1, 2]], [[3], [4]]].
    """
    if not isinstance(values, list | tuple):
        values = [values]
    with name_scope(name, "RaggedConcat", values):
        return _concat_ragged(values, axis, stacked=True)


def _concat_ragged(value: Any, axis: int, stacked: bool) -> Any:
    if not value:
        raise ValueError("rt_inputs may not be empty.")
    tensors = [ops.tensor_or_ragged(tensor, name="rt_input") for tensor in value]
    dtype, _ = match_splits_dtypes(*tensors)
    if len(tensors) == 1:
        return expand_dims(tensors[0], axis=axis) if stacked else tensors[0]
    rank: Any = None
    for tensor in tensors:
        if rank is None:
            rank = tensor.shape.ndims
        else:
            tensor.shape.assert_has_rank(rank)
    out_rank = rank + 1 if stacked and rank is not None else rank
    axis = positive_axis(axis, out_rank)
    if rank is not None and not any(map(is_ragged, tensors)) and axis in (out_rank - 1, rank - 1):
        return ops.stack(tensors, axis) if stacked else ops.concat(tensors, axis)
    tensors = [
        tensor
        if is_ragged(tensor)
        else RaggedTensor.from_tensor(tensor, ragged_rank=1, row_splits_dtype=dtype)
        for tensor in tensors
    ]
    max_ragged_rank = max(tensor.ragged_rank for tensor in tensors)
    tensors = [_to_ragged_rank(tensor, max_ragged_rank, dtype) for tensor in tensors]
    if axis == 0:
        return _concat_rows(tensors, stacked)
    if axis == 1:
        return _concat_columns(tensors, stacked)
    splits = [[tensor.row_splits] for tensor in tensors]
    with control_dependencies(splits_match(splits)):
        inner = _concat_ragged([tensor.values for tensor in tensors], axis - 1, stacked)
        return RaggedTensor.from_row_splits(inner, splits[0][0], validate=False)


def _to_ragged_rank(tensor: Any, expected: int, dtype: Any) -> Any:
    """Converts uniform dimensions of a tensor to ragged ones until its ragged rank is `expected`."""
    if expected > 0:
        if not is_ragged(tensor):
            tensor = RaggedTensor.from_tensor(tensor, row_splits_dtype=dtype)
        if tensor.ragged_rank < expected:
            tensor = tensor.with_values(_to_ragged_rank(tensor.values, expected - 1, dtype))
    return tensor


def _concat_rows(tensors: list, stacked: bool) -> Any:
    flat = ops.concat([tensor.flat_values for tensor in tensors], axis=0)
    splits = [_join_splits(level) for level in zip(*(t.nested_row_splits for t in tensors))]
    if stacked:
        counts = ops.stack([tensor.nrows() for tensor in tensors])
        splits.insert(0, splits_from_lengths(counts))
    return RaggedTensor.from_nested_row_splits(flat, splits, validate=False)


def _join_splits(splits: Any) -> Tensor:
    first, *remaining = splits
    pieces, end = [first], first[-1]
    for row_splits in remaining:
        pieces.append(row_splits[1:] + end)
        end += row_splits[-1]
    return ops.concat(pieces, axis=0)


def _concat_columns(tensors: list, stacked: bool) -> Any:
    """Concatenates along columns by concatenating all rows and then gathering them in order."""
    count = len(tensors)
    rows = tensors[0].nrows()
    problem = "Input tensors have incompatible shapes."
    checks = [ops.assert_equal(t.nrows(), rows, message=problem) for t in tensors[1:]]
    with control_dependencies(checks):
        concatenated = _concat_rows(tensors, stacked=False)
        row_indices = ops.range(rows * count)
        indices_by_tensor = ops.reshape(row_indices, [count, -1])
        order = ops.reshape(ops.transpose(indices_by_tensor), [-1])
        interleaved = gather(concatenated, order)
        if stacked:
            splits, values = ops.range(0, rows * count + 1, count), interleaved
        else:
            splits, values = interleaved.row_splits[::count], interleaved.values
        for tensor in tensors:
            splits.set_shape(TensorShape(tensor.shape[0] + 1))
        return RaggedTensor.from_row_splits(values, splits, validate=False)
