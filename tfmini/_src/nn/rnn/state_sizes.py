"""Shapes of states, composed of batch sizes and cell sizes, which are ints, TensorShapes or tensors."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tfmini._src.base import dtypes
from tfmini._src.base.shapes import TensorShape, as_shape
from tfmini._src.graph.static_values import get_static_value
from tfmini._src.graph.tensor import Tensor
from tfmini._src.ops import ops


def concat_sizes(prefix: Any, suffix: Any, static: bool = False) -> Any:
    """Concatenates `prefix` and `suffix`, each an int, a TensorShape or an int tensor, into a shape.

    Returns:
      An int32 vector tensor; with `static`, a list of ints and None, or None if nothing is known.

    Raises:
      ValueError: if a tensor is neither a scalar nor a vector; without `static`, if a size is unknown.
    """
    first, first_static = _as_vector(prefix, "prefix")
    second, second_static = _as_vector(suffix, "suffix")
    if static:
        shape = as_shape(first_static).concatenate(second_static)
        return None if shape.ndims is None else shape.as_list()
    if first is None or second is None:
        raise ValueError(f"Provided a prefix or suffix of None: {prefix} and {suffix}")
    return ops.concat((first, second), 0)


def _as_vector(size: Any, role: str) -> tuple[Any, Any]:
    """Returns a size as an int32 vector (None if unknown) and its static value."""
    if isinstance(size, Tensor):
        static = get_static_value(size)
        if size.shape.ndims == 0:
            return ops.expand_dims(size, 0), static
        if size.shape.ndims != 1:
            raise ValueError(
                f"{role} tensor must be either a scalar or vector, but saw tensor: {size}"
            )
        return size, static
    shape = as_shape(size)
    vector = ops.constant(shape.as_list(), dtype=dtypes.int32) if shape.is_fully_defined() else None
    return vector, None if shape.ndims is None else shape.as_list()


def to_static_shape(size: Any) -> Any:
    """Converts a size to a TensorShape or equivalent; a tensor is converted to its static value."""
    return as_shape(get_static_value(size)) if isinstance(size, Tensor) else size


def infer_batch_size(flat_input: Sequence[Any]) -> Any:
    """Returns the batch size of the inputs: an int if known from any static shape, else a scalar tensor.

    Args:
      flat_input: a list of tensors [time, batch, ...].

    Raises:
      ValueError: if an input has fewer than two dimensions.
    """
    for tensor in flat_input:
        shape = tensor.shape
        if shape.ndims is None:
            continue
        if shape.ndims < 2:
            raise ValueError(f"Expected input tensor {tensor} to have rank at least 2")
        if shape.dims[1].value is not None:
            return shape.dims[1].value
    return ops.shape(flat_input[0])[1]


def swap_batch_and_time(x: Tensor) -> Tensor:
    """Swaps the first two dimensions of `x`, time and batch; returns it unchanged if its rank is lower."""
    static = x.shape
    if static.ndims is not None and static.ndims < 2:
        return x
    rank = ops.rank(x)
    swapped = ops.transpose(x, ops.concat(([1, 0], ops.range(2, rank)), axis=0))
    dims: Any = static.dims
    swapped.set_shape(TensorShape([dims[1].value, dims[0].value]).concatenate(static[2:]))
    return swapped
