"""Selection from ragged tensors by masks, by conditions, or by the partition of each value."""

from __future__ import annotations

from typing import Any

from tfmini._src.base import dtypes
from tfmini._src.graph.opdef import public
from tfmini._src.graph.scopes import control_dependencies, name_scope
from tfmini._src.graph.tensor import Tensor
from tfmini._src.ops import ops
from tfmini._src.ops.ragged.map_flat_values import map_flat_values
from tfmini._src.ops.ragged.ragged_concat import concat
from tfmini._src.ops.ragged.ragged_gather import gather
from tfmini._src.ops.ragged.ragged_reductions import reduce_sum
from tfmini._src.ops.ragged.ragged_tensor import RaggedTensor, match_splits_dtypes
from tfmini._src.ops.ragged.row_partition import (
    is_ragged,
    row_count,
    splits_from_lengths,
    splits_match,
)


@public(name="ragged_boolean_mask")
def boolean_mask(data: Any, mask: Any, name: str | None = None) -> Any:
    """Selects elements where a mask is true; unlike with `tf.boolean_mask`, the result is ragged, not flattened.

    Args:
      data: a tensor, ragged or not.
      mask: bool tensor, ragged or not, of known rank, whose shape is a prefix of the shape of `data`.

    Raises:
      ValueError: if the rank of the mask is 0 or unknown.

    Example: `tf.ragged.boolean_mask([[1, 2], [3, 4]], [[True, False], [False, False]])` is [[1], []].
    """
    with name_scope(name, "RaggedMask", [data, mask]):
        data = ops.tensor_or_ragged(data, name="data")
        mask = ops.tensor_or_ragged(mask, dtypes.bool, name="mask")
        dtype, _ = match_splits_dtypes(data, mask)
        rank = mask.shape.ndims
        if rank is None:
            raise ValueError("mask.shape.ndims must be known statically.")
        if rank == 0:
            raise ValueError("mask cannot be scalar.")
        if is_ragged(mask):
            return _apply_ragged_mask(data, mask, dtype)
        if not is_ragged(data):
            return _dense_by_mask(data, mask, dtype)
        if rank == 1:
            lengths = ops.boolean_mask(data.row_lengths(), mask)
            splits = splits_from_lengths(lengths)
            rows = ops.row_splits_to_segment_ids(data.row_splits)
            values = boolean_mask(data.values, ops.gather(mask, rows))
            return RaggedTensor.from_row_splits(values, splits, validate=False)
        mask = RaggedTensor.from_tensor(
            mask,
            ragged_rank=min(data.ragged_rank, rank - 1),
            row_splits_dtype=data.row_splits.dtype,
        )
        return boolean_mask(data, mask)


def _apply_ragged_mask(data: Any, mask: Any, dtype: Any) -> Any:
    if not is_ragged(data):
        data = RaggedTensor.from_tensor(
            data, ragged_rank=mask.ragged_rank, row_splits_dtype=mask.row_splits.dtype
        )
    levels = [mask.nested_row_splits, data.nested_row_splits[: mask.ragged_rank]]
    with control_dependencies(splits_match(levels)):
        splits = []
        while is_ragged(mask):
            if mask.shape.ndims > 2:
                splits.append(mask.row_splits)
            else:
                integers = map_flat_values(ops.cast, mask, dtype=dtype)
                splits.append(splits_from_lengths(reduce_sum(integers, axis=1)))
            mask, data = mask.values, data.values
        masked = boolean_mask(data, mask)
        return RaggedTensor.from_nested_row_splits(masked, splits, validate=False)


def _dense_by_mask(data: Tensor, mask: Tensor, dtype: Any) -> Any:
    masked: Any = ops.boolean_mask(data, mask)
    rank: Any = mask.shape.ndims
    if rank >= 2:
        counts = ops.reshape(ops.count_nonzero(mask, axis=-1, dtype=dtype), [-1])
        masked = RaggedTensor.from_row_lengths(masked, counts, validate=False)
        if rank > 2:
            shape = ops.shape(mask, out_type=dtype)
            ends = ops.cumprod(shape) + 1
            for dim in range(rank - 3, -1, -1):
                length = shape[dim + 1]
                splits = ops.range(ends[dim]) * length
                masked = RaggedTensor.from_row_splits(masked, splits, validate=False)
    return masked


