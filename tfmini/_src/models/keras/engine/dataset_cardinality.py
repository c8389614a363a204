"""Cardinality of a dataset, read off the graph nodes that produce it."""

from __future__ import annotations

import math
from typing import Any

from tfmini._src.graph.static_values import get_static_value

INFINITE, UNKNOWN = -1, -2

_UNCHANGED = (
    *("MapDataset", "ParallelMapDataset", "PrefetchDataset", "ShuffleDataset", "CacheDataset"),
    *("OptionsDataset", "ModelDataset", "OptimizeDataset", "ExperimentalMapAndBatchDataset"),
    *("ShuffleDatasetV2", "ExperimentalAssertNextDataset", "ExperimentalIgnoreErrorsDataset"),
)
_BATCHES = ("BatchDataset", "BatchDatasetV2", "PaddedBatchDataset", "PaddedBatchDatasetV2")


def cardinality(dataset: Any) -> int:
    """The number of elements; -1 if infinite, -2 if unknown before iteration."""
    return _of(dataset._variant_tensor.op)


def _number(tensor: Any) -> Any:
    value = get_static_value(tensor)
    return None if value is None else int(value)


def _of(op: Any) -> int:
    kind = op.type
    if kind == "TensorDataset":
        return 1
    if kind in ("TensorSliceDataset", "SparseTensorSliceDataset"):
        size = op.inputs[0].shape[0].value
        return UNKNOWN if size is None else size
    if kind == "RangeDataset":
        numbers = [_number(x) for x in op.inputs]
        return UNKNOWN if None in numbers else len(range(*numbers))
    if kind == "ConcatenateDataset":
        sizes = [_of(x.op) for x in op.inputs[:2]]
        return min(sizes) if min(sizes) < 0 else sum(sizes)
    if kind == "ZipDataset":
        sizes = [size for x in op.inputs if (size := _of(x.op)) != INFINITE]
        return UNKNOWN if UNKNOWN in sizes else min(sizes, default=INFINITE)
    if kind in _UNCHANGED:
        return _of(op.inputs[0].op)
    if kind in ("RepeatDataset", "TakeDataset", "SkipDataset", "ShardDataset"):
        return _counted(kind, _of(op.inputs[0].op), _number(op.inputs[1]))
    if kind in _BATCHES:
        size, batch = _of(op.inputs[0].op), _number(op.inputs[1])
        if size < 0 or not batch:
            return size if size == INFINITE else UNKNOWN
        dropped = kind == "BatchDatasetV2" and get_static_value(op.inputs[2])
        return size // batch if dropped else math.ceil(size / batch)
    return UNKNOWN


def _counted(kind: str, size: int, count: int | None) -> int:
    if count is None:
        return UNKNOWN
    if kind == "RepeatDataset":
        if count < 0:
            return INFINITE if size else 0
        return size if size < 0 and count else size * count
    if kind == "TakeDataset":
        if count < 0:
            return size
        return count if size == INFINITE else min(size, count) if size >= 0 else UNKNOWN
    if kind == "SkipDataset":
        if count < 0:
            return 0
        return max(0, size - count) if size >= 0 else size
    return math.ceil(size / count) if size >= 0 else size
