"""Embedding lookups of `tf.contrib.layers`."""

from __future__ import annotations

from typing import Any

from tfmini._src.base import logs
from tfmini._src.graph.composite_values import SparseTensor
from tfmini._src.graph.scopes import name_scope
from tfmini._src.graph.tensor import Tensor, TensorLike
from tfmini._src.ops import ops


def safe_embedding_lookup_sparse(
    embedding_weights: Any,
    sparse_ids: SparseTensor,
    sparse_weights: SparseTensor | None = None,
    combiner: str | None = None,
    default_id: int | None = None,
    name: str | None = None,
    partition_strategy: str = "div",
    max_norm: float | None = None,
) -> Tensor:
    """`tf.nn.safe_embedding_lookup_sparse` for float tables, which are read entirely.

    Args:
      embedding_weights: float table [rows, width], or its partitions.
      sparse_ids: SparseTensor int64 [..., n], row ids of each example.
      sparse_weights: SparseTensor with the same indices, of the table's dtype; None for weights of 1.
      combiner: "sum", "mean" or "sqrtn"; by default "mean", with a warning.
      default_id: row id for examples without ids; by default zeros.
      partition_strategy: "div" or "mod"; see `tf.nn.embedding_lookup`.
      max_norm: maximum Euclidean norm, to which rows are scaled down.

    Returns:
      Tensor [..., width].

    Raises:
      ValueError: if the table is missing, or the dtypes of table and weights differ or are not float.
    """
    if combiner is None:
        logs.warn(
            'The default value of combiner will change from "mean" to "sqrtn" after 2016/11/01.'
        )
        combiner = "mean"
    if embedding_weights is None:
        raise ValueError(f"Missing embedding_weights {embedding_weights}.")
    if hasattr(embedding_weights, "_get_variable_list"):
        embedding_weights = list(embedding_weights)
    tables = embedding_weights if isinstance(embedding_weights, list) else [embedding_weights]
    if not tables:
        raise ValueError(f"Missing embedding_weights {tables}.")
    dtype = None if sparse_weights is None else sparse_weights.dtype
    tables = [ops.convert_to_tensor(table, dtype=dtype) for table in tables]
    ops.assert_same_float_dtype([*tables, sparse_weights])
    return ops.safe_embedding_lookup_sparse(
        tables,
        sparse_ids,
        sparse_weights,
        combiner,
        default_id,
        name,
        partition_strategy,
        max_norm,
    )


def embedding_lookup_unique(
    params: TensorLike, ids: TensorLike, partition_strategy: str = "mod", name: str | None = None
) -> Tensor:
    """`tf.nn.embedding_lookup`, but looks up each distinct id only once.

    Args:
      params: table [rows, ...], or its partitions.
      ids: integer tensor of any shape.
      partition_strategy: "mod" or "div"; see `tf.nn.embedding_lookup`.

    Returns:
      A tensor of shape `ids.shape + params.shape[1:]`.
    """
    with name_scope(name, "EmbeddingLookupUnique", [params, ids]):
        ids = ops.convert_to_tensor(ids)
        shape = ops.shape(ids)
        flat = ops.reshape(ids, ops.reduce_prod(shape, keepdims=True))
        unique_ids, positions = ops.unique(flat)
        rows = ops.embedding_lookup(params, unique_ids, partition_strategy)
        all_rows = ops.gather(rows, positions)
        full_shape = ops.concat([shape, ops.shape(rows)[1:]], 0)
        result = ops.reshape(all_rows, full_shape)
        result.set_shape(ids.shape.concatenate(rows.shape[1:]))
        return result
