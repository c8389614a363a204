"""Sums, products, extremes and means of ragged tensors over dimensions and by segments."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from tfmini._src.base import dtypes
from tfmini._src.graph.scopes import control_dependencies, name_scope
from tfmini._src.graph.static_values import get_static_value as constant_value
from tfmini._src.graph.tensor import Tensor
from tfmini._src.ops import ops
from tfmini._src.ops.ragged.map_flat_values import map_flat_values
from tfmini._src.ops.ragged.ragged_range import range as ragged_range
from tfmini._src.ops.ragged.ragged_tensor import RaggedTensor, match_splits_dtypes
from tfmini._src.ops.ragged.row_partition import SPLITS, is_ragged, positive_axis


def combine_segments(
    dense: Callable,
    data: Any,
    segment_ids: Any,
    num_segments: Any,
    separator: Any = None,
    name: str | None = None,
) -> Any:
    """Combines rows with the same id by `dense`, a segment function of dense tensors; row lengths may differ."""
    if not (is_ragged(data) or is_ragged(segment_ids)):
        args = [name] if separator is None else [separator, name]
        return dense(data, segment_ids, num_segments, *args)
    with name_scope(name, "RaggedSegment", [data, segment_ids, num_segments]) as name:
        data = ops.tensor_or_ragged(data, name="data")
        segment_ids = ops.tensor_or_ragged(segment_ids, name="segment_ids")
        match_splits_dtypes(data, segment_ids)
        if segment_ids.dtype not in SPLITS:
            raise ValueError("segment_ids must have dtype int32 or int64.")
        prefix_message = "segment_ids.shape must be a prefix of data.shape"
        if is_ragged(segment_ids):
            if not is_ragged(data):
                raise ValueError(f"{prefix_message}, but segment_ids is ragged and data is not.")
            check = ops.assert_equal(
                segment_ids.row_splits, data.row_splits, message=prefix_message
            )
            with control_dependencies([check]):
                return combine_segments(
                    dense, data.values, segment_ids.values, num_segments, separator
                )
        lengths = data.row_splits[1:] - data.row_splits[:-1]
        max_length = ops.maximum(ops.unsorted_segment_max(lengths, segment_ids, num_segments), 0)
        splits = ops.concat([ops.zeros([1], max_length.dtype), ops.cumsum(max_length)], axis=0)
        starts = ops.gather(splits, segment_ids)
        positions = ragged_range(starts, starts + lengths).values
        values = combine_segments(dense, data.values, positions, splits[-1], separator)
        return RaggedTensor.from_row_splits(values, splits, validate=False)


def segment_function(dense_name: str, default_name: str) -> Callable:
    """Returns a `tf.math.unsorted_segment_...` function for ragged tensors."""

    def combine(data: Any, segment_ids: Any, num_segments: Any, name: str | None = None) -> Any:
        dense = getattr(ops, dense_name)
        return combine_segments(dense, data, segment_ids, num_segments, name=name or default_name)

    return combine


segment_sum = segment_function("unsorted_segment_sum", "RaggedSegmentSum")
segment_prod = segment_function("unsorted_segment_prod", "RaggedSegmentProd")
segment_min = segment_function("unsorted_segment_min", "RaggedSegmentMin")
segment_max = segment_function("unsorted_segment_max", "RaggedSegmentMax")


def segment_mean(data: Any, segment_ids: Any, num_segments: Any, name: str | None = None) -> Any:
    """Returns the means of rows with the same segment id."""
    with name_scope(name, "RaggedSegmentMean", [data, segment_ids, num_segments]):
        total, count = _sum_and_count(data, segment_ids, num_segments)
        return _divide(total, count, lambda count: count)


def segment_sqrt_n(data: Any, segment_ids: Any, num_segments: Any, name: str | None = None) -> Any:
    """Returns the sums of rows with the same segment id, divided by the square root of the number of rows."""
    with name_scope(name, "RaggedSegmentSqrtN", [data, segment_ids, num_segments]):
        total, count = _sum_and_count(data, segment_ids, num_segments)
        return _divide(total, count, ops.sqrt)


def _sum_and_count(data: Any, segment_ids: Any, num_segments: Any) -> tuple:
    total = segment_sum(data, segment_ids, num_segments)
    return total, segment_sum(_ones_like(data), segment_ids, num_segments)


def _ones_like(ragged: Any) -> Any:
    ones = ops.ones_like(ragged.flat_values)
    return RaggedTensor.from_nested_row_splits(ones, ragged.nested_row_splits, validate=False)


def _divide(total: Any, count: Any, divisor: Callable) -> Any:
    if not is_ragged(total):
        return total / divisor(count)
    return total.with_flat_values(total.flat_values / divisor(count.flat_values))


def reduce_ragged(
    dense: Callable,
    segments: Callable,
    value: Any,
    axis: Any,
    keepdims: Any,
    separator: Any = None,
    name: str | None = None,
) -> Any:
    """Reduces a tensor over dimensions, by `dense` if uniform and by `segments` if ragged."""
    if not is_ragged(value):
        extra = {} if separator is None else {"separator": separator}
        return dense(value, axis, name=name, **extra)
    if keepdims:
        raise ValueError("keepdims=True is not supported for RaggedTensors.")
    if isinstance(axis, Tensor):
        axis = constant_value(axis)
        if axis is None:
            raise ValueError("axis must be known at graph construction time.")
        if isinstance(axis, np.ndarray):
            axis = axis.tolist()
    if axis is None:
        return dense(value.flat_values, None, name=name)
    with name_scope(name, "RaggedReduce", [value, axis]):
        if isinstance(axis, list | tuple):
            if not axis:
                return value
            if len(axis) > 1:
                *outer, last = sorted(
                    positive_axis(axis_number, value.shape.ndims) for axis_number in axis
                )
                inner = reduce_ragged(dense, segments, value, last, keepdims, separator)
                return reduce_ragged(dense, segments, inner, outer, keepdims, separator)
            axis = axis[0]
        value = ops.tensor_or_ragged(value, name="rt_input")
        axis = positive_axis(axis, value.shape.ndims)
        splits = value.row_splits
        if axis == 0:
            lengths = splits[1:] - splits[:-1]
            count = ops.maximum(ops.reduce_max(lengths), 0)
            positions = ragged_range(lengths).values
            return combine_segments(segments, value.values, positions, count, separator)
        if axis == 1:
            count = ops.shape(splits)[0] - 1
            positions = ops.row_splits_to_segment_ids(splits)
            return combine_segments(segments, value.values, positions, count, separator)
        inner = reduce_ragged(dense, segments, value.values, axis - 1, keepdims, separator)
        return value.with_values(inner)


def reduction(dense_name: str, segments_name: str, default_name: str) -> Callable:
    """Returns a `tf.reduce_...` function for ragged tensors."""

    def combine(
        input_tensor: Any, axis: Any = None, keepdims: Any = None, name: str | None = None
    ) -> Any:
        dense, segments = getattr(ops, dense_name), getattr(ops, segments_name)
        return reduce_ragged(
            dense, segments, input_tensor, axis, keepdims, name=name or default_name
        )

    return combine


reduce_sum = reduction("reduce_sum", "unsorted_segment_sum", "RaggedReduceSum")
reduce_prod = reduction("reduce_prod", "unsorted_segment_prod", "RaggedReduceProd")
reduce_min = reduction("reduce_min", "unsorted_segment_min", "RaggedReduceMin")
reduce_max = reduction("reduce_max", "unsorted_segment_max", "RaggedReduceMax")


def reduce_mean(
    input_tensor: Any, axis: Any = None, keepdims: Any = None, name: str | None = None
) -> Any:
    """Returns the means over dimensions."""
    with name_scope(name, "RaggedReduceMean", [input_tensor, axis]):
        total = reduce_sum(input_tensor, axis, keepdims)
        ones = _ones_like(input_tensor) if is_ragged(input_tensor) else ops.ones_like(input_tensor)
        count = reduce_sum(ones, axis, keepdims)
        if not is_ragged(total):
            return total / count
        return RaggedTensor.from_nested_row_splits(
            total.flat_values / count.flat_values, total.nested_row_splits, validate=False
        )


def _cast(value: Any, dtype: Any) -> Any:
    return map_flat_values(ops.cast, value, dtype)


def reduce_all(
    input_tensor: Any, axis: Any = None, keepdims: Any = None, name: str | None = None
) -> Any:
    """Returns the logical AND over dimensions."""
    with name_scope(name, "RaggedReduceAll", [input_tensor, axis]):
        integers = _cast(input_tensor, dtypes.int32)
        return _cast(reduce_prod(integers, axis, keepdims), dtypes.bool)


def reduce_any(
    input_tensor: Any, axis: Any = None, keepdims: Any = None, name: str | None = None
) -> Any:
    """Returns the logical OR over dimensions."""
    with name_scope(name, "RaggedReduceAny", [input_tensor, axis]):
        integers = _cast(input_tensor, dtypes.int32)
        return _cast(reduce_sum(integers, axis, keepdims), dtypes.bool)


def reduce_join(
    inputs: Any, axis: Any = None, keepdims: Any = None, separator: str = "", name: Any = None
) -> Any:
    """Joins strings over dimensions."""
    return reduce_ragged(
        ops.reduce_join,
        ops.unsorted_segment_join,
        inputs,
        axis,
        keepdims,
        separator,
        name or "RaggedSegmentJoin",
    )
