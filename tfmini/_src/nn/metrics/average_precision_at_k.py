"""Average precision over the top 1, 2, ..., k predicted classes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tfmini._src.base import dtypes
from tfmini._src.base.names.deprecation import deprecated
from tfmini._src.base.names.signature import arguments_of
from tfmini._src.graph.composite_values import SparseTensor, SparseTensorValue
from tfmini._src.graph.convert_to_tensor import convert_to_tensor_or_sparse_tensor
from tfmini._src.graph.scopes import name_scope
from tfmini._src.graph.tensor import Tensor, TensorLike
from tfmini._src.nn.metrics.operands import append_last_dimension
from tfmini._src.nn.metrics.precision_recall_at_k import at_k_name, sizes_at_k
from tfmini._src.nn.metrics.state import collect, graph_mode_only, metric_variable
from tfmini._src.ops import ops
from tfmini._src.ops.array.sets import set_size
from tfmini._src.ops.math.broadcast_weights import broadcast_weights


def _quotient(numerator: Any, denominator: Any, name: str) -> Tensor:
    """Returns numerator / denominator, or 0 where the denominator is 0."""
    numerator.shape.with_rank_at_most(1)
    denominator.shape.with_rank_at_most(1)
    return ops.div_no_nan(numerator, denominator, name=name)


def _repeat(labels: Any, times: int, name: str) -> Any:
    """Repeats labels along a new axis: [..., times, labels]."""
    with name_scope(name, "expand_and_tile", (labels, times, -1)) as scope:
        labels = convert_to_tensor_or_sparse_tensor(labels)
        if isinstance(labels, SparseTensor):
            position = ops.reshape(ops.size(labels.dense_shape) + -1, [1])
            indices_before = ops.slice(labels.dense_shape, [0], position)
            indices_after = ops.slice(labels.dense_shape, position, [-1])
            shape = ops.concat((indices_before, [1], indices_after), 0, name="expanded_shape")
            expanded = ops.sparse_reshape(labels, shape=shape, name="expand")
            if times == 1:
                return expanded
            return ops.sparse_concat(-2, [expanded] * times, name=scope)
        dense = ops.expand_dims(labels, -2, name="expand")
        if times == 1:
            return dense
        ones = ops.ones_like(ops.shape(labels))
        multiples = ops.concat((ones[:-1], (times,), ones[-1:]), 0, name="multiples")
        return ops.tile(dense, multiples, name=scope)


def _relevant(labels: Any, k: int) -> Tensor:
    """Returns the number of labels in each set, at most k; negative labels are not counted."""
    with name_scope(None, "num_relevant", (labels,)) as scope:
        labels = convert_to_tensor_or_sparse_tensor(labels)
        if isinstance(labels, SparseTensor):
            return ops.minimum(set_size(labels), k, name=scope)
        counts = ops.greater_equal(labels, 0)
        counts = ops.where_v2(counts, ops.ones_like(labels), ops.zeros_like(labels))
        return ops.minimum(ops.reduce_sum(counts, axis=-1), k, name=scope)


def average_precision_of_sets(labels: Any, predictions_idx: Any) -> Tensor:
    """Returns float64 average precisions [...] of labels [..., labels] and classes [..., k], most likely first."""
    with name_scope(None, "average_precision", (predictions_idx, labels)) as scope:
        predicted = ops.cast(predictions_idx, dtypes.int64, name="predictions_idx")
        if predicted.shape.ndims == 0:
            raise ValueError("The rank of predictions_idx must be at least 1.")
        k = predicted.shape.as_list()[-1]
        if k is None:
            raise ValueError("The last dimension of predictions_idx must be set.")
        labels = append_last_dimension(labels, predicted)
        expanded = ops.expand_dims(predicted, -1, name="predictions_idx_per_k")
        repeated = _repeat(labels, k, name="labels_per_k")
        hits = sizes_at_k("tp", repeated, expanded, name="relevant_per_k")
        right = ops.cumsum(hits, axis=-1, name="tp_per_k")
        retrieved = ops.cumsum(ops.ones_like(hits), axis=-1, name="retrieved_per_k")
        precisions = ops.div(
            ops.cast(right, dtypes.float64),
            ops.cast(retrieved, dtypes.float64),
            name="precision_per_k",
        )
        hit_precisions = ops.multiply(
            precisions, ops.cast(hits, dtypes.float64), name="relevant_precision_per_k"
        )
        total = ops.reduce_sum(hit_precisions, axis=(-1,), name="precision_sum")
        return ops.div(total, ops.cast(_relevant(labels, k), dtypes.float64), name=scope)


@graph_mode_only("average_precision_at_top_k")
def average_precision_at_top_k(
    labels: Any,
    predictions_idx: Any,
    weights: Any = None,
    metrics_collections: Any = None,
    updates_collections: Any = None,
    name: str | None = None,
) -> tuple[Tensor, Tensor]:
    """Returns the mean of `average_precision_of_sets` over all batches so far, as `average_precision_at_k` does."""
    inputs = (predictions_idx, labels, weights)
    with name_scope(name, "average_precision_at_top_k", inputs) as scope:
        precisions = average_precision_of_sets(labels, predictions_idx)
        if weights is not None:
            weights = broadcast_weights(ops.cast(weights, dtypes.float64), precisions)
            precisions = ops.multiply(precisions, weights)
        with name_scope(None, "max", (precisions,)) as max_scope:
            max_variable = metric_variable([], dtypes.float64, name=max_scope)
            if weights is None:
                batch = ops.cast(ops.size(precisions, name="batch_max"), dtypes.float64)
            else:
                batch = ops.reduce_sum(weights, name="batch_max")
            most_update = ops.assign_add(max_variable, batch, name="update")
        with name_scope(None, "total", (precisions,)) as total_scope:
            total = metric_variable([], dtypes.float64, name=total_scope)
            batch = ops.reduce_sum(precisions, name="batch_total")
            total_update = ops.assign_add(total, batch, name="update")
        value = _quotient(total, max_variable, "mean")
        update = _quotient(total_update, most_update, scope)
        return collect(value, update, metrics_collections, updates_collections)


def _mask_unknown_labels(labels: Any, classes: Tensor) -> Any:
    """Replaces labels outside the known classes with -1."""
    is_sparse = isinstance(labels, SparseTensor | SparseTensorValue)

    def replace(values: Any) -> Tensor:
        is_outside = ops.greater_equal(values, classes)
        return ops.where_v2(is_outside, -1 * ops.ones_like(values), values)

    def clean() -> Any:
        if not is_sparse:
            return replace(labels)
        return type(labels)(
            indices=labels.indices, values=replace(labels.values), dense_shape=labels.dense_shape
        )

    largest = ops.reduce_max(labels.values if is_sparse else labels)
    return ops.cond(ops.greater_equal(largest, classes), clean, lambda: labels)


@graph_mode_only("sparse_average_precision_at_k")
def average_precision_at_k(
    labels: TensorLike,
    predictions: TensorLike,
    k: int,
    weights: TensorLike | None = None,
    metrics_collections: Sequence[str] | None = None,
    updates_collections: Sequence[str] | None = None,
    name: str | None = None,
) -> tuple[Tensor, Tensor]:
    """Returns the running mean of the average precision of the k top-scoring classes.

    Args:
      labels: an int64 tensor or SparseTensor [..., labels], or a tensor without the last dimension.
        Labels outside the classes are not counted.
      predictions: a float tensor [..., classes].
      k: number of classes.
      weights: None, a scalar, or a tensor broadcastable to [...].
      metrics_collections, updates_collections: same as in `tf.metrics.mean`.
      name: the name scope, by default "average_precision_at_K".

    Returns:
      Same as `tf.metrics.mean`, float64 scalars.

    Raises:
      ValueError: if k is less than 1, or the shapes do not match.
    """
    if k < 1:
        raise ValueError(f"Invalid k={k}.")
    inputs = (predictions, labels, weights)
    with name_scope(name, at_k_name("average_precision", k), inputs) as scope:
        _, top_k = ops.top_k(predictions, k)
        classes = ops.cast(ops.shape(predictions)[-1], dtypes.int64)
        labels = _mask_unknown_labels(labels, classes)
        options = (weights, metrics_collections, updates_collections, scope)
        return average_precision_at_top_k(labels, top_k, *options)


@deprecated(None, "Use average_precision_at_k instead")
@arguments_of(average_precision_at_k)
def sparse_average_precision_at_k(*args: Any) -> tuple[Tensor, Tensor]:
    """Deprecated alias of `tf.metrics.average_precision_at_k`."""
    return average_precision_at_k(*args)
