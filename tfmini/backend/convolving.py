"""Convolution in two dimensions as products of matrices, for arrays [batch, rows, columns, depth].

Each window of the input becomes a row of a matrix, which is multiplied by the filter; the gradients are products with
the same matrix. On a CPU the matrix is made for a few images at a time, so that it stays in the cache, and the threads
share the images; on a GPU for as many as `_GPU_BYTES` hold.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from tfmini.backend.threads import run_parts, thread_count

# Bytes of the matrix of windows that is made at a time.
_CPU_BYTES = 1 << 21
_GPU_BYTES = 1 << 28
# Multiplications: below that one thread is as fast.
_LARGE = 4_000_000
# Elements: where less than that lie side by side in memory, windows are laid out the other way round.
_SHORT = 16


@dataclass(frozen=True)
class Axis:
    """The windows along one axis.

    size: of the input; kernel: of the filter; count: how many windows there are; before, behind: the zeros around the
    input. A window's elements are `dilation` apart, the windows `stride`.
    """

    size: int
    kernel: int
    stride: int
    dilation: int
    before: int
    behind: int
    count: int

    @property
    def padded(self) -> int:
        """The size with the zeros."""
        return self.before + self.size + self.behind

    @property
    def inside(self) -> slice:
        """Where the input lies between the zeros."""
        return slice(self.before, self.before + self.size)

    def positions(self, offset: int) -> slice:
        """Where in the padded input the windows have their element number `offset`."""
        start = offset * self.dilation
        return slice(start, start + (self.count - 1) * self.stride + 1, self.stride)


def convolved(xp: Any, x: Any, filter: Any, rows: Axis, columns: Axis) -> Any:
    """The convolution of x: [batch, rows, columns, depth] with filter: [rows, columns, depth, filters]."""
    shape = (len(x), rows.count, columns.count, filter.shape[3])
    result = xp.empty(shape, x.dtype)
    if result.size == 0 or filter.size == 0:
        result[...] = 0
        return result
    flat = filter.reshape(-1, shape[3])

    def work(images: slice) -> None:
        windows = _windows(xp, x[images], rows, columns)
        xp.matmul(windows, flat, out=result[images].reshape(len(windows), -1))

    _for_images(xp, work, shape, flat.shape[0] * x.itemsize, result.size * flat.shape[0])
    return result


def filter_gradient(xp: Any, x: Any, grad: Any, rows: Axis, columns: Axis) -> Any:
    """The gradient of the filter: [rows, columns, depth, filters], for that of the convolution."""
    shape = (rows.kernel, columns.kernel, x.shape[3], grad.shape[3])
    inner = shape[0] * shape[1] * shape[2]
    if grad.size == 0 or inner == 0:
        return xp.zeros(shape, x.dtype)
    slices, threads = _division(xp, grad.shape, inner * x.itemsize, grad.size * inner)
    # Each part adds up images of its own in their order, so that the sum is the same every time.
    share = -(-len(slices) // threads)
    sums: list[Any] = [None] * -(-len(slices) // share)

    def work(part: int) -> None:
        total = None
        for images in slices[part * share : (part + 1) * share]:
            windows = _windows(xp, x[images], rows, columns)
            product = xp.matmul(windows.T, grad[images].reshape(len(windows), -1))
            if total is None:
                total = product
            else:
                total += product
        sums[part] = total

    run_parts(work, len(sums))
    total = sums[0]
    for other in sums[1:]:
        total += other
    return total.reshape(shape)


def input_gradient(xp: Any, filter: Any, grad: Any, rows: Axis, columns: Axis) -> Any:
    """The gradient of the input: [batch, rows, columns, depth], for that of the convolution."""
    depth, filters = filter.shape[2:]
    result = xp.zeros((len(grad), rows.size, columns.size, depth), grad.dtype)
    if grad.size == 0 or filter.size == 0:
        return result
    inner = depth if depth >= _SHORT else filter.size // filters
    # Laid out anew: a small product without a transposed matrix takes two thirds of the time, or half.
    turned = xp.ascontiguousarray(filter.transpose(0, 1, 3, 2))

    def work(images: slice) -> None:
        if depth < _SHORT:
            _add_planes(xp, filter, grad[images], rows, columns, result[images])
        else:
            _add_elements(xp, turned, grad[images], rows, columns, result[images])

    _for_images(xp, work, grad.shape, inner * grad.itemsize, grad.size * filter.size // filters)
    return result


def _add_elements(xp: Any, turned: Any, grad: Any, rows: Axis, columns: Axis, result: Any) -> None:
    """One product for each element of the filter, added where the windows have it.

    Args:
      turned: the filter as [rows, columns, filters, depth].
    """
    filters, depth = turned.shape[2:]
    flat = grad.reshape(-1, filters)
    target = result
    if not _is_whole(rows, columns):
        target = xp.zeros((len(grad), rows.padded, columns.padded, depth), grad.dtype)
    for i in range(rows.kernel):
        for j in range(columns.kernel):
            added = xp.matmul(flat, turned[i, j]).reshape(*grad.shape[:3], depth)
            target[:, rows.positions(i), columns.positions(j)] += added
    if target is not result:
        result[...] = target[:, rows.inside, columns.inside]


def _add_planes(xp: Any, filter: Any, grad: Any, rows: Axis, columns: Axis, result: Any) -> None:
    """One product for all, added depth by depth: where the elements of a position are few."""
    depth, filters = filter.shape[2:]
    products = xp.matmul(filter.reshape(-1, filters), grad.reshape(-1, filters).T)
    products = products.reshape(rows.kernel, columns.kernel, depth, *grad.shape[:3])
    planes = xp.zeros((depth, len(grad), rows.padded, columns.padded), grad.dtype)
    for i in range(rows.kernel):
        for j in range(columns.kernel):
            planes[:, :, rows.positions(i), columns.positions(j)] += products[i, j]
    result[...] = planes[:, :, rows.inside, columns.inside].transpose(1, 2, 3, 0)


def _windows(xp: Any, x: Any, rows: Axis, columns: Axis) -> Any:
    """The windows as rows of a matrix: [batch * positions, filter elements]."""
    x = _padded(xp, x, rows, columns)
    depth = x.shape[3]
    n, r, c, d = x.strides
    shape = (len(x), rows.count, columns.count, rows.kernel, columns.kernel, depth)
    strides = (
        *(n, r * rows.stride, c * columns.stride),
        *(r * rows.dilation, c * columns.dilation, d),
    )
    view = xp.lib.stride_tricks.as_strided(x, shape, strides)
    size = shape[0] * shape[1] * shape[2]
    beside = depth if columns.dilation > 1 else depth * columns.kernel
    if beside < _SHORT and rows.kernel * columns.kernel > 1:
        return view.transpose(3, 4, 5, 0, 1, 2).reshape(-1, size).T
    return view.reshape(size, -1)


def _padded(xp: Any, x: Any, rows: Axis, columns: Axis) -> Any:
    """The input with its zeros around it."""
    if _is_whole(rows, columns):
        return x
    padded = xp.zeros((len(x), rows.padded, columns.padded, x.shape[3]), x.dtype)
    padded[:, rows.inside, columns.inside] = x
    return padded


def _is_whole(rows: Axis, columns: Axis) -> bool:
    """Whether there are no zeros around the input."""
    return rows.padded == rows.size and columns.padded == columns.size


def _for_images(
    xp: Any, work: Callable[[slice], None], shape: tuple, bytes_a_row: int, multiplications: int
) -> None:
    """Calls `work` with slices that together are all images, on threads if that is worth it."""
    slices, threads = _division(xp, shape, bytes_a_row, multiplications)
    if threads > 1:
        run_parts(lambda part: work(slices[part]), len(slices))
    else:
        for images in slices:
            work(images)


def _division(
    xp: Any, shape: tuple, bytes_a_row: int, multiplications: int
) -> tuple[list[slice], int]:
    """Slices of images to take at a time, and how many threads to use.

    Args:
      shape: of the convolution's result.
      bytes_a_row: what a position of it needs while it is computed.
      multiplications: of all.
    """
    images = shape[0]
    at_a_time = max(1, _limit(xp) // max(1, bytes_a_row * shape[1] * shape[2]))
    threads = thread_count() if xp is np and multiplications >= _LARGE else 1
    if threads > 1:
        at_a_time = min(at_a_time, -(-images // threads))
    return list(_slices(images, at_a_time)), threads


def _limit(xp: Any) -> int:
    return _CPU_BYTES if xp is np else _GPU_BYTES


def _slices(size: int, step: int) -> Iterator[slice]:
    for start in range(0, size, step):
        yield slice(start, min(start + step, size))
