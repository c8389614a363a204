"""Linear outputs with their losses."""

from __future__ import annotations

from tfmini._src.base.names.deprecation import deprecated
from tfmini._src.graph.scopes import name_scope
from tfmini._src.graph.tensor import Tensor, TensorLike
from tfmini._src.nn.losses.classification_losses import softmax_cross_entropy
from tfmini._src.nn.losses.regression_losses import mean_squared_error
from tfmini._src.ops import ops


@deprecated("2016-12-01", "Use `tf.losses.mean_squared_error` and explicit logits computation.")
def mean_squared_error_regressor(
    tensor_in: TensorLike,
    labels: Tensor,
    weights: TensorLike,
    biases: TensorLike,
    name: str | None = None,
) -> tuple[Tensor, Tensor]:
    """Returns the predictions of a linear layer, and their mean squared error.

    Args:
      tensor_in: floats [batch, features].
      labels: [batch] or [batch, outputs].
      weights: [features, outputs].
      biases: [outputs].
      name: prefix of node names.

    Returns:
      (predictions with the shape of the labels, scalar loss).
    """
    with name_scope(name, "mean_squared_error_regressor", [tensor_in, labels]):
        predictions = ops.xw_plus_b(tensor_in, weights, biases)
        if len(labels.get_shape()) == 1 and len(predictions.get_shape()) == 2:
            predictions = ops.squeeze(predictions, axis=[1])
        return predictions, mean_squared_error(labels, predictions)


@deprecated("2016-12-01", "Use `tf.losses.softmax_cross_entropy` and explicit logits computation.")
def softmax_classifier(
    tensor_in: TensorLike,
    labels: TensorLike,
    weights: TensorLike,
    biases: TensorLike,
    class_weight: TensorLike | None = None,
    name: str | None = None,
) -> tuple[Tensor, Tensor]:
    """Returns the softmax of a linear layer, and its cross entropy.

    Args:
      tensor_in: floats [batch, features].
      labels: one-hot labels, [batch, classes].
      weights: [features, classes].
      biases: [classes].
      class_weight: factors for logits, [classes].
      name: prefix of node names.

    Returns:
      (probabilities [batch, classes], scalar loss).
    """
    with name_scope(name, "softmax_classifier", [tensor_in, labels]):
        logits = ops.xw_plus_b(tensor_in, weights, biases)
        if class_weight is not None:
            logits = ops.multiply(logits, class_weight)
        return ops.softmax(logits), softmax_cross_entropy(labels, logits)
