"""LocallyConnected1D and LocallyConnected2D: convolutions with a separate filter at each position."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from tfmini._src.base.names.signature import change_defaults
from tfmini._src.base.shapes import TensorShape
from tfmini._src.nn.layers.activations import find_activation
from tfmini._src.nn.layers.backend.spatial_functions import bias_add, local_conv
from tfmini._src.nn.layers.base_layer import Layer
from tfmini._src.nn.layers.input_spec import InputSpec
from tfmini._src.nn.layers.layer_arguments import KERNEL_AND_BIAS_ARGUMENTS, set_objects
from tfmini._src.nn.layers.windows.conv_output_length import (
    conv_output_length,
    normalize_padding,
    normalize_tuple,
)
from tfmini._src.nn.layers.windows.window_arguments import resolve_data_format
from tfmini._src.ops import ops, raw

if TYPE_CHECKING:
    from tfmini._src.base.shapes.tensor_shape import ShapeLike
    from tfmini._src.graph.tensor import Tensor
    from tfmini._src.nn.layers.deserialize import Identifier


_CHANNELS_FIRST = "channels_first"


class _LocallyConnected(Layer):
    """Base class of convolutions with a separate filter at each position of the inputs.

    Args:
      filters, data_format, activity_regularizer: as in `Conv2D`.
      kernel_size, strides: filter sizes and strides: a number, or one per axis.
      padding: "valid", or with implementations 2 and 3 also "same".
      activation: an activation function or its name.
      use_bias: whether to add a bias at each position.
      kernel_initializer, bias_initializer: initializers or their names.
      kernel_regularizer, bias_regularizer: functions from a weight to a loss.
      kernel_constraint, bias_constraint: functions applied after each update.
      implementation: the algorithm: 1 for a product per position, 2 for one product with a large, mostly zero matrix,
        3 for one product with a sparse matrix.

    Raises:
      ValueError: for "same" with implementation 1; when called, for an unknown implementation or unknown input sizes.
    """

    _in_config = (
        *("filters", "kernel_size", "strides", "padding", "data_format", "activation", "use_bias"),
        *KERNEL_AND_BIAS_ARGUMENTS,
        "implementation",
    )
    _spatial_rank: int

    def __init__(
        self,
        filters: int,
        kernel_size: int | Sequence[int],
        strides: int | Sequence[int] = 1,
        padding: str = "valid",
        data_format: str | None = None,
        activation: Any = None,
        use_bias: bool = True,
        kernel_initializer: Identifier | None = "glorot_uniform",
        bias_initializer: Identifier | None = "zeros",
        kernel_regularizer: Any = None,
        bias_regularizer: Any = None,
        activity_regularizer: Any = None,
        kernel_constraint: Any = None,
        bias_constraint: Any = None,
        implementation: int = 1,
        **kwargs: Any,
    ):
        super().__init__(**kwargs)
        self.filters = filters
        self.kernel_size = normalize_tuple(kernel_size, self._spatial_rank, "kernel_size")
        self.strides = normalize_tuple(strides, self._spatial_rank, "strides")
        self.padding = normalize_padding(padding)
        if self.padding != "valid" and implementation == 1:
            raise ValueError(
                f'Invalid border mode for {type(self).__name__} (only "valid" is supported if implementation is 1): '
                + padding
            )
        self.data_format = resolve_data_format(data_format)
        self.activation = find_activation(activation)
        self.use_bias = use_bias
        set_objects(self, locals())
        self.implementation = implementation
        self.input_spec = InputSpec(ndim=self._spatial_rank + 2)

    def _split(self, sizes: Any) -> tuple[tuple, Any]:
        """Splits a shape into the sizes along the spatial axes and the number of channels."""
        if self.data_format == _CHANNELS_FIRST:
            return tuple(sizes[2:]), sizes[1]
        return tuple(sizes[1:-1]), sizes[-1]

    def _kernel_shape(self, sizes: tuple, channels: int) -> tuple:
        return (channels, *sizes) if self.data_format == _CHANNELS_FIRST else (*sizes, channels)

    def _check_sizes(self, sizes: tuple, channels: Any, input_shape: Any) -> None:
        raise NotImplementedError

    def build(self, input_shape: ShapeLike) -> None:
        """Creates `kernel`, shaped by the implementation, and `bias` [positions ..., filters].

        Raises:
          ValueError: if sizes or the implementation are unknown.
        """
        shape = tuple(TensorShape(input_shape).as_list())
        sizes, depth = self._split(shape)
        self._check_sizes(sizes, depth, shape)
        self.output_sizes = tuple(self._lengths(sizes))
        if self.implementation == 1:
            positions, window = np.prod(self.output_sizes), np.prod(self.kernel_size)
            self.kernel_shape: tuple = (int(positions), int(window) * depth, self.filters)
            self.kernel = self._add_role_weight("kernel", self.kernel_shape)
        elif self.implementation == 2:
            self.kernel_shape = (
                *self._kernel_shape(sizes, depth),
                *self._kernel_shape(self.output_sizes, self.filters),
            )
            self.kernel = self._add_role_weight("kernel", self.kernel_shape)
            self.kernel_mask = self._mask(sizes)
        elif self.implementation == 3:
            outputs = int(np.prod(self.output_sizes)) * self.filters
            self.kernel_shape = (outputs, int(np.prod(sizes)) * depth)
            self.kernel_idxs = self._indices(sizes, depth)
            self.kernel = self._add_role_weight("kernel", (len(self.kernel_idxs),))
        else:
            raise ValueError(f"Unrecognized implementation mode: {self.implementation}.")
        shape_of_bias = (*self.output_sizes, self.filters)
        self.bias = self._add_role_weight("bias", shape_of_bias) if self.use_bias else None
        axis = 1 if self.data_format == _CHANNELS_FIRST else -1
        self.input_spec = InputSpec(ndim=self._spatial_rank + 2, axes={axis: depth})
        self.built = True

    def _lengths(self, sizes: tuple) -> list:
        return [
            conv_output_length(size, self.kernel_size[n], self.padding, self.strides[n])
            for n, size in enumerate(sizes)
        ]

    def _connections(self, sizes: tuple) -> Any:
        """Yields (output position, input position) for each connection."""
        for to in itertools.product(*(range(size) for size in self.output_sizes)):
            windows = []
            for position, size, width, stride in zip(to, sizes, self.kernel_size, self.strides):
                left = 0 if self.padding == "valid" else width // 2
                start = position * stride - left
                windows.append(range(max(0, start), min(size, start + width)))
            for source in itertools.product(*windows):
                yield to, source

    def _mask(self, sizes: tuple) -> np.ndarray:
        mask = np.zeros((*sizes, *self.output_sizes), np.float32)
        for to, source in self._connections(sizes):
            mask[source + to] = 1.0
        first = self.data_format == _CHANNELS_FIRST
        axes = (
            (0, self._spatial_rank + 1)
            if first
            else (self._spatial_rank, 2 * self._spatial_rank + 1)
        )
        return np.expand_dims(mask, axes)

    def _indices(self, sizes: tuple, depth: int) -> list:
        indices = []
        input_shape = self._kernel_shape(sizes, depth)
        output_shape = self._kernel_shape(self.output_sizes, self.filters)
        for to, source in self._connections(sizes):
            for channel, filter_ in itertools.product(range(depth), range(self.filters)):
                row = np.ravel_multi_index(self._kernel_shape(to, filter_), output_shape)
                column = np.ravel_multi_index(self._kernel_shape(source, channel), input_shape)
                indices.append((int(row), int(column)))
        return sorted(indices)

    def compute_output_shape(self, input_shape: ShapeLike) -> Any:
        """Returns the shape of the outputs."""
        shape = TensorShape(input_shape).as_list()
        lengths = tuple(self._lengths(self._split(shape)[0]))
        return TensorShape([shape[0], *self._kernel_shape(lengths, self.filters)])

    def call(self, inputs: Tensor) -> Any:
        """Returns activation(product at each position + bias)."""
        if self.implementation == 1:
            outputs = local_conv(
                inputs,
                self.kernel,
                self.kernel_size,
                self.strides,
                self.output_sizes,
                self.data_format,
            )
        else:
            outputs = self._single_matmul(inputs)
        if self.bias is not None:
            outputs = bias_add(outputs, self.bias, data_format=self.data_format)
        return self.activation(outputs)

    def _single_matmul(self, inputs: Any) -> Any:
        shape = self.compute_output_shape(inputs.shape).as_list()
        flat = ops.reshape(inputs, (ops.shape(inputs)[0], -1))
        if self.implementation == 2:
            masked = self.kernel_mask * self.kernel
            matrix = make_2d(masked, len(self.kernel_shape) // 2)
            outputs = ops.sparse_matmul(flat, matrix, b_is_sparse=True)
        else:
            product = raw.SparseTensorDenseMatMul(
                self.kernel_idxs, self.kernel, self.kernel_shape, flat, adjoint_b=True
            )
            outputs = ops.transpose(product)
        return ops.reshape(outputs, [ops.shape(outputs)[0], *shape[1:]])


class LocallyConnected1D(_LocallyConnected):
    __doc__ = f"[batch, steps, channels] becomes [batch, positions, filters].\n{_LocallyConnected.__doc__}"
    _spatial_rank = 1

    def _check_sizes(self, sizes: tuple, channels: Any, input_shape: Any) -> None:
        if channels is None:
            raise ValueError("Axis 2 of input should be fully-defined. Found shape:", input_shape)


@change_defaults(strides=(1, 1))
class LocallyConnected2D(_LocallyConnected):
    __doc__ = (
        "[batch, rows, columns, channels] becomes [batch, positions, positions, filters].\n"
        f"{_LocallyConnected.__doc__}"
    )
    _spatial_rank = 2

    def _check_sizes(self, sizes: tuple, channels: Any, input_shape: Any) -> None:
        if None in sizes:
            raise ValueError(
                "The spatial dimensions of the inputs to  a LocallyConnected2D layer should be fully-defined, but "
                f"layer received the inputs shape {input_shape}"
            )


def make_2d(tensor: Any, split_dim: int) -> Any:
    """Reshapes a tensor to a matrix: the dimensions before `split_dim` become rows and the others columns."""
    sizes = ops.shape(tensor)
    leading_sizes, trailing_sizes = sizes[:split_dim], sizes[split_dim:]
    return ops.reshape(tensor, (ops.reduce_prod(leading_sizes), ops.reduce_prod(trailing_sizes)))
