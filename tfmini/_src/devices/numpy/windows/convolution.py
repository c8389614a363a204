"""Convolution as matrix products, for arrays [batch, sizes ..., depth] with any number of axes.

Each window of the input becomes a row of a matrix, which is multiplied by the filter; the gradients are products with
the same matrix. On a CPU, threads build the matrix for a few images or part of an image at a time, so that it stays in
the cache; on a GPU, it is built for up to `_GPU_BYTES`.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np

from tfmini._src.devices.arrays import Array, ArrayModule
from tfmini._src.devices.cuda.matmul import matmul
from tfmini._src.devices.host.native import convolution as native
from tfmini._src.devices.host.onednn.convolution import convolution, is_large
from tfmini._src.devices.host.onednn.library import library
from tfmini._src.devices.host.threads import run_parts, thread_count
from tfmini._src.devices.numpy.windows.axes import Axis

# Bytes of the im2col matrix per block.
_CPU_BYTES = 1 << 21
_GPU_BYTES = 1 << 28
# Minimum multiplications; for fewer, one thread is as fast.
_MIN_PARALLEL_MULTIPLICATIONS = 4_000_000
# Maximum multiplications for NumPy's products.
_MAX_NUMPY_MULTIPLICATIONS = 1 << 19
# Minimum contiguous elements; for fewer, the axes of the im2col matrix are swapped.
_MIN_CONTIGUOUS_ELEMENTS = 16

# A range of images, and their windows in a range of the first axis.
Chunk = tuple[slice, slice]


def convolve(xp: ArrayModule, x: Array, filter: Array, *axes: Axis) -> Array:
    """Returns the convolution of x [batch, sizes ..., depth] with filter [sizes ..., depth, filters]."""
    shape = (len(x), *(axis.count for axis in axes), filter.shape[-1])
    result = xp.empty(shape, x.dtype)
    if result.size == 0 or filter.size == 0:
        result[...] = 0
        return result
    if _is_small_product(xp, axes, result.size * filter.shape[-2]):
        pixels = x.reshape(-1, filter.shape[-2])
        np.matmul(pixels, filter.reshape(-1, shape[-1]), out=result.reshape(-1, shape[-1]))
        return result
    fast = convolution(x, filter, None, axes, (len(x), *filter.shape[-2:]))
    if fast is not None:
        return fast.forward(x, filter)
    output = native.convolve(x, filter, axes) if xp is np else None
    if output is not None:
        return output
    flat = filter.reshape(-1, shape[-1])

    def work(piece: Chunk) -> None:
        windows = _window_matrix(xp, *_chunk_input(x, piece, axes))
        matmul(xp, windows, flat, out=result[piece].reshape(len(windows), -1))

    pieces, threads = _divide_work(
        xp, shape, flat.shape[0] * x.itemsize, result.size * flat.shape[0]
    )
    if threads > 1:
        run_parts(lambda index: work(pieces[index]), len(pieces))
    else:
        for piece in pieces:
            work(piece)
    return result


def _is_small_product(xp: ArrayModule, axes: Sequence[Axis], multiplications: int) -> bool:
    """Whether it is faster to multiply pixels and the filter with NumPy than to build windows."""
    if xp is not np or multiplications > _MAX_NUMPY_MULTIPLICATIONS:
        return False
    return all(axis.kernel == axis.stride == 1 and axis.is_unpadded for axis in axes)


def native_pass_for_shapes(
    direction: int, axes: Sequence[Axis], x: Sequence[int], filter: Sequence[int]
) -> Callable[[Array, Array], Array | None] | None:
    """Returns `native.pass_for_shapes` if these functions would call the native library."""
    windows = math.prod(axis.count for axis in axes)
    if _is_small_product(np, axes, x[0] * windows * filter[-2] * filter[-1]):
        return None
    if library() is not None and is_large(axes, x[0], *filter[-2:]):
        if not native.is_winograd(tuple(axes), x[0], *filter[-2:], direction):
            return None
    return native.pass_for_shapes(direction, axes, x, filter)


def convolve_with_epilogue(
    x: Array, filter: Array, axes: Sequence[Axis], epilogue: native.Epilogue
) -> Any:
    """Returns `convolve` with an epilogue, on a CPU; None if the epilogue must be computed separately."""
    if convolution(x, filter, None, axes, (len(x), *filter.shape[-2:])) is not None:
        return None
    return native.convolve(x, filter, axes, epilogue)


def filter_gradient(xp: ArrayModule, x: Array, grad: Array, *axes: Axis) -> Array:
    """Returns the gradient with respect to the filter, [sizes ..., depth, filters], given the convolution's."""
    shape = (*(axis.kernel for axis in axes), x.shape[-1], grad.shape[-1])
    inner = math.prod(shape[:-1])
    if grad.size == 0 or inner == 0:
        return xp.zeros(shape, x.dtype)
    if _is_small_product(xp, axes, grad.size * inner):
        return (x.reshape(-1, inner).T @ grad.reshape(-1, shape[-1])).reshape(shape)
    fast = convolution(x, None, grad, axes, (len(x), *shape[-2:]))
    if fast is not None:
        return fast.filter_gradient(x, grad)
    result = native.filter_gradient(x, grad, axes) if xp is np else None
    if result is not None:
        return result
    pieces, threads = _divide_work(xp, grad.shape, inner * x.itemsize, grad.size * inner)
    # Each part sums its pieces in order, so that the total is reproducible.
    share = -(-len(pieces) // threads)
    sums: list[Any] = [None] * -(-len(pieces) // share)

    def work(part: int) -> None:
        total = None
        for piece in pieces[part * share : (part + 1) * share]:
            windows = _window_matrix(xp, *_chunk_input(x, piece, axes))
            product = matmul(xp, windows.T, grad[piece].reshape(len(windows), -1))
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


def input_gradient(xp: ArrayModule, filter: Array, grad: Array, *axes: Axis) -> Array:
    """Returns the gradient with respect to the input, [batch, sizes ..., depth], given the convolution's."""
    depth, filters = filter.shape[-2:]
    shape = (len(grad), *(axis.size for axis in axes), depth)
    if grad.size == 0 or filter.size == 0:
        return xp.zeros(shape, grad.dtype)
    if _is_small_product(xp, axes, grad.size * depth):
        return (grad.reshape(-1, filters) @ filter.reshape(depth, filters).T).reshape(shape)
    fast = convolution(None, filter, grad, axes, (len(grad), depth, filters))
    if fast is not None:
        return fast.input_gradient(filter, grad)
    output = native.input_gradient(filter, grad, axes) if xp is np else None
    if output is not None:
        return output
    turned_axes = [other for axis in axes if (other := axis.transpose()) is not None]
    if xp is np and depth >= _MIN_CONTIGUOUS_ELEMENTS and len(turned_axes) == len(axes):
        flip = (slice(None, None, -1),) * len(axes)
        transposed_filter = np.ascontiguousarray(np.swapaxes(filter[flip], -1, -2))
        return convolve(np, grad, transposed_filter, *turned_axes)
    result = xp.zeros(shape, grad.dtype)
    inner = depth if depth >= _MIN_CONTIGUOUS_ELEMENTS else filter.size // filters
    # Contiguous, because a small product without a transposed matrix takes half to two thirds of the time.
    transposed_filter = xp.ascontiguousarray(xp.swapaxes(filter, -1, -2))

    def work(images: slice) -> None:
        if depth < _MIN_CONTIGUOUS_ELEMENTS:
            _add_planes(xp, filter, grad[images], axes, result[images])
        else:
            _add_elements(xp, transposed_filter, grad[images], axes, result[images])

    _for_images(xp, work, grad.shape, inner * grad.itemsize, grad.size * filter.size // filters)
    return result


def input_gradient_with_epilogue(
    filter: Array, grad: Array, axes: Sequence[Axis], epilogue: native.Epilogue
) -> Any:
    """Returns `input_gradient` with an epilogue, on a CPU; None if the epilogue must be computed separately."""
    if convolution(None, filter, grad, axes, (len(grad), *filter.shape[-2:])) is not None:
        return None
    return native.input_gradient(filter, grad, axes, epilogue)


def _add_elements(
    xp: ArrayModule, transposed_filter: Any, grad: Array, axes: tuple[Axis, ...], result: Array
) -> None:
    """Adds a product per filter element at its window positions; the filter is [sizes ..., filters, depth]."""
    filters, depth = transposed_filter.shape[-2:]
    flat = grad.reshape(-1, filters)
    target = result
    if not _are_unpadded(axes):
        target = xp.zeros((len(grad), *(axis.padded_size for axis in axes), depth), grad.dtype)
    for offset in _offsets(axes):
        product = matmul(xp, flat, transposed_filter[offset]).reshape(*grad.shape[:-1], depth)
        target[(slice(None), *_positions(axes, offset))] += product
    if target is not result:
        result[...] = target[(slice(None), *(axis.input_slice for axis in axes))]


def _add_planes(
    xp: ArrayModule, filter: Array, grad: Array, axes: tuple[Axis, ...], result: Array
) -> None:
    """Computes a single product and adds it depth by depth; used for few elements per position."""
    depth, filters = filter.shape[-2:]
    products = matmul(xp, filter.reshape(-1, filters), grad.reshape(-1, filters).T)
    products = products.reshape(*filter.shape[:-1], *grad.shape[:-1])
    planes = xp.zeros((depth, len(grad), *(axis.padded_size for axis in axes)), grad.dtype)
    full_slice = slice(None)
    for offset in _offsets(axes):
        planes[(full_slice, full_slice, *_positions(axes, offset))] += products[offset]
    result[...] = xp.moveaxis(
        planes[(full_slice, full_slice, *(axis.input_slice for axis in axes))], 0, -1
    )


def _offsets(axes: tuple[Axis, ...]) -> Iterator[tuple[int, ...]]:
    return itertools.product(*(range(axis.kernel) for axis in axes))


def _positions(axes: tuple[Axis, ...], offset: tuple[int, ...]) -> tuple[slice, ...]:
    return tuple(axis.positions(position) for axis, position in zip(axes, offset))


def _chunk_input(x: Array, piece: Chunk, axes: tuple[Axis, ...]) -> tuple[Array, tuple[Axis, ...]]:
    """Returns the elements of x covered by the windows of a piece, and their axes."""
    images, windows = piece
    if windows == slice(0, axes[0].count):
        return x[images], axes
    elements, first = axes[0].part(windows)
    return x[images, elements], (first, *axes[1:])


def _window_matrix(xp: ArrayModule, x: Array, axes: tuple[Axis, ...]) -> Array:
    """Returns the windows as rows of a matrix: [batch * positions, filter elements]."""
    x = _pad(xp, x, axes)
    depth = x.shape[-1]
    counts, kernels = [axis.count for axis in axes], [axis.kernel for axis in axes]
    batch, *spatial_strides, channel_stride = x.strides
    strides = (
        batch,
        *(step * axis.stride for step, axis in zip(spatial_strides, axes)),
        *(step * axis.dilation for step, axis in zip(spatial_strides, axes)),
        channel_stride,
    )
    view = xp.lib.stride_tricks.as_strided(x, (len(x), *counts, *kernels, depth), strides)
    size = len(x) * math.prod(counts)
    run = depth if axes[-1].dilation > 1 else depth * kernels[-1]
    if run < _MIN_CONTIGUOUS_ELEMENTS and math.prod(kernels) > 1:
        last = len(axes) + 1
        transposed_view = view.transpose(*range(last, 2 * last), *range(last))
        return transposed_view.reshape(-1, size).T
    return view.reshape(size, -1)


def _pad(xp: ArrayModule, x: Array, axes: tuple[Axis, ...]) -> Array:
    """Returns the input with its padding."""
    if _are_unpadded(axes):
        return x
    padded = xp.zeros((len(x), *(axis.padded_size for axis in axes), x.shape[-1]), x.dtype)
    padded[(slice(None), *(axis.input_slice for axis in axes))] = x
    return padded


def _are_unpadded(axes: tuple[Axis, ...]) -> bool:
    """Whether no axis is padded."""
    return all(axis.is_unpadded for axis in axes)


def _for_images(
    xp: ArrayModule,
    work: Callable[[slice], None],
    shape: tuple[int, ...],
    bytes_per_row: int,
    multiplications: int,
) -> None:
    """Calls `work` with slices that together cover all images, on several threads if worthwhile."""
    threads = _threads(xp, multiplications)
    step = _images_per_chunk(xp, shape, bytes_per_row * math.prod(shape[1:-1]), threads)
    slices = list(_slices(shape[0], step))
    if threads > 1:
        run_parts(lambda part: work(slices[part]), len(slices))
    else:
        for images in slices:
            work(images)


def _divide_work(
    xp: ArrayModule, shape: tuple[int, ...], bytes_per_row: int, multiplications: int
) -> tuple[list[Chunk], int]:
    """Returns the pieces per pass and the number of threads for a result of `shape` with temporary `bytes_per_row`."""
    count = shape[1]
    threads = _threads(xp, multiplications)
    bytes_of_a_line = bytes_per_row * math.prod(shape[2:-1])
    step = _images_per_chunk(xp, shape, bytes_of_a_line * count, threads)
    lines = count
    if step == 1:
        lines = max(1, min(count, _max_bytes(xp) // max(1, bytes_of_a_line)))
        if threads > shape[0]:
            lines = min(lines, -(-count // threads))
    pieces = itertools.product(_slices(shape[0], step), list(_slices(count, lines)))
    return list(pieces), threads


def _threads(xp: ArrayModule, multiplications: int) -> int:
    return thread_count() if xp is np and multiplications >= _MIN_PARALLEL_MULTIPLICATIONS else 1


def _images_per_chunk(
    xp: ArrayModule, shape: tuple[int, ...], bytes_of_an_image: int, threads: int
) -> int:
    """Returns the number of images to process at a time."""
    images = max(1, _max_bytes(xp) // max(1, bytes_of_an_image))
    return min(images, -(-shape[0] // threads)) if threads > 1 else images


def _max_bytes(xp: ArrayModule) -> int:
    return _CPU_BYTES if xp is np else _GPU_BYTES


def _slices(size: int, step: int) -> Iterator[slice]:
    for start in range(0, size, step):
        yield slice(start, min(start + step, size))
