"""Pooling over rows and columns of arrays [batch, rows, columns, depth].

Maxima and sums are taken along rows first and along columns of what is left: a window of n x m elements costs n + m
passes. Elements outside the input take no part. Where it matters which element is the largest, the windows' elements
are walked in their order, and the first of equal ones is it, as in TensorFlow.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from tfmini.backend.convolving import Axis
from tfmini.backend.threads import run_parts, thread_count

# Elements of the input: below that one thread is as fast; and those that are taken at a time, for the cache.
_LARGE = 1 << 19
_BLOCK = 1 << 17


def max_pooled(xp: Any, x: Any, rows: Axis, columns: Axis) -> Any:
    """The largest element of each window; NaN counts for less than any number.

    Of a window of nothing but NaN and -infinity it is the least finite number of the dtype.
    """
    lowest = _lowest(x.dtype)
    larger = xp.maximum if x.dtype.kind in "iu" else xp.fmax

    def pooled(x: Any) -> Any:
        return _reduced(xp, _reduced(xp, x, rows, 1, larger, lowest), columns, 2, larger, lowest)

    return _by_images(xp, pooled, x, (rows.count, columns.count))


def average_pooled(xp: Any, x: Any, rows: Axis, columns: Axis) -> Any:
    """The mean of each window's elements."""
    counts = _counts(xp, rows, columns, x.dtype)

    def pooled(x: Any) -> Any:
        sums = _reduced(xp, _reduced(xp, x, rows, 1, xp.add, 0), columns, 2, xp.add, 0)
        return xp.divide(sums, counts, out=sums)

    return _by_images(xp, pooled, x, (rows.count, columns.count))


def max_gradient(xp: Any, x: Any, grad: Any, rows: Axis, columns: Axis) -> Any:
    """The gradient of the input: each window's goes to its first largest element."""
    result = xp.zeros(x.shape, grad.dtype)
    apart = rows.stride >= rows.kernel and columns.stride >= columns.kernel

    def work(images: slice) -> None:
        number = _first_largest(xp, x[images], rows, columns)
        mine, grads = result[images], grad[images]
        for at, windows, elements in _offsets(rows, columns):
            part = _kept(xp, grads[windows], number[windows] == at)
            if apart:
                mine[elements] = part
            else:
                mine[elements] += part

    _over_images(xp, work, x)
    return result


def max_second_gradient(xp: Any, x: Any, grad: Any, rows: Axis, columns: Axis) -> Any:
    """Of each window the element of `grad` (as large as the input) that stands where the first largest one does."""
    result = xp.zeros((len(x), rows.count, columns.count, x.shape[3]), grad.dtype)

    def work(images: slice) -> None:
        number = _first_largest(xp, x[images], rows, columns)
        mine, grads = result[images], grad[images]
        for at, windows, elements in _offsets(rows, columns):
            xp.copyto(mine[windows], grads[elements], where=number[windows] == at)

    _over_images(xp, work, x)
    return result


def average_gradient(xp: Any, grad: Any, rows: Axis, columns: Axis) -> Any:
    """The gradient of the input: each element's share of the windows that it is in."""
    share = grad / _counts(xp, rows, columns, grad.dtype)
    return _spread(xp, _spread(xp, share, columns, 2), rows, 1)


def _lowest(dtype: Any) -> Any:
    if dtype.kind in "iu":
        return np.iinfo(dtype).min
    return np.finfo(dtype).min


