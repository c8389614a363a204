"""Layers that merge inputs: sum, difference, product, mean, maximum, minimum, concatenation, dot product."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tfmini._src.base.shapes import TensorShape
from tfmini._src.base.shapes.tensor_shape import ShapeLike
from tfmini._src.graph.tensor import Tensor, TensorLike
from tfmini._src.nn.layers.backend.array_functions import batch_dot, concatenate as joined
from tfmini._src.nn.layers.base_layer import Layer
from tfmini._src.nn.layers.input_shapes import shapes_as_tuples
from tfmini._src.ops import ops


def _broadcast(a: tuple, b: tuple) -> tuple:
    if len(a) < len(b):
        a, b = b, a
    sizes: list = []
    for i, j in zip(a[len(a) - len(b) :], b):
        if i is None or j is None:
            sizes.append(None)
        elif i != j and 1 not in (i, j):
            raise ValueError(f"Operands could not be broadcast together with shapes {a} {b}")
        else:
            sizes.append(j if i == 1 else i)
    return (*a[: len(a) - len(b)], *sizes)


class _Merge(Layer):
    """Base class of elementwise merges of two or more inputs; shapes broadcast, except for the batch size."""

    _reshapes = False

    def __init__(self, **kwargs: Any):
        super().__init__(**kwargs)
        self.supports_masking = True

    def _merge_function(self, inputs: list) -> Any:
        raise NotImplementedError

    def build(self, input_shape: Sequence[ShapeLike]) -> None:
        """Checks the shapes; raises ValueError if there is only one input or the shapes do not match."""
        shapes = shapes_as_tuples(input_shape)
        if not isinstance(shapes, list):
            raise ValueError("A merge layer should be called on a list of inputs.")
        if len(shapes) < 2:
            raise ValueError(
                f"A merge layer should be called on a list of at least 2 inputs. Got {len(shapes)} inputs."
            )
        if len({shape[0] for shape in shapes} - {None}) > 1:
            raise ValueError(
                f"Can not merge tensors with different batch sizes. Got tensors with shapes : {shapes}"
            )
        self._merged_shape(shapes)
        self._reshapes = len({len(shape) for shape in shapes}) > 1

    def _merged_shape(self, shapes: list) -> tuple:
        merged = shapes[0][1:]
        for shape in shapes[1:]:
            merged = _broadcast(merged, shape[1:])
        return merged

    def call(self, inputs: Sequence[Tensor]) -> Any:
        """Merges the inputs."""
        if not isinstance(inputs, list):
            raise ValueError("A merge layer should be called on a list of inputs.")
        if not self._reshapes:
            return self._merge_function(inputs)
        rank = max(len(x.shape) for x in inputs)
        expanded = []
        for x in inputs:
            for _ in range(rank - len(x.shape)):
                x = ops.expand_dims(x, axis=1)
            expanded.append(x)
        return self._merge_function(expanded)

    def compute_output_shape(self, input_shape: Sequence[ShapeLike]) -> Any:
        """Returns the broadcast shape."""
        shapes = shapes_as_tuples(input_shape)
        sizes = list({shape[0] for shape in shapes} - {None})
        return TensorShape([sizes[0] if len(sizes) == 1 else None, *self._merged_shape(shapes)])

    def compute_mask(self, inputs: Any, mask: Sequence[Tensor | None] | None = None) -> Any:
        """Returns the logical AND of the masks, or None without masks."""
        if mask is None or not _has_masks(inputs, mask):
            return None
        masks = [ops.expand_dims(m, axis=0) for m in mask if m is not None]
        return ops.reduce_all(ops.cast(joined(masks, axis=0), "bool"), 0, False)


def _has_masks(inputs: Any, mask: Any) -> bool:
    if not isinstance(mask, list):
        raise ValueError("`mask` should be a list.")
    if not isinstance(inputs, list):
        raise ValueError("`inputs` should be a list.")
    if len(mask) != len(inputs):
        raise ValueError("The lists `inputs` and `mask` should have the same length.")
    return any(m is not None for m in mask)


class Add(_Merge):
    """Adds its inputs, a list of tensors."""

    def _merge_function(self, inputs: list) -> Any:
        output = inputs[0]
        for x in inputs[1:]:
            output += x
        return output


class Subtract(_Merge):
    """Subtracts the second of its two inputs from the first."""

    def build(self, input_shape: Sequence[ShapeLike]) -> None:
        """Checks the shapes; raises ValueError unless there are two inputs."""
        super().build(input_shape)
        if len(input_shape) != 2:
            raise ValueError("A `Subtract` layer should be called on exactly 2 inputs")

    def _merge_function(self, inputs: list) -> Any:
        if len(inputs) != 2:
            raise ValueError("A `Subtract` layer should be called on exactly 2 inputs")
        return inputs[0] - inputs[1]


class Multiply(_Merge):
    """Multiplies its inputs, a list of tensors, elementwise."""

    def _merge_function(self, inputs: list) -> Any:
        output = inputs[0]
        for x in inputs[1:]:
            output *= x
        return output


class Average(_Merge):
    """Averages its inputs, a list of tensors."""

    def _merge_function(self, inputs: list) -> Any:
        output = inputs[0]
        for x in inputs[1:]:
            output += x
        return output / len(inputs)


class Maximum(_Merge):
    """Computes the elementwise maximum of its inputs, a list of tensors."""

    def _merge_function(self, inputs: list) -> Any:
        output = inputs[0]
        for x in inputs[1:]:
            output = ops.maximum(output, x)
        return output


class Minimum(_Merge):
    """Computes the elementwise minimum of its inputs, a list of tensors."""

    def _merge_function(self, inputs: list) -> Any:
        output = inputs[0]
        for x in inputs[1:]:
            output = ops.minimum(output, x)
        return output


class Concatenate(_Merge):
    """Concatenates its inputs, a list of tensors, along an axis.

    Args:
      axis: the axis to concatenate along; axis 0 is the batch axis.
    """

    _in_config = ("axis",)

    def __init__(self, axis: int = -1, **kwargs: Any):
        super().__init__(**kwargs)
        self.axis = axis

    def build(self, input_shape: Sequence[ShapeLike]) -> None:
        """Checks the shapes; raises ValueError if they differ along any other axis."""
        shapes = shapes_as_tuples(input_shape)
        if not isinstance(shapes, list) or len(shapes) < 2:
            raise ValueError(
                "A `Concatenate` layer should be called on a list of at least 2 inputs"
            )
        shape_lists = [list(shape) for shape in shapes]
        for shape in shape_lists:
            del shape[self.axis]
        if any(shape != shape_lists[0] for shape in shape_lists):
            raise ValueError(
                "A `Concatenate` layer requires inputs with matching shapes except for the concat axis. Got inputs "
                f"shapes: {shapes}"
            )

    def _merge_function(self, inputs: list) -> Any:
        return joined(inputs, axis=self.axis)

    def compute_output_shape(self, input_shape: Sequence[ShapeLike]) -> Any:
        """Returns the shape of the concatenated tensor."""
        shapes = shapes_as_tuples(input_shape)
        if not isinstance(shapes, list):
            raise ValueError("A `Concatenate` layer should be called on a list of inputs.")
        sizes = [shape[self.axis] for shape in shapes]
        dims = list(shapes[0])
        dims[self.axis] = None if None in sizes else sum(sizes)
        return TensorShape(dims)

    def compute_mask(self, inputs: Any, mask: Sequence[Tensor | None] | None = None) -> Any:
        """Returns the concatenated masks."""
        if mask is None or not _has_masks(inputs, mask):
            return None
        masks = []
        for x, m in zip(inputs, mask):
            if m is None:
                masks.append(ops.ones_like(x, dtype="bool"))
            else:
                masks.append(ops.expand_dims(m, axis=-1) if len(m.shape) < len(x.shape) else m)
        return ops.reduce_all(ops.cast(joined(masks, axis=self.axis), "bool"), -1, False)


class Dot(_Merge):
    """Computes the dot products of two tensors for each example.

    Args:
      axes: the axis of both tensors to multiply and sum over, or a pair of axes, counting the batch axis.
      normalize: whether to scale vectors along these axes to length 1 first, so that the result is the cosine.

    Raises:
      TypeError: if `axes` is neither a number nor a sequence.
      ValueError: if `axes` is a sequence but not a pair of numbers.
    """

    _in_config = ("axes", "normalize")

    def __init__(self, axes: Any, normalize: bool = False, **kwargs: Any):
        super().__init__(**kwargs)
        if not isinstance(axes, int):
            if not isinstance(axes, (list, tuple)):
                raise TypeError("Invalid type for `axes` - should be a list or an int.")
            if len(axes) != 2:
                raise ValueError("Invalid format for `axes` - should contain two elements.")
            if not all(isinstance(axis, int) for axis in axes):
                raise ValueError('Invalid format for `axes` - list elements should be "int".')
        self.axes = axes
        self.normalize = normalize

    def _axes(self, ranks: list) -> list:
        """Returns the axes of both inputs; a single negative axis is resolved per input."""
        if not isinstance(self.axes, int):
            return list(self.axes)
        return [self.axes % rank if self.axes < 0 else self.axes for rank in ranks]

    def _shape_pair(self, input_shape: Any) -> list:
        shapes = shapes_as_tuples(input_shape) if isinstance(input_shape, list) else None
        if shapes is None or len(shapes) != 2:
            raise ValueError("A `Dot` layer should be called on a list of 2 inputs.")
        return shapes

    def build(self, input_shape: Sequence[ShapeLike]) -> None:
        """Checks the shapes; raises ValueError unless there are two, with equal sizes along the axes."""
        shapes = self._shape_pair(input_shape)
        axes = self._axes([len(shape) for shape in shapes])
        first_size, two = (shape[axis] for shape, axis in zip(shapes, axes))
        if first_size != two:
            raise ValueError(
                f"Dimension incompatibility {first_size} != {two}. Layer shapes: {shapes[0]}, {shapes[1]}"
            )

    def _merge_function(self, inputs: list) -> Any:
        if len(inputs) != 2:
            raise ValueError("A `Dot` layer should be called on exactly 2 inputs")
        ranks = [x.shape.ndims for x in inputs]
        axes = [axis % rank for axis, rank in zip(self._axes(ranks), ranks)]
        if self.normalize:
            inputs = [ops.l2_normalize(x, axis=axis) for x, axis in zip(inputs, axes)]
        return batch_dot(inputs[0], inputs[1], axes)

    def compute_output_shape(self, input_shape: Sequence[ShapeLike]) -> Any:
        """Returns the shape of the products."""
        shapes = [list(shape) for shape in self._shape_pair(input_shape)]
        for shape, axis in zip(shapes, self._axes([len(shape) for shape in shapes])):
            shape.pop(axis)
        dims = [*shapes[0], *shapes[1][1:]]
        return TensorShape(dims if len(dims) > 1 else [*dims, 1])

    def compute_mask(self, inputs: Any, mask: Sequence[Tensor | None] | None = None) -> Any:
        """Returns None, because masked positions are summed over as well."""


def add(inputs: Sequence[Tensor], **kwargs: Any) -> Any:
    """Adds a list of tensors with an `Add` layer."""
    return Add(**kwargs)(inputs)


def subtract(inputs: Sequence[Tensor], **kwargs: Any) -> Any:
    """Subtracts two tensors with a `Subtract` layer."""
    return Subtract(**kwargs)(inputs)


def multiply(inputs: Sequence[Tensor], **kwargs: Any) -> Any:
    """Multiplies a list of tensors with a `Multiply` layer."""
    return Multiply(**kwargs)(inputs)


def average(inputs: Sequence[Tensor], **kwargs: Any) -> Any:
    """Averages a list of tensors with an `Average` layer."""
    return Average(**kwargs)(inputs)


def maximum(inputs: Sequence[Tensor], **kwargs: Any) -> Any:
    """Returns the elementwise maximum of a list of tensors, using a `Maximum` layer."""
    return Maximum(**kwargs)(inputs)


def minimum(inputs: Sequence[Tensor], **kwargs: Any) -> Any:
    """Returns the elementwise minimum of a list of tensors, using a `Minimum` layer."""
    return Minimum(**kwargs)(inputs)


def concatenate(inputs: Sequence[Tensor], axis: int = -1, **kwargs: Any) -> Any:
    """Concatenates a list of tensors along `axis` with a `Concatenate` layer."""
    return Concatenate(axis=axis, **kwargs)(inputs)


def dot(inputs: Any, axes: TensorLike, normalize: bool = False, **kwargs: Any) -> Any:
    """Computes dot products of two tensors along `axes` with a `Dot` layer."""
    return Dot(axes=axes, normalize=normalize, **kwargs)(inputs)
