"""Loss functions: one value per example, reduced along the last axis.

Targets and predictions are float tensors [batch, ..., size] of the same shape, unless documented
otherwise; results are [batch, ...].
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tfmini._src.graph.tensor import TensorLike
from tfmini._src.nn.layers.backend import crossentropy
from tfmini._src.nn.layers.backend.config import epsilon, floatx
from tfmini._src.nn.layers.backend.math_functions import clip, mean
from tfmini._src.ops import ops


def _operands(y_true: Any, y_pred: Any) -> tuple[Any, Any]:
    y_pred = ops.convert_to_tensor(y_pred)
    return ops.cast(y_true, y_pred.dtype), y_pred


def mean_squared_error(y_true: TensorLike, y_pred: TensorLike) -> Any:
    """Returns mean((y_pred - y_true)^2)."""
    y_true, y_pred = _operands(y_true, y_pred)
    return mean(ops.squared_difference(y_pred, y_true), axis=-1)


def mean_absolute_error(y_true: Any, y_pred: Any) -> Any:
    """Returns mean(|y_pred - y_true|)."""
    y_true, y_pred = _operands(y_true, y_pred)
    return mean(ops.abs(y_pred - y_true), axis=-1)


def mean_absolute_percentage_error(y_true: Any, y_pred: Any) -> Any:
    """Returns 100 mean(|y_true - y_pred| / |y_true|)."""
    y_true, y_pred = _operands(y_true, y_pred)
    share = ops.abs((y_true - y_pred) / clip(ops.abs(y_true), epsilon(), None))
    return 100.0 * mean(share, axis=-1)


def mean_squared_logarithmic_error(y_true: TensorLike, y_pred: TensorLike) -> Any:
    """Returns mean((log(y_pred + 1) - log(y_true + 1))^2)."""
    y_true, y_pred = _operands(y_true, y_pred)
    first = ops.log(clip(y_pred, epsilon(), None) + 1.0)
    second = ops.log(clip(y_true, epsilon(), None) + 1.0)
    return mean(ops.squared_difference(first, second), axis=-1)


def _signs(y_true: Any) -> Any:
    """Converts targets in {0, 1} to {-1, 1} at run time; returns other targets unchanged."""
    zeros, ones = ops.equal(y_true, 0), ops.equal(y_true, 1)
    binary = ops.reduce_all(ops.logical_or(zeros, ones))
    return ops.smart_cond(binary, lambda: 2.0 * y_true - 1.0, lambda: y_true)


def squared_hinge(y_true: Any, y_pred: Any) -> Any:
    """Returns mean(max(1 - y_true * y_pred, 0)^2), for targets -1 and 1, or 0 and 1."""
    y_true, y_pred = _operands(y_true, y_pred)
    y_true = _signs(y_true)
    return mean(ops.square(ops.maximum(1.0 - y_true * y_pred, 0.0)), axis=-1)


def hinge(y_true: Any, y_pred: Any) -> Any:
    """Returns mean(max(1 - y_true * y_pred, 0)), for targets -1 and 1, or 0 and 1."""
    y_true, y_pred = _operands(y_true, y_pred)
    y_true = _signs(y_true)
    return mean(ops.maximum(1.0 - y_true * y_pred, 0.0), axis=-1)


def categorical_hinge(y_true: Any, y_pred: Any) -> Any:
    """Returns max(largest wrong prediction - correct prediction + 1, 0), for one-hot targets."""
    y_true, y_pred = _operands(y_true, y_pred)
    right = ops.reduce_sum(y_true * y_pred, axis=-1)
    wrong = ops.reduce_max((1.0 - y_true) * y_pred, axis=-1)
    return ops.maximum(0.0, wrong - right + 1.0)


def huber_loss(y_true: Any, y_pred: Any, delta: float = 1.0) -> Any:
    """Returns, for each element, half the squared error for errors up to `delta`, and a linear function beyond."""
    y_pred = ops.cast(y_pred, dtype=floatx())
    y_true = ops.cast(y_true, dtype=floatx())
    error = ops.abs(ops.subtract(y_pred, y_true))
    quadratic = ops.minimum(error, delta)
    linear = ops.subtract(error, quadratic)
    half = ops.convert_to_tensor(0.5, dtype=quadratic.dtype)
    squared = ops.multiply(quadratic, quadratic)
    return ops.add(ops.multiply(half, squared), ops.multiply(delta, linear))


def logcosh(y_true: Any, y_pred: Any) -> Any:
    """Returns mean(log(cosh(y_pred - y_true)))."""
    y_true, y_pred = _operands(y_true, y_pred)
    x = y_pred - y_true
    return mean(x + ops.softplus(-2.0 * x) - ops.log(2.0), axis=-1)


def _smooth(y_true: Any, label_smoothing: Any, smooth: Callable[[Any], Any]) -> Any:
    smoothing = ops.convert_to_tensor(label_smoothing, dtype=floatx())
    return ops.smart_cond(smoothing, lambda: smooth(smoothing), lambda: y_true)


def categorical_crossentropy(
    y_true: Any, y_pred: Any, from_logits: bool = False, label_smoothing: TensorLike = 0
) -> Any:
    """Returns the cross entropy between distributions along the last axis.

    Args:
      y_true: one-hot vectors, or distributions.
      y_pred: probabilities, or logits with `from_logits`.
      label_smoothing: share of the targets spread evenly over all classes.
    """
    y_true, y_pred = _operands(y_true, y_pred)

    def smooth(smoothing: Any) -> Any:
        classes = ops.cast(ops.shape(y_true)[1], y_pred.dtype)
        return y_true * (1.0 - smoothing) + smoothing / classes

    y_true = _smooth(y_true, label_smoothing, smooth)
    return crossentropy.categorical_crossentropy(y_true, y_pred, from_logits=from_logits)


def sparse_categorical_crossentropy(
    y_true: TensorLike, y_pred: TensorLike, from_logits: bool = False, axis: int = -1
) -> Any:
    """Returns the cross entropy between class indices and distributions along `axis`.

    Args:
      y_true: class indices: [batch, ...], optionally with a last axis of size 1.
      y_pred: probabilities, or logits with `from_logits`: [batch, ..., classes].
      axis: axis of the classes.
    """
    return crossentropy.sparse_categorical_crossentropy(
        y_true, y_pred, from_logits=from_logits, axis=axis
    )


def binary_crossentropy(
    y_true: TensorLike,
    y_pred: TensorLike,
    from_logits: bool = False,
    label_smoothing: TensorLike = 0,
) -> Any:
    """Returns the mean binary cross entropy over elements.

    Args:
      y_true: 0, 1 or probabilities.
      y_pred: probabilities, or logits with `from_logits`.
      label_smoothing: amount by which targets are moved towards 0.5.
    """
    y_true, y_pred = _operands(y_true, y_pred)
    y_true = _smooth(
        y_true, label_smoothing, lambda smoothing: y_true * (1.0 - smoothing) + 0.5 * smoothing
    )
    return mean(crossentropy.binary_crossentropy(y_true, y_pred, from_logits=from_logits), axis=-1)


def kullback_leibler_divergence(y_true: Any, y_pred: Any) -> Any:
    """Returns sum(y_true * log(y_true / y_pred))."""
    y_true, y_pred = _operands(y_true, y_pred)
    y_true = clip(y_true, epsilon(), 1)
    y_pred = clip(y_pred, epsilon(), 1)
    return ops.reduce_sum(y_true * ops.log(y_true / y_pred), axis=-1)


def poisson(y_true: Any, y_pred: Any) -> Any:
    """Returns mean(y_pred - y_true * log(y_pred))."""
    y_true, y_pred = _operands(y_true, y_pred)
    return mean(y_pred - y_true * ops.log(y_pred + epsilon()), axis=-1)


def cosine_proximity(y_true: TensorLike, y_pred: TensorLike, axis: int = -1) -> Any:
    """Returns the cosine similarity of vectors along `axis`."""
    y_true = ops.l2_normalize(y_true, axis=axis)
    y_pred = ops.l2_normalize(y_pred, axis=axis)
    return ops.reduce_sum(y_true * y_pred, axis=axis)


mse = MSE = mean_squared_error
mae = MAE = mean_absolute_error
mape = MAPE = mean_absolute_percentage_error
msle = MSLE = mean_squared_logarithmic_error
kld = KLD = kullback_leibler_divergence
cosine = cosine_similarity = cosine_proximity