def _meeting(axis: Axis, offset: int) -> tuple[slice, slice]:
    """The windows whose element number `offset` is inside the input, and where these elements are."""
    first = max(0, -((offset - axis.before) // axis.stride))
    last = min(axis.count, (axis.size - 1 - offset + axis.before) // axis.stride + 1)
    last = max(first, last)
    start = first * axis.stride + offset - axis.before
    return slice(first, last), slice(start, start + (last - first) * axis.stride, axis.stride)


def _along(number: int, part: slice) -> tuple[slice, ...]:
    return (slice(None),) * number + (part,)


def _reduced(xp: Any, x: Any, axis: Axis, number: int, reduce: Callable, start: Any) -> Any:
    """`reduce` over the elements of each window along dimension `number`, beginning with `start`."""
    shape = (*x.shape[:number], axis.count, *x.shape[number + 1 :])
    result = xp.full(shape, start, x.dtype)
    for offset in range(axis.kernel):
        windows, elements = (_along(number, part) for part in _meeting(axis, offset))
        into = result[windows]
        reduce(into, x[elements], out=into)
    return result


def _spread(xp: Any, grad: Any, axis: Axis, number: int) -> Any:
    """For each element along dimension `number` the sum over the windows that it is in."""
    shape = (*grad.shape[:number], axis.size, *grad.shape[number + 1 :])
    result = xp.zeros(shape, grad.dtype)
    for offset in range(axis.kernel):
        windows, elements = (_along(number, part) for part in _meeting(axis, offset))
        into = result[elements]
        xp.add(into, grad[windows], out=into)
    return result


def _counts(xp: Any, rows: Axis, columns: Axis, dtype: Any) -> Any:
    """How many elements each window has inside the input: [rows, columns, 1]."""
    sizes = []
    for axis in (rows, columns):
        first = np.arange(axis.count) * axis.stride - axis.before
        last = np.minimum(first + axis.kernel, axis.size)
        sizes.append(last - np.maximum(first, 0))
    return xp.asarray(np.multiply.outer(*sizes)[..., None].astype(dtype))


def _offsets(rows: Axis, columns: Axis) -> Iterator[tuple[int, tuple, tuple]]:
    """(number, windows, elements) of each element of a window, in their order."""
    for row in range(rows.kernel):
        down, lines = _meeting(rows, row)
        for column in range(columns.kernel):
            across, cells = _meeting(columns, column)
            every = slice(None)
            yield row * columns.kernel + column, (every, down, across), (every, lines, cells)


def _kept(xp: Any, grad: Any, hit: Any) -> Any:
    """`grad` where `hit`, else 0, whatever it is there: infinity too."""
    if xp is not np:
        return xp.where(hit, grad, grad.dtype.type(0))
    bits = np.dtype(f"i{grad.itemsize}")
    return (grad.view(bits) & -hit.astype(bits)).view(grad.dtype)


def _first_largest(xp: Any, x: Any, rows: Axis, columns: Axis) -> Any:
    """The number of each window's first largest element, among those inside the input."""
    starts = [np.arange(axis.count) * axis.stride - axis.before for axis in (rows, columns)]
    (row, column) = (np.maximum(start, 0) for start in starts)
    first = np.add.outer((row - starts[0]) * columns.kernel, column - starts[1])
    largest = x.take(xp.asarray(row), 1).take(xp.asarray(column), 2)
    kind = np.int8 if rows.kernel * columns.kernel < 128 else np.int32
    number = xp.empty(largest.shape, kind)
    number[...] = xp.asarray(first[..., None].astype(kind))
    # Numbers grow along the walk, so the larger one is the later one; `maximum` is ten times as fast as a choice by
    # mask, but spreads what is not a number.
    orders = xp is np and (x.dtype.kind in "iu" or not np.isnan(np.min(x, initial=0)))
    for at, windows, elements in _offsets(rows, columns):
        values, best = x[elements], largest[windows]
        better = best < values
        if orders:
            np.maximum(best, values, out=best)
            np.maximum(number[windows], better * kind(at), out=number[windows])
        else:
            xp.copyto(best, values, where=better)
            xp.copyto(number[windows], kind(at), where=better)
    return number


def _by_images(xp: Any, pooled: Callable, x: Any, counts: tuple[int, int]) -> Any:
    """`pooled` of x, some images at a time."""
    if xp is not np or x.size < _BLOCK:
        return pooled(x)
    result = np.empty((len(x), *counts, x.shape[3]), x.dtype)

    def work(images: slice) -> None:
        result[images] = pooled(x[images])

    _over_images(xp, work, x)
    return result


def _over_images(xp: Any, work: Callable[[slice], None], x: Any) -> None:
    """Calls `work` with slices that together are all images: on a CPU what the cache holds, on threads."""
    at_a_time = max(1, _BLOCK // max(1, x[0].size)) if xp is np and len(x) else max(1, len(x))
    slices = [slice(first, first + at_a_time) for first in range(0, len(x), at_a_time)]
    if xp is np and x.size >= _LARGE and len(slices) > 1 and thread_count() > 1:
        run_parts(lambda part: work(slices[part]), len(slices))
    else:
        for images in slices:
            work(images)
