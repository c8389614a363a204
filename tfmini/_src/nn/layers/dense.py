"""`tf.layers.Dense` and `tf.layers.dense`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tfmini._src.base.names.signature import change_defaults
from tfmini._src.graph.tensor import Tensor, TensorLike
from tfmini._src.nn.layers.base import Layer
from tfmini._src.nn.layers.keras import dense as core
from tfmini._src.nn.layers.layer_function import arguments, layer_function
from tfmini._src.variables.initializers import Zeros

_ZEROS = Zeros()


@change_defaults(kernel_initializer=None, bias_initializer=_ZEROS)
class Dense(core.Dense, Layer):
    pass


@layer_function(Dense, "Use keras.layers.Dense instead.")
def dense(
    inputs: TensorLike,
    units: int,
    activation: str | Callable[..., Any] | None = None,
    use_bias: bool = True,
    kernel_initializer: str | Callable[..., Any] | None = None,
    bias_initializer: str | Callable[..., Any] | None = _ZEROS,
    kernel_regularizer: str | Callable[..., Any] | None = None,
    bias_regularizer: str | Callable[..., Any] | None = None,
    activity_regularizer: str | Callable[..., Any] | None = None,
    kernel_constraint: str | Callable[..., Any] | None = None,
    bias_constraint: str | Callable[..., Any] | None = None,
    trainable: bool = True,
    name: str | None = None,
    reuse: bool | None = None,
) -> Tensor:
    return arguments(locals())
