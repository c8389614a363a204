"""The predecessors of `tf.losses`, where predictions come first and weights apply to leading dimensions."""

from __future__ import annotations

from typing import Any

from tfmini._src.base import dtypes
from tfmini._src.base.names.deprecation import (
    deprecated,
    deprecated_args,
    deprecated_argument_lookup,
)
from tfmini._src.base.names.signature import arguments_of
from tfmini._src.contrib.losses.compute_weighted_loss import (
    number_present,
    scaled_sum,
    weighted_loss,
)
from tfmini._src.contrib.losses.losses_collection import DATE, add_loss
from tfmini._src.graph.scopes import name_scope
from tfmini._src.graph.tensor import Tensor, TensorLike
from tfmini._src.ops import ops

_SWAPPED_ARGUMENTS_NOTICE = "Note that the order of the {} and labels arguments has been changed."


def _as_floats(predictions: Any, labels: Any) -> tuple[Tensor, Tensor]:
    predictions.get_shape().assert_is_compatible_with(labels.get_shape())
    return ops.cast(predictions, dtypes.float32), ops.cast(labels, dtypes.float32)


@deprecated(DATE, "Use tf.losses.absolute_difference instead.")
def absolute_difference(
    predictions: TensorLike,
    labels: TensorLike | None = None,
    weights: TensorLike = 1.0,
    scope: str | None = None,
) -> Tensor:
    """Returns |predictions - labels|, weighted and averaged by `compute_weighted_loss`.

    Args:
      predictions, labels: tensors of the same shape, of known rank.
      weights, scope: as in `tf.contrib.losses.compute_weighted_loss`.

    Returns:
      A float32 scalar.

    Raises:
      ValueError: for incompatible shapes.
    """
    inputs = [predictions, labels, weights]
    with name_scope(scope, "absolute_difference", inputs) as scope:
        predictions, labels = _as_floats(predictions, labels)
        return weighted_loss(ops.abs(ops.subtract(predictions, labels)), weights, scope)


@deprecated(DATE, "Use tf.losses.mean_squared_error instead.")
@arguments_of(absolute_difference)
def mean_squared_error(predictions: Any, labels: Any, weights: Any, scope: str | None) -> Tensor:
    """Returns the weighted mean of (predictions - labels)^2; otherwise like `tf.contrib.losses.absolute_difference`."""
    inputs = [predictions, labels, weights]
    with name_scope(scope, "mean_squared_error", inputs) as scope:
        predictions, labels = _as_floats(predictions, labels)
        return weighted_loss(ops.squared_difference(predictions, labels), weights, scope)


@deprecated(
    DATE, f"Use tf.losses.log_loss instead. {_SWAPPED_ARGUMENTS_NOTICE.format('predictions')}"
)
def log_loss(
    predictions: TensorLike,
    labels: TensorLike | None = None,
    weights: TensorLike = 1.0,
    epsilon: float = 1e-7,
    scope: str | None = None,
) -> Tensor:
    """Averages -labels * log(predictions + epsilon) - (1 - labels) * log(1 - predictions + epsilon).

    Otherwise like `tf.contrib.losses.absolute_difference`.
    """
    with name_scope(scope, "log_loss", [predictions, labels, weights]) as scope:
        predictions, labels = _as_floats(predictions, labels)
        if_true = -ops.multiply(labels, ops.log(predictions + epsilon))
        if_false = ops.multiply(1 - labels, ops.log(1 - predictions + epsilon))
        return weighted_loss(if_true - if_false, weights, scope)


