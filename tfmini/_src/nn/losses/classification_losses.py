"""Classification losses: cross entropies, hinge and log loss."""

from __future__ import annotations

from typing import Any

from tfmini._src.base.names.signature import arguments_of
from tfmini._src.graph.graph_keys import GraphKeys
from tfmini._src.graph.scopes import name_scope
from tfmini._src.graph.tensor import Tensor, TensorLike
from tfmini._src.nn.losses.compute_weighted_loss import compute_weighted_loss
from tfmini._src.nn.losses.operands import as_floats, check_not_none, drop_last_dimension
from tfmini._src.nn.losses.reduction import Reduction
from tfmini._src.ops import ops


def hinge_loss(
    labels: TensorLike,
    logits: TensorLike,
    weights: TensorLike = 1.0,
    scope: str | None = None,
    loss_collection: str | None = GraphKeys.LOSSES,
    reduction: str = Reduction.SUM_BY_NONZERO_WEIGHTS,
) -> Tensor:
    """Computes max(0, 1 - y * logits) with y = -1 for labels 0 and y = 1 for labels 1.

    Args:
      labels: a tensor [batch, ...] of zeros and ones.
      logits: a float tensor of the same shape.
      weights, scope, loss_collection, reduction: as for `tf.losses.compute_weighted_loss`.

    Returns:
      A float32 scalar; with `Reduction.NONE` a tensor of the logits' shape.

    Raises:
      ValueError: if the shapes are incompatible, or labels or logits are None.
    """
    check_not_none(labels=labels, logits=logits)
    with name_scope(scope, "hinge_loss", (logits, labels, weights)) as scope:
        logits, labels = as_floats(logits, labels)
        ones = ops.ones_like(labels)
        signs = ops.subtract(2 * labels, ones)
        losses = ops.relu(ops.subtract(ones, ops.multiply(signs, logits)))
        return compute_weighted_loss(losses, weights, scope, loss_collection, reduction)


def log_loss(
    labels: TensorLike,
    predictions: TensorLike,
    weights: TensorLike = 1.0,
    epsilon: float = 1e-7,
    scope: str | None = None,
    loss_collection: str | None = GraphKeys.LOSSES,
    reduction: str = Reduction.SUM_BY_NONZERO_WEIGHTS,
) -> Tensor:
    """Computes -labels * log(predictions + epsilon) - (1 - labels) * log(1 - predictions + epsilon).

    Args:
      labels: a tensor [batch, ...] of numbers from 0 to 1.
      predictions: probabilities, of the same shape.
      epsilon: a small float that keeps the logarithms finite.
      weights, scope, loss_collection, reduction: as for `tf.losses.compute_weighted_loss`.

    Returns:
      A float32 scalar; with `Reduction.NONE` a tensor of the predictions' shape.

    Raises:
      ValueError: if the shapes are incompatible, or labels or predictions are None.
    """
    check_not_none(labels=labels, predictions=predictions)
    with name_scope(scope, "log_loss", (predictions, labels, weights)) as scope:
        predictions, labels = as_floats(predictions, labels)
        if_true = -ops.multiply(labels, ops.log(predictions + epsilon))
        if_false = ops.multiply(1 - labels, ops.log(1 - predictions + epsilon))
        losses = if_true - if_false
        return compute_weighted_loss(losses, weights, scope, loss_collection, reduction)


