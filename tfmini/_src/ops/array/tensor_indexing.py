"""Tensor indexing, `x[1:, ..., tf.newaxis, 0]`: StridedSlice for indices, `boolean_mask` for masks."""

from __future__ import annotations

import sys
from typing import Any

import numpy as np

from tfmini._src.base import dtypes
from tfmini._src.base.shapes import Dimension
from tfmini._src.graph import raw
from tfmini._src.graph.scopes import name_scope
from tfmini._src.graph.tensor import Tensor
from tfmini._src.ops import ops
from tfmini._src.ops.array.shape_queries import known_constant
from tfmini._src.ops.array.strided_slice import MASKS, strided_slice

newaxis = None

INDEX_KINDS = (
    "Only integers, slices (`:`), ellipsis (`...`), tf.newaxis (`None`) and scalar "
    "tf.int32/tf.int64 tensors are valid indices"
)
_INDEX_DTYPES = frozenset([dtypes.int32, dtypes.int32._as_ref, dtypes.int64, dtypes.int64._as_ref])


def _check_index(index: Any) -> None:
    if isinstance(index, int | Dimension):
        return
    dtype = getattr(index, "dtype", None)
    if (
        dtype is None
        or dtypes.as_dtype(dtype) not in _INDEX_DTYPES
        or (index.shape and len(index.shape) == 1)
    ):
        raise TypeError(f"{INDEX_KINDS}, got {index!r}")


def _is_given(bound: Any) -> bool:
    return bound is not None and (isinstance(bound, Tensor) or bound != sys.maxsize)


def _is_mask(spec: Any) -> bool:
    return (
        isinstance(spec, bool)
        or (isinstance(spec, Tensor) and spec.dtype == dtypes.bool)
        or (isinstance(spec, np.ndarray) and spec.dtype == bool)
    )


def _slice_helper(tensor: Any, slice_spec: Any, var: Any = None) -> Tensor:
    """Implements `tensor[slice_spec]` for numbers, slices, `...`, None, scalar tensors and boolean masks."""
    if _is_mask(slice_spec):
        return ops.boolean_mask(tensor=tensor, mask=slice_spec)
    if not isinstance(slice_spec, list | tuple):
        slice_spec = [slice_spec]
    begin: list[Any] = []
    end: list[Any] = []
    strides: list[Any] = []
    masks: dict[str, Any] = dict(MASKS)
    bit = 1
    for spec in slice_spec:
        first, last, step = 0, 0, 1
        if isinstance(spec, slice):
            if _is_given(spec.start):
                _check_index(spec.start)
                first = spec.start
            else:
                masks["begin_mask"] |= bit
            if _is_given(spec.stop):
                _check_index(spec.stop)
                last = spec.stop
            else:
                masks["end_mask"] |= bit
            if spec.step is not None:
                _check_index(spec.step)
                step = spec.step
        elif spec is Ellipsis:
            masks["ellipsis_mask"] |= bit
        elif spec is None:
            masks["new_axis_mask"] |= bit
        else:
            _check_index(spec)
            first, last = spec, spec + 1
            masks["shrink_axis_mask"] |= bit
        begin.append(first)
        end.append(last)
        strides.append(step)
        bit <<= 1
    with name_scope(None, "strided_slice", [tensor, *begin, *end, *strides]) as name:
        if begin:
            lower, upper, steps = _same_dtype(list(map(_stack_or_constant, (begin, end, strides))))
        else:
            lower = upper = steps = ops.constant([], dtype=dtypes.int32)
        return strided_slice(tensor, lower, upper, steps, **masks, var=var, name=name)


def _stack_or_constant(values: list) -> Tensor:
    """Returns `ops.stack(values)`, or directly a constant for numbers in the int32 range."""
    for value in values:
        if value.__class__ is not int or not -(2**31) <= value < 2**31:
            return ops.stack(values)
    return known_constant(values, dtypes.int32, "stack")


def _same_dtype(bounds: list[Tensor]) -> list[Tensor]:
    if all(t.dtype != dtypes.int64 for t in bounds):
        return bounds
    return [t if t.dtype == dtypes.int64 else raw.Cast(t, DstT=dtypes.int64) for t in bounds]


Tensor._override_operator("__getitem__", _slice_helper)