@deprecated(
    DATE,
    f"Use tf.losses.hinge_loss instead. {_SWAPPED_ARGUMENTS_NOTICE.format('logits')[:-1]}, "
    "and to stay unweighted, reduction=Reduction.NONE",
)
def hinge_loss(logits: Any, labels: Any = None, scope: str | None = None) -> Tensor:
    """Returns max(0, 1 - y * logits), with y = -1 for label 0 and 1 for label 1; adds no loss to the collection.

    Args:
      logits, labels: tensors of the same shape.
      scope: name scope.

    Returns:
      A float32 tensor of the logits' shape.

    Raises:
      ValueError: if the shapes differ.
    """
    with name_scope(scope, "hinge_loss", [logits, labels]) as scope:
        logits.get_shape().assert_is_compatible_with(labels.get_shape())
        labels = ops.cast(labels, dtypes.float32)
        ones = ops.ones_like(labels)
        signs = ops.subtract(2 * labels, ones)
        return ops.relu(ops.subtract(ones, ops.multiply(signs, logits)))


@deprecated(
    DATE,
    f"Use tf.losses.sigmoid_cross_entropy instead. {_SWAPPED_ARGUMENTS_NOTICE.format('predictions')}",
)
def sigmoid_cross_entropy(
    logits: Tensor,
    multi_class_labels: Tensor,
    weights: TensorLike = 1.0,
    label_smoothing: float = 0,
    scope: str | None = None,
) -> Tensor:
    """Returns the cross entropy of sigmoid(logits), weighted and averaged.

    Args:
      logits: a float tensor [batch, classes].
      multi_class_labels: 0 and 1, of the same shape.
      weights, scope: as in `tf.contrib.losses.compute_weighted_loss`.
      label_smoothing: fraction by which labels move toward 1/2.

    Returns:
      A scalar of the logits' dtype.

    Raises:
      ValueError: for incompatible shapes.
    """
    inputs = [logits, multi_class_labels, weights]
    with name_scope(scope, "sigmoid_cross_entropy_loss", inputs) as scope:
        logits.get_shape().assert_is_compatible_with(multi_class_labels.get_shape())
        labels = ops.cast(multi_class_labels, logits.dtype)
        if label_smoothing > 0:
            labels = labels * (1 - label_smoothing) + 0.5 * label_smoothing
        losses = ops.sigmoid_cross_entropy_with_logits(
            labels=labels, logits=logits, name="xentropy"
        )
        return weighted_loss(losses, weights, scope)


@deprecated(
    DATE,
    f"Use tf.losses.softmax_cross_entropy instead. {_SWAPPED_ARGUMENTS_NOTICE.format('logits')}",
)
def softmax_cross_entropy(
    logits: Tensor,
    onehot_labels: Tensor,
    weights: TensorLike = 1.0,
    label_smoothing: float = 0,
    scope: str | None = None,
) -> Tensor:
    """Returns the cross entropy of softmax(logits), weighted and averaged.

    Args:
      logits: a float tensor [batch, classes].
      onehot_labels: probabilities, of the same shape.
      weights, scope: as in `tf.contrib.losses.compute_weighted_loss`.
      label_smoothing: fraction by which labels move toward uniform.

    Returns:
      A scalar of the logits' dtype.

    Raises:
      ValueError: for incompatible shapes.
    """
    inputs = [logits, onehot_labels, weights]
    with name_scope(scope, "softmax_cross_entropy_loss", inputs) as scope:
        logits.get_shape().assert_is_compatible_with(onehot_labels.get_shape())
        labels = ops.cast(onehot_labels, logits.dtype)
        if label_smoothing > 0:
            classes = ops.cast(ops.shape(labels)[1], logits.dtype)
            share = label_smoothing / classes
            labels = labels * (1.0 - label_smoothing) + share
        losses = ops.softmax_cross_entropy_with_logits(
            labels=labels, logits=logits, name="xentropy"
        )
        return weighted_loss(losses, weights, scope)


