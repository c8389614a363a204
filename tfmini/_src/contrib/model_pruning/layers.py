"""Functions that make masked layers, as those of `tf.contrib.layers`."""

from __future__ import annotations

from typing import Any

from tfmini._src.contrib.framework.arg_scope import add_arg_scope
from tfmini._src.contrib.layers.initializers import xavier_initializer
from tfmini._src.contrib.layers.layer_builder import (
    RENAMED,
    add_variable,
    finished,
    variable_getter,
)
from tfmini._src.contrib.model_pruning.masked_layers import MaskedConv2D, MaskedFullyConnected
from tfmini._src.ops import ops
from tfmini._src.ops.nn.activations import relu
from tfmini._src.variables.initializers import Zeros
from tfmini._src.variables.variable_scope import variable_scope

_XAVIER, _ZEROS = xavier_initializer(), Zeros()
_FORMATS = (None, "NWC", "NCW", "NHWC", "NCHW", "NDHWC", "NCDHW")


@add_arg_scope
def masked_convolution(
    inputs: Any,
    num_outputs: int,
    kernel_size: Any,
    stride: Any = 1,
    padding: str = "SAME",
    data_format: str | None = None,
    rate: Any = 1,
    activation_fn: Any = relu,
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
    """`tf.contrib.layers.conv2d` with weights that `Pruning` masks; the arguments are the same.

    Returns:
      [batch, rows, columns, num_outputs] for images [batch, rows, columns, channels] (or "NCHW").

    Raises:
      ValueError: for another format, or inputs that are no images.

    Example:
      net = tf.contrib.model_pruning.masked_conv2d(images, 64, [3, 3], scope="conv1")
    """
    if data_format not in _FORMATS:
        raise ValueError(f"Invalid data_format: {data_format!r}")
    getter = variable_getter(RENAMED)
    with variable_scope(scope, "Conv", [inputs], reuse=reuse, custom_getter=getter) as sc:
        inputs = ops.convert_to_tensor(inputs)
        rank = inputs.get_shape().ndims
        if rank != 4:
            raise ValueError("Sparse Convolution not supported for input with rank", rank)
        if data_format not in (None, "NHWC", "NCHW"):
            raise ValueError("Unsupported data format", data_format)
        layer = MaskedConv2D(
            filters=num_outputs,
            kernel_size=kernel_size,
            strides=stride,
            padding=padding,
            data_format="channels_first" if data_format == "NCHW" else "channels_last",
            dilation_rate=rate,
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
        if layer.use_bias:
            add_variable(layer.bias, variables_collections, "biases")
        return finished(
            *(outputs, sc.original_name_scope, activation_fn, outputs_collections),
            *(normalizer_fn, normalizer_params),
        )


masked_conv2d = masked_convolution


@add_arg_scope
def masked_fully_connected(
    inputs: Any,
    num_outputs: int,
    activation_fn: Any = relu,
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
    """`tf.contrib.layers.fully_connected` with weights that `Pruning` masks; the arguments are the same.

    Returns:
      [..., num_outputs] for inputs [..., depth].

    Raises:
      ValueError: if `num_outputs` is no integer, or the depth is not known.
    """
    if not isinstance(num_outputs, int):
        raise ValueError(f"num_outputs should be int or long, got {num_outputs}.")
    getter = variable_getter(RENAMED)
    with variable_scope(
        scope, "fully_connected", [inputs], reuse=reuse, custom_getter=getter
    ) as sc:
        inputs = ops.convert_to_tensor(inputs)
        layer = MaskedFullyConnected(
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
            *(outputs, sc.original_name_scope, activation_fn, outputs_collections),
            *(normalizer_fn, normalizer_params),
        )
