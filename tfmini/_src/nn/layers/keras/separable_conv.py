"""Separable convolutions: a depthwise convolution followed by a pointwise one that mixes the channels."""

from __future__ import annotations

from typing import Any

from tfmini._src.base.names.signature import arguments_of, change_defaults, hide_arguments
from tfmini._src.base.shapes import TensorShape
from tfmini._src.base.shapes.tensor_shape import ShapeLike
from tfmini._src.graph.tensor import Tensor
from tfmini._src.nn.layers.keras.conv import Conv
from tfmini._src.nn.layers.layer_arguments import set_objects
from tfmini._src.nn.layers.windows.conv_output_length import convert_data_format
from tfmini._src.ops import ops

_STAGES = ("depthwise", "pointwise")


class SeparableConv(Conv):
    """Base class of separable convolutions: activation(pointwise(depthwise(inputs)) + bias).

    The weights are `depthwise_kernel`: [sizes ..., channels, depth_multiplier], `pointwise_kernel`:
    [1 ..., channels * depth_multiplier, filters], and `bias`: [filters].

    Args:
      strides: filter strides, equal along all axes.
      padding: "valid" or "same".
      depth_multiplier: number of filters per input channel.
      depthwise_initializer, pointwise_initializer, bias_initializer: initializers or their names.
      depthwise_regularizer, pointwise_regularizer, bias_regularizer: functions from a weight to a loss.
      depthwise_constraint, pointwise_constraint, bias_constraint: functions applied after each update.
      Other arguments are as in `Conv2D`.

    Raises:
      ValueError: for inconsistent arguments; when called, for inputs of the wrong rank or of unknown channel count.
    """

    _in_config = (
        *Conv._in_config,
        "depth_multiplier",
        *(
            f"{part}_{setting}"
            for setting in ("initializer", "regularizer", "constraint")
            for part in ("depthwise", "pointwise")
        ),
    )

    @arguments_of(Conv, "kernel_initializer", "kernel_regularizer", "kernel_constraint")
    def __init__(
        self,
        dilation_rate: Any = 1,
        depth_multiplier: int = 1,
        use_bias: bool = True,
        depthwise_initializer: Any = "glorot_uniform",
        pointwise_initializer: Any = "glorot_uniform",
        bias_initializer: Any = "zeros",
        depthwise_regularizer: Any = None,
        pointwise_regularizer: Any = None,
        activity_regularizer: Any = None,
        depthwise_constraint: Any = None,
        pointwise_constraint: Any = None,
        **arguments: Any,
    ):
        kwargs = arguments.pop("kwargs")
        kwargs.setdefault("kernel_initializer", "glorot_uniform")  # visible in the configuration
        super().__init__(
            dilation_rate=dilation_rate,
            use_bias=use_bias,
            bias_initializer=bias_initializer,
            activity_regularizer=activity_regularizer,
            **arguments,
            **kwargs,
        )
        self.depth_multiplier = depth_multiplier
        set_objects(self, locals())

    def build(self, input_shape: ShapeLike) -> None:
        """Creates the kernels and the bias for inputs of this shape."""
        depth = self._depth(TensorShape(input_shape))
        self._restrict_inputs(depth)
        depthwise_shape = (*self.kernel_size, depth, self.depth_multiplier)
        pointwise_shape = (*(1,) * self._spatial_rank, self.depth_multiplier * depth, self.filters)
        self.depthwise_kernel = self._add_role_weight(
            "depthwise", depthwise_shape, "depthwise_kernel", dtype=self.dtype
        )
        self.pointwise_kernel = self._add_role_weight(
            "pointwise", pointwise_shape, "pointwise_kernel", dtype=self.dtype
        )
        self.bias = (
            self._add_role_weight("bias", (self.filters,), dtype=self.dtype)
            if self.use_bias
            else None
        )
        self.built = True

    def _convolve(self, x: Any, kernels: tuple, strides: tuple, padding: str, rate: tuple) -> Any:
        """Convolves images and adds the bias."""
        order = convert_data_format(self.data_format, ndim=4)
        full_strides = (1, *strides, 1) if order == "NHWC" else (1, 1, *strides)
        depthwise, pointwise = kernels
        outputs = ops.separable_conv2d(
            x, depthwise, pointwise, full_strides, padding.upper(), rate=rate, data_format=order
        )
        return ops.bias_add(outputs, self.bias, data_format=order) if self.use_bias else outputs


@hide_arguments("trainable", "name")
class SeparableConv1D(SeparableConv):
    __doc__ = f"Separable convolution of sequences.\n\n    {SeparableConv.__doc__}"
    _spatial_rank = 1

    def call(self, inputs: Tensor) -> Any:
        """Returns activation(pointwise(depthwise(inputs)) + bias), treating sequences as single-row images."""
        if self.padding == "causal":
            inputs = ops.pad(inputs, self._causal_padding())
        axis = 1 if self.data_format == "channels_last" else 2
        images = ops.expand_dims(inputs, axis)
        depthwise = ops.expand_dims(self.depthwise_kernel, 0)
        kernels = depthwise, ops.expand_dims(self.pointwise_kernel, 0)
        padding = "valid" if self.padding == "causal" else self.padding
        rate = (1, *self.dilation_rate)
        outputs = self._convolve(images, kernels, self.strides * 2, padding, rate)
        outputs = ops.squeeze(outputs, [axis])
        return outputs if self.activation is None else self.activation(outputs)


@hide_arguments("trainable", "name")
@change_defaults(strides=(1, 1), dilation_rate=(1, 1))
class SeparableConv2D(SeparableConv):
    __doc__ = f"Separable convolution of images.\n\n    {SeparableConv.__doc__}"
    _spatial_rank = 2

    def call(self, inputs: Tensor) -> Any:
        """Returns activation(pointwise(depthwise(inputs)) + bias)."""
        kernels = self.depthwise_kernel, self.pointwise_kernel
        outputs = self._convolve(inputs, kernels, self.strides, self.padding, self.dilation_rate)
        return outputs if self.activation is None else self.activation(outputs)
