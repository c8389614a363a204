"""Spatial layers: expected positions of features; images as sequences of columns, and back."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tfmini._src.base import dtypes
from tfmini._src.base.shapes import dimension_value
from tfmini._src.contrib.framework.arg_scope import add_arg_scope
from tfmini._src.contrib.framework.variables import model_variable
from tfmini._src.contrib.layers.named_outputs import (
    collect_named_outputs,
    get_variable_collections,
)
from tfmini._src.graph.scopes import name_scope
from tfmini._src.graph.tensor import Tensor
from tfmini._src.ops import ops
from tfmini._src.ops.nn.softmax import softmax
from tfmini._src.variables.initializers import Constant, Ones
from tfmini._src.variables.variable import Variable
from tfmini._src.variables.variable_scope import variable_scope

_FORMAT_ERROR = "data_format has to be either NCHW or NHWC."


@add_arg_scope
def spatial_softmax(
    features: Tensor | Variable,
    temperature: float | None = None,
    name: str | None = None,
    variables_collections: str | Sequence[str] | None = None,
    trainable: bool = True,
    data_format: str = "NHWC",
) -> Tensor:
    """Returns the expected position of each channel's features: mean coordinates weighted by a spatial softmax.

    Args:
      features: [batch, height, width, channels] float32, or with "NCHW" [batch, channels, height, width].
      temperature: initial value of the variable `temperature`, which divides features; 1 by default.
      name: variable scope name.
      variables_collections: additional collections of the variable, or a dict with the key "temperature".
      trainable: whether the variable is trainable.
      data_format: "NHWC" or "NCHW".

    Returns:
      [batch, 2 * channels]: the expected height and width position of each channel, from -1 to 1.

    Raises:
      ValueError: for any other format, or an unknown number of channels.

    Example:
      positions = tf.contrib.layers.spatial_softmax(maps)
    """
    with variable_scope(name, "spatial_softmax"):
        shape, static = ops.shape(features), features.shape
        if data_format == "NHWC":
            height, width, channels = shape[1], shape[2], static[3]
        elif data_format == "NCHW":
            channels, height, width = static[1], shape[2], shape[3]
        else:
            raise ValueError(_FORMAT_ERROR)
        count = dimension_value(channels)
        if count is None:
            text = "The num_channels dimension of the inputs to "
            raise ValueError(f"{text}`spatial_softmax` should be defined. Found `None`.")
        with name_scope("spatial_softmax_op", "spatial_softmax_op", [features]):
            axis_positions = [ops.linspace(-1.0, 1.0, num=size) for size in (height, width)]
            indices = ops.meshgrid(*axis_positions, indexing="ij")
            indices = [ops.reshape(coordinates, [height * width]) for coordinates in indices]
            collections = None
            if trainable:
                collections = get_variable_collections(variables_collections, "temperature")
            divisor = model_variable(
                "temperature",
                shape=(),
                dtype=dtypes.float32,
                initializer=Ones() if temperature is None else Constant(temperature),
                collections=collections,
                trainable=trainable,
            )
            if data_format == "NHWC":
                features = ops.transpose(features, [0, 3, 1, 2])
            attention = softmax(ops.reshape(features, [-1, height * width]) / divisor)
            means = [
                ops.reduce_sum(coordinates * attention, [1], keepdims=True)
                for coordinates in indices
            ]
            result = ops.reshape(ops.concat(means, 1), [-1, count * 2])
            result.set_shape([None, count * 2])
    return result


@add_arg_scope
def images_to_sequence(
    inputs: Tensor | Variable,
    data_format: str = "NHWC",
    outputs_collections: Any = None,
    scope: Any = None,
) -> Tensor:
    """Returns sequences of pixels, one per image row, with the columns as steps.

    Args:
      inputs: [batch, height, width, depth], or with "NCHW" [batch, depth, height, width]; width and depth static.
      data_format: "NHWC" or "NCHW".
      outputs_collections: keys of collections for the result.
      scope: scope name.

    Returns:
      [width, batch * height, depth].

    Raises:
      ValueError: for any other format.

    Example:
      steps = tf.contrib.layers.images_to_sequence(images)
    """
    if data_format not in ("NCHW", "NHWC"):
        raise ValueError(_FORMAT_ERROR)
    with name_scope(scope, "ImagesToSequence", [inputs]) as sc:
        inputs = ops.convert_to_tensor(inputs)
        if data_format == "NCHW":
            inputs = ops.transpose(inputs, [0, 2, 3, 1])
        _, _, width, depth = inputs.shape.as_list()
        shape = ops.shape(inputs)
        batch, height = shape[0], shape[1]
        transposed = ops.transpose(inputs, [2, 0, 1, 3])
        outputs = ops.reshape(transposed, [width, batch * height, depth])
        return collect_named_outputs(outputs_collections, sc, outputs)


@add_arg_scope
def sequence_to_images(
    inputs: Tensor | Variable,
    height: int,
    output_data_format: str = "channels_last",
    outputs_collections: Any = None,
    scope: Any = None,
) -> Tensor:
    """Converts sequences to images, the inverse of `images_to_sequence`.

    Args:
      inputs: [width, batch * height, depth]; width and depth static.
      height: height of the images.
      output_data_format: "channels_last" or "channels_first".
      outputs_collections: keys of collections for the result.
      scope: scope name.

    Returns:
      [batch, height, width, depth], or [batch, depth, height, width].

    Example:
      images = tf.contrib.layers.sequence_to_images(steps, height=28)
    """
    with name_scope(scope, "SequenceToImages", [inputs]) as sc:
        inputs = ops.convert_to_tensor(inputs)
        width, rows, depth = inputs.shape.as_list()
        batch = -1 if rows is None else rows // height
        images = ops.reshape(inputs, [width, batch, height, depth])
        order = [1, 3, 2, 0] if output_data_format == "channels_first" else [1, 2, 0, 3]
        return collect_named_outputs(outputs_collections, sc, ops.transpose(images, order))
