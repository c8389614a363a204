"""Parses one tf.train.Example record, or a batch of them, into dense, sparse and ragged tensors."""

from __future__ import annotations

from typing import Any

import numpy as np

from tfmini._src.base import dtypes
from tfmini._src.base.errors import invalid
from tfmini._src.graph.opdef import Attr, op
from tfmini._src.graph.shape_inference import Dims
from tfmini._src.ops.operands import shape_text
from tfmini._src.ops.parsing.example_batch import Batch
from tfmini._src.ops.parsing.parse_example import COUNT, TYPES, parse_records
from tfmini._src.ops.string.string_elements import array_shape, list_strings

_TYPE_LIST = Attr("list(type)", minimum=0, allowed=TYPES)


def _keys(values: Any) -> list[str]:
    return [key.decode() for key in list_strings(values)]


def _ragged_values(batch: Batch, key: str, dtype: Any, splits: Any) -> tuple[Any, Any]:
    """Returns the values of all records and the end of each record's row."""
    present, feature = batch.column(key, dtype, "Expected type: {want}, Actual type: {got}")
    counts = np.zeros(len(batch.records), np.int64)
    counts[present] = feature.counts
    ends = np.concatenate([[0], np.cumsum(counts)])
    return feature.values, ends.astype(splits.as_numpy_dtype)


@op(
    "ParseExampleV2",
    "serialized: string, names: string, sparse_keys: string, dense_keys: string, ragged_keys: string, "
    "dense_defaults: Tdense -> sparse_indices: num_sparse*int64, sparse_values: sparse_types, "
    "sparse_shapes: num_sparse*int64, dense_values: Tdense, ragged_values: ragged_value_types, "
    "ragged_row_splits: ragged_split_types",
    Tdense=_TYPE_LIST,
    num_sparse=COUNT,
    sparse_types=_TYPE_LIST,
    ragged_value_types=_TYPE_LIST,
    ragged_split_types=Attr("list(type)", minimum=0, allowed=(dtypes.int32, dtypes.int64)),
    dense_shapes=Attr("list(shape)", minimum=0),
)
def parse_example_v2_op(
    xp,
    serialized,
    names,
    sparse_keys,
    dense_keys,
    ragged_keys,
    dense_defaults,
    *,
    Tdense,
    sparse_types,
    ragged_value_types,
    ragged_split_types,
    dense_shapes,
):
    shape = array_shape(serialized)
    if len(shape) > 1:
        invalid(f"Expected serialized to be a scalar or vector, got shape: {shape_text(shape)}")
    is_single = not shape
    records, actual = list_strings(serialized), list_strings(names) or None
    dense = list(zip(_keys(dense_keys), Tdense, dense_shapes, dense_defaults))
    sparse = list(zip(_keys(sparse_keys), sparse_types))
    results = list(parse_records(records, actual, is_single, dense, sparse))
    count = len(sparse)
    keys = _keys(ragged_keys)
    batch = Batch(records, actual, is_single, requested=zip(keys, ragged_value_types))
    ragged = [
        _ragged_values(batch, *expected)
        for expected in zip(keys, ragged_value_types, ragged_split_types)
    ]
    if is_single:
        for index in range(count):
            results[index] = results[index][:, 1:]
            results[2 * count + index] = results[2 * count + index][1:]
        results[3 * count :] = [value[0] for value in results[3 * count :]]
        ragged = [(values, splits[:0]) for values, splits in ragged]
    return (*results, *(values for values, _ in ragged), *(splits for _, splits in ragged))


@parse_example_v2_op.infer
def _(op) -> list[Dims]:
    rows = op.inputs[0]._dims
    sparse = op.attrs["num_sparse"]
    ragged = len(op.attrs["ragged_value_types"])
    if rows is None:
        return [None] * len(op.outputs)
    rank = len(rows) + 1
    shapes = [(*rows, *shape) for shape in op.attrs["dense_shapes"]]
    ends_dims = (rows[0] + 1,) if rows and rows[0] is not None else (None,)
    return [
        *[(None, rank)] * sparse,
        *[(None,)] * sparse,
        *[(rank,)] * sparse,
        *shapes,
        *[(None,)] * ragged,
        *[ends_dims if rows else (0,)] * ragged,
    ]
