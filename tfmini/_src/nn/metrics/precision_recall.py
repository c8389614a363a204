"""Counts of true and false positives and negatives, and the precision and recall that follow from them."""

from __future__ import annotations

from typing import Any

from tfmini._src.base import dtypes
from tfmini._src.graph.opdef import ops
from tfmini._src.graph.scopes import control_dependencies
from tfmini._src.graph.tensor import Tensor
from tfmini._src.nn.metrics.operands import as_bools
from tfmini._src.nn.metrics.state import collected, metric_variable, of_both, value_of
from tfmini._src.variables.variable_scope import variable_scope


def count_where(
    condition: Tensor,
    weights: Any = None,
    metrics_collections: Any = None,
    updates_collections: Any = None,
) -> tuple[Tensor, Tensor]:
    """Running count of the elements where a condition holds: the value of `count`, and its update op."""
    ops.assert_type(condition, dtypes.bool)
    count = metric_variable([], dtypes.float32, name="count")
    values = ops.cast(condition, dtypes.float32)
    if weights is not None:
        check = ops.assert_rank_in(weights, (0, ops.rank(values)))
        with control_dependencies((check,)):
            weights = ops.cast(weights, dtypes.float32)
            values = ops.multiply(values, weights)
    value = value_of(count)
    update = ops.assign_add(count, ops.reduce_sum(values))
    return collected(value, update, metrics_collections, updates_collections)


def _counted(
    title: str, label: bool, prediction: bool, labels: Any, predictions: Any, *options: Any
) -> tuple[Tensor, Tensor]:
    """Running count of the elements labelled `label` and predicted `prediction`."""
    weights, metrics_collections, updates_collections, name = options
    with variable_scope(name, title, (predictions, labels, weights)):
        predictions, labels, weights = as_bools(predictions, labels, weights)
        is_so = ops.logical_and(ops.equal(labels, label), ops.equal(predictions, prediction))
        return count_where(is_so, weights, metrics_collections, updates_collections)


def true_positives(
    labels: Any,
    predictions: Any,
    weights: Any = None,
    metrics_collections: Any = None,
    updates_collections: Any = None,
    name: str | None = None,
) -> tuple[Tensor, Tensor]:
    """Number of true positives over all batches so far.

    Args:
      labels, predictions: tensors of the same shape, which are cast to bool.
      weights: what each counts: None, a scalar, or a tensor of the same rank.
      metrics_collections, updates_collections: same as in `tf.metrics.mean`.
      name: the variable scope, by default the function's name.

    Returns:
      (the current count, a float32 scalar; an op that takes the batch in and gives the count after it).

    Raises:
      ValueError: if the shapes do not fit.
    """
    options = (weights, metrics_collections, updates_collections, name)
    return _counted("true_positives", True, True, labels, predictions, *options)


def true_negatives(
    labels: Any,
    predictions: Any,
    weights: Any = None,
    metrics_collections: Any = None,
    updates_collections: Any = None,
    name: str | None = None,
) -> tuple[Tensor, Tensor]:
    """Number of true negatives; same arguments as `tf.metrics.true_positives`."""
    options = (weights, metrics_collections, updates_collections, name)
    return _counted("true_negatives", False, False, labels, predictions, *options)


def false_positives(
    labels: Any,
    predictions: Any,
    weights: Any = None,
    metrics_collections: Any = None,
    updates_collections: Any = None,
    name: str | None = None,
) -> tuple[Tensor, Tensor]:
    """Number of false positives; same arguments as `tf.metrics.true_positives`."""
    options = (weights, metrics_collections, updates_collections, name)
    return _counted("false_positives", False, True, labels, predictions, *options)


def false_negatives(
    labels: Any,
    predictions: Any,
    weights: Any = None,
    metrics_collections: Any = None,
    updates_collections: Any = None,
    name: str | None = None,
) -> tuple[Tensor, Tensor]:
    """Number of false negatives; same arguments as `tf.metrics.true_positives`."""
    options = (weights, metrics_collections, updates_collections, name)
    return _counted("false_negatives", True, False, labels, predictions, *options)


def _share(counts: tuple, name: str) -> Tensor:
    """Ratio of the first count to the sum of both; 0 if both are 0."""
    right, wrong = counts
    is_any = ops.greater(right + wrong, 0)
    return ops.where(is_any, ops.div(right, right + wrong), 0, name)


def precision(
    labels: Any,
    predictions: Any,
    weights: Any = None,
    metrics_collections: Any = None,
    updates_collections: Any = None,
    name: str | None = None,
) -> tuple[Tensor, Tensor]:
    """Precision over all batches so far: the fraction of positive predictions that are right.

    Args:
      labels, predictions, weights: same as in `tf.metrics.true_positives`.
      metrics_collections, updates_collections, name: same as in `tf.metrics.mean`.

    Returns:
      Same as `tf.metrics.mean`; 0 if nothing was predicted to be true.

    Raises:
      ValueError: if the shapes do not fit.
    """
    with variable_scope(name, "precision", (predictions, labels, weights)):
        predictions, labels, weights = as_bools(predictions, labels, weights)
        right, right_update = true_positives(labels, predictions, weights)
        wrong, wrong_update = false_positives(labels, predictions, weights)
        value, update = of_both(_share, (right, wrong), (right_update, wrong_update))
        return collected(value, update, metrics_collections, updates_collections)


def recall(
    labels: Any,
    predictions: Any,
    weights: Any = None,
    metrics_collections: Any = None,
    updates_collections: Any = None,
    name: str | None = None,
) -> tuple[Tensor, Tensor]:
    """Recall over all batches so far; same arguments as `tf.metrics.precision`."""
    with variable_scope(name, "recall", (predictions, labels, weights)):
        predictions, labels, weights = as_bools(predictions, labels, weights)
        found, found_update = true_positives(labels, predictions, weights)
        missed, missed_update = false_negatives(labels, predictions, weights)
        value, update = of_both(_share, (found, missed), (found_update, missed_update))
        return collected(value, update, metrics_collections, updates_collections)
