"""Counts of correct and incorrect predictions at many thresholds at once."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tfmini._src.base import dtypes
from tfmini._src.base.names.signature import arguments_of
from tfmini._src.graph.scopes import control_dependencies
from tfmini._src.graph.tensor import Tensor, TensorLike
from tfmini._src.nn.metrics.operands import fit_operands
from tfmini._src.nn.metrics.state import collect, graph_mode_only, metric_variable, value_and_update
from tfmini._src.ops import ops
from tfmini._src.ops.math.broadcast_weights import broadcast_weights
from tfmini._src.variables.variable_scope import variable_scope

Counts = dict[str, Any]

_NAMES = {
    "tp": "true_positives",
    "fn": "false_negatives",
    "tn": "true_negatives",
    "fp": "false_positives",
}
_EPSILON = 1e-7
_RANGE = "predictions must be in [0, 1]"


def _masks(predictions: Tensor, labels: Tensor, limits: Sequence[float], requested: Any) -> tuple:
    """Returns masks of labels and predictions, and the thresholds, each with shape [thresholds, predictions]."""
    column: Any = ops.reshape(predictions, [-1, 1])
    row = ops.reshape(ops.cast(labels, dtypes.bool), [1, -1])
    count = column._dims[0]
    if count is None:
        count = ops.shape(column)[0]
    thresholds = ops.expand_dims(ops.constant(limits), [1])
    tiled = ops.tile(thresholds, ops.stack([1, count]))
    predicted = ops.greater(ops.tile(ops.transpose(column), [len(limits), 1]), tiled)
    masks = {"p": predicted}
    if "fn" in requested or "tn" in requested:
        masks["n"] = ops.logical_not(predicted)
    masks["labeled"] = ops.tile(row, [len(limits), 1])
    if "fp" in requested or "tn" in requested:
        masks["not labeled"] = ops.logical_not(masks["labeled"])
    return masks, tiled


def counts_at_thresholds(
    labels: Any,
    predictions: Any,
    thresholds: Sequence[float],
    weights: Any = None,
    includes: Sequence[str] | None = None,
) -> tuple[Counts, Counts]:
    """Creates count variables [thresholds] and the ops that add a batch, keyed by "tp", "fn", "tn" and "fp".

    Args:
      labels: a tensor of any shape, which is cast to bool.
      predictions: a float tensor of the same shape, from 0 to 1.
      thresholds: floats.
      weights: same as in `tf.metrics.mean`.
      includes: keys of the requested counts; None for all.
    """
    includes = tuple(_NAMES) if includes is None else includes
    for include in includes:
        if include not in _NAMES:
            raise ValueError(f"Invalid key: {include}.")
    checks = []
    for check, limit in ((ops.assert_greater_equal, 0.0), (ops.assert_less_equal, 1.0)):
        bound = ops.cast(limit, dtype=predictions.dtype)
        checks.append(check(predictions, bound, message=_RANGE))
    with control_dependencies(checks):
        as_floats = ops.cast(predictions, dtypes.float32)
        as_bools = ops.cast(labels, dtype=dtypes.bool)
        predictions, labels, weights = fit_operands(as_floats, as_bools, weights)
    return sum_counts(labels, predictions, thresholds, weights, includes)


def sum_counts(
    labels: Any,
    predictions: Any,
    thresholds: Sequence[float],
    weights: Any = None,
    includes: Sequence[str] = tuple(_NAMES),
) -> tuple[Counts, Counts]:
    """Same as `counts_at_thresholds`, for tensors of the same shape whose values are not checked."""
    masks, tiled = _masks(predictions, labels, thresholds, includes)
    if weights is not None:
        weights = broadcast_weights(ops.cast(weights, dtypes.float32), predictions)
        weights = ops.tile(ops.reshape(weights, [1, -1]), [len(thresholds), 1])
        tiled.shape.assert_is_compatible_with(weights.shape)
    values, updates = {}, {}
    for key, name in _NAMES.items():
        if key not in includes:
            continue
        values[key] = metric_variable([len(thresholds)], dtypes.float32, name=name)
        label = masks["labeled" if key in ("tp", "fn") else "not labeled"]
        is_counted = ops.cast(ops.logical_and(label, masks[key[1]]), dtypes.float32)
        if weights is not None:
            is_counted *= weights
        updates[key] = ops.assign_add(values[key], ops.reduce_sum(is_counted, 1))
    return values, updates


def _counts(key: str, labels: Any, predictions: Any, thresholds: Any, *options: Any) -> tuple:
    weights, metrics_collections, updates_collections, name = options
    with variable_scope(name, _NAMES[key], (predictions, labels, weights)):
        values, updates = counts_at_thresholds(labels, predictions, thresholds, weights, (key,))
        value = ops.identity(values[key])
        return collect(value, updates[key], metrics_collections, updates_collections)


@graph_mode_only("true_positives_at_thresholds")
def true_positives_at_thresholds(
    labels: TensorLike,
    predictions: TensorLike,
    thresholds: Sequence[float],
    weights: TensorLike | None = None,
    metrics_collections: Sequence[str] | None = None,
    updates_collections: Sequence[str] | None = None,
    name: str | None = None,
) -> tuple[Tensor, Tensor]:
    """Returns the number of true positives at each threshold, over all batches so far.

    Args:
      labels: a tensor of any shape, which is cast to bool.
      predictions: a float tensor of the same shape, from 0 to 1.
      thresholds: a list of floats.
      weights, metrics_collections, updates_collections: same as in `tf.metrics.mean`.
      name: the variable scope, by default "true_positives".

    Returns:
      (the current counts, float32 [thresholds]; an op that adds the batch and returns the updated counts).

    Raises:
      ValueError: if the shapes are incompatible.
      InvalidArgumentError: when run, if a prediction is outside [0, 1].
    """
    options = (weights, metrics_collections, updates_collections, name)
    return _counts("tp", labels, predictions, thresholds, *options)


@graph_mode_only("false_negatives_at_thresholds")
@arguments_of(true_positives_at_thresholds)
def false_negatives_at_thresholds(*args: Any) -> tuple[Tensor, Tensor]:
    """Returns the number of false negatives at each threshold; see `tf.metrics.true_positives_at_thresholds`."""
    return _counts("fn", *args)


@graph_mode_only("true_negatives_at_thresholds")
@arguments_of(true_positives_at_thresholds)
def true_negatives_at_thresholds(*args: Any) -> tuple[Tensor, Tensor]:
    """Returns the number of true negatives at each threshold; see `tf.metrics.true_positives_at_thresholds`."""
    return _counts("tn", *args)


@graph_mode_only("false_positives_at_thresholds")
@arguments_of(true_positives_at_thresholds)
def false_positives_at_thresholds(*args: Any) -> tuple[Tensor, Tensor]:
    """Returns the number of false positives at each threshold; see `tf.metrics.true_positives_at_thresholds`."""
    return _counts("fp", *args)


def _shares(
    title: str, other: str, labels: Any, predictions: Any, thresholds: Any, *options: Any
) -> tuple[Tensor, Tensor]:
    """Returns tp / (tp + another count) at each threshold."""
    weights, metrics_collections, updates_collections, name = options
    with variable_scope(name, title + "_at_thresholds", (predictions, labels, weights)):
        counts = counts_at_thresholds(labels, predictions, thresholds, weights, ("tp", other))

        def share(counts: Counts, name: str) -> Tensor:
            right = counts["tp"]
            return ops.div(right, _EPSILON + right + counts[other], name=f"{title}_{name}")

        value, update = value_and_update(share, *counts)
        return collect(value, update, metrics_collections, updates_collections)


@graph_mode_only("precision_at_thresholds")
@arguments_of(true_positives_at_thresholds)
def precision_at_thresholds(*args: Any) -> tuple[Tensor, Tensor]:
    """Returns the precision at each threshold, over all batches so far.

    Args:
      labels, predictions, thresholds: same as in `tf.metrics.true_positives_at_thresholds`.
      weights, metrics_collections, updates_collections, name: same as in `tf.metrics.mean`.

    Returns:
      Same as `tf.metrics.mean`, tensors [thresholds].

    Raises:
      ValueError: if the shapes are incompatible.
      InvalidArgumentError: when run, if a prediction is outside [0, 1].
    """
    return _shares("precision", "fp", *args)


@graph_mode_only("recall_at_thresholds")
@arguments_of(precision_at_thresholds)
def recall_at_thresholds(*args: Any) -> tuple[Tensor, Tensor]:
    """Returns the recall at each threshold; the arguments are as in `tf.metrics.precision_at_thresholds`."""
    return _shares("recall", "fn", *args)
