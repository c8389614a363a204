"""Means over all batches so far: of values, of errors, of correct predictions."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from tfmini._src.base import dtypes
from tfmini._src.base.names.signature import arguments_of
from tfmini._src.graph.replica_modes import across_replicas
from tfmini._src.graph.scopes import control_dependencies
from tfmini._src.graph.tensor import Tensor, TensorLike
from tfmini._src.nn.metrics.operands import fit_operands
from tfmini._src.nn.metrics.state import collect, graph_mode_only, metric_variable, value_and_update
from tfmini._src.ops import ops
from tfmini._src.ops.math.broadcast_weights import broadcast_weights
from tfmini._src.ops.math.confusion_matrix import remove_squeezable_dimensions
from tfmini._src.variables.variable_scope import variable_scope


def _quotient(sums: tuple, name: str) -> Tensor:
    """Returns total / count, or 0 where nothing was counted."""
    total, count = sums
    return ops.div_no_nan(total, ops.maximum(count, 0), name=name)


def _weight(values: Tensor, weights: Any) -> tuple[Tensor, Tensor]:
    """Returns values * weights, and the weights broadcast to the shape of the values."""
    values, _, weights = fit_operands(values, None, weights)
    weights = broadcast_weights(ops.cast(weights, dtypes.float32), values)
    return ops.multiply(values, weights), weights


@graph_mode_only("mean")
def mean(
    values: TensorLike,
    weights: TensorLike | None = None,
    metrics_collections: Sequence[str] | None = None,
    updates_collections: Sequence[str] | None = None,
    name: str | None = None,
) -> tuple[Tensor, Tensor]:
    """Returns the weighted mean of the values of all batches so far.

    Two local variables, `total` and `count`, hold the sums; `tf.local_variables_initializer` sets them to 0.

    Args:
      values: a tensor of any shape.
      weights: a scalar, or a tensor broadcastable to the values; None for 1.
      metrics_collections: collections to add the metric to.
      updates_collections: collections to add the update op to.
      name: the variable scope.

    Returns:
      (the current value, an op that adds the batch and returns the updated metric), float32 scalars.

    Raises:
      ValueError: if the weights are not broadcastable.

    Example:
      accuracy, update = tf.metrics.mean(tf.cast(tf.equal(labels, predictions), tf.float32))
      sess.run(tf.local_variables_initializer())
      for batch in batches:
          sess.run(update, batch)
      print(sess.run(accuracy))
    """
    with variable_scope(name, "mean", (values, weights)):
        values = ops.cast(values, dtypes.float32)
        total = metric_variable([], dtypes.float32, name="total")
        count = metric_variable([], dtypes.float32, name="count")
        if weights is None:
            value_count = ops.cast(ops.size(values), dtypes.float32)
        else:
            values, weights = _weight(values, weights)
            value_count = ops.reduce_sum(weights)
        total_update = ops.assign_add(total, ops.reduce_sum(values))
        with control_dependencies([values]):
            count_update = ops.assign_add(count, value_count)
        value, update = value_and_update(_quotient, (total, count), (total_update, count_update))
        return collect(value, update, metrics_collections, updates_collections)


@graph_mode_only("mean_tensor")
@arguments_of(mean)
def mean_tensor(values: Any, weights: Any, *options: Any) -> tuple[Tensor, Tensor]:
    """Returns the weighted mean of each element over all batches so far.

    Args:
      values: a tensor whose static shape is known and the same for all batches.
      weights, metrics_collections, updates_collections, name: same as in `tf.metrics.mean`.

    Returns:
      (the current value, an op that adds the batch and returns the updated mean), float32 tensors of the
      values' shape.

    Raises:
      ValueError: if the weights are not broadcastable.
    """
    metrics_collections, updates_collections, name = options
    with variable_scope(name, "mean", (values, weights)):
        values = ops.cast(values, dtypes.float32)
        total = metric_variable(values.shape, dtypes.float32, name="total_tensor")
        count = metric_variable(values.shape, dtypes.float32, name="count_tensor")
        ones = ops.ones_like(values)
        if weights is not None:
            values, weights = _weight(values, weights)
            ones = ops.multiply(ones, weights)
        total_update = ops.assign_add(total, values)
        with control_dependencies([values]):
            count_update = ops.assign_add(count, ones)
        value, update = value_and_update(_quotient, (total, count), (total_update, count_update))
        return collect(value, update, metrics_collections, updates_collections)


@graph_mode_only("accuracy")
def accuracy(
    labels: Any,
    predictions: Any,
    weights: TensorLike | None = None,
    metrics_collections: str | Sequence[str] | None = None,
    updates_collections: str | Sequence[str] | None = None,
    name: str | None = None,
) -> tuple[Tensor, Tensor]:
    """Returns the accuracy, the fraction of predictions that equal their labels, over all batches so far.

    Args:
      labels, predictions: tensors of the same shape, except for a last dimension of size 1.
      weights, metrics_collections, updates_collections: same as in `tf.metrics.mean`.
      name: the variable scope, by default "accuracy".

    Returns:
      Same as `tf.metrics.mean`.

    Raises:
      ValueError: if the shapes are incompatible.
    """
    predictions, labels, weights = fit_operands(predictions, labels, weights)
    predictions.shape.assert_is_compatible_with(labels.shape)
    if labels.dtype != predictions.dtype:
        predictions = ops.cast(predictions, labels.dtype)
    is_right = ops.cast(ops.equal(predictions, labels), dtypes.float32)
    return mean(is_right, weights, metrics_collections, updates_collections, name or "accuracy")


def _mean_error(
    title: str, error: Callable, labels: Any, predictions: Any, *options: Any
) -> tuple[Tensor, Tensor]:
    """Returns the mean of `error(labels, predictions)`."""
    weights, metrics_collections, updates_collections, name = options
    predictions, labels, weights = fit_operands(predictions, labels, weights)
    errors = error(labels, predictions)
    return mean(errors, weights, metrics_collections, updates_collections, name or title)


@graph_mode_only("mean_absolute_error")
@arguments_of(accuracy)
def mean_absolute_error(*args: Any) -> tuple[Tensor, Tensor]:
    """Returns the mean of |predictions - labels|.

    Same arguments, results and errors as `tf.metrics.accuracy`; the default scope is "mean_absolute_error".
    """

    def distance(labels: Any, predictions: Any) -> Tensor:
        return ops.abs(predictions - labels)

    return _mean_error("mean_absolute_error", distance, *args)


@graph_mode_only("mean_squared_error")
@arguments_of(accuracy)
def mean_squared_error(*args: Any) -> tuple[Tensor, Tensor]:
    """Returns the mean of (predictions - labels)^2.

    Same arguments, results and errors as `tf.metrics.accuracy`; the default scope is "mean_squared_error".
    """
    return _mean_error("mean_squared_error", ops.squared_difference, *args)


@graph_mode_only("root_mean_squared_error")
@arguments_of(accuracy)
def root_mean_squared_error(
    labels: TensorLike, predictions: TensorLike, *options: Any
) -> tuple[Tensor, Tensor]:
    """Returns the square root of the mean of (predictions - labels)^2.

    Same arguments, results and errors as `tf.metrics.accuracy`; the default scope is "root_mean_squared_error".
    """
    weights, metrics_collections, updates_collections, name = options
    predictions, labels, weights = fit_operands(predictions, labels, weights)
    name = name or "root_mean_squared_error"
    squares = mean_squared_error(labels, predictions, weights, None, None, name)
    value = across_replicas(ops.sqrt, squares[0])
    update = ops.sqrt(squares[1])
    return collect(value, update, metrics_collections, updates_collections)


@graph_mode_only("mean_cosine_distance")
def mean_cosine_distance(
    labels: TensorLike,
    predictions: TensorLike,
    dim: int,
    weights: TensorLike | None = None,
    metrics_collections: Sequence[str] | None = None,
    updates_collections: Sequence[str] | None = None,
    name: str | None = None,
) -> tuple[Tensor, Tensor]:
    """Returns 1 - the mean of the sums of labels * predictions along a dimension.

    Args:
      labels, predictions: tensors of the same shape, with vectors of length 1 along `dim`.
      dim: the dimension of the vectors.
      weights: broadcastable to that shape, with size 1 along `dim`.
      metrics_collections, updates_collections: same as in `tf.metrics.mean`.
      name: the variable scope, by default "mean_cosine_distance".

    Returns:
      Same as `tf.metrics.mean`.

    Raises:
      ValueError: if the shapes are incompatible.
    """
    predictions, labels, weights = fit_operands(predictions, labels, weights)
    products = ops.multiply(predictions, labels)
    products = ops.reduce_sum(products, axis=[dim], keepdims=True)
    means = mean(products, weights, None, None, name or "mean_cosine_distance")
    value = across_replicas(lambda similarity: ops.subtract(1.0, similarity), means[0])
    update = ops.subtract(1.0, means[1])
    return collect(value, update, metrics_collections, updates_collections)


@graph_mode_only("mean_relative_error")
def mean_relative_error(
    labels: TensorLike,
    predictions: TensorLike,
    normalizer: TensorLike,
    weights: TensorLike | None = None,
    metrics_collections: Sequence[str] | None = None,
    updates_collections: Sequence[str] | None = None,
    name: str | None = None,
) -> tuple[Tensor, Tensor]:
    """Returns the mean of |labels - predictions| / normalizer; the quotient is 0 where the normalizer is 0.

    Args:
      labels, predictions, normalizer: tensors of the same shape.
      weights, metrics_collections, updates_collections: same as in `tf.metrics.mean`.
      name: the variable scope, by default "mean_relative_error".

    Returns:
      Same as `tf.metrics.mean`.

    Raises:
      ValueError: if the shapes are incompatible.
    """
    predictions, labels, weights = fit_operands(predictions, labels, weights)
    predictions, normalizer = remove_squeezable_dimensions(predictions, normalizer)
    predictions.shape.assert_is_compatible_with(normalizer.shape)
    is_zero = ops.equal(normalizer, 0.0)
    zeros = ops.zeros_like(labels)
    errors = ops.where(is_zero, zeros, ops.div(ops.abs(labels - predictions), normalizer))
    name = name or "mean_relative_error"
    return mean(errors, weights, metrics_collections, updates_collections, name)


@graph_mode_only("percentage_below")
def percentage_below(
    values: TensorLike,
    threshold: TensorLike,
    weights: TensorLike | None = None,
    metrics_collections: Sequence[str] | None = None,
    updates_collections: Sequence[str] | None = None,
    name: str | None = None,
) -> tuple[Tensor, Tensor]:
    """Returns the running fraction, from 0 to 1, of values that are less than a threshold.

    Args:
      values: a tensor of any shape.
      threshold: a scalar.
      weights, metrics_collections, updates_collections: same as in `tf.metrics.mean`.
      name: the variable scope, by default "percentage_below_threshold".

    Returns:
      Same as `tf.metrics.mean`.
    """
    is_below = ops.cast(ops.less(values, threshold), dtypes.float32)
    name = name or "percentage_below_threshold"
    return mean(is_below, weights, metrics_collections, updates_collections, name)
