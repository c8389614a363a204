"""Embedding lookup of several rows per example, which a combiner reduces."""

from __future__ import annotations

from typing import Any

from tfmini._src.base import dtypes, logs
from tfmini._src.base.shapes import TensorShape
from tfmini._src.graph.composite_values import SparseTensor
from tfmini._src.graph.opdef import public
from tfmini._src.graph.scopes import name_scope
from tfmini._src.graph.tensor import Tensor, TensorLike
from tfmini._src.ops import ops


def _tables(params: Any) -> list:
    """Returns the partitions of a table as a list, which has one element if it is not partitioned."""
    if hasattr(params, "_get_variable_list"):
        params = list(params)
    return params if isinstance(params, list) else [params]


@public
def embedding_lookup_sparse(
    params: TensorLike,
    sp_ids: SparseTensor,
    sp_weights: SparseTensor | None,
    partition_strategy: str = "mod",
    name: str | None = None,
    combiner: str | None = None,
    max_norm: float | None = None,
) -> Tensor:
    """Looks up several rows of a table for each example and combines them.

    Args:
      params: the table [rows, ...], or its partitions; see `tf.nn.embedding_lookup`.
      sp_ids: int64 SparseTensor [examples, n], the row ids of each example, at least one
        per example; `tf.nn.safe_embedding_lookup_sparse` also accepts empty examples.
      sp_weights: float SparseTensor with the same indices, the weight of each id; None for 1.
      partition_strategy: "mod" or "div"; see `tf.nn.embedding_lookup`.
      combiner: "sum" (weighted), "mean" (the sum divided by the sum of weights) or "sqrtn" (divided by
        the square root of the sum of squared weights); by default "mean".
      max_norm: if set, scales rows with a larger Euclidean norm down to this norm.

    Returns:
      Tensor [examples, ...].

    Raises:
      TypeError: if `sp_ids` or `sp_weights` is not a SparseTensor.
      ValueError: for an unknown combiner.
    """
    if combiner is None:
        logs.warn(
            'The default value of combiner will change from "mean" to "sqrtn" after 2016/11/01.'
        )
        combiner = "mean"
    if combiner not in ("mean", "sqrtn", "sum"):
        raise ValueError("combiner must be one of 'mean', 'sqrtn' or 'sum'")
    params = _tables(params)
    if not isinstance(sp_ids, SparseTensor):
        raise TypeError("sp_ids must be SparseTensor")
    if sp_weights is not None:
        if not isinstance(sp_weights, SparseTensor):
            raise TypeError("sp_weights must be either None or SparseTensor")
        for ids_part, weights_part in zip(_values_first(sp_ids), _values_first(sp_weights)):
            ids_part.shape.assert_is_compatible_with(weights_part.shape)
    with name_scope(name, "embedding_lookup_sparse", [*params, sp_ids]) as name:
        examples = sp_ids.indices[:, 0]
        if examples.dtype != dtypes.int32:
            examples = ops.cast(examples, dtypes.int32)
        ids, positions = ops.unique(sp_ids.values)
        rows = ops.embedding_lookup(
            params, ids, partition_strategy=partition_strategy, max_norm=max_norm
        )
        if rows.dtype in (dtypes.float16, dtypes.bfloat16):
            rows = ops.cast(rows, dtypes.float32)
        if sp_weights is not None:
            return _weigh(rows, positions, examples, sp_weights.values, combiner, name)
        combine = {
            "sum": ops.sparse_segment_sum,
            "mean": ops.sparse_segment_mean,
            "sqrtn": ops.sparse_segment_sqrt_n,
        }[combiner]
        return combine(rows, positions, examples, name=name)


def _values_first(x: SparseTensor) -> tuple:
    return x.values, x.indices, x.dense_shape


def _weigh(
    rows: Tensor, positions: Tensor, examples: Tensor, weights: Tensor, combiner: str, name: str
) -> Tensor:
    if weights.dtype != rows.dtype:
        weights = ops.cast(weights, rows.dtype)
    rows = ops.gather(rows, positions)
    ones = ops.fill(ops.expand_dims(ops.rank(rows) - 1, 0), 1)
    shape = ops.concat([ops.shape(weights), ones], 0)
    dims = weights.shape
    weights = ops.reshape(weights, shape)
    if rows.shape.ndims is not None:
        weights.set_shape(dims.concatenate([1] * (rows.shape.ndims - 1)))
    rows = rows * weights
    if combiner == "sum":
        return ops.segment_sum(rows, examples, name=name)
    total = ops.segment_sum(rows, examples)
    if combiner == "mean":
        return ops.div(total, ops.segment_sum(weights, examples), name=name)
    squares = ops.segment_sum(ops.pow(weights, 2), examples)
    return ops.div(total, ops.sqrt(squares), name=name)


