"""Fully connected layers of `tf.contrib.layers`."""

from __future__ import annotations

import functools
from typing import Any

from tfmini._src.contrib.framework.arg_scope import add_arg_scope
from tfmini._src.contrib.layers.initializers import xavier_initializer
from tfmini._src.contrib.layers.layer_builder import (
    RENAMED,
    add_variable,
    finished,
    variable_getter,
)
from tfmini._src.nn.layers.dense import Dense
from tfmini._src.ops import ops
from tfmini._src.ops.nn import activations
from tfmini._src.ops.nn.activations import relu as relu_of
from tfmini._src.variables.initializers import Zeros
from tfmini._src.variables.variable_scope import variable_scope

_XAVIER, _ZEROS = xavier_initializer(), Zeros()


@add_arg_scope
def fully_connected(
    inputs: Any,
    num_outputs: int,
    activation_fn: Any = relu_of,
    normalizer_fn: Any = None,
    normalizer_params: Any = None,
    weights_initializer: Any = _XAVIER,
    weights_regularizer: Any = None,
    biases_initializer: Any = _ZEROS,
    biases_regularizer: Any = None,
    reuse: Any = None,
    variables_collections: Any = None,
    outputs_collections: Any = None,
    trainable: bool = True,
    scope: Any = None,
) -> Any:
    """activation(normalizer(inputs @ weights + biases)).

    Args:
      inputs: [..., depth], floats.
      num_outputs: the size of the outputs' last axis.
      activation_fn: a function applied last; None for none.
      normalizer_fn: a function in place of biases, such as `batch_norm`, and
      normalizer_params: a dict of its arguments.
      weights_initializer, biases_initializer: initializers; None for no biases.
      weights_regularizer, biases_regularizer: functions from a weight to a loss.
      reuse: whether to use the variables of that scope.
      variables_collections: keys of collections for all variables, or a dict of keys by name.
      outputs_collections: keys of collections for the outputs.
      trainable: whether the weights are trained.
      scope: the variable scope's name.

    Returns:
      [..., num_outputs], a tensor of the same dtype.

    Raises:
      ValueError: if `num_outputs` is no integer, or the depth is not known.

    Example:
      net = slim.fully_connected(slim.flatten(net), 4096, scope="fc6")
    """
    if not isinstance(num_outputs, int):
        raise ValueError(f"num_outputs type should be one of {[int]}, got {type(num_outputs)}.")
    getter = variable_getter(RENAMED)
    with variable_scope(
        scope, "fully_connected", [inputs], reuse=reuse, custom_getter=getter
    ) as sc:
        inputs = ops.convert_to_tensor(inputs)
        layer = Dense(
            units=num_outputs,
            use_bias=not normalizer_fn and biases_initializer,
            kernel_initializer=weights_initializer,
            bias_initializer=biases_initializer,
            kernel_regularizer=weights_regularizer,
            bias_regularizer=biases_regularizer,
            trainable=trainable,
            name=sc.name,
            dtype=inputs.dtype.base_dtype,
            _scope=sc,
            _reuse=reuse,
        )
        outputs = layer.apply(inputs)
        add_variable(layer.kernel, variables_collections, "weights")
        if layer.bias is not None:
            add_variable(layer.bias, variables_collections, "biases")
        return finished(
            *(outputs, sc.name, activation_fn, outputs_collections),
            *(normalizer_fn, normalizer_params),
        )


elu = functools.partial(fully_connected, activation_fn=activations.elu)
relu = functools.partial(fully_connected, activation_fn=activations.relu)
relu6 = functools.partial(fully_connected, activation_fn=activations.relu6)
linear = functools.partial(fully_connected, activation_fn=None)
