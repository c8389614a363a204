"""Embeddings whose elements are hashed into one list of weights (hashed nets, arXiv 1504.04788)."""

from __future__ import annotations

from typing import Any

from tfmini._src.base import dtypes
from tfmini._src.contrib.layers.feature_column.crossed_column import sparse_feature_cross
from tfmini._src.graph.indexed_slices_and_sparse_tensor import SparseTensor
from tfmini._src.graph.scopes import name_scope
from tfmini._src.graph.tensor import Tensor
from tfmini._src.ops import ops
from tfmini._src.variables.partitioned_variable import PartitionedVariable

COMBINERS = {
    "sum": "sparse_segment_sum",
    "mean": "sparse_segment_mean",
    "sqrtn": "sparse_segment_sqrt_n",
}


def _parts(params: Any) -> list:
    return list(params) if isinstance(params, PartitionedVariable) else [params]


def _size(parts: list) -> int:
    """Total number of weights in the parts."""
    return sum(part.get_shape().as_list()[0] for part in parts)


def _scattered_embedding_lookup(
    parts: list, values: Tensor, dimension: int, hash_key: int
) -> Tensor:
    """An embedding for each value: element i is the weight at the hash of (value, i)."""
    with name_scope(None, "scattered_embedding_lookup", [*parts, dimension, values]):
        shape = ops.shape(values)
        values = ops.reshape(values, [-1, 1])
        places = ops.tile(ops.expand_dims(ops.range(0, dimension), 0), ops.shape(values))
        count = _size(parts)
        ids = sparse_feature_cross(
            [places, values], hashed_output=True, num_buckets=count, hash_key=hash_key
        )
        found = ops.embedding_lookup(
            parts, ops.sparse_tensor_to_dense(ids), partition_strategy="div"
        )
        return ops.reshape(found, ops.concat([shape, [dimension]], 0))


def scattered_embedding_lookup_sparse(
    params: Any,
    sparse_values: SparseTensor,
    dimension: int,
    combiner: str,
    hash_key: int,
    name: str,
) -> Tensor:
    """Combined embeddings of each row's values, whose elements are weights at hashes.

    Args:
      params: weights [n], float, a variable that may be partitioned.
      sparse_values: SparseTensor [rows, n] of integers or strings.
      dimension: the width of a vector.
      combiner: "sum", "mean" or "sqrtn".
      hash_key: where fingerprints begin; see `sparse_feature_cross`.
      name: the name of the scope.

    Returns:
      Tensor [rows, dimension].
    """
    parts = _parts(params)
    with name_scope(name, values=[*parts, sparse_values]) as scope:
        # Empty rows are filled with a value that no feature is likely to have.
        text = sparse_values.dtype == dtypes.string
        filled, _ = ops.sparse_fill_empty_rows(sparse_values, "6ZxWzWOHxZ" if text else 1288896567)
        rows = ops.cast(filled.indices[:, 0], dtypes.int32)
        values, where = ops.unique(filled.values)
        vectors = _scattered_embedding_lookup(parts, values, dimension, hash_key)
        return getattr(ops, COMBINERS[combiner])(vectors, where, rows, name=scope)
