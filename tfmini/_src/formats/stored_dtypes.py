"""Dtypes and shapes that are valid in files."""

from __future__ import annotations

import functools
import math

from tfmini._src.base.dtypes import DType, as_dtype, resource, variant

_MAX_AXES = 32
_MAX_ELEMENTS = 1 << 58


@functools.lru_cache(maxsize=256)
def stored_dtype(enum: int) -> DType | None:
    """Returns the dtype for an enum value in a file; None for a dtype that cannot be stored."""
    try:
        dtype = as_dtype(enum)
    except TypeError:
        return None
    return None if dtype._is_ref_dtype or dtype in (resource, variant) else dtype


@functools.lru_cache(maxsize=256)
def is_stored_shape(shape: tuple[int, ...]) -> bool:
    """Whether an array can have this shape, regardless of available memory."""
    return (
        len(shape) <= _MAX_AXES
        and all(size >= 0 for size in shape)
        and math.prod(max(size, 1) for size in shape) <= _MAX_ELEMENTS
    )
