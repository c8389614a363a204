"""cupy.pad, which CuPy implements by slices (cupy/_padding/pad.py): the modes in use, with their launches."""

import numbers

import numpy as np

from tests.support.fake_cupy.array import ndarray
from tests.support.fake_cupy.storage import Storage

_LARGE = 4_000_000  # elements of an array above which only its edges are filled


def pad(array, pad_width, mode="constant", **kwargs):
    if not isinstance(array, Storage):
        raise TypeError(f"Unsupported type {type(array)}")
    widths = np.asarray(pad_width)
    if widths.dtype.kind != "i":
        raise TypeError("`pad_width` must be of integral type.")
    widths = np.broadcast_to(widths, (array.ndim, 2)).tolist()
    if min(map(min, widths), default=0) < 0:
        raise ValueError("index can't contain negative values")
    allowed = {"constant": {"constant_values"}, "reflect": {"reflect_type"}}
    allowed["symmetric"] = allowed["reflect"]
    if mode not in allowed:
        raise NotImplementedError(f"the fake does not pad by {mode!r}")
    if set(kwargs) - allowed[mode]:
        raise ValueError(f"unsupported keyword arguments for mode '{mode}': {set(kwargs)}")
    if mode == "constant":
        return _constant(array, widths, kwargs.get("constant_values", 0))
    if kwargs.get("reflect_type", "even") != "even":
        raise NotImplementedError("the fake reflects evenly")
    return _reflect(array, widths, mode == "symmetric")


def _grow(array, widths):
    """Allocates the result around a copy of the array; returns both."""
    shape = tuple(left + size + right for size, (left, right) in zip(array.shape, widths))
    padded = ndarray(shape, array.dtype, order="F" if array.flags.fnc else "C")
    interior = tuple(slice(left, left + n) for n, (left, _) in zip(array.shape, widths))
    return padded, interior


def _constant(array, widths, value):
    if not isinstance(value, numbers.Number):
        raise NotImplementedError("the fake pads by one number")
    padded, interior = _grow(array, widths)
    if value == 0 and (array.ndim == 1 or array.size < _LARGE):
        padded.fill(0)
        padded[interior] = array
        return padded
    padded[interior] = array
    for axis, (left, right) in enumerate(widths):
        part = _of_later_axes(padded, interior, axis)
        part[_at(axis, slice(None, left))] = value
        part[_at(axis, slice(part.shape[axis] - right, None))] = value
    return padded


def _reflect(array, widths, with_edge):
    padded, interior = _grow(array, widths)
    padded[interior] = array
    if not array.size:
        if any(not n and any(width) for n, width in zip(array.shape, widths)):
            raise ValueError("can't extend empty axis using modes other than 'constant' or 'empty'")
        return padded
    for axis, (left, right) in enumerate(widths):
        if array.shape[axis] == 1:
            end = padded.shape[axis] - right
            for edge, part in ((left, slice(None, left)), (end - 1, slice(end, None))):
                if left or right:
                    padded[_at(axis, part)] = padded[_at(axis, slice(edge, edge + 1))]
            continue
        part = _of_later_axes(padded, interior, axis)
        while left or right:
            left, right = _once(part, axis, left, right, with_edge)
    return padded


def _once(part, axis, left, right, with_edge):
    """Fills both sides as far as one reflection reaches; returns the remaining widths."""
    length = part.shape[axis] - left - right - (not with_edge)
    if left:
        count, stop = min(length, left), left - with_edge
        values = part[_at(axis, slice(stop + count, stop, -1))]
        part[_at(axis, slice(left - count, left))] = values
        left -= count
    if right:
        count, start = min(length, right), -right + with_edge - 2
        values = part[_at(axis, slice(start, start - count, -1))]
        begin = part.shape[axis] - right
        part[_at(axis, slice(begin, begin + count))] = values
        right -= count
    return left, right


def _of_later_axes(padded, interior, axis):
    """The region to fill along an axis: all of the preceding axes, the original range of the following ones."""
    return padded[(slice(None),) * (axis + 1) + interior[axis + 1 :]]


def _at(axis, part):
    return (slice(None),) * axis + (part,)
