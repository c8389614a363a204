"""The dtypes that files may say: those whose values can be written down."""

from __future__ import annotations

from tfmini.dtypes import DType, as_dtype, resource, variant


def stored_dtype(enum: int) -> DType | None:
    """The dtype of a number in a file, None if no value has it."""
    try:
        dtype = as_dtype(enum)
    except TypeError:
        return None
    return None if dtype._is_ref_dtype or dtype in (resource, variant) else dtype
