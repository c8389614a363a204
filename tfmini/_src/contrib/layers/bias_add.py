"""`tf.contrib.layers.bias_add`: a layer with biases only."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from tfmini._src.contrib.framework.arg_scope import add_arg_scope
from tfmini._src.contrib.layers.layer_builder import (
    check_format,
    finish_outputs,
    layer_variable,
)
from tfmini._src.graph.tensor import TensorLike
from tfmini._src.ops import ops
from tfmini._src.variables.get_variable import VariableScope
from tfmini._src.variables.initializers import Zeros
from tfmini._src.variables.variable_scope import variable_scope

_ZEROS = Zeros()


@add_arg_scope
def bias_add(
    inputs: TensorLike,
    activation_fn: Callable[..., Any] | None = None,
    initializer: str | Callable[..., Any] | None = _ZEROS,
    regularizer: str | Callable[..., Any] | None = None,
    reuse: bool | None = None,
    variables_collections: str | Sequence[str] | None = None,
    outputs_collections: Sequence[str] | None = None,
    trainable: bool = True,
    data_format: str = "NHWC",
    scope: str | VariableScope | None = None,
) -> Any:
    """Returns activation(inputs + biases), with one bias per channel.

    Args:
      inputs: [..., channels], floats ([batch, channels, rows, columns] with "NCHW").
      activation_fn, reuse, data_format, scope: as in `batch_norm`.
      initializer, regularizer: initializer and regularizer of the biases.
      variables_collections, outputs_collections: keys of collections.
      trainable: whether the biases are trainable.

    Raises:
      ValueError: for any other format, or if the number of channels is unknown.
    """
    check_format(data_format)
    with variable_scope(scope, "BiasAdd", [inputs], reuse=reuse) as sc:
        inputs = ops.convert_to_tensor(inputs)
        shape = inputs.shape
        if shape.ndims is None:
            raise ValueError("Dims of shape must be known but is None")
        if shape.ndims != 4 and data_format == "NCHW":
            raise ValueError("Data format NCHW only supports 4D Tensor")
        channels = shape.dims[1 if data_format == "NCHW" else -1].value
        if channels is None:
            raise ValueError("`C` dimension must be known but is None")
        biases = layer_variable(
            *("biases", [channels], inputs.dtype.base_dtype, initializer),
            *(variables_collections, trainable),
            regularizer=regularizer,
        )
        outputs = ops.bias_add(inputs, biases, data_format=data_format)
        return finish_outputs(outputs, sc.name, activation_fn, outputs_collections)
