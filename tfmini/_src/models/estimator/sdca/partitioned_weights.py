"""Partitioned weights: maps features to parts of variables split along axis 0."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tfmini._src.base import dtypes
from tfmini._src.graph.convert_to_tensor import internal_convert_to_tensor
from tfmini._src.graph.scopes import colocate_with
from tfmini._src.graph.tensor import Tensor
from tfmini._src.ops import ops
from tfmini._src.variables.partitioned_variable import PartitionedVariable


def is_partitioned(variable: Any) -> bool:
    """Whether a variable is partitioned or a list of parts."""
    return isinstance(variable, list | PartitionedVariable)


def variable_parts(variable: Any) -> Any:
    """Returns the parts of a variable; an unpartitioned variable is a single part."""
    return variable if is_partitioned(variable) else [variable]


def concat_parts(variable: Any) -> Tensor:
    """Returns a variable's parts as one tensor."""
    joined = ops.concat(list(variable), axis=0) if is_partitioned(variable) else variable
    return internal_convert_to_tensor(joined)


class PartitionedWeights:
    """Weights of features, gathered from partitions of nearly equal size.

    Args:
      parts: variables.
      features: int64 [n], feature indices.
      where: `tf.where` or `tf.where_v2`.
    """

    def __init__(self, parts: Any, features: Tensor, where: Callable):
        self._parts = parts
        count = len(parts)
        flat = ops.reshape(features, [-1])
        total = self._total(flat.dtype)
        size, extras = total // count, total % count
        partitions = ops.maximum(flat // (size + 1), (flat - extras) // size)
        offsets = where(partitions < extras, flat % (size + 1), (flat - extras) % size)
        self._offsets = offsets
        self._part_ids = ops.cast(partitions, dtypes.int32)
        self._offsets_by_part = ops.dynamic_partition(offsets, self._part_ids, count)

    def _total(self, dtype: Any) -> Tensor:
        total = self._parts[0].get_shape()[0]
        for part in self._parts[1:]:
            total += part.get_shape()[0]
        return ops.constant(int(total), dtype)

    def gather(self) -> Tensor:
        """Returns the weights, float32 [n]."""
        parts = []
        for part, offsets in zip(self._parts, self._offsets_by_part):
            with colocate_with(part):
                parts.append(ops.gather(part, offsets))
        order = ops.range(ops.shape(self._offsets)[0])
        indices = ops.dynamic_partition(order, self._part_ids, len(self._parts))
        return ops.dynamic_stitch(indices, parts)

    def updates(self, changes: Tensor) -> list:
        """Returns the ops that add deltas, float32 [n], to the weights."""
        changes_by_part = ops.dynamic_partition(changes, self._part_ids, len(self._parts))
        operations = []
        for part, offsets, change in zip(self._parts, self._offsets_by_part, changes_by_part):
            with colocate_with(part):
                operations.append(ops.scatter_add(part, offsets, change))
        return operations
