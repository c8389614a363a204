"""Partitioners, which choose the number of partitions of a `tf.get_variable` variable along each axis."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from tfmini._src.base import dtypes
from tfmini._src.base.shapes import TensorShape


def fixed_size_partitioner(num_shards: int, axis: int = 0) -> Callable[..., Any]:
    """Returns a partitioner that splits dimension `axis` into `num_shards` parts, or fewer if it is too short."""

    def partitioner(shape: TensorShape, **unused: Any) -> list[int]:
        parts = [1] * len(shape)
        parts[axis] = min(num_shards, shape.as_list()[axis])
        return parts

    return partitioner


def variable_axis_size_partitioner(
    max_shard_bytes: int,
    axis: int = 0,
    bytes_per_string_element: int = 16,
    max_shards: int | None = None,
) -> Callable[..., Any]:
    """Returns a partitioner that splits dimension `axis` so that no part exceeds `max_shard_bytes`.

    Args:
      max_shard_bytes: size limit of a part.
      axis: the dimension to split.
      bytes_per_string_element: assumed size of a string.
      max_shards: limit on the number of parts, which takes precedence over the size limit.

    Raises:
      ValueError: if a limit is not positive.
    """
    if max_shard_bytes < 1 or bytes_per_string_element < 1:
        raise ValueError("Both max_shard_bytes and bytes_per_string_element must be positive.")
    if max_shards and max_shards < 1:
        raise ValueError("max_shards must be positive.")

    def partitioner(shape: TensorShape, dtype: dtypes.DType) -> list[int]:
        if not isinstance(shape, TensorShape):
            raise ValueError(f"shape is not a TensorShape: {shape}")
        if not shape.is_fully_defined():
            raise ValueError(f"shape is not fully defined: {shape}")
        if not isinstance(dtype, dtypes.DType):
            raise ValueError(f"dtype is not a DType: {dtype}")
        sizes = shape.as_list()
        length = sizes[axis]
        slice_bytes = (
            math.prod(sizes) / length * _bytes_per_element(dtype, bytes_per_string_element)
        )
        count = math.ceil(length / max(1, math.floor(max_shard_bytes / slice_bytes)))
        parts = [1] * len(sizes)
        parts[axis] = min(max_shards, count) if max_shards else count
        return parts

    return partitioner


def min_max_variable_partitioner(
    max_partitions: int = 1,
    axis: int = 0,
    min_slice_size: int = 256 << 10,
    bytes_per_string_element: int = 16,
) -> Callable[..., Any]:
    """Returns a partitioner that splits dimension `axis` into parts of at least `min_slice_size` bytes.

    Args:
      max_partitions: limit on the number of parts.
      axis: the dimension to split.
      min_slice_size: approximate minimum size of a part.
      bytes_per_string_element: assumed size of a string.
    """

    def partitioner(shape: TensorShape, dtype: dtypes.DType) -> list[int]:
        if axis >= len(shape):
            raise ValueError(
                f"Can not partition variable along axis {axis} when shape is only {shape}"
            )
        sizes = shape.as_list()
        total = math.prod(sizes) * _bytes_per_element(dtype, bytes_per_string_element)
        expected = math.ceil(total / min_slice_size)
        parts = [1] * len(sizes)
        parts[axis] = max(1, min(sizes[axis], max_partitions, expected))
        return parts

    return partitioner


def _bytes_per_element(dtype: dtypes.DType, string: int) -> int:
    return string if dtype.base_dtype == dtypes.string else dtype.size