def where(condition: Any, x: Any = None, y: Any = None, name: str | None = None) -> Any:
    """`tf.where` for ragged tensors: selects elements or rows of `x` or `y`, or returns indices of true elements."""
    if (x is None) != (y is None):
        raise ValueError("x and y must be either both None or both non-None")
    with name_scope("RaggedWhere", name, [condition, x, y]):
        condition = ops.tensor_or_ragged(condition, name="condition")
        if x is None:
            return _true_indices(condition)
        x = ops.tensor_or_ragged(x, name="x")
        y = ops.tensor_or_ragged(y, name="y")
        match_splits_dtypes(condition, x, y)
        ragged = [is_ragged(tensor) for tensor in (condition, x, y)]
        if not any(ragged):
            return ops.where(condition, x, y)
        if all(ragged):
            return map_flat_values(ops.where, condition, x, y)
        if is_ragged(condition):
            raise ValueError("Input shapes do not match.")
        condition.shape.assert_has_rank(1)
        both = concat([x, y], axis=0)
        rows_of_x = row_count(x, out_type=both.row_splits.dtype)
        rows_of_y = row_count(y, out_type=both.row_splits.dtype)
        x_indices, y_indices = ops.range(rows_of_x), rows_of_x + ops.range(rows_of_y)
        return gather(both, ops.where(condition, x_indices, y_indices))


def _true_indices(condition: Any) -> Tensor:
    """Returns the indices of true elements, with one row per element."""
    if not is_ragged(condition):
        return ops.where(condition)
    inner = _true_indices(condition.values)
    condition = condition.with_row_splits_dtype(inner.dtype)
    first = inner[:, 0]
    rows = ops.gather(condition.value_rowids(), first)
    columns = first - ops.gather(condition.row_splits, rows)
    return ops.concat([ops.expand_dims(rows, 1), ops.expand_dims(columns, 1), inner[:, 1:]], axis=1)


def stack_dynamic_partitions(
    data: Any, partitions: Any, num_partitions: Any, name: str | None = None
) -> Any:
    """Groups the slices of `data` into rows, where row i contains partition i.

    Args:
      data: a tensor, ragged or not.
      partitions: integer tensor, ragged or not, whose shape is a prefix of the shape of `data`.
      num_partitions: the number of rows, an integer scalar.

    Raises:
      ValueError: if the rank of `partitions` is unknown.

    Example: `tf.ragged.stack_dynamic_partitions(["a", "b", "c"], [1, 0, 1], 2)` is [["b"], ["a", "c"]].
    """
    with name_scope(name, "SegmentStack", [data, partitions, num_partitions]):
        data = ops.tensor_or_ragged(data, name="data")
        dtype = data.row_splits.dtype if is_ragged(data) else None
        partitions = ops.tensor_or_ragged(partitions, name="partitions", preferred_dtype=dtype)
        num_partitions = ops.convert_to_tensor(
            num_partitions, name="num_partitions", preferred_dtype=partitions.dtype
        )
        if dtype is not None:
            partitions = ops.cast(partitions, dtype)
        num_partitions = ops.cast(num_partitions, partitions.dtype)
        rank = partitions.shape.ndims
        if rank is None:
            raise ValueError("partitions must have known rank.")
        num_partitions.shape.assert_has_rank(0)
        partitions.shape.assert_is_compatible_with(data.shape[:rank])
        if rank == 0:
            values, rowids = ops.stack([data]), ops.stack([partitions])
            return RaggedTensor.from_value_rowids(values, rowids, num_partitions, validate=False)
        if rank == 1:
            order = ops.argsort(partitions, stable=True)
            rowids = ops.gather(partitions, order)
            values = ops.gather(data, order)
            problem = "partitions must be less than num_partitions"
            check = ops.assert_less(rowids[-1:], num_partitions, message=problem)
            with control_dependencies([check]):
                return RaggedTensor.from_value_rowids(
                    values, rowids, nrows=num_partitions, validate=False
                )
        return _inner_partitions(data, partitions, num_partitions, rank)


def _inner_partitions(data: Any, partitions: Any, num_partitions: Tensor, rank: int) -> Any:
    if not is_ragged(data):
        data = RaggedTensor.from_tensor(data, row_splits_dtype=partitions.dtype, ragged_rank=1)
    if not is_ragged(partitions):
        partitions = RaggedTensor.from_tensor(
            partitions,
            row_splits_dtype=partitions.dtype,
            ragged_rank=max(data.ragged_rank, rank - 1),
        )
    problem = "data and partitions have incompatible ragged shapes"
    check = ops.assert_equal(data.row_splits, partitions.row_splits, message=problem)
    with control_dependencies([check]):
        return stack_dynamic_partitions(data.values, partitions.values, num_partitions)
