"""Dense layers that predate `fully_connected`, with different arguments and collections."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import Any

from tfmini._src.contrib.layers.initializers import xavier_initializer
from tfmini._src.graph.collections import add_to_collections
from tfmini._src.graph.graph_keys import GraphKeys
from tfmini._src.graph.tensor import Tensor, TensorLike
from tfmini._src.ops import ops
from tfmini._src.ops.nn.activations import relu
from tfmini._src.variables.get_variable import get_variable
from tfmini._src.variables.initializers import Zeros
from tfmini._src.variables.variable_scope import variable_scope

_XAVIER, _ZEROS = xavier_initializer(), Zeros()


def legacy_fully_connected(
    x: TensorLike,
    num_output_units: int,
    activation_fn: Callable[..., Any] | None = None,
    weight_init: Callable[..., Any] = _XAVIER,
    bias_init: Callable[..., Any] = _ZEROS,
    name: str | None = None,
    weight_collections: str | Sequence[str] | None = (GraphKeys.WEIGHTS,),
    bias_collections: str | Sequence[str] = (GraphKeys.BIASES,),
    output_collections: str | Sequence[str] = (GraphKeys.ACTIVATIONS,),
    trainable: bool = True,
    weight_regularizer: Callable[..., Any] | None = None,
    bias_regularizer: str | Callable[..., Any] | None = None,
) -> Tensor:
    """Returns activation_fn(x * weights + bias) along the last axis.

    Args:
      x: [..., inputs] floats, of known rank and number of inputs.
      num_output_units: number of outputs.
      activation_fn: a function of a tensor, or None.
      weight_init, bias_init: initializers; None for no bias.
      name: variable scope name, by default "fully_connected".
      weight_collections, bias_collections: additional collections of the variables.
      output_collections: collections of the result, in addition to ACTIVATIONS.
      trainable: whether the variables are trainable.
      weight_regularizer, bias_regularizer: functions of a variable, for the collection REGULARIZATION_LOSSES.

    Returns:
      [..., num_output_units].

    Raises:
      ValueError: for an unknown rank, a rank below 2, or an unknown number of inputs.

    Example:
      y = tf.contrib.layers.legacy_fully_connected(x, 10, activation_fn=tf.nn.relu)
    """
    with variable_scope(name, "fully_connected", [x]):
        x = ops.convert_to_tensor(x)
        dims = x.shape.dims
        if dims is None:
            raise ValueError("dims of x must be known but is None")
        if len(dims) < 2:
            raise ValueError(f"rank of x must be at least 2 not: {len(dims)}")
        inputs = dims[-1].value
        if inputs is None:
            raise ValueError("last dimension of x must be known but is None")

        def variable(name: str, shape: list, initializer: Any, keys: Any, regularizer: Any) -> Any:
            return get_variable(
                name,
                shape=shape,
                dtype=x.dtype.base_dtype,
                initializer=initializer,
                collections={*(keys or ()), GraphKeys.GLOBAL_VARIABLES},
                regularizer=regularizer,
                trainable=trainable,
            )

        sizes = [inputs, num_output_units]
        weights = variable("weights", sizes, weight_init, weight_collections, weight_regularizer)
        rows = x if len(dims) <= 2 else ops.reshape(x, [-1, inputs])
        y = ops.matmul(rows, weights)
        if bias_init is not None:
            keys = bias_collections, bias_regularizer
            y = ops.bias_add(y, variable("bias", [num_output_units], bias_init, *keys))
        if len(dims) > 2:
            shape: list[Any] = ops.unstack(ops.shape(x))
            shape[-1] = num_output_units
            y = ops.reshape(y, ops.stack(shape))
            y.set_shape([*x.shape.as_list()[:-1], num_output_units])
        if activation_fn is not None:
            y = activation_fn(y)
        add_to_collections([*(output_collections or ()), GraphKeys.ACTIVATIONS], y)
        return y


legacy_linear = functools.partial(legacy_fully_connected, activation_fn=None)
legacy_relu = functools.partial(legacy_fully_connected, activation_fn=relu)