@public
def safe_embedding_lookup_sparse(
    embedding_weights: Any,
    sparse_ids: SparseTensor,
    sparse_weights: SparseTensor | None = None,
    combiner: str | None = "mean",
    default_id: int | None = None,
    name: str | None = None,
    partition_strategy: str = "div",
    max_norm: float | None = None,
) -> Tensor:
    """Looks up and combines rows of a table for each example; supports empty examples.

    Drops negative ids and, unless the combiner is "sum", ids with non-positive weights.

    Args:
      embedding_weights: the table [rows, width], or its partitions.
      sparse_ids: int64 SparseTensor [..., n], the row ids of each example.
      sparse_weights: float SparseTensor with the same indices; None for 1.
      combiner: "sum", "mean" or "sqrtn"; see `tf.nn.embedding_lookup_sparse`.
      default_id: the row used for empty examples; zeros by default.
      partition_strategy: "div" or "mod"; see `tf.nn.embedding_lookup`.
      max_norm: if set, scales rows with a larger Euclidean norm down to this norm.

    Returns:
      Tensor [..., width].

    Raises:
      ValueError: if there is no table.
    """
    if embedding_weights is None:
        raise ValueError(f"Missing embedding_weights {embedding_weights}.")
    tables = _tables(embedding_weights)
    if not tables:
        raise ValueError(f"Missing embedding_weights {tables}.")
    dtype = None if sparse_weights is None else sparse_weights.dtype
    tables = [
        table
        if hasattr(table, "handle") and dtype in (None, table.dtype)
        else ops.convert_to_tensor(table, dtype=dtype)
        for table in tables
    ]
    with name_scope(name, "embedding_lookup", [*tables, sparse_ids, sparse_weights]) as scope:
        shape = sparse_ids.dense_shape
        known_rank = shape.shape.as_list()[0] if shape.shape.ndims is not None else None
        rank = ops.size(shape) if known_rank is None else known_rank
        examples = ops.reduce_prod(ops.slice(shape, [0], [rank - 1]))
        ids = ops.sparse_reshape(sparse_ids, [examples, ops.gather(shape, rank - 1)])
        weights = sparse_weights
        if weights is not None:
            weights = SparseTensor(ids.indices, weights.values, ids.dense_shape)
        ids, weights = _without_invalid_ids(ids, weights)
        if combiner != "sum" and weights is not None:
            positive = ops.greater(weights.values, 0)
            ids, weights = ops.sparse_retain(ids, positive), ops.sparse_retain(weights, positive)
        ids, is_empty = ops.sparse_fill_empty_rows(ids, default_id or 0)
        if weights is not None:
            weights, _ = ops.sparse_fill_empty_rows(weights, 1.0)
        result = embedding_lookup_sparse(
            tables,
            ids,
            weights,
            combiner=combiner,
            partition_strategy=partition_strategy,
            name=None if default_id is None else scope,
            max_norm=max_norm,
        )
        if default_id is None:
            is_empty = ops.reshape(is_empty, [-1, 1])
            is_empty = ops.tile(is_empty, ops.stack([1, ops.shape(result)[1]]))
            result = ops.where(is_empty, ops.zeros_like(result), result, name=scope)
        outer = ops.slice(ops.cast(shape, dtypes.int32), [0], [rank - 1])
        inner = ops.slice(ops.shape(result), [1], [-1])
        final = ops.reshape(result, ops.concat([outer, inner], 0))
        outer_shape = TensorShape(None if known_rank is None else [None] * (known_rank - 1))
        final.set_shape(outer_shape.concatenate(result.shape[1:]))
        return final


def _without_invalid_ids(
    ids: SparseTensor, weights: SparseTensor | None
) -> tuple[SparseTensor, SparseTensor | None]:
    valid = ops.greater_equal(ids.values, 0)
    if weights is None:
        return ops.sparse_retain(ids, valid), None
    valid = ops.logical_and(valid, ops.ones_like(weights.values, dtype=dtypes.bool))
    return ops.sparse_retain(ids, valid), ops.sparse_retain(weights, valid)
