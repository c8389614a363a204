"""Linear and logistic regression as functions from features and labels to predictions and a loss."""

from __future__ import annotations

from typing import Any

from tfmini._src.base.names.deprecation import deprecated
from tfmini._src.contrib.learn.ops.outputs import mean_squared_error_regressor, softmax_classifier
from tfmini._src.graph.default_graph import get_default_graph
from tfmini._src.graph.tensor import Tensor, TensorLike
from tfmini._src.ops.summaries.scalar_histogram_summary import histogram
from tfmini._src.variables.get_variable import get_variable, get_variable_scope
from tfmini._src.variables.initializers import RandomNormal
from tfmini._src.variables.variable_scope import variable_scope


@deprecated(None, "Consider using a tf.estimator.LinearRegressor")
def linear_regression_zero_init(x: Tensor, y: Tensor) -> tuple[Tensor, Tensor]:
    """Calls `linear_regression` with weights initialized to 0."""
    return linear_regression(x, y, init_mean=0.0, init_stddev=0.0)


@deprecated(None, "Consider using a class from tf.estimator.LinearClassifier")
def logistic_regression_zero_init(x: Tensor, y: Tensor) -> tuple[Tensor, Tensor]:
    """Calls `logistic_regression` with weights initialized to 0."""
    return logistic_regression(x, y, init_mean=0.0, init_stddev=0.0)


@deprecated(None, "Consider using a class from tf.estimator.")
def linear_regression(
    x: Tensor, y: Tensor, init_mean: float | None = None, init_stddev: float = 1.0
) -> tuple[Tensor, Tensor]:
    """Returns a linear layer's predictions, and their mean squared error.

    Args:
      x: floats [batch, features].
      y: labels, [batch] or [batch, outputs].
      init_mean: mean of normally distributed initial weights; None for the default initializer.
      init_stddev: their standard deviation.

    Returns:
      (predictions with the shape of `y`, scalar loss).

    Example: `predictions, loss = tf.contrib.learn.models.linear_regression(x, y)`.
    """
    with variable_scope("linear_regression"):
        size = 1 if len(y.get_shape()) == 1 else y.get_shape()[1]
        weights, bias = _create_weights(x, y, size, init_mean, init_stddev)
        return mean_squared_error_regressor(x, y, weights, bias)


@deprecated(None, "Consider using a class from tf.estimator.")
def logistic_regression(
    x: Tensor,
    y: Tensor,
    class_weight: TensorLike | None = None,
    init_mean: float | None = None,
    init_stddev: float = 1.0,
) -> tuple[Tensor, Tensor]:
    """Returns the softmax of a linear layer, and its cross entropy.

    Args:
      x: floats [batch, features].
      y: one-hot labels, [batch, classes].
      class_weight: factors for logits, [classes]; by default the graph's tensor "class_weight:0", if any.
      init_mean: mean of normally distributed initial weights; None for the default initializer.
      init_stddev: their standard deviation.

    Returns:
      (probabilities [batch, classes], scalar loss).

    Example: `probabilities, loss = tf.contrib.learn.models.logistic_regression(x, y)`.
    """
    with variable_scope("logistic_regression"):
        weights, bias = _create_weights(x, y, y.get_shape()[-1], init_mean, init_stddev)
        if not class_weight:
            try:
                class_weight = get_default_graph().get_tensor_by_name("class_weight:0")
            except KeyError:
                class_weight = None
        return softmax_classifier(x, y, weights, bias, class_weight)


def _create_weights(x: Tensor, y: Tensor, size: Any, mean: float | None, deviation: float) -> tuple:
    """Creates weights [features, size] and a bias [size]; adds summaries of them, the features and the labels."""
    scope = get_variable_scope().name
    histogram(f"{scope}.x", x)
    histogram(f"{scope}.y", y)
    dtype = x.dtype.base_dtype

    def first() -> Any:
        return None if mean is None else RandomNormal(mean, deviation, dtype=dtype)

    weights = get_variable("weights", [x.get_shape()[1], size], dtype=dtype, initializer=first())
    bias = get_variable("bias", [size], dtype=dtype, initializer=first())
    histogram(f"{scope}.weights", weights)
    histogram(f"{scope}.bias", bias)
    return weights, bias
