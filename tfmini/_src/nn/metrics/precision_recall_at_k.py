"""Precision and recall of the k top-scoring classes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from tfmini._src.base import dtypes
from tfmini._src.base.names.deprecation import deprecated
from tfmini._src.base.names.signature import arguments_of
from tfmini._src.graph.composite_values import SparseTensor
from tfmini._src.graph.convert_to_tensor import convert_to_tensor_or_sparse_tensor
from tfmini._src.graph.scopes import control_dependencies, name_scope
from tfmini._src.graph.tensor import Tensor, TensorLike
from tfmini._src.nn.metrics.operands import append_last_dimension
from tfmini._src.nn.metrics.state import collect, graph_mode_only, metric_variable
from tfmini._src.ops import ops
from tfmini._src.ops.array.sets import set_difference, set_intersection, set_size
from tfmini._src.ops.math.broadcast_weights import assert_broadcastable
from tfmini._src.ops.math.reduction_ops import reduced_shape


def at_k_name(title: str, k: int | None = None, class_id: int | None = None) -> str:
    """Returns the default name scope, such as `precision_at_3_class2`."""
    name = f"{title}_at_k" if k is None else f"{title}_at_{int(k)}"
    return name if class_id is None else f"{name}_class{int(class_id)}"


def _select_class(ids: Any, class_id: Any) -> SparseTensor:
    """Selects the ids of one class from sets along the last dimension."""
    ids = convert_to_tensor_or_sparse_tensor(ids)
    if isinstance(ids, SparseTensor):
        return ops.sparse_retain(ids, ops.equal(ids.values, class_id))
    shape = ops.shape(ids, out_type=dtypes.int64)
    last = ops.size(shape) - 1
    single_shape = reduced_shape(shape, ops.reshape(last, [1]))
    expected = ops.fill(single_shape, ops.cast(class_id, dtypes.int64))
    matched = set_intersection(expected, ids)
    return SparseTensor(indices=matched.indices, values=matched.values, dense_shape=shape)


def sizes_at_k(
    outcome: str,
    labels: Any,
    predictions_idx: Any,
    class_id: int | None = None,
    weights: Any = None,
    name: str | None = None,
) -> Tensor:
    """Returns the float64 number of true positives, false positives or false negatives ("tp", "fp", "fn") per set."""
    titles = {"tp": "true_positives", "fp": "false_positives", "fn": "false_negatives"}
    with name_scope(name, titles[outcome], (predictions_idx, labels, weights)):
        if class_id is not None:
            labels = _select_class(labels, class_id)
            predictions_idx = _select_class(predictions_idx, class_id)
        if outcome == "tp":
            matched = set_intersection(predictions_idx, labels)
        else:
            matched = set_difference(predictions_idx, labels, aminusb=outcome == "fp")
        sizes = ops.cast(set_size(matched), dtypes.float64)
        if weights is not None:
            with control_dependencies((assert_broadcastable(weights, sizes),)):
                weights = ops.cast(weights, dtypes.float64)
                sizes = ops.multiply(sizes, weights)
        return sizes


def sum_at_k(
    outcome: str,
    labels: Any,
    predictions_idx: Any,
    k: int | None,
    class_id: int | None,
    weights: Any,
) -> tuple[Any, Tensor]:
    """Returns the running sum of `sizes_at_k`: the variable and the op that adds a batch to it."""
    title = {"tp": "true_positive", "fp": "false_positive", "fn": "false_negative"}[outcome]
    inputs = (predictions_idx, labels, weights)
    with name_scope(None, at_k_name(title, k, class_id), inputs) as scope:
        sizes = sizes_at_k(outcome, labels, predictions_idx, class_id, weights)
        batch = ops.cast(ops.reduce_sum(sizes), dtypes.float64)
        total = metric_variable([], dtypes.float64, name=scope)
        return total, ops.assign_add(total, batch, name="update")


def _share_at_top_k(
    title: str, other: str, labels: Any, predictions_idx: Any, k: Any, class_id: Any, *options: Any
) -> tuple[Tensor, Tensor]:
    """Returns the ratio of true positives to the sum of true positives and another count."""
    weights, metrics_collections, updates_collections, name = options
    inputs = (predictions_idx, labels, weights)
    with name_scope(name, at_k_name(title, k, class_id), inputs) as scope:
        labels = append_last_dimension(labels, predictions_idx)
        top_k = ops.cast(predictions_idx, dtypes.int64)
        right, right_update = sum_at_k("tp", labels, top_k, k, class_id, weights)
        wrong, wrong_update = sum_at_k(other, labels, top_k, k, class_id, weights)
        value = ops.div(right, ops.add(right, wrong), name=scope)
        update = ops.div(right_update, ops.add(right_update, wrong_update), name="update")
        return collect(value, update, metrics_collections, updates_collections)


@graph_mode_only("precision_at_top_k")
def precision_at_top_k(
    labels: TensorLike,
    predictions_idx: TensorLike,
    k: int | None = None,
    class_id: int | None = None,
    weights: TensorLike | None = None,
    metrics_collections: Sequence[str] | None = None,
    updates_collections: Sequence[str] | None = None,
    name: str | None = None,
) -> tuple[Tensor, Tensor]:
    """Returns the fraction of the predicted classes that are labels, over all batches so far.

    Args:
      labels: an int64 tensor or SparseTensor [..., labels], or a tensor without the last dimension.
      predictions_idx: an int64 tensor [..., k], the predicted classes.
      k: affects only the default name.
      class_id: restricts the metric to this class.
      weights: None, a scalar, or a tensor broadcastable to [...].
      metrics_collections, updates_collections: same as in `tf.metrics.mean`.
      name: the name scope, by default "precision_at_K", with "_classID".

    Returns:
      Same as `tf.metrics.mean`, float64 scalars; NaN before the first batch.

    Raises:
      ValueError: if the shapes are incompatible.
    """
    options = (weights, metrics_collections, updates_collections, name)
    return _share_at_top_k("precision", "fp", labels, predictions_idx, k, class_id, *options)


@arguments_of(precision_at_top_k)
def recall_at_top_k(*args: Any) -> tuple[Tensor, Tensor]:
    """Returns the fraction of labels that were predicted; arguments as in `tf.metrics.precision_at_top_k`."""
    return _share_at_top_k("recall", "fn", *args)


def _top_k_metric(
    title: str,
    top_k_metric: Callable,
    labels: Any,
    predictions: Any,
    k: int,
    class_id: Any,
    *options: Any,
) -> tuple[Tensor, Tensor]:
    """Returns a metric of the k classes with the highest scores."""
    weights, metrics_collections, updates_collections, name = options
    inputs = (predictions, labels, weights)
    with name_scope(name, at_k_name(title, k, class_id), inputs) as scope:
        _, top_k = ops.top_k(predictions, k)
        options = (weights, metrics_collections, updates_collections, scope)
        return top_k_metric(labels, top_k, k, class_id, *options)


@graph_mode_only("sparse_precision_at_k")
def precision_at_k(
    labels: TensorLike,
    predictions: TensorLike,
    k: int,
    class_id: int | None = None,
    weights: TensorLike | None = None,
    metrics_collections: Sequence[str] | None = None,
    updates_collections: Sequence[str] | None = None,
    name: str | None = None,
) -> tuple[Tensor, Tensor]:
    """Returns the fraction of the k top-scoring classes that are labels, over all batches so far.

    Args:
      labels: same as in `tf.metrics.precision_at_top_k`.
      predictions: a float tensor [..., classes].
      k: number of classes.
      class_id, weights, metrics_collections, updates_collections, name: same as in `tf.metrics.precision_at_top_k`.

    Returns:
      Same as `tf.metrics.precision_at_top_k`.

    Raises:
      ValueError: if the shapes are incompatible.
    """
    options = (weights, metrics_collections, updates_collections, name)
    return _top_k_metric(
        "precision", precision_at_top_k, labels, predictions, k, class_id, *options
    )


@arguments_of(precision_at_k)
def recall_at_k(*args: Any) -> tuple[Tensor, Tensor]:
    """Returns the fraction of labels among the k top-scoring classes; arguments as in `tf.metrics.precision_at_k`."""
    return _top_k_metric("recall", recall_at_top_k, *args)


@deprecated(None, "Use precision_at_k instead")
@arguments_of(precision_at_k)
def sparse_precision_at_k(*args: Any) -> tuple[Tensor, Tensor]:
    """Deprecated alias of `tf.metrics.precision_at_k`."""
    return precision_at_k(*args)
