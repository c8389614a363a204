"""Fully connected layers of `tf.contrib.layers`."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import Any

from tfmini._src.contrib.framework.arg_scope import add_arg_scope
from tfmini._src.contrib.layers.initializers import xavier_initializer
from tfmini._src.contrib.layers.layer_builder import apply_layer
from tfmini._src.graph.tensor import TensorLike
from tfmini._src.nn.layers.dense import Dense
from tfmini._src.ops.nn import activations
from tfmini._src.ops.nn.activations import relu as relu_of
from tfmini._src.variables.get_variable import VariableScope
from tfmini._src.variables.initializers import Zeros

_XAVIER, _ZEROS = xavier_initializer(), Zeros()


@add_arg_scope
def fully_connected(
    inputs: TensorLike,
    num_outputs: int,
    activation_fn: Callable[..., Any] | None = relu_of,
    normalizer_fn: Callable[..., Any] | None = None,
    normalizer_params: dict[str, Any] | None = None,
    weights_initializer: str | Callable[..., Any] | None = _XAVIER,
    weights_regularizer: str | Callable[..., Any] | None = None,
    biases_initializer: str | Callable[..., Any] | None = _ZEROS,
    biases_regularizer: str | Callable[..., Any] | None = None,
    reuse: bool | None = None,
    variables_collections: str | Sequence[str] | None = None,
    outputs_collections: Sequence[str] | None = None,
    trainable: bool = True,
    scope: str | VariableScope | None = None,
) -> Any:
    """Returns activation(normalizer(inputs @ weights + biases)).

    Args:
      inputs: [..., depth], floats.
      num_outputs: output size.
      Other arguments are as in `tf.contrib.layers.convolution`.

    Returns:
      [..., num_outputs], a tensor of the same dtype.

    Raises:
      ValueError: if `num_outputs` is not an integer, or the depth is unknown.

    Example:
      net = slim.fully_connected(slim.flatten(net), 4096, scope="fc6")
    """
    arguments = locals()
    if not isinstance(num_outputs, int):
        raise ValueError(f"num_outputs type should be one of {[int]}, got {type(num_outputs)}.")
    return apply_layer(lambda _: Dense, "fully_connected", **arguments)


elu = functools.partial(fully_connected, activation_fn=activations.elu)
relu = functools.partial(fully_connected, activation_fn=activations.relu)
relu6 = functools.partial(fully_connected, activation_fn=activations.relu6)
linear = functools.partial(fully_connected, activation_fn=None)