def sigmoid_cross_entropy(
    multi_class_labels: TensorLike,
    logits: TensorLike,
    weights: TensorLike = 1.0,
    label_smoothing: float = 0,
    scope: str | None = None,
    loss_collection: str | None = GraphKeys.LOSSES,
    reduction: str = Reduction.SUM_BY_NONZERO_WEIGHTS,
) -> Tensor:
    """Computes the cross entropy of sigmoid(logits) for independent classes.

    Args:
      multi_class_labels: a tensor [batch, classes] of zeros and ones.
      logits: a float tensor of the same shape.
      label_smoothing: amount of smoothing towards 1/2: labels * (1 - s) + s / 2.
      weights, scope, loss_collection, reduction: as for `tf.losses.compute_weighted_loss`.

    Returns:
      A scalar of the logits' dtype; with `Reduction.NONE` a tensor of their shape.

    Raises:
      ValueError: if the shapes are incompatible, or labels or logits are None.
    """
    check_not_none(multi_class_labels=multi_class_labels, logits=logits)
    inputs = (logits, multi_class_labels, weights)
    with name_scope(scope, "sigmoid_cross_entropy_loss", inputs) as scope:
        logits = ops.convert_to_tensor(logits)
        labels = ops.cast(multi_class_labels, logits.dtype)
        logits.shape.assert_is_compatible_with(labels.shape)
        if label_smoothing > 0:
            labels = labels * (1 - label_smoothing) + 0.5 * label_smoothing
        losses = ops.sigmoid_cross_entropy_with_logits(
            labels=labels, logits=logits, name="xentropy"
        )
        return compute_weighted_loss(losses, weights, scope, loss_collection, reduction)


def softmax_cross_entropy(
    onehot_labels: TensorLike,
    logits: TensorLike,
    weights: TensorLike = 1.0,
    label_smoothing: float = 0,
    scope: str | None = None,
    loss_collection: str | None = GraphKeys.LOSSES,
    reduction: str = Reduction.SUM_BY_NONZERO_WEIGHTS,
) -> Tensor:
    """Computes the cross entropy of softmax(logits) for one true class per row.

    Args:
      onehot_labels: a tensor [batch, classes] of probabilities. No gradient passes through it.
      logits: a float tensor of the same shape.
      label_smoothing: amount of smoothing towards uniform: labels * (1 - s) + s / classes.
      weights, scope, loss_collection, reduction: as for `tf.losses.compute_weighted_loss`; losses are [batch].

    Returns:
      A scalar of the logits' dtype; with `Reduction.NONE` a tensor [batch].

    Raises:
      ValueError: if the shapes are incompatible, or labels or logits are None.
    """
    check_not_none(onehot_labels=onehot_labels, logits=logits)
    inputs = (logits, onehot_labels, weights)
    with name_scope(scope, "softmax_cross_entropy_loss", inputs) as scope:
        logits = ops.convert_to_tensor(logits)
        labels = ops.cast(onehot_labels, logits.dtype)
        logits.shape.assert_is_compatible_with(labels.shape)
        if label_smoothing > 0:
            classes = ops.cast(ops.shape(labels)[-1], logits.dtype)
            share = label_smoothing / classes
            labels = labels * (1.0 - label_smoothing) + share
        labels = ops.stop_gradient(labels, name="labels_stop_gradient")
        losses = ops.softmax_cross_entropy_with_logits_v2(
            labels=labels, logits=logits, name="xentropy"
        )
        return compute_weighted_loss(losses, weights, scope, loss_collection, reduction)


@arguments_of(hinge_loss)
def sparse_softmax_cross_entropy(
    labels: TensorLike, logits: TensorLike, weights: TensorLike, scope: str | None, *options: Any
) -> Tensor:
    """Computes the cross entropy of softmax(logits) for class indices.

    Args:
      labels: an int32 or int64 tensor [batch] or [batch, 1], from 0 to classes - 1.
      logits: a float tensor [batch, classes].
      weights, scope, loss_collection, reduction: as for `tf.losses.compute_weighted_loss`; losses are [batch].

    Returns:
      A scalar of the logits' dtype; with `Reduction.NONE` a tensor [batch].

    Raises:
      ValueError: if the shapes are incompatible, or labels or logits are None.
    """
    check_not_none(labels=labels, logits=logits)
    inputs = (logits, labels, weights)
    with name_scope(scope, "sparse_softmax_cross_entropy_loss", inputs) as scope:
        labels, logits, weights = drop_last_dimension(labels, logits, weights, expected_rank_diff=1)
        losses = ops.sparse_softmax_cross_entropy_with_logits(
            labels=labels, logits=logits, name="xentropy"
        )
        return compute_weighted_loss(losses, weights, scope, *options)
