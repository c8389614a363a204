"""Helpers for string kernels: iteration in row-major order, and results with the shape of the input."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

from tfmini._src.base.errors import invalid


def list_strings(value: Any) -> list[bytes]:
    """Returns a list of the strings of a tensor in row-major order."""
    if value.__class__ is bytes:
        return [value]
    return value.ravel().tolist()


def flat(value: Any) -> Any:
    """Flattens the strings of a tensor in row-major order to a one-dimensional object array."""
    return vector([value]) if value.__class__ is bytes else value.ravel()


def scalar_string(value: Any) -> bytes:
    """Returns the string of a scalar tensor."""
    if value.__class__ is bytes:
        return value
    if value.size != 1:
        shape = ",".join(map(str, value.shape))
        invalid(f"A scalar string is needed, but the input had shape: [{shape}]")
    return value.item()


def array_shape(value: Any) -> tuple:
    return () if value.__class__ is bytes else value.shape


def vector(strings: Iterable[bytes]) -> Any:
    """Converts strings to a one-dimensional object array."""
    strings = strings if isinstance(strings, list) else list(strings)
    return np.fromiter(strings, object, len(strings))


def map_strings(function: Callable[[bytes], bytes], value: Any) -> Any:
    """Applies `function` to each string, preserving the shape of `value`."""
    if value.__class__ is bytes:
        return function(value)
    return vector(map(function, value.ravel().tolist())).reshape(value.shape)


def numbers(values: Iterable[Any], value: Any, dtype: Any) -> Any:
    """Computes a number from each string in `value`, preserving its shape."""
    shape = array_shape(value)
    return np.fromiter(values, dtype, int(np.prod(shape, dtype=np.int64))).reshape(shape)
