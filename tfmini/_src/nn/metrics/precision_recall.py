"""Counts of true and false positives and negatives, and precision and recall derived from them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from tfmini._src.base import dtypes
from tfmini._src.base.names.signature import arguments_of
from tfmini._src.graph.scopes import control_dependencies
from tfmini._src.graph.tensor import Tensor, TensorLike
from tfmini._src.nn.metrics.operands import as_bools
from tfmini._src.nn.metrics.state import (
    collect,
    graph_mode_only,
    metric_value,
    metric_variable,
    value_and_update,
)
from tfmini._src.ops import ops
from tfmini._src.variables.variable_scope import variable_scope


def count_where(
    values: Tensor,
    weights: Any = None,
    metrics_collections: Any = None,
    updates_collections: Any = None,
) -> tuple[Tensor, Tensor]:
    """Returns the running count of the True elements of a mask: the value of `count` and its update op."""
    ops.assert_type(values, dtypes.bool)
    count = metric_variable([], dtypes.float32, name="count")
    values = ops.cast(values, dtypes.float32)
    if weights is not None:
        check = ops.assert_rank_in(weights, (0, ops.rank(values)))
        with control_dependencies((check,)):
            weights = ops.cast(weights, dtypes.float32)
            values = ops.multiply(values, weights)
    value = metric_value(count)
    update = ops.assign_add(count, ops.reduce_sum(values))
    return collect(value, update, metrics_collections, updates_collections)


def _running_count(
    title: str, label: bool, prediction: bool, labels: Any, predictions: Any, *options: Any
) -> tuple[Tensor, Tensor]:
    """Returns the running count of the elements with label `label` and prediction `prediction`."""
    weights, metrics_collections, updates_collections, name = options
    with variable_scope(name, title, (predictions, labels, weights)):
        predictions, labels, weights = as_bools(predictions, labels, weights)
        is_counted = ops.logical_and(ops.equal(labels, label), ops.equal(predictions, prediction))
        return count_where(is_counted, weights, metrics_collections, updates_collections)


@graph_mode_only("true_positives")
def true_positives(
    labels: TensorLike,
    predictions: TensorLike,
    weights: TensorLike | None = None,
    metrics_collections: Sequence[str] | None = None,
    updates_collections: Sequence[str] | None = None,
    name: str | None = None,
) -> tuple[Tensor, Tensor]:
    """Returns the number of true positives over all batches so far.

    Args:
      labels, predictions: tensors of the same shape, cast to bool.
      weights: None, a scalar, or a tensor of the same rank.
      metrics_collections, updates_collections: same as in `tf.metrics.mean`.
      name: the variable scope, by default the function's name.

    Returns:
      (the current count, a float32 scalar; an op that adds the batch and returns the updated count).

    Raises:
      ValueError: if the shapes are incompatible.
    """
    options = (weights, metrics_collections, updates_collections, name)
    return _running_count("true_positives", True, True, labels, predictions, *options)


@graph_mode_only("true_negatives")
@arguments_of(true_positives)
def true_negatives(*args: Any) -> tuple[Tensor, Tensor]:
    """Returns the number of true negatives; the arguments are as in `tf.metrics.true_positives`."""
    return _running_count("true_negatives", False, False, *args)


@graph_mode_only("false_positives")
@arguments_of(true_positives)
def false_positives(*args: Any) -> tuple[Tensor, Tensor]:
    """Returns the number of false positives; the arguments are as in `tf.metrics.true_positives`."""
    return _running_count("false_positives", False, True, *args)


@graph_mode_only("false_negatives")
@arguments_of(true_positives)
def false_negatives(*args: Any) -> tuple[Tensor, Tensor]:
    """Returns the number of false negatives; the arguments are as in `tf.metrics.true_positives`."""
    return _running_count("false_negatives", True, False, *args)


def _fraction(counts: tuple, name: str) -> Tensor:
    """Returns the ratio of the first count to the sum of both; 0 if both are 0."""
    right, wrong = counts
    is_any = ops.greater(right + wrong, 0)
    return ops.where(is_any, ops.div(right, right + wrong), 0, name)


def _ratio(
    title: str, wrongly: Callable, labels: Any, predictions: Any, *options: Any
) -> tuple[Tensor, Tensor]:
    """Returns tp / (tp + another count)."""
    weights, metrics_collections, updates_collections, name = options
    with variable_scope(name, title, (predictions, labels, weights)):
        predictions, labels, weights = as_bools(predictions, labels, weights)
        right, right_update = true_positives(labels, predictions, weights)
        wrong, wrong_update = wrongly(labels, predictions, weights)
        value, update = value_and_update(_fraction, (right, wrong), (right_update, wrong_update))
        return collect(value, update, metrics_collections, updates_collections)


@graph_mode_only("precision")
@arguments_of(true_positives)
def precision(*args: Any) -> tuple[Tensor, Tensor]:
    """Returns the precision, the fraction of positive predictions that are correct, over all batches so far.

    Args:
      labels, predictions, weights: same as in `tf.metrics.true_positives`.
      metrics_collections, updates_collections, name: same as in `tf.metrics.mean`.

    Returns:
      Same as `tf.metrics.mean`; 0 if no prediction was positive.

    Raises:
      ValueError: if the shapes are incompatible.
    """
    return _ratio("precision", false_positives, *args)


@graph_mode_only("recall is not supported")
@arguments_of(precision)
def recall(*args: Any) -> tuple[Tensor, Tensor]:
    """Returns the recall over all batches so far; the arguments are as in `tf.metrics.precision`."""
    return _ratio("recall", false_negatives, *args)
