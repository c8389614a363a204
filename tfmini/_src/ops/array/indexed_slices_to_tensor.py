"""Conversion of IndexedSlices to a dense Tensor by summing rows at their indices."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np

from tfmini._src.base.names.user_line import users_level
from tfmini._src.graph.composite_values import IndexedSlices
from tfmini._src.graph.convert_to_tensor import register_tensor_conversion_function
from tfmini._src.graph.static_values import get_static_value
from tfmini._src.graph.tensor import Tensor
from tfmini._src.ops import ops

# The element count from which a warning reports the dense tensor's size.
_MIN_REPORTED_ELEMENTS = 100_000_000


def _dense(
    value: IndexedSlices, dtype: Any = None, name: str | None = None, as_ref: bool = False
) -> Tensor:
    if dtype is not None and not dtype.is_compatible_with(value.dtype):
        raise ValueError(
            f"Tensor conversion requested dtype {dtype.name} for IndexedSlices with dtype "
            f"{value.dtype.name}"
        )
    if value.dense_shape is None:
        raise ValueError(
            f"Tensor conversion requested for IndexedSlices without dense_shape: {value}"
        )
    shape = get_static_value(value.dense_shape)
    elements = None if shape is None else int(np.prod(shape, dtype=np.int64))
    if elements is None or elements >= _MIN_REPORTED_ELEMENTS:
        size = "of unknown shape" if elements is None else f"with {elements} elements"
        warnings.warn(
            f"Converting sparse IndexedSlices to a dense Tensor {size}. This may consume a large "
            "amount of memory.",
            stacklevel=users_level(),
        )
    rows = value.dense_shape[0]
    return ops.unsorted_segment_sum(value.values, value.indices, rows, name=name)


register_tensor_conversion_function(IndexedSlices, _dense)
