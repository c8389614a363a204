"""Metric functions: one value per example."""

from __future__ import annotations

from typing import Any

from tfmini._src.graph.tensor import TensorLike
from tfmini._src.nn.layers.backend.config import floatx
from tfmini._src.nn.layers.backend.math_functions import mean
from tfmini._src.nn.layers.backend.tensor_values import dtype
from tfmini._src.nn.layers.ragged_values import flat_values
from tfmini._src.ops import ops


def accuracy(y_true: Any, y_pred: Any) -> Any:
    """Returns 1 if prediction and target are equal, else 0."""
    (y_pred, y_true), _ = flat_values([y_pred, y_true])
    y_pred.shape.assert_is_compatible_with(y_true.shape)
    if y_true.dtype != y_pred.dtype:
        y_pred = ops.cast(y_pred, y_true.dtype)
    return ops.cast(ops.equal(y_true, y_pred), floatx())


def binary_accuracy(y_true: TensorLike, y_pred: Any, threshold: float = 0.5) -> Any:
    """Returns the fraction of elements on the correct side of `threshold`.

    Args:
      y_true: 0 or 1: [batch, ..., size].
      y_pred: probabilities, of the same shape.
      threshold: values above it count as 1.

    Returns:
      [batch, ...].
    """
    y_pred = ops.cast(y_pred > ops.cast(threshold, y_pred.dtype), y_pred.dtype)
    return mean(ops.equal(y_true, y_pred), axis=-1)


def categorical_accuracy(y_true: TensorLike, y_pred: TensorLike) -> Any:
    """Returns 1 if predictions and one-hot targets have the same argmax, else 0: [batch, ...]."""
    right, predicted = ops.argmax(y_true, axis=-1), ops.argmax(y_pred, axis=-1)
    return ops.cast(ops.equal(right, predicted), floatx())


def _classes(y_true: Any, y_pred: Any) -> Any:
    """Returns the class indices without the last axis of size 1."""
    ranks = [ops.convert_to_tensor(x).shape.ndims for x in (y_pred, y_true)]
    if None not in ranks and ranks[0] == ranks[1]:
        return ops.squeeze(y_true, [-1])
    return y_true


def sparse_categorical_accuracy(y_true: TensorLike, y_pred: TensorLike) -> Any:
    """Returns 1 if the argmax of predictions is the target class, else 0.

    Args:
      y_true: class indices: [batch, ...], optionally with a last axis of size 1.
      y_pred: [batch, ..., classes].

    Returns:
      [batch, ...].
    """
    y_true = _classes(y_true, y_pred)
    y_pred = ops.argmax(y_pred, axis=-1)
    if dtype(y_pred) != dtype(y_true):
        y_pred = ops.cast(y_pred, dtype(y_true))
    return ops.cast(ops.equal(y_true, y_pred), floatx())


def top_k_categorical_accuracy(y_true: TensorLike, y_pred: TensorLike, k: int = 5) -> Any:
    """Returns 1 if the class of the one-hot target is among the `k` largest predictions, else 0: [batch]."""
    return ops.cast(ops.in_top_k(y_pred, ops.argmax(y_true, axis=-1), k), floatx())


def sparse_top_k_categorical_accuracy(y_true: TensorLike, y_pred: TensorLike, k: int = 5) -> Any:
    """Returns 1 if the target class is among the `k` largest predictions, else 0: [batch]."""
    y_true = _classes(y_true, y_pred)
    return ops.cast(ops.in_top_k(y_pred, ops.cast(y_true, "int32"), k), floatx())
