"""Convolution layers, whose learned filters slide along one, two or three axes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from tfmini._src.base.names.signature import change_defaults, hide_arguments
from tfmini._src.base.shapes import TensorShape
from tfmini._src.nn.layers.activations import find_activation
from tfmini._src.nn.layers.base_layer import Layer
from tfmini._src.nn.layers.input_spec import InputSpec
from tfmini._src.nn.layers.layer_arguments import KERNEL_AND_BIAS_ARGUMENTS, set_objects
from tfmini._src.nn.layers.windows.conv_output_length import (
    convert_data_format,
    normalize_padding,
    normalize_tuple,
)
from tfmini._src.nn.layers.windows.prepared_convolution import Convolution
from tfmini._src.nn.layers.windows.window_arguments import (
    channel_axis,
    resolve_data_format,
    spatial_axes,
    window_count,
)
from tfmini._src.ops import ops

if TYPE_CHECKING:
    from tfmini._src.base.shapes.tensor_shape import ShapeLike
    from tfmini._src.graph.tensor import Tensor
    from tfmini._src.nn.layers.deserialize import Identifier


class Conv(Layer):
    """Base class of convolution layers: activation(convolution(inputs, kernel) + bias), along `_spatial_rank` axes.

    Inputs are [batch, sizes ..., channels], or with "channels_first" [batch, channels, sizes ...] (for images and
    volumes, on a GPU only). The weights are `kernel`: [sizes ..., channels, filters], and `bias`:
    [filters] (None without one).

    Args:
      filters: number of output channels.
      kernel_size: filter sizes, a number for all axes or one per axis.
      strides: filter strides, in the same form.
      padding: "valid" for no padding; "same" for zero padding, so that output sizes are input sizes divided by strides.
      data_format: "channels_last" or "channels_first".
      dilation_rate: filter dilation; not together with strides.
      activation: an activation function or its name; None for the identity.
      use_bias: whether to add a bias.
      kernel_initializer, bias_initializer: initializers or their names; the kernel's defaults to the variable scope's.
      kernel_regularizer, bias_regularizer: functions from a weight to a loss, added to REGULARIZATION_LOSSES.
      activity_regularizer: a function from the outputs to a loss.
      kernel_constraint, bias_constraint: functions applied after each update by an optimizer.
      trainable: whether the weights are trained.
      name: the layer's name.

    Raises:
      ValueError: for inconsistent arguments; when called, for inputs of the wrong rank or of unknown channel count.
    """

    _in_config: tuple[str, ...] = (
        *("filters", "kernel_size", "strides", "padding", "data_format", "dilation_rate"),
        *("activation", "use_bias"),
        *KERNEL_AND_BIAS_ARGUMENTS,
    )
    _spatial_rank: int

    def __init__(
        self,
        filters: int,
        kernel_size: int | Sequence[int],
        strides: int | Sequence[int] = 1,
        padding: str = "valid",
        data_format: str | None = None,
        dilation_rate: int | Sequence[int] = 1,
        activation: Any = None,
        use_bias: bool = True,
        kernel_initializer: Identifier | None = "glorot_uniform",
        bias_initializer: Identifier | None = "zeros",
        kernel_regularizer: Any = None,
        bias_regularizer: Any = None,
        activity_regularizer: Any = None,
        kernel_constraint: Any = None,
        bias_constraint: Any = None,
        trainable: bool = True,
        name: str | None = None,
        **kwargs: Any,
    ):
        super().__init__(trainable=trainable, name=name, **kwargs)
        self.rank = self._spatial_rank
        self.filters = filters
        self.kernel_size = normalize_tuple(kernel_size, self._spatial_rank, "kernel_size")
        self.strides = normalize_tuple(strides, self._spatial_rank, "strides")
        self.padding = normalize_padding(padding)
        if self.padding == "causal" and self._spatial_rank != 1:
            raise ValueError("Causal padding is only supported for `Conv1D`and ``SeparableConv1D`.")
        self.data_format = resolve_data_format(data_format)
        self.dilation_rate = normalize_tuple(dilation_rate, self._spatial_rank, "dilation_rate")
        self.activation = find_activation(activation)
        self.use_bias = use_bias
        set_objects(self, locals())
        self.input_spec = InputSpec(ndim=self._spatial_rank + 2)

    def build(self, input_shape: ShapeLike) -> None:
        """Creates the kernel and bias for inputs of this shape."""
        shape = TensorShape(input_shape)
        depth = self._depth(shape)
        self.kernel = self._add_role_weight(
            "kernel", (*self.kernel_size, depth, self.filters), dtype=self.dtype
        )
        self.bias = (
            self._add_role_weight("bias", (self.filters,), dtype=self.dtype)
            if self.use_bias
            else None
        )
        self._restrict_inputs(depth)
        padding = "valid" if self.padding == "causal" else self.padding
        self._convolution_op = Convolution(
            shape,
            filter_shape=self.kernel.shape,
            dilation_rate=self.dilation_rate,
            strides=self.strides,
            padding=padding if isinstance(padding, (list, tuple)) else padding.upper(),
            data_format=convert_data_format(self.data_format, self._spatial_rank + 2),
        )
        self.built = True

    def _depth(self, shape: TensorShape) -> int:
        depth = shape.dims[channel_axis(self.data_format)].value
        if depth is None:
            raise ValueError("The channel dimension of the inputs should be defined. Found `None`.")
        return depth

    def _restrict_inputs(self, depth: int) -> None:
        axes = {channel_axis(self.data_format): depth}
        self.input_spec = InputSpec(ndim=self._spatial_rank + 2, axes=axes)

    def call(self, inputs: Tensor) -> Any:
        """Returns activation(convolution(inputs, kernel) + bias)."""
        if self.padding == "causal":
            inputs = ops.pad(inputs, self._causal_padding())
        outputs = self._convolution_op(inputs, self.kernel)
        if self.use_bias:
            outputs = self._with_bias(outputs)
        return outputs if self.activation is None else self.activation(outputs)

    def _with_bias(self, outputs: Any) -> Any:
        if self.data_format != "channels_first":
            return ops.bias_add(outputs, self.bias, data_format="NHWC")
        if self._spatial_rank == 1:
            return outputs + ops.reshape(self.bias, (1, self.filters, 1))
        return ops.bias_add(outputs, self.bias, data_format="NCHW")

    def _causal_padding(self) -> list:
        """Returns padding that adds zeros before the first step, so that no output depends on a later step."""
        left_padding = [self.dilation_rate[0] * (self.kernel_size[0] - 1), 0]
        last = self.data_format == "channels_last"
        return [[0, 0], left_padding, [0, 0]] if last else [[0, 0], [0, 0], left_padding]

    def compute_output_shape(self, input_shape: ShapeLike) -> TensorShape:
        """Returns the shape of the outputs for inputs of this shape."""
        shape = TensorShape(input_shape).as_list()
        for n, axis in enumerate(spatial_axes(self.data_format, len(shape) - 2)):
            shape[axis] = window_count(
                *(shape[axis], self.kernel_size[n], self.padding),
                *(self.strides[n], self.dilation_rate[n]),
            )
        shape[channel_axis(self.data_format)] = self.filters
        return TensorShape(shape)


@hide_arguments("trainable", "name")
@change_defaults(data_format="channels_last")
class Conv1D(Conv):
    __doc__ = f"""Convolution of sequences [batch, steps, channels].

    With padding "causal", no output depends on a later step. {Conv.__doc__}"""
    _spatial_rank = 1


@hide_arguments("trainable", "name")
@change_defaults(strides=(1, 1), dilation_rate=(1, 1))
class Conv2D(Conv):
    __doc__ = (
        f"Convolution of images: inputs are [batch, rows, columns, channels].\n\n    {Conv.__doc__}"
    )
    _spatial_rank = 2


@hide_arguments("trainable", "name")
@change_defaults(strides=(1, 1, 1), dilation_rate=(1, 1, 1))
class Conv3D(Conv):
    __doc__ = f"Convolution of volumes: inputs are [batch, depth, rows, columns, channels].\n\n    {Conv.__doc__}"
    _spatial_rank = 3
