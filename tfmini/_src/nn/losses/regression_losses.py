"""Regression losses: distances between predictions and labels."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tfmini._src.base import dtypes
from tfmini._src.base.names.deprecation import deprecated_args, deprecated_argument_lookup
from tfmini._src.base.names.signature import arguments_of
from tfmini._src.graph.graph_keys import GraphKeys
from tfmini._src.graph.scopes import control_dependencies, name_scope
from tfmini._src.graph.tensor import Tensor, TensorLike
from tfmini._src.nn.losses.compute_weighted_loss import compute_weighted_loss, number_present
from tfmini._src.nn.losses.losses_collection import add_loss
from tfmini._src.nn.losses.operands import as_floats, check_not_none
from tfmini._src.nn.losses.reduction import Reduction
from tfmini._src.ops import ops
from tfmini._src.ops.math.broadcast_weights import assert_broadcastable


def absolute_difference(
    labels: TensorLike,
    predictions: TensorLike,
    weights: TensorLike = 1.0,
    scope: str | None = None,
    loss_collection: str | None = GraphKeys.LOSSES,
    reduction: str = Reduction.SUM_BY_NONZERO_WEIGHTS,
) -> Tensor:
    """Computes |predictions - labels|, weighted and reduced.

    Args:
      labels, predictions: tensors of the same shape [batch, ...].
      weights, scope, loss_collection, reduction: as for `tf.losses.compute_weighted_loss`.

    Returns:
      A float32 scalar; with `Reduction.NONE` a tensor of the predictions' shape.

    Raises:
      ValueError: if the shapes are incompatible, or labels or predictions are None.
    """

    def distance(predictions: Tensor, labels: Tensor) -> Tensor:
        return ops.abs(ops.subtract(predictions, labels))

    options = (weights, scope, loss_collection, reduction)
    return _weighted_errors("absolute_difference", distance, labels, predictions, *options)


def _weighted_errors(
    title: str, error: Callable, labels: Any, predictions: Any, *options: Any
) -> Tensor:
    weights, scope, loss_collection, reduction = options
    check_not_none(labels=labels, predictions=predictions)
    with name_scope(scope, title, (predictions, labels, weights)) as scope:
        losses = error(*as_floats(predictions, labels))
        return compute_weighted_loss(losses, weights, scope, loss_collection, reduction)


@deprecated_args(None, "dim is deprecated, use axis instead", "dim")
def cosine_distance(
    labels: TensorLike,
    predictions: TensorLike,
    axis: int | None = None,
    weights: TensorLike = 1.0,
    scope: str | None = None,
    loss_collection: str | None = GraphKeys.LOSSES,
    reduction: str = Reduction.SUM_BY_NONZERO_WEIGHTS,
    dim: int | None = None,
) -> Tensor:
    """Computes the cosine distance of unit vectors: 1 - the sum of labels * predictions along an axis.

    Args:
      labels, predictions: tensors of the same shape, with vectors of length 1 along `axis`.
      axis: the axis of the vectors.
      weights, scope, loss_collection, reduction: as for `tf.losses.compute_weighted_loss`.
      dim: deprecated alias of `axis`.

    Returns:
      A float32 scalar; with `Reduction.NONE` a tensor of the predictions' shape, of size 1 along `axis`.

    Raises:
      ValueError: if the shapes are incompatible, or the axis, labels or predictions are None.
    """
    axis = deprecated_argument_lookup("axis", axis, "dim", dim)
    if axis is None:
        raise ValueError("You must specify 'axis'.")
    check_not_none(labels=labels, predictions=predictions)
    inputs = (predictions, labels, weights)
    with name_scope(scope, "cosine_distance_loss", inputs) as scope:
        predictions, labels = as_floats(predictions, labels)
        products = ops.multiply(predictions, labels)
        losses = 1 - ops.reduce_sum(products, axis=(axis,), keepdims=True)
        return compute_weighted_loss(losses, weights, scope, loss_collection, reduction)


def huber_loss(
    labels: TensorLike,
    predictions: TensorLike,
    weights: TensorLike = 1.0,
    delta: float = 1.0,
    scope: str | None = None,
    loss_collection: str | None = GraphKeys.LOSSES,
    reduction: str = Reduction.SUM_BY_NONZERO_WEIGHTS,
) -> Tensor:
    """Computes 0.5 d^2 + delta * (|error| - d) with d = min(|error|, delta): quadratic, then linear.

    Args:
      labels, predictions: tensors of the same shape [batch, ...].
      delta: a float, the error at which the loss changes from quadratic to linear.
      weights, scope, loss_collection, reduction: as for `tf.losses.compute_weighted_loss`.

    Returns:
      A float32 scalar; with `Reduction.NONE` a tensor of the predictions' shape.

    Raises:
      ValueError: if the shapes are incompatible, or labels or predictions are None.

    P. Huber, "Robust estimation of a location parameter", 1964.
    """
    check_not_none(labels=labels, predictions=predictions)
    with name_scope(scope, "huber_loss", (predictions, labels, weights)) as scope:
        predictions, labels = as_floats(predictions, labels)
        error = ops.abs(ops.subtract(predictions, labels))
        inner = ops.minimum(error, delta)
        outer = ops.subtract(error, inner)
        half = ops.convert_to_tensor(0.5, dtype=inner.dtype)
        quadratic = ops.multiply(half, ops.multiply(inner, inner))
        losses = ops.add(quadratic, ops.multiply(delta, outer))
        return compute_weighted_loss(losses, weights, scope, loss_collection, reduction)


@arguments_of(absolute_difference)
def mean_squared_error(*args: Any) -> Tensor:
    """Computes (predictions - labels)^2, weighted and reduced.

    Args:
      labels, predictions: tensors of the same shape [batch, ...].
      weights, scope, loss_collection, reduction: as for `tf.losses.compute_weighted_loss`.

    Returns:
      A float32 scalar; with `Reduction.NONE` a tensor of the predictions' shape.

    Raises:
      ValueError: if the shapes are incompatible, or labels or predictions are None.

    Example: `loss = tf.losses.mean_squared_error(labels=y, predictions=model(x))`.
    """
    return _weighted_errors("mean_squared_error", ops.squared_difference, *args)


def mean_pairwise_squared_error(
    labels: TensorLike,
    predictions: TensorLike,
    weights: TensorLike = 1.0,
    scope: str | None = None,
    loss_collection: str | None = GraphKeys.LOSSES,
) -> Tensor:
    """Computes the mean squared error of differences between pairs of predictions, compared with pairs of labels.

    The loss of a row of the batch is the mean over pairs (i, j) of ((p_i - p_j) - (l_i - l_j))^2; the
    result is the sum over all rows.

    Args:
      labels, predictions: tensors of the same shape [batch, ...].
      weights: a scalar, or [batch, 1, ..., 1], or of the labels' shape.
      scope: the name scope.
      loss_collection: collection to add the loss to, or None.

    Returns:
      A float32 scalar.

    Raises:
      ValueError: if the shapes are incompatible, or labels or predictions are None.
    """
    check_not_none(labels=labels, predictions=predictions)
    inputs = (predictions, labels, weights)
    with name_scope(scope, "mean_pairwise_squared_error", inputs) as scope:
        weights = ops.cast(weights, dtypes.float32)
        labels = ops.cast(labels, dtypes.float32)
        with control_dependencies((assert_broadcastable(weights, labels),)):
            predictions = ops.cast(predictions, dtypes.float32)
            predictions.shape.assert_is_compatible_with(labels.shape)
            errors = ops.subtract(predictions, labels)
            axes = ops.range(1, ops.rank(errors))
            squares = ops.reduce_sum(ops.square(errors), axis=axes, keepdims=True)
            count = number_present(errors, weights, per_batch=True)
            divisor = ops.maximum(count - 1, 0)
            element_terms = 2.0 * ops.div_no_nan(squares, divisor, name="value")
            total = ops.reduce_sum(errors, axis=axes, keepdims=True)
            square = ops.square(total)
            pairs = ops.maximum(ops.multiply(count, count - 1), 0)
            total_terms = 2.0 * ops.div_no_nan(square, pairs, name="value")
            summed = ops.reduce_sum(ops.multiply(element_terms - total_terms, weights))
            is_any = ops.reduce_sum(count) > 0
            loss = ops.where(is_any, summed, ops.zeros_like(summed), name="value")
            add_loss(loss, loss_collection)
            return loss
