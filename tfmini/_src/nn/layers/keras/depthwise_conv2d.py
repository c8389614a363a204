"""`DepthwiseConv2D`: convolution with separate filters for each channel."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tfmini._src.base.names.signature import arguments_of
from tfmini._src.base.shapes import TensorShape
from tfmini._src.nn.layers.backend.spatial_functions import bias_add, op_padding
from tfmini._src.nn.layers.input_spec import InputSpec
from tfmini._src.nn.layers.keras.conv import Conv, Conv2D
from tfmini._src.nn.layers.layer_arguments import set_objects
from tfmini._src.nn.layers.windows.channels_first import images_for, images_from
from tfmini._src.nn.layers.windows.window_arguments import spatial_axes, window_count
from tfmini._src.ops import ops

if TYPE_CHECKING:
    from tfmini._src.base.shapes.tensor_shape import ShapeLike
    from tfmini._src.graph.tensor import Tensor
    from tfmini._src.nn.layers.deserialize import Identifier


_KERNEL_ARGUMENTS = ("filters", "kernel_initializer", "kernel_regularizer", "kernel_constraint")


class DepthwiseConv2D(Conv2D):
    """Depthwise convolution of images, in which each channel has `depth_multiplier` filters.

    The weights are `depthwise_kernel`: [rows, columns, channels, depth_multiplier], and `bias`.

    Args:
      kernel_size: filter sizes, a number for both axes or one per axis.
      strides, data_format, activation, use_bias, activity_regularizer: as in `Conv2D`.
      padding: "valid" or "same".
      depth_multiplier: number of filters per input channel.
      depthwise_initializer, bias_initializer: initializers or their names.
      depthwise_regularizer, bias_regularizer: functions from a weight to a loss.
      depthwise_constraint, bias_constraint: functions applied after each update.

    Raises:
      ValueError: for inconsistent arguments; when called, for inputs other than images with a known number of channels.
    """

    _in_config = (
        *(name for name in Conv2D._in_config if name not in _KERNEL_ARGUMENTS),
        *("depth_multiplier", "depthwise_initializer", "depthwise_regularizer"),
        "depthwise_constraint",
    )

    @arguments_of(
        Conv,
        *("filters", "dilation_rate", "trainable", "name"),
        *("kernel_initializer", "kernel_regularizer", "kernel_constraint"),
        strides=(1, 1),
    )
    def __init__(
        self,
        padding: str = "valid",
        depth_multiplier: int = 1,
        use_bias: bool = True,
        depthwise_initializer: Identifier | None = "glorot_uniform",
        bias_initializer: Identifier | None = "zeros",
        depthwise_regularizer: Any = None,
        activity_regularizer: Identifier | None = None,
        depthwise_constraint: Any = None,
        *,
        kwargs: dict[str, Any],
        **arguments: Any,
    ):
        super().__init__(
            filters=None,  # type: ignore[arg-type]  # determined by the inputs
            padding=padding,
            use_bias=use_bias,
            bias_initializer=bias_initializer,
            activity_regularizer=activity_regularizer,
            **arguments,
            **kwargs,
        )
        self.depth_multiplier = depth_multiplier
        set_objects(self, locals())

    @property
    def _channels(self) -> int:
        return 1 if self.data_format == "channels_first" else 3

    def build(self, input_shape: ShapeLike) -> None:
        """Creates the kernel and bias for inputs of this shape."""
        shape = TensorShape(input_shape)
        if len(shape) < 4:
            raise ValueError(
                "Inputs to `DepthwiseConv2D` should have rank 4. Received input shape:",
                str(input_shape),
            )
        depth = shape.as_list()[self._channels]
        if depth is None:
            raise ValueError(
                "The channel dimension of the inputs to `DepthwiseConv2D` should be defined. Found "
                "`None`."
            )
        sizes = (*self.kernel_size, depth, self.depth_multiplier)
        self.depthwise_kernel = self._add_role_weight("depthwise", sizes, "depthwise_kernel")
        count = depth * self.depth_multiplier
        self.bias = self._add_role_weight("bias", (count,)) if self.use_bias else None
        self.input_spec = InputSpec(ndim=4, axes={self._channels: depth})
        self.built = True

    def call(self, inputs: Tensor) -> Any:
        """Returns activation(convolution of each channel + bias)."""
        images, order = images_for(inputs, self.data_format)
        strides = (1, *self.strides, 1) if order == "NHWC" else (1, 1, *self.strides)
        outputs = ops.depthwise_conv2d(
            images,
            self.depthwise_kernel,
            strides=strides,
            padding=op_padding(self.padding),
            rate=self.dilation_rate,
            data_format=order,
        )
        outputs = images_from(outputs, order, self.data_format)
        if self.use_bias:
            outputs = bias_add(outputs, self.bias, data_format=self.data_format)
        return outputs if self.activation is None else self.activation(outputs)

    def compute_output_shape(self, input_shape: ShapeLike) -> TensorShape:
        """Returns the shape of the outputs for inputs of this shape."""
        shape = tuple(TensorShape(input_shape).as_list())
        windows = zip(spatial_axes(self.data_format, 2), self.kernel_size, self.strides)
        lengths = [window_count(shape[a], size, self.padding, step) for a, size, step in windows]
        count = shape[self._channels] * self.depth_multiplier
        if self.data_format == "channels_first":
            return TensorShape([shape[0], count, *lengths])
        return TensorShape([shape[0], *lengths, count])
