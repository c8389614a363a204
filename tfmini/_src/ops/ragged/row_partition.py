"""Row partitions: conversions between row splits, lengths, row ids, starts and limits, and their validation."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from tfmini._src.base import dtypes
from tfmini._src.base.dtypes import DTypeLike
from tfmini._src.base.shapes import TensorShape, dimension_value
from tfmini._src.graph.opdef import public, raw
from tfmini._src.graph.scopes import name_scope
from tfmini._src.graph.static_values import get_static_value as constant_value
from tfmini._src.graph.tensor import Tensor, TensorLike
from tfmini._src.ops import operands, ops

SPLITS = (dtypes.int32, dtypes.int64)


@dataclass(frozen=True)
class Partition:
    """Row splits, with cached equivalent encodings of the partition."""

    row_splits: Tensor
    row_lengths: Tensor | None = None
    value_rowids: Tensor | None = None
    nrows: Tensor | None = None


def is_ragged(value: Any) -> bool:
    """Whether a value is a RaggedTensor or RaggedTensorValue."""
    return getattr(value, "_is_ragged", False) is True


def positive_axis(axis: Any, rank: int | None) -> int:
    """Normalizes an axis; raises TypeError or ValueError if it is invalid for rank `rank`."""
    if not isinstance(axis, int):
        raise TypeError(f"axis must be an int; got {type(axis).__name__}")
    return operands.positive_axis(axis, rank)


def integers(value: Any, name: str, dtype: Any) -> Tensor:
    """Converts a value to integers of `dtype`; raises TypeError for other values."""
    tensor = ops.convert_to_tensor(value, name=name, preferred_dtype=dtype)
    if not tensor.dtype.is_integer:
        raise TypeError(f"{name} must be an integer tensor; dtype={tensor.dtype}")
    return raw.Cast(tensor, DstT=dtype)


def splits_from_lengths(lengths: Tensor) -> Tensor:
    """Returns the row splits of row lengths."""
    return ops.concat([[0], ops.cumsum(lengths)], axis=-1)


def splits_match(nested: Sequence[Sequence[Tensor]]) -> list:
    """Returns operations that check that lists of row splits are equal; raises ValueError if list lengths differ."""
    problem = "Inputs must have identical ragged splits"
    first = nested[0]
    for splits in nested:
        if len(splits) != len(first):
            raise ValueError(problem)
    return [
        ops.assert_equal(split, other, message=problem)
        for splits in nested[1:]
        for split, other in zip(first, splits)
    ]


def row_count(value: Any, out_type: Any = dtypes.int32) -> Tensor:
    """Returns the size of the first dimension of a tensor, ragged or not."""
    if is_ragged(value):
        return value.nrows(out_type=out_type)
    return ops.shape(value, out_type=out_type)[0]


def _not_decreasing(tensor: Tensor, message: str) -> Any:
    return ops.assert_non_negative(tensor[1:] - tensor[:-1], message=message)


def _is_zero(tensor: Tensor, message: str) -> Any:
    return ops.assert_equal(tensor, ops.constant(0, dtype=tensor.dtype), message=message)


def _problem(method: str) -> str:
    return f"Arguments to {method} do not form a valid RaggedTensor"


def _with_checks(checks: list, values: Any, partition: Tensor) -> Tensor:
    if not is_ragged(values):
        checks.append(ops.assert_rank_at_least(values, 1))
    return ops.with_dependencies(checks, partition)


def partition_by_row_splits(values: Any, row_splits: Tensor, validate: bool) -> Partition:
    """Returns the partition defined by row splits."""
    row_splits.shape.assert_has_rank(1)
    if validate:
        problem = _problem("from_row_splits")
        count = row_count(values, row_splits.dtype)
        checks = [
            ops.assert_rank(row_splits, 1, message=problem),
            _is_zero(row_splits[0], problem),
            _not_decreasing(row_splits, problem),
            ops.assert_equal(row_splits[-1], count, message=problem),
        ]
        row_splits = _with_checks(checks, values, row_splits)
    return Partition(row_splits)


def partition_by_row_lengths(values: Any, row_lengths: Tensor, validate: bool) -> Partition:
    """Returns the partition defined by row lengths."""
    row_lengths.shape.assert_has_rank(1)
    if validate:
        problem = _problem("from_row_lengths")
        total = ops.reduce_sum(row_lengths)
        count = row_count(values, row_lengths.dtype)
        checks = [
            ops.assert_rank(row_lengths, 1, message=problem),
            ops.assert_non_negative(row_lengths, message=problem),
            ops.assert_equal(total, count, message=problem),
        ]
        row_lengths = _with_checks(checks, values, row_lengths)
    row_splits = ops.concat([[0], ops.cumsum(row_lengths)], axis=0)
    return Partition(row_splits, row_lengths)


def partition_by_row_starts(values: Any, row_starts: Tensor, validate: bool) -> Partition:
    """Returns the partition defined by row starts."""
    row_starts.shape.assert_has_rank(1)
    count = row_count(values, row_starts.dtype)
    if validate:
        problem = _problem("from_row_starts")
        checks = [
            ops.assert_rank(row_starts, 1, message=problem),
            _is_zero(row_starts[:1], problem),
            _not_decreasing(row_starts, problem),
            ops.assert_less_equal(row_starts[-1:], count, message=problem),
        ]
        row_starts = _with_checks(checks, values, row_starts)
    return Partition(ops.concat([row_starts, [count]], axis=0))


def partition_by_row_limits(values: Any, row_limits: Tensor, validate: bool) -> Partition:
    """Returns the partition defined by row limits."""
    row_limits.shape.assert_has_rank(1)
    if validate:
        problem = _problem("from_row_limits")
        count = row_count(values, row_limits.dtype)
        checks = [
            ops.assert_rank(row_limits, 1, message=problem),
            ops.assert_non_negative(row_limits[:1], message=problem),
            _not_decreasing(row_limits, problem),
            ops.assert_equal(row_limits[-1:], count, message=problem),
        ]
        row_limits = _with_checks(checks, values, row_limits)
    return Partition(ops.concat([ops.zeros([1], row_limits.dtype), row_limits], axis=0))


def partition_by_value_rowids(
    values: Any, value_rowids: Tensor, nrows: Any, validate: bool
) -> Partition:
    """Returns the partition defined by the row of each value."""
    nrows, static = _rows_of_ids(value_rowids, nrows)
    value_rowids.shape.assert_has_rank(1)
    nrows.shape.assert_has_rank(0)
    values.shape[:1].assert_is_compatible_with(value_rowids.shape)
    if validate:
        problem = _problem("from_value_rowids")
        counts = row_count(values), row_count(value_rowids)
        checks = [
            ops.assert_rank(value_rowids, 1, message=problem),
            ops.assert_rank(nrows, 0, message=problem),
            ops.assert_equal(*counts, message=problem),
            ops.assert_non_negative(value_rowids[:1], message=problem),
            _not_decreasing(value_rowids, problem),
            ops.assert_less(value_rowids[-1:], nrows, message=problem),
        ]
        value_rowids = _with_checks(checks, values, value_rowids)
    ids, count = ops.cast(value_rowids, dtypes.int32), ops.cast(nrows, dtypes.int32)
    lengths = ops.bincount(ids, minlength=count, maxlength=count, dtype=value_rowids.dtype)
    row_splits = ops.concat([[0], ops.cumsum(lengths)], axis=0)
    if static is not None:
        lengths.set_shape([static])
        row_splits.set_shape([static + 1])
    return Partition(row_splits, lengths, value_rowids, nrows)


def _rows_of_ids(value_rowids: Tensor, nrows: Any) -> tuple[Tensor, int | None]:
    """Returns the number of rows as a tensor, and as an int if static."""
    if nrows is None:
        ids = constant_value(value_rowids)
        if ids is None:
            return ops.concat([value_rowids[-1:], [-1]], axis=0)[0] + 1, None
        static = ids[-1] + 1 if ids.size > 0 else 0
        return ops.convert_to_tensor(static, value_rowids.dtype, name="nrows"), static
    nrows = ops.convert_to_tensor(nrows, value_rowids.dtype, "nrows")
    static = constant_value(nrows)
    if static is not None:
        if static < 0:
            raise ValueError(f"Expected nrows >= 0; got {static}")
        ids = constant_value(value_rowids)
        if ids is not None and ids.size > 0 and not static >= ids[-1] + 1:
            raise ValueError(
                f"Expected nrows >= value_rowids[-1] + 1; got nrows={static}, value_rowids[-1]={ids[-1]}"
            )
    return nrows, static


def convert(values: Any, partition: Any, name: str) -> tuple[Any, Tensor]:
    """Converts values and their row partition to tensors of matching dtypes.

    Raises:
      ValueError: if the dtype of the partition is neither int32 nor int64, or differs from the dtype of `values`.
    """
    wrong = f"{name} must have dtype int32 or int64"
    if not is_ragged(values):
        values = ops.convert_to_tensor(values, name="values")
        if isinstance(partition, np.ndarray) and partition.dtype == np.int32:
            partition = ops.convert_to_tensor(partition, name=name)
        else:
            partition = ops.convert_to_tensor(partition, preferred_dtype=dtypes.int64, name=name)
        if partition.dtype not in SPLITS:
            raise ValueError(wrong)
        return values, partition
    splits_dtype = values.row_splits.dtype
    if not isinstance(partition, Tensor):
        return values, ops.convert_to_tensor(partition, splits_dtype, name=name)
    if partition.dtype not in SPLITS:
        raise ValueError(wrong)
    if splits_dtype != partition.dtype:
        raise ValueError(
            f"dtype mismatch: {name} ({partition.dtype}) vs values.row_splits ({splits_dtype})"
        )
    return values, partition


@public
def row_splits_to_segment_ids(
    splits: TensorLike, name: str | None = None, out_type: DTypeLike | None = None
) -> Tensor:
    """Returns the row index of each value of a ragged tensor.

    Args:
      splits: int32 or int64 vector that starts with 0, followed by the end of each row.
      out_type: int32 or int64; by default the dtype of `splits`.

    Returns:
      A sorted vector, [splits[-1]].

    Raises:
      ValueError: if `splits` has a different dtype or is empty.

    Example: `tf.ragged.row_splits_to_segment_ids([0, 2, 2, 3])` is [0, 0, 2].
    """
    with name_scope(name, "RaggedSplitsToSegmentIds", [splits]) as name:
        splits = ops.convert_to_tensor(splits, name="splits", preferred_dtype=dtypes.int64)
        if splits.dtype not in SPLITS:
            raise ValueError("splits must have dtype int32 or int64")
        splits.shape.assert_has_rank(1)
        if dimension_value(splits.shape[0]) == 0:
            raise ValueError("Invalid row_splits: []")
        out_type = splits.dtype if out_type is None else dtypes.as_dtype(out_type)
        row_lengths = splits[1:] - splits[:-1]
        rows = ops.range(ops.shape(splits, out_type=out_type)[-1] - 1)
        return ops.repeat(rows, repeats=row_lengths, axis=0)


@public
def segment_ids_to_row_splits(
    segment_ids: TensorLike,
    num_segments: TensorLike | None = None,
    out_type: DTypeLike | None = None,
    name: str | None = None,
) -> Tensor:
    """Returns the row splits of a ragged tensor from the row index of each value.

    Args:
      segment_ids: sorted integer vector.
      num_segments: the number of rows; by default one more than the last of `segment_ids`.
      out_type: int32 or int64; by default the dtype of `segment_ids`.

    Returns:
      A sorted vector, [num_segments + 1], that starts with 0.

    Raises:
      TypeError: if the ids are not integers.

    Example: `tf.ragged.segment_ids_to_row_splits([0, 0, 2])` is [0, 2, 2, 3].
    """
    if out_type is not None:
        out_type = dtypes.as_dtype(out_type)
    else:
        values = [value for value in (segment_ids, num_segments) if isinstance(value, Tensor)]
        out_type = values[0].dtype if values else dtypes.int64
    with name_scope(name, "SegmentIdsToRaggedSplits", [segment_ids]) as name:
        segment_ids = integers(segment_ids, "segment_ids", dtypes.int32)
        segment_ids.shape.assert_has_rank(1)
        if num_segments is not None:
            num_segments = integers(num_segments, "num_segments", dtypes.int32)
            num_segments.shape.assert_has_rank(0)
        lengths = ops.bincount(
            segment_ids, minlength=num_segments, maxlength=num_segments, dtype=out_type
        )
        splits = ops.concat([[0], ops.cumsum(lengths)], axis=0)
        if num_segments is not None:
            static = constant_value(num_segments)
            if static is not None:
                splits.set_shape(TensorShape([static + 1]))
        return splits
