"""Cell states: their sizes and zero initial values."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

from tfmini._src.base.nest.structure import map_structure
from tfmini._src.base.shapes import TensorShape, as_shape
from tfmini._src.ops import ops


def has_multiple_states(state_size: Any) -> bool:
    """Whether a state size describes a list of states."""
    return hasattr(state_size, "__len__") and not isinstance(state_size, TensorShape)


def is_sequence(value: Any) -> bool:
    """Whether a value is a structure rather than a single size or tensor."""
    return isinstance(value, (list, tuple, dict)) and not isinstance(value, TensorShape)


def map_sizes(function: Callable, sizes: Any) -> Any:
    """Maps `function` over the sizes in a structure."""
    return map_structure(function, sizes) if is_sequence(sizes) else function(sizes)


def to_sizes(size: Any) -> list:
    """Converts an int or a TensorShape to a list of ints."""
    return as_shape(size).as_list()


def zeros_for(state_size: Any, batch_size: Any, dtype: Any) -> Any:
    """Creates zeros [batch_size, size] for each size, in the structure of the sizes."""
    if batch_size is None or dtype is None:
        raise ValueError(
            "batch_size and dtype cannot be None while constructing initial state: "
            f"batch_size={batch_size}, dtype={dtype}"
        )
    return map_sizes(lambda size: ops.zeros([batch_size, *to_sizes(size)], dtype=dtype), state_size)


def zeros_of_cell(cell: Any, inputs: Any, batch_size: Any, dtype: Any) -> Any:
    """Creates zero-valued states of a cell; batch size and dtype default to the values of `inputs`."""
    if inputs is not None:
        batch_size, dtype = ops.shape(inputs)[0], inputs.dtype
    return zeros_for(cell.state_size, batch_size, dtype)


def has_argument(function: Callable, name: str) -> bool:
    """Whether a function accepts an argument with this name."""
    spec = inspect.getfullargspec(function)
    return name in spec.args or name in spec.kwonlyargs


def cell_output_size(cell: Any) -> Any:
    """Returns the output size of a cell; by default the size of its first state."""
    if getattr(cell, "output_size", None) is not None:
        return cell.output_size
    return cell.state_size[0] if has_multiple_states(cell.state_size) else cell.state_size
