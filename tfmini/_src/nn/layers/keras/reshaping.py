"""Layers that rearrange their inputs: `Reshape`, `Permute` and `RepeatVector`."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any

from tfmini._src.base.shapes import TensorShape
from tfmini._src.base.shapes.tensor_shape import ShapeLike
from tfmini._src.graph.tensor import Tensor
from tfmini._src.nn.layers.base_layer import Layer
from tfmini._src.nn.layers.input_spec import InputSpec
from tfmini._src.ops import ops


class Reshape(Layer):
    """Reshapes each example of a batch.

    Args:
      target_shape: the shape of one example; one size may be -1, which is inferred.
    """

    _in_config = ("target_shape",)

    def __init__(self, target_shape: Iterable[int], **kwargs: Any):
        super().__init__(**kwargs)
        self.target_shape = tuple(target_shape)

    def compute_output_shape(self, input_shape: ShapeLike) -> TensorShape:
        """Returns the batch size followed by the target shape.

        Raises:
          ValueError: if the number of elements differs.
        """
        batch, *sizes = TensorShape(input_shape).as_list()
        if None in sizes:
            return TensorShape([batch, *(None if s == -1 else s for s in self.target_shape)])
        if sum(size < 0 for size in self.target_shape) > 1:
            raise ValueError("Can only specify one unknown dimension.")
        known_size = math.prod(size for size in self.target_shape if size >= 0)
        total = math.prod(sizes)
        if any(size < 0 for size in self.target_shape):
            if known_size == 0 or total % known_size:
                raise ValueError("total size of new array must be unchanged")
        elif total != known_size:
            raise ValueError("total size of new array must be unchanged")
        return TensorShape(
            [batch, *(total // known_size if s < 0 else s for s in self.target_shape)]
        )

    def call(self, inputs: Tensor) -> Any:
        """Reshapes the inputs to the target shape."""
        return ops.reshape(inputs, (ops.shape(inputs)[0], *self.target_shape))


class Permute(Layer):
    """Permutes the axes after the batch axis.

    Args:
      dims: the permuted axes, counted from 1.

    Raises:
      ValueError: if `dims` is not a permutation.
    """

    _in_config = ("dims",)

    def __init__(self, dims: Any, **kwargs: Any):
        super().__init__(**kwargs)
        self.dims = tuple(dims)
        if sorted(dims) != list(range(1, len(dims) + 1)):
            raise ValueError(
                f"Invalid permutation `dims` for Permute Layer: {dims}. The set of indices in `dims` must be "
                "consecutive and start from 1."
            )
        self.input_spec = InputSpec(ndim=len(self.dims) + 1)

    def compute_output_shape(self, input_shape: ShapeLike) -> TensorShape:
        """Returns the permuted shape."""
        sizes = TensorShape(input_shape).as_list()
        return TensorShape([sizes[0], *(sizes[axis] for axis in self.dims)])

    def call(self, inputs: Tensor) -> Any:
        """Transposes the inputs."""
        return ops.transpose(inputs, perm=(0, *self.dims))


class RepeatVector(Layer):
    """Repeats each vector `n` times: [batch, size] becomes [batch, n, size].

    Args:
      n: number of repeats.
    """

    _in_config = ("n",)

    def __init__(self, n: int, **kwargs: Any):
        super().__init__(**kwargs)
        self.n = n
        self.input_spec = InputSpec(ndim=2)

    def compute_output_shape(self, input_shape: ShapeLike) -> TensorShape:
        """Returns [batch, n, size]."""
        sizes = TensorShape(input_shape).as_list()
        return TensorShape([sizes[0], self.n, sizes[1]])

    def call(self, inputs: Tensor) -> Any:
        """Repeats the inputs."""
        inputs = ops.expand_dims(inputs, 1)
        return ops.tile(inputs, ops.stack([1, self.n, 1]))
