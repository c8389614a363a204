"""Embeddings whose elements are hashed into one weight vector (hashed nets, arXiv 1504.04788)."""

from __future__ import annotations

from typing import Any

from tfmini._src.base import dtypes, logs
from tfmini._src.contrib.layers.feature_column.crossed_column import sparse_feature_cross
from tfmini._src.graph.composite_values import SparseTensor
from tfmini._src.graph.scopes import name_scope
from tfmini._src.graph.tensor import Tensor, TensorLike
from tfmini._src.ops import ops
from tfmini._src.variables.partitioned_variable import PartitionedVariable

COMBINERS = {
    "sum": "sparse_segment_sum",
    "mean": "sparse_segment_mean",
    "sqrtn": "sparse_segment_sqrt_n",
}


def _partitions(params: Any) -> list:
    if isinstance(params, PartitionedVariable):
        return list(params)
    return params if isinstance(params, list) else [params]


def _weight_count(parts: list) -> int:
    """Returns the total number of weights in the parts; raises ValueError unless they are evenly partitioned."""
    sizes = []
    for part in parts:
        shape = part.get_shape()
        shape.assert_has_rank(1)
        shape.assert_is_fully_defined()
        sizes.append(shape.as_list()[0])
    for i, size in enumerate(sizes):
        expected = (sum(sizes) - i - 1) // len(parts) + 1
        if size != expected:
            raise ValueError(f"Tensor {i} in params has size {size}, expected {expected}.")
    return sum(sizes)


def scattered_embedding_lookup(
    params: TensorLike,
    values: TensorLike,
    dimension: int,
    name: str | None = None,
    hash_key: int | None = None,
) -> Tensor:
    """Returns an embedding per value: element i is the weight at the hash of (value, i).

    Args:
      params: weights [n], float, or a list of its partitions, larger ones first.
      values: integers or strings of any shape.
      dimension: vector size.
      hash_key: seed of the fingerprints; see `sparse_feature_cross`.

    Returns:
      Tensor of shape `values.shape + [dimension]`.

    Raises:
      ValueError: if the dimension is not positive, or the partitions are uneven.
    """
    if dimension is None:
        raise ValueError("You must specify dimension.")
    parts = _partitions(params)
    with name_scope(name, "scattered_embedding_lookup", [*parts, dimension, values]):
        shape = ops.shape(values)
        values = ops.reshape(values, [-1, 1])
        if dimension <= 0:
            raise ValueError(f"Dimension must be >0. Given is {dimension}")
        positions = ops.tile(ops.expand_dims(ops.range(0, dimension), 0), ops.shape(values))
        count = _weight_count(parts)
        ids = sparse_feature_cross(
            [positions, values], hashed_output=True, num_buckets=count, hash_key=hash_key
        )
        weights = ops.embedding_lookup(
            parts, ops.sparse_tensor_to_dense(ids), partition_strategy="div"
        )
        return ops.reshape(weights, ops.concat([shape, [dimension]], 0))


def scattered_embedding_lookup_sparse(
    params: TensorLike,
    sparse_values: SparseTensor,
    dimension: int,
    combiner: str | None = None,
    default_value: TensorLike | None = None,
    name: str | None = None,
    hash_key: int | None = None,
) -> Tensor:
    """Returns the combined embeddings of each row's values, looked up as in `scattered_embedding_lookup`.

    Args:
      params, dimension, hash_key: as in `scattered_embedding_lookup`.
      sparse_values: SparseTensor [rows, n] of integers or strings.
      combiner: "sum", "mean" (the default) or "sqrtn".
      default_value: value for empty rows.

    Returns:
      Tensor [rows, dimension].

    Raises:
      TypeError: if the values are not sparse.
      ValueError: for an unknown combiner.
    """
    if combiner is None:
        logs.warn(
            'The default value of combiner will change from "mean" to "sqrtn" after 2016/11/01.'
        )
        combiner = "mean"
    parts = _partitions(params)
    if not isinstance(sparse_values, SparseTensor):
        raise TypeError("sparse_values must be SparseTensor")
    with name_scope(name, "scattered_embedding_lookup_sparse", [*parts, sparse_values]) as scope:
        if default_value is None:
            # Empty rows are filled with an improbable value.
            text = sparse_values.dtype == dtypes.string
            default_value = "6ZxWzWOHxZ" if text else 1288896567
        filled, _ = ops.sparse_fill_empty_rows(sparse_values, default_value)
        rows = ops.cast(filled.indices[:, 0], dtypes.int32)
        values, where = ops.unique(filled.values)
        vectors = scattered_embedding_lookup(parts, values, dimension, hash_key=hash_key)
        if combiner not in COMBINERS:
            raise ValueError("Combiner must be one of 'mean', 'sqrtn' or 'sum'.")
        return getattr(ops, COMBINERS[combiner])(vectors, where, rows, name=scope)
