"""Converts between image layouts, for tensors and dimension lists."""

from __future__ import annotations

from typing import Any

from tfmini._src.graph.tensor import Tensor
from tfmini._src.ops import ops

_VECTOR_CHANNELS = 4  # channels in the last dimension of NCHW_VECT_C


def NHWCToNCHW(input_tensor: Any) -> Any:
    """Converts [batch, ..., channels] to [batch, channels, ...], for a tensor of rank 4 or 5 or its dimensions."""
    rank = _number_of_dimensions(input_tensor)
    return _permute(input_tensor, [0, rank - 1, *range(1, rank - 1)])


def NCHWToNHWC(input_tensor: Any) -> Any:
    """Converts [batch, channels, ...] to [batch, ..., channels], for a tensor of rank 4 or 5 or its dimensions."""
    return _permute(input_tensor, [0, *range(2, _number_of_dimensions(input_tensor)), 1])


def NHWCToNCHW_VECT_C(input_shape_or_tensor: Any) -> Any:
    """Converts [batch, ..., channels] to [batch, channels / 4, ..., 4], for a tensor of rank 4 or 5 or its
    dimensions.

    Raises:
      ValueError: if the number of channels is not divisible by 4.
    """
    shape = _dimensions(input_shape_or_tensor)
    if shape[-1] % _VECTOR_CHANNELS:
        raise ValueError(
            "Last dimension of input must be evenly divisible by 4 to convert to NCHW_VECT_C."
        )
    split = [*shape[:-1], shape[-1] // _VECTOR_CHANNELS, _VECTOR_CHANNELS]
    operand = input_shape_or_tensor
    packed = ops.reshape(operand, split) if isinstance(operand, Tensor) else split
    return _permute(packed, [0, len(split) - 2, *range(1, len(split) - 2), len(split) - 1])


def NCHW_VECT_CToNHWC(input_shape_or_tensor: Any) -> Any:
    """Converts [batch, channels / 4, ..., 4] to [batch, ..., channels], for a tensor of rank 5 or 6 or its
    dimensions.

    Raises:
      ValueError: if the last dimension is not 4.
    """
    shape = _dimensions(input_shape_or_tensor)
    if shape[-1] != _VECTOR_CHANNELS:
        raise ValueError("Last dimension of NCHW_VECT_C must be 4.")
    order = [0, *range(2, len(shape) - 1), 1, len(shape) - 1]
    *outer, channels, _ = (shape[axis] for axis in order)
    joined = [*outer, channels * _VECTOR_CHANNELS]
    operand = input_shape_or_tensor
    return ops.reshape(_permute(operand, order), joined) if isinstance(operand, Tensor) else joined


def _dimensions(values: Any) -> list[int]:
    return values.shape.as_list() if isinstance(values, Tensor) else list(values)


def _number_of_dimensions(value: Any) -> int:
    return len(_dimensions(value))


def _permute(value: Any, order: list[int]) -> Any:
    if isinstance(value, Tensor):
        return ops.transpose(value, order)
    return [value[axis] for axis in order]
