"""A step of weighted alternating least squares: new factors for a batch of rows, and the loss."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from tfmini._src.base import dtypes
from tfmini._src.graph.composite_values import SparseTensor
from tfmini._src.graph.scopes import colocate_with, control_dependencies
from tfmini._src.graph.tensor import Tensor
from tfmini._src.ops import ops, raw


class Side(NamedTuple):
    """Operands and settings of a step over rows; for a step over columns, rows and columns are swapped."""

    name: str
    left: list
    right: Any
    left_weights: Any
    right_weights: Any
    size: int
    other_size: int
    shards: int
    gramian: Any
    is_weighted: bool
    unobserved_weight: float
    regularization: float | None
    regularization_matrix: Any


class _Input(NamedTuple):
    """Rows of a sparse matrix, renumbered consecutively."""

    rows: Tensor  # their original indices
    columns: Tensor
    matrix: SparseTensor
    height: Tensor
    is_turned: bool


def sharding_function(size: int, shards: int) -> Callable:
    """Returns a function from row indices to shard indices and rows within the shards."""

    def function(ids: Tensor) -> tuple[Any, Tensor]:
        if shards == 1:
            return None, ids
        per_shard, remainder = size // shards, size % shards
        assignments = ops.maximum(ids // (per_shard + 1), (ids - remainder) // per_shard)
        new_ids = ops.where_v2(
            assignments < remainder, ids % (per_shard + 1), (ids - remainder) % per_shard
        )
        return assignments, new_ids

    return function


def scatter_update(
    factor: list, indices: Any, values: Any, sharding: Callable, name: str | None
) -> Any:
    """Returns an operation that sets rows of factors."""
    assert isinstance(factor, list)
    if len(factor) == 1:
        with colocate_with(factor[0]):
            return ops.scatter_update(factor[0], indices, values, name=name).op
    assignments, new_ids = sharding(indices)
    assert assignments is not None
    assignments = ops.cast(assignments, dtypes.int32)
    ids = ops.dynamic_partition(new_ids, assignments, len(factor))
    parts = ops.dynamic_partition(values, assignments, len(factor))
    updates = [ops.scatter_update(factor[i], ids[i], parts[i]) for i in range(len(factor))]
    return ops.group(*updates, name=name)


def process(side: Side, sp_input: Any, is_turned: bool, row_weights: Any = None) -> tuple:
    """Returns the new rows, the operation that sets them, the loss, the regularization and the sum of weights."""
    assert isinstance(sp_input, SparseTensor)
    row_ids, column_ids = ops.split(value=sp_input.indices, num_or_size_splits=2, axis=1)
    rows, new_rows = ops.unique(row_ids[:, 0])
    columns, new_columns = ops.unique(column_ids[:, 0])
    column_ids = ops.expand_dims(ops.cast(new_columns, dtypes.int64), 1)
    row_ids = ops.expand_dims(ops.cast(new_rows, dtypes.int64), 1)
    if is_turned:
        rows, columns = columns, rows
    width = [ops.cast(ops.shape(columns)[0], dtypes.int64)]
    count = ops.cast(ops.shape(rows)[0], dtypes.int64)
    right = ops.embedding_lookup(side.right, columns, partition_strategy="div")
    indices = ops.concat([row_ids, column_ids], 1)
    shape = ops.concat([width, [count]] if is_turned else [[count], width], 0)
    provided = _Input(
        rows, columns, SparseTensor(indices, sp_input.values, shape), count, is_turned
    )
    lhs = side.unobserved_weight * side.gramian
    if side.regularization_matrix is not None:
        lhs += side.regularization_matrix
    weights = column_weights = None
    if not side.is_weighted:
        product = ops.sparse_tensor_dense_matmul(provided.matrix, right, adjoint_a=is_turned)
        rhs = side.unobserved_weight * product
        factors = ops.transpose(ops.matrix_solve(lhs, ops.transpose(rhs)))
    else:
        weights = _row_weights(side, provided, row_weights)
        column_weights = ops.embedding_lookup(side.right_weights, columns, partition_strategy="div")
        factors = _solve(side, provided, right, lhs, weights, column_weights)
    sharding = sharding_function(side.size, side.shards)
    update = scatter_update(side.left, rows, factors, sharding, f"{side.name}_update")
    return factors, update, *_losses(side, provided, factors, right, weights, column_weights)


def _row_weights(side: Side, value: _Input, weights: Any) -> Tensor:
    """Returns the weight of each row, from the variables or from a projection."""
    if weights is None:
        return ops.embedding_lookup(side.left_weights, value.rows, partition_strategy="div")
    count = ops.shape(value.rows)[0]
    with control_dependencies([ops.assert_less_equal(ops.rank(weights), 1)]):
        return ops.cond(
            ops.equal(ops.rank(weights), 0),
            lambda: ops.ones([count]) * weights,
            lambda: ops.cast(weights, dtypes.float32),
        )


def _solve(
    side: Side, value: _Input, right: Tensor, lhs: Tensor, weights: Tensor, column_weights: Tensor
) -> Tensor:
    """Solves the normal equations of the rows."""
    partial_lhs, rhs = raw.WALSComputePartialLhsAndRhs(
        right,
        column_weights,
        side.unobserved_weight,
        weights,
        value.matrix.indices,
        value.matrix.values,
        [],
        value.height,
        value.is_turned,
        name="wals_compute_partial_lhs_rhs",
    )
    lhs = ops.expand_dims(lhs, 0) + partial_lhs
    return ops.squeeze(ops.matrix_solve(lhs, ops.expand_dims(rhs, -1)), [2])


def _losses(
    side: Side, value: _Input, factors: Tensor, right: Tensor, weights: Any, column_weights: Any
) -> tuple[Tensor, Tensor, Tensor]:
    """Returns the loss without regularization, the regularization, and the sum of weights, extrapolated to all rows."""
    matrix = ops.sparse_transpose(value.matrix) if value.is_turned else value.matrix
    values = raw.MaskedMatmul(factors, right, matrix.indices, False, True)
    product: Any = SparseTensor(matrix.indices, values, matrix.dense_shape)
    found_square: Any = ops.square(product)
    residual_square: Any = ops.square(ops.sparse_add(matrix, product * (-1)))
    row_weight: Any = ops.constant(0.0) if weights is None else ops.expand_dims(weights, 1)
    column_weight = (
        ops.constant(0.0) if column_weights is None else ops.expand_dims(column_weights, 0)
    )
    gramian = ops.matmul(factors, factors, transpose_a=True)
    share = side.size / ops.cast(value.height, dtypes.float32)
    loss = (
        side.unobserved_weight
        * (
            ops.sparse_reduce_sum(residual_square)
            - ops.sparse_reduce_sum(found_square)
            + ops.trace(ops.matmul(gramian, side.gramian))
        )
        + ops.sparse_reduce_sum(row_weight * (residual_square * column_weight))
    ) * share
    if side.regularization is not None:
        traces = ops.trace(gramian) * share + ops.trace(side.gramian)
        regularization = side.regularization * traces
    else:
        regularization = ops.constant(0.0)
    total = side.unobserved_weight * ops.cast(side.size * side.other_size, dtypes.float32)
    if weights is not None:
        ones = ops.ones(ops.shape(matrix.values))
        observed_entries: Any = SparseTensor(matrix.indices, ones, matrix.dense_shape)
        total += ops.sparse_reduce_sum(row_weight * (observed_entries * column_weight)) * share
    return loss, regularization, total
