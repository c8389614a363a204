"""Resolution of strided-slice specs, such as `x[1:, ..., tf.newaxis, ::-2, 0]`, against a shape.

The specs of StridedSlice are sparse: an ellipsis represents several axes, and a new axis represents none. Bit i of
each mask belongs to spec i.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from tfmini._src.graph.shape_inference import Dims


class Masks(NamedTuple):
    """The five bit masks; see `tf.strided_slice`."""

    begin: int
    end: int
    ellipsis: int
    new_axis: int
    shrink_axis: int

    @classmethod
    def from_attrs(cls, attrs: dict[str, Any]) -> Masks:
        """Returns the masks in the attrs of a node."""
        return cls(
            attrs["begin_mask"],
            attrs["end_mask"],
            attrs["ellipsis_mask"],
            attrs["new_axis_mask"],
            attrs["shrink_axis_mask"],
        )


def numpy_index(begin: list, end: list, strides: list, masks: Masks) -> tuple:
    """Returns the equivalent numpy index without checking it."""
    index: list[Any] = []
    bit = 1
    for first, last, step in zip(begin, end, strides, strict=True):
        if bit & masks.ellipsis:
            index.append(Ellipsis)
        elif bit & masks.new_axis:
            index.append(None)
        elif bit & masks.shrink_axis:
            if step <= 0:
                raise ValueError("only stride 1 allowed on non-range indexing.")
            index.append(first)
        else:
            index.append(
                slice(None if bit & masks.begin else first, None if bit & masks.end else last, step)
            )
        bit <<= 1
    return tuple(index)


def resolve_slices(index: tuple, shape: tuple[int, ...]) -> list[tuple[int, int, int]]:
    """Returns the (first, last, step) selected by a numpy index along each axis of `shape`."""
    selectors = [entry for entry in index if entry is not None]
    missing = len(shape) - sum(entry is not Ellipsis for entry in selectors)
    ellipsis_index = selectors.index(Ellipsis) if Ellipsis in selectors else len(selectors)
    entries = [
        *selectors[:ellipsis_index],
        *[slice(None)] * missing,
        *selectors[ellipsis_index + 1 :],
    ]
    positions = []
    for entry, size in zip(entries, shape):
        if not isinstance(entry, slice):
            entry = slice(entry % size, entry % size + 1) if size else slice(0, 0)
        positions.append(entry.indices(size))
    return positions


def sliced_dims(
    dims: Dims, begin: np.ndarray | None, end: np.ndarray | None, strides: np.ndarray, masks: Masks
) -> tuple[int | None, ...]:
    """Returns the shape of a slice of a tensor whose shape may be partially known."""
    assert dims is not None
    count = len(strides)
    if masks.ellipsis & (masks.ellipsis - 1):
        raise ValueError("Multiple ellipses in slice spec not allowed")
    ellipsis = next((i for i in range(count) if masks.ellipsis >> i & 1), count)
    new_axes_after = sum(masks.new_axis >> i & 1 for i in range(ellipsis + 1, count))
    plain = sum(not masks.new_axis >> i & 1 for i in range(count) if i != ellipsis)
    if plain > len(dims):
        raise ValueError(
            f"Index out of range using input dim {len(dims)}; input has only {len(dims)} dims"
        )
    result: list[int | None] = []
    axis = 0
    for i in range(count):
        bit = 1 << i
        if i == ellipsis:
            resume = min(len(dims) - (count - i) + 1 + new_axes_after, len(dims))
            result += dims[axis:resume]
            axis = max(axis, resume)
        elif bit & masks.new_axis:
            result.append(1)
        else:
            first = None if begin is None else int(begin[i])
            last = None if end is None else int(end[i])
            stride, size = int(strides[i]), dims[axis]
            if stride == 0:
                raise ValueError(f"strides[{axis}] must be non-zero")
            if bit & masks.shrink_axis:
                _check_index(first, stride, size, axis)
            else:
                masked = (bool(bit & masks.begin), bool(bit & masks.end))
                result.append(_extent(first, last, stride, size, *masked))
            axis += 1
    return tuple(result) + dims[axis:]


def _check_index(index: int | None, stride: int, size: int | None, axis: int) -> None:
    if stride < 0:
        raise ValueError("only stride 1 allowed on non-range indexing.")
    if index is not None and size is not None and not -size <= index < size:
        if index < 0:
            index += size
        raise ValueError(f"slice index {index} of dimension {axis} out of bounds.")


def _extent(
    first: int | None,
    last: int | None,
    stride: int,
    size: int | None,
    from_start: bool,
    to_end: bool,
) -> int | None:
    """Returns the number of elements between two positions along an axis."""
    if size is None:
        return None
    if from_start and to_end:
        return -(-size // abs(stride))
    if first is None or last is None:
        return None
    return len(
        range(*slice(None if from_start else first, None if to_end else last, stride).indices(size))
    )
