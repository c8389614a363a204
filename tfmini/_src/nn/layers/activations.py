"""Activation functions, with lookup by name."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tfmini._src.graph.tensor import Tensor, TensorLike
from tfmini._src.nn.layers.backend.config import floatx
from tfmini._src.nn.layers.deserialize import Identifier, deserialize_object, resolve, to_config
from tfmini._src.ops import ops
from tfmini._src.variables.variable import Variable


def linear(x: TensorLike) -> Any:
    """Returns `x` unchanged."""
    return x


def softmax(x: Tensor | Variable, axis: int = -1) -> Any:
    """Computes probabilities along the last axis, for tensors of rank 2 or more."""
    rank = x.shape.ndims
    if rank == 2:
        return ops.softmax(x)
    if rank is None or rank < 2:
        raise ValueError(f"Cannot apply softmax to a tensor that is 1D. Received input: {x}")
    e = ops.exp(x - ops.reduce_max(x, axis=axis, keepdims=True))
    return e / ops.reduce_sum(e, axis=axis, keepdims=True)


def elu(x: Any, alpha: float = 1.0) -> Any:
    """Exponential linear unit: x where positive, else alpha * (exp(x) - 1)."""
    result = ops.elu(x)
    return result if alpha == 1 else ops.where(x > 0, result, alpha * result)


def selu(x: TensorLike) -> Any:
    """Scaled `elu`, which preserves mean 0 and variance 1."""
    alpha, scale = 1.6732632423543772848170429916717, 1.0507009873554804934193349852946
    return scale * elu(x, alpha)


def relu(
    x: Tensor | Variable, alpha: float = 0.0, max_value: float | None = None, threshold: float = 0
) -> Any:
    """Rectified linear unit: x above `threshold`, at most `max_value`; below, alpha * (x - threshold)."""
    negative = None
    if alpha != 0.0:
        if max_value is None and threshold == 0:
            return ops.leaky_relu(x, alpha=alpha)
        negative = ops.relu(-x + threshold if threshold != 0 else -x)
    clipped = max_value is not None
    if threshold != 0:
        x = x * ops.cast(ops.greater(x, threshold), floatx())
    elif max_value == 6:
        x = ops.relu6(x)
        clipped = False
    else:
        x = ops.relu(x)
    if clipped:
        base_dtype = x.dtype.base_dtype
        high = ops.constant(max_value, dtype=base_dtype)
        x = ops.clip_by_value(x, ops.constant(0.0, dtype=base_dtype), high)
    if negative is not None:
        x -= ops.convert_to_tensor(alpha, dtype=x.dtype.base_dtype) * negative
    return x


def softplus(x: TensorLike) -> Any:
    """Returns log(1 + exp(x))."""
    return ops.softplus(x)


def softsign(x: TensorLike) -> Any:
    """Returns x / (1 + |x|)."""
    return ops.softsign(x)


def tanh(x: TensorLike) -> Any:
    """Returns the hyperbolic tangent."""
    return ops.tanh(x)


def sigmoid(x: TensorLike) -> Any:
    """Returns 1 / (1 + exp(-x))."""
    return ops.sigmoid(x)


def exponential(x: TensorLike) -> Any:
    """Returns e to the power of x."""
    return ops.exp(x)


def hard_sigmoid(x: Tensor | Variable) -> Any:
    """Piecewise linear approximation of `sigmoid`: 0.2 * x + 0.5, clipped to [0, 1]."""
    dtype = x.dtype.base_dtype
    slope, offset = ops.constant(0.2, dtype=dtype), ops.constant(0.5, dtype=dtype)
    return ops.clip_by_value(ops.add(ops.multiply(x, slope), offset), 0.0, 1.0)


ACTIVATIONS: dict[str, Callable] = {
    function.__name__: function
    for function in (
        *(elu, exponential, hard_sigmoid, linear, relu, selu),
        *(sigmoid, softmax, softplus, softsign, tanh),
    )
}


def find_activation(identifier: Identifier) -> Any:
    """Returns the activation called `activation`, `linear` for None; functions are returned unchanged.

    Raises:
      ValueError: for an unknown name.
      TypeError: for an unsupported type.
    """
    if identifier is None:
        return linear
    if isinstance(identifier, dict):
        return resolve(identifier, {}, "activation")
    if not isinstance(identifier, str) and not callable(identifier):
        raise TypeError(f"Could not interpret activation function identifier: {identifier!r}")
    return resolve(identifier, ACTIVATIONS, "activation function")


def serialize(activation: str | Callable[..., Any] | None) -> Any:
    """Returns the name of an activation."""
    name = to_config(activation)
    return "softmax" if name == "softmax_v2" else name  # tf.compat.v2.nn.softmax


def deserialize(name: Identifier, custom_objects: dict[str, Any] | None = None) -> Any:
    """Returns the activation with this name.

    Args:
      name: the name.
      custom_objects: additional objects by name.
    """
    return deserialize_object(name, ACTIVATIONS, custom_objects, "activation function")


get = find_activation