@deprecated(
    DATE,
    f"Use tf.losses.sparse_softmax_cross_entropy instead. {_SWAPPED_ARGUMENTS_NOTICE.format('logits')}",
)
def sparse_softmax_cross_entropy(
    logits: TensorLike, labels: TensorLike, weights: TensorLike = 1.0, scope: str | None = None
) -> Tensor:
    """Returns the cross entropy of softmax(logits) for labels that are class indices, weighted and averaged.

    Args:
      logits: a float tensor [batch, classes].
      labels: an int32 or int64 tensor [batch] or [batch, 1].
      weights, scope: as in `tf.contrib.losses.compute_weighted_loss`.

    Returns:
      A scalar of the logits' dtype.

    Raises:
      ValueError: for incompatible shapes.
    """
    inputs = [logits, labels, weights]
    with name_scope(scope, "sparse_softmax_cross_entropy_loss", inputs) as scope:
        labels = ops.reshape(labels, shape=[ops.shape(labels)[0]])
        losses = ops.sparse_softmax_cross_entropy_with_logits(
            labels=labels, logits=logits, name="xentropy"
        )
        return weighted_loss(losses, weights, scope)


@deprecated(
    DATE,
    f"Use tf.losses.mean_pairwise_squared_error instead. {_SWAPPED_ARGUMENTS_NOTICE.format('predictions')}",
)
def mean_pairwise_squared_error(
    predictions: TensorLike,
    labels: TensorLike | None = None,
    weights: TensorLike = 1.0,
    scope: str | None = None,
) -> Tensor:
    """Returns the squared errors of the differences between all pairs of predictions in a row.

    Otherwise like `tf.contrib.losses.absolute_difference`; weights are a scalar or [batch].
    """
    inputs = [predictions, labels, weights]
    with name_scope(scope, "mean_pairwise_squared_error", inputs) as scope:
        predictions, labels = _as_floats(predictions, labels)
        weights = ops.cast(ops.convert_to_tensor(weights), dtypes.float32)
        errors = ops.subtract(predictions, labels)
        if errors.shape.ndims is None:
            raise ValueError("diffs.get_shape().ndims cannot be None")
        if weights.shape.ndims is None:
            raise ValueError("weights.get_shape().ndims cannot be None")
        axes = list(range(1, errors.shape.ndims))
        squares = ops.reduce_sum(ops.square(errors), axis=axes)
        count = number_present(errors, weights, per_batch=True)
        element_terms = 2.0 * ops.div_no_nan(squares, count, name="value")
        square = ops.square(ops.reduce_sum(errors, axis=axes))
        total_terms = 2.0 * ops.div_no_nan(square, ops.square(count), name="value")
        summed = scaled_sum(element_terms - total_terms, weights)
        is_any = ops.reduce_sum(count) > 0
        loss = ops.where(is_any, summed, ops.zeros_like(summed), name="value")
        add_loss(loss)
        return loss


@deprecated(DATE, "Use tf.losses.cosine_distance instead.")
@deprecated_args(None, "dim is deprecated, use axis instead", "dim")
def cosine_distance(
    predictions: TensorLike,
    labels: TensorLike | None = None,
    axis: int | None = None,
    weights: TensorLike = 1.0,
    scope: str | None = None,
    dim: int | None = None,
) -> Tensor:
    """Returns 1 - the sum of labels * predictions along an axis, weighted and averaged.

    Args:
      predictions, labels: tensors of the same shape, with unit vectors along `axis`.
      axis: the axis of the vectors.
      weights, scope: as in `tf.contrib.losses.compute_weighted_loss`.
      dim: an old name of `axis`.

    Returns:
      A float32 scalar.

    Raises:
      ValueError: if the shapes are incompatible, or the axis is missing.
    """
    axis = deprecated_argument_lookup("axis", axis, "dim", dim)
    if axis is None:
        raise ValueError("You must specify 'axis'.")
    inputs = [predictions, labels, weights]
    with name_scope(scope, "cosine_distance_loss", inputs) as scope:
        predictions, labels = _as_floats(predictions, labels)
        losses = 1 - ops.reduce_sum(ops.multiply(predictions, labels), axis=[axis])
        return weighted_loss(losses, weights, scope)
