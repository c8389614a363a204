"""The term of a column in a linear model: the product of features and weights."""

from __future__ import annotations

from typing import Any

from tfmini._src.models.feature_column.base_columns import CategoricalColumn
from tfmini._src.ops import ops


def weighted_sum(column: Any, cache: Any, state: Any, combiner: str, weights: Any) -> Any:
    """Returns a column's term in a linear model, [batch, units].

    Args:
      column: a categorical or dense column.
      cache, state: see `FeatureColumn`.
      combiner: combiner for the weights of multivalent columns.
      weights: the weights, [ids or elements, units].
    """
    if not isinstance(column, CategoricalColumn):
        tensor = column.get_dense_tensor(cache, state)
        size = column.variable_shape.num_elements()
        tensor = ops.reshape(tensor, shape=(ops.shape(tensor)[0], size))
        return ops.matmul(tensor, weights, name="weighted_sum")
    ids, ids_weights = column.get_sparse_tensors(cache, state)
    ids = ops.sparse_reshape(ids, [ops.shape(ids)[0], -1])
    if ids_weights is not None:
        ids_weights = ops.sparse_reshape(ids_weights, [ops.shape(ids_weights)[0], -1])
    return ops.safe_embedding_lookup_sparse(
        weights, ids, sparse_weights=ids_weights, combiner=combiner, name="weighted_sum"
    )


def weights_height(column: Any) -> int:
    """Returns the number of weights of a column per unit."""
    if isinstance(column, CategoricalColumn):
        return column.num_buckets
    return column.variable_shape.num_elements()
