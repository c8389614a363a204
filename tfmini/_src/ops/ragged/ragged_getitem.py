"""Slicing of ragged tensors: `ragged[2]`, `ragged[:, 1:3]`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from tfmini._src.graph.eager.eager_tensor import EagerTensor
from tfmini._src.graph.opdef import public
from tfmini._src.graph.scopes import name_scope
from tfmini._src.graph.tensor import Tensor
from tfmini._src.ops import ops
from tfmini._src.ops.ragged.ragged_gather import gather
from tfmini._src.ops.ragged.ragged_range import range as ragged_range
from tfmini._src.ops.ragged.ragged_tensor import RaggedTensor
from tfmini._src.ops.ragged.row_partition import is_ragged

_FULL_SLICE = slice(None, None, None)


@public
def ragged_getitem(ragged: Any, key: Any) -> Any:
    """Implements `ragged[key]`: selects rows by index or slice; ragged dimensions only accept slices.

    Raises:
      ValueError: for an index into a ragged dimension; IndexError: for too many indices; TypeError: for other keys.
    """
    keys = list(key) if isinstance(key, list | tuple) else [key]
    with name_scope(None, "RaggedGetItem", [ragged, *_tensors_in(key)]):
        return _piece(ragged, keys)


def _piece(ragged: Any, keys: list) -> Any:
    if not keys:
        return ragged
    key, *inner = keys
    if key is Ellipsis:
        return _piece(ragged, _expand_ellipsis(keys, ragged.shape.ndims))
    if key is None:
        rows = _piece(ragged, inner)
        count = _split_count(rows)
        return RaggedTensor.from_row_splits(rows, ops.stack([0, count - 1]), validate=False)
    if isinstance(key, slice):
        return _slice_inner_dims(_slice_outer_rows(ragged, key), inner)
    starts, limits = ragged.row_splits[:-1], ragged.row_splits[1:]
    if isinstance(starts, EagerTensor) and isinstance(key, int | EagerTensor):
        if int(key) >= len(starts):
            raise IndexError(f"Row key {key} out of bounds")  # ends iteration
    row = ragged.values[starts[key] : limits[key]]
    return row.__getitem__(inner)


def _split_count(rows: Any) -> Tensor:
    return ops.shape(rows.row_splits, out_type=rows.row_splits.dtype)[0]


def _slice_outer_rows(ragged: Any, key: slice) -> Any:
    if key == _FULL_SLICE:
        return ragged
    starts, limits = ragged.row_splits[:-1][key], ragged.row_splits[1:][key]
    zero = ops.zeros([1], ragged.row_splits.dtype)
    if key.step is not None and key.step != 1:
        return _slice_rows(starts, limits, 1, ragged.values)
    splits = ops.concat([zero[ops.size(starts) :], starts[:1], limits], axis=0)
    first, last = splits[0], splits[-1]
    return RaggedTensor.from_row_splits(ragged.values[first:last], splits - first, validate=False)


def _slice_inner_dims(ragged: Any, keys: list) -> Any:
    """Applies `keys` to the dimensions after the first."""
    if not keys:
        return ragged
    if isinstance(ragged, Tensor):
        return ragged[(_FULL_SLICE, *keys)]
    key, *inner = keys
    if key is Ellipsis:
        return _slice_inner_dims(ragged, _expand_ellipsis(keys, ragged.values.shape.ndims))
    if key is None:
        rows = _slice_inner_dims(ragged, inner)
        return RaggedTensor.from_row_splits(rows, ops.range(_split_count(rows)), validate=False)
    if not isinstance(key, slice):
        raise ValueError("Cannot index into an inner ragged dimension.")
    if key == _FULL_SLICE:
        return ragged.with_values(_slice_inner_dims(ragged.values, inner))
    starts, limits = ragged.row_splits[:-1], ragged.row_splits[1:]
    if key.start is not None and key.start != 0:
        starts = _shift(key.start, ragged.row_splits[:-1], ragged.row_splits[1:])
    if key.stop is not None and key.stop != 0:
        limits = _shift(key.stop, ragged.row_splits[:-1], ragged.row_splits[1:])
    columns = _slice_rows(starts, limits, key.step, ragged.values)
    return columns.with_values(_slice_inner_dims(columns.values, inner))


def _expand_ellipsis(keys: list, rank: int | None) -> list:
    """Expands a leading ellipsis by one dimension, or drops it if it represents no dimension."""
    if rank is None:
        raise ValueError("Ellipsis not supported for unknown shape RaggedTensors")
    count = sum(key is not None for key in keys)
    if count > rank + 1:
        raise IndexError("Too many indices for RaggedTensor")
    return keys[1:] if count == rank + 1 else [_FULL_SLICE, *keys]


def _tensors_in(key: Any) -> Iterator[Tensor]:
    if isinstance(key, Tensor):
        yield key
    elif isinstance(key, list | tuple):
        for part in key:
            yield from _tensors_in(part)
    elif isinstance(key, slice):
        for part in (key.start, key.stop, key.step):
            yield from _tensors_in(part)


def _slice_rows(starts: Tensor, limits: Tensor, step: Any, values: Any) -> Any:
    """Returns rows of values, where row i spans `starts[i]` to `limits[i]`."""
    step = ops.convert_to_tensor(1 if step is None else step, name="step")
    if not step.dtype.is_integer:
        raise TypeError("slice strides must be integers or None")
    step = ops.cast(step, starts.dtype)
    positions = ragged_range(starts, limits, step, row_splits_dtype=starts.dtype)
    pick = gather if is_ragged(values) else ops.gather
    return positions.with_values(pick(params=values, indices=positions.values))


def _shift(offset: Any, starts: Tensor, limits: Tensor) -> Tensor:
    """Returns `starts + offset`, or `limits + offset` for a negative offset, clipped to the rows."""

    def from_starts() -> Tensor:
        return ops.minimum(starts + offset, limits)

    def from_limits() -> Tensor:
        return ops.maximum(limits + offset, starts)

    if isinstance(offset, Tensor):
        offset = ops.cast(offset, starts.dtype)
        return ops.cond(offset >= 0, from_starts, from_limits)
    if not isinstance(offset, int):
        raise TypeError("slice offsets must be integers or None")
    return from_starts() if offset > 0 else from_limits()
