"""Restores arrays of tensors: before NumPy 1.20, `np.array([1, tensor])` was an object array."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from tfmini._src.graph.tensor import Tensor
from tfmini._src.programs.hook.warn_once import warn_once
from tfmini._src.programs.runner.single_element_shims import map_list


class _Element:
    """A tensor as an opaque element of a list."""

    def __init__(self, tensor: Tensor) -> None:
        self.tensor = tensor


def call(function: Callable, args: tuple, kwargs: dict[str, Any]) -> Any:
    """Calls a NumPy function whose first argument may be a list with symbolic tensors."""
    try:
        return function(*args, **kwargs)
    except NotImplementedError:
        values = map_list(_wrap, args[0]) if args else None
        if not args or values is args[0]:
            raise
    warn_once("tensors", "numpy requires object arrays for lists with tensors; they are used here.")
    array = np.array(values, object)
    for index, element in np.ndenumerate(array):
        array[index] = _unwrap(element)
    return function(array, *args[1:], **kwargs)


def _wrap(value: Any) -> Any:
    return _Element(value) if isinstance(value, Tensor) else map_list(_wrap, value)


def _unwrap(value: Any) -> Any:
    return value.tensor if isinstance(value, _Element) else map_list(_unwrap, value)
