"""Depthwise convolution of arrays [batch, rows, columns, depth].

The filter is [rows, columns, depth, multiples]: each channel yields `multiples` channels. One array product per filter
element is summed; on a CPU, for as many result rows at a time as fit in the cache, on threads.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator

import numpy as np

from tfmini._src.devices.arrays import Array, ArrayModule
from tfmini._src.devices.host.native import depthwise_conv as native
from tfmini._src.devices.host.threads import run_parts, thread_count
from tfmini._src.devices.numpy.windows.axes import Axis

# Elements per block, which fit in the cache; and the number of elements below which one thread is as fast.
_BLOCK = 1 << 15
_MIN_PARALLEL_ELEMENTS = 1 << 17


def convolve_depthwise(
    xp: ArrayModule, x: Array, filter: Array, rows: Axis, columns: Axis
) -> Array:
    """Returns the convolution of each channel, [batch, rows, columns, depth * multiples]."""
    computed = native.convolve_depthwise(x, filter, rows, columns) if xp is np else None
    if computed is not None:
        return computed
    depth, multiples = filter.shape[2:]
    result = xp.zeros((len(x), rows.count, columns.count, depth, multiples), x.dtype)

    def work(images: slice, lines: slice) -> None:
        elements, part = rows.part(lines)
        inputs, target = x[images, elements], result[images, lines]
        for i, j in _offsets(part, columns):
            windows, element_slices = _overlap(part, columns, i, j)
            if multiples == 1:
                target[windows][..., 0] += inputs[element_slices] * filter[i, j, :, 0]
            else:
                target[windows] += inputs[element_slices][..., None] * filter[i, j]

    _run_over_lines(xp, work, len(x), rows.count, columns.count * depth * multiples)
    return result.reshape(*result.shape[:3], depth * multiples)


def input_gradient(xp: ArrayModule, filter: Array, grad: Array, rows: Axis, columns: Axis) -> Array:
    """Returns the gradient with respect to the input, [batch, rows, columns, depth]."""
    computed = native.input_gradient(filter, grad, rows, columns) if xp is np else None
    if computed is not None:
        return computed
    depth, multiples = filter.shape[2:]
    result = xp.zeros((len(grad), rows.size, columns.size, depth), grad.dtype)
    grads = grad.reshape(*grad.shape[:3], depth, multiples)

    def work(images: slice, lines: slice) -> None:
        for i, j in _offsets(rows, columns):
            windows, elements = _overlap(rows, columns, i, j)
            row_slices = _restrict_to_lines(windows[1], elements[1], lines, rows.stride)
            if row_slices is None:
                continue
            part = grads[images, row_slices[0], windows[2]]
            if multiples == 1:
                product = part[..., 0] * filter[i, j, :, 0]
            else:
                product = (part * filter[i, j]).sum(-1)
            result[images, row_slices[1], elements[2]] += product

    _run_over_lines(xp, work, len(grad), rows.size, columns.size * depth * multiples)
    return result


def filter_gradient(xp: ArrayModule, x: Array, grad: Array, rows: Axis, columns: Axis) -> Array:
    """Returns the gradient with respect to the filter, [rows, columns, depth, multiples]."""
    computed = native.filter_gradient(x, grad, rows, columns) if xp is np else None
    if computed is not None:
        return computed
    depth = x.shape[3]
    multiples = grad.shape[3] // max(depth, 1)
    shape = (rows.kernel, columns.kernel, depth, multiples)
    grads = grad.reshape(*grad.shape[:3], depth, multiples)
    if grad.size == 0 or x.size == 0:
        return xp.zeros(shape, x.dtype)
    threads = _threads(xp, grad.size)
    pieces = _image_and_line_slices(xp, len(x), rows.count, columns.count * depth * multiples)
    # Each part sums its pieces in order, so that the total is reproducible.
    share = -(-len(pieces) // threads)
    sums = xp.zeros((-(-len(pieces) // share), *shape), x.dtype)

    def work(index: int) -> None:
        total = sums[index]
        for images, lines in pieces[index * share : (index + 1) * share]:
            elements, part = rows.part(lines)
            inputs, window_grads = x[images, elements], grads[images, lines]
            for i, j in _offsets(part, columns):
                windows, element_slices = _overlap(part, columns, i, j)
                total[i, j] += _sum_products(xp, inputs[element_slices], window_grads[windows])

    run_parts(work, len(sums))
    return sums.sum(0)


def _sum_products(xp: ArrayModule, x: Array, grad: Array) -> Array:
    """Returns [depth, multiples], the sum over positions of x [batch, rows, columns, depth] times grad."""
    # CuPy's einsum calls cuBLAS through a wrapper that cannot be captured (cupy/linalg/_einsum.py).
    if xp is not np:
        return (x[..., None] * grad).sum((0, 1, 2))
    if grad.shape[-1] == 1:
        return xp.einsum("nrcd,nrcd->d", x, grad[..., 0])[:, None]
    return xp.einsum("nrcd,nrcdm->dm", x, grad)


def _offsets(rows: Axis, columns: Axis) -> Iterator[tuple[int, int]]:
    return itertools.product(range(rows.kernel), range(columns.kernel))


def _overlap(
    rows: Axis, columns: Axis, i: int, j: int
) -> tuple[tuple[slice, ...], tuple[slice, ...]]:
    """Returns the windows whose element (i, j) is inside the input, and the positions of these elements."""
    row_overlap, column_overlap, full_slice = rows.overlap(i), columns.overlap(j), slice(None)
    return (full_slice, row_overlap[0], column_overlap[0]), (
        full_slice,
        row_overlap[1],
        column_overlap[1],
    )


def _restrict_to_lines(
    windows: slice, elements: slice, lines: slice, stride: int
) -> tuple[slice, slice] | None:
    """Returns windows and their elements, restricted to elements within `lines`."""
    first = max(0, -(-(lines.start - elements.start) // stride))
    last = min(windows.stop - windows.start, -(-(lines.stop - elements.start) // stride))
    if first >= last:
        return None
    start = elements.start + first * stride
    stop = elements.start + (last - 1) * stride + 1
    return slice(windows.start + first, windows.start + last), slice(start, stop, stride)


def _threads(xp: ArrayModule, size: int) -> int:
    return thread_count() if xp is np and size >= _MIN_PARALLEL_ELEMENTS else 1


def _image_and_line_slices(
    xp: ArrayModule, images: int, lines: int, width: int
) -> list[tuple[slice, slice]]:
    """Returns pairs (images, lines) that together cover everything; a single pair on a GPU."""
    if xp is not np:
        return [(slice(0, images), slice(0, lines))] if images else []
    step = max(1, _BLOCK // max(1, width))
    together = max(1, step // max(1, lines))
    batches = [slice(first, min(first + together, images)) for first in range(0, images, together)]
    parts = [slice(first, min(first + step, lines)) for first in range(0, lines, step)]
    return list(itertools.product(batches, parts))


def _run_over_lines(
    xp: ArrayModule, work: Callable[[slice, slice], None], images: int, lines: int, width: int
) -> None:
    """Calls `work(images, lines)` for pieces that together cover everything."""
    pieces = _image_and_line_slices(xp, images, lines, width)
    if _threads(xp, images * lines * width) == 1:
        for piece in pieces:
            work(*piece)
    else:
        run_parts(lambda index: work(*pieces[index]), len(pieces))
