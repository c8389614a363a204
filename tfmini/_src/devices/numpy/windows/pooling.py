"""Pooling over the axes of arrays [batch, sizes ..., depth].

Maxima and sums are reduced along the first axis, then along the next, so a window of n x m elements costs n + m
passes. Padding is excluded. If the index of the maximum matters, the elements of windows are scanned in order, and the
first of equal elements wins, as in TensorFlow.
"""

from __future__ import annotations

import functools
import itertools
import math
from collections.abc import Callable, Iterable, Iterator
from typing import Any, TypeAlias

import numpy as np

from tfmini._src.devices.arrays import Array, ArrayModule
from tfmini._src.devices.cuda import pooling as gpu
from tfmini._src.devices.cuda.device_constants import fixed
from tfmini._src.devices.cuda.launch import runs_cuda
from tfmini._src.devices.host.native import pooling as native
from tfmini._src.devices.host.onednn import pooling as onednn
from tfmini._src.devices.host.threads import run_parts, thread_count
from tfmini._src.devices.numpy.windows.axes import Axis

# Minimum input elements, below which one thread is as fast; and elements per block, which fit in the cache.
_MIN_PARALLEL_ELEMENTS = 1 << 19
_BLOCK = 1 << 17


def max_pooled(xp: ArrayModule, x: Any, *axes: Axis, lowest: Any = None) -> Any:
    """Returns the largest element of each window, at least `lowest`; NaN counts as less than any number.

    By default, the result for a window of only NaN and -infinity is the dtype's lowest finite number.
    """
    if lowest is None:
        lowest = _lowest_value(x.dtype)
        if (fast := onednn.max_pooled(x, axes)) is not None:
            return fast
    if xp is np and (result := native.max_pooled(x, axes, lowest)) is not None:
        return result
    if runs_cuda(xp) and gpu.is_supported(x, axes):
        return gpu.max_pooled(xp, x, axes, lowest)
    larger = xp.maximum if x.dtype.kind in "iu" else xp.fmax

    def pool(x: Array) -> Array:
        for dimension, axis in enumerate(axes, 1):
            x = _reduce_windows(xp, x, axis, dimension, larger, lowest)
        return x

    return _pool_in_chunks(xp, pool, x, axes)


def average_pooled(xp: ArrayModule, x: Array, *axes: Axis) -> Array:
    """Returns the mean of each window's elements."""
    if (fast := onednn.average_pooled(x, axes)) is not None:
        return fast
    if xp is np and (result := native.average_pooled(x, axes)) is not None:
        return result
    if runs_cuda(xp) and gpu.is_supported(x, axes):
        return gpu.average_pooled(xp, x, axes)
    counts = _window_counts(xp, axes, x.dtype)

    def pool(x: Array) -> Array:
        for dimension, axis in enumerate(axes, 1):
            x = _reduce_windows(xp, x, axis, dimension, xp.add, 0)
        return xp.divide(x, counts, out=x)

    return _pool_in_chunks(xp, pool, x, axes)


def max_gradient(
    xp: ArrayModule, x: Array, grad: Array, *axes: Axis, rectified: bool = False
) -> Array:
    """Returns the input's gradient: each window's gradient is added at its first largest element.

    rectified: whether to apply the gradient of the ReLU that produced `x`.
    """
    if (fast := onednn.max_gradient(x, grad, axes)) is not None:
        return fast * (x > 0) if rectified else fast
    if xp is np and (output := native.max_gradient(x, grad, axes, rectified)) is not None:
        return output
    if runs_cuda(xp) and x.dtype == grad.dtype and gpu.is_supported(x, axes):
        return gpu.max_gradient(xp, x, grad, axes)
    result = xp.zeros(x.shape, grad.dtype)
    are_disjoint = all(axis.stride >= axis.kernel for axis in axes)

    def work(images: slice) -> None:
        indices = _first_largest(xp, x[images], axes)
        image_result, grads = result[images], grad[images]
        for index, windows, elements in _offsets(axes):
            part = _mask_gradient(xp, grads[windows], indices[windows] == index)
            if are_disjoint:
                image_result[elements] = part
            else:
                image_result[elements] += part

    _run_over_images(xp, work, x)
    return result * (x > 0) if rectified else result


def gradient_of_equals(xp: ArrayModule, x: Array, pooled: Array, grad: Array, *axes: Axis) -> Array:
    """Returns the input's gradient: each window's gradient is added at all elements equal to `pooled`, its maximum."""
    result = xp.zeros(x.shape, grad.dtype)
    tolerance = x.dtype.type(1e-5)
    for _, windows, elements in _offsets(axes):
        hit = xp.abs(x[elements] - pooled[windows]) < tolerance
        result[elements] += xp.where(hit, grad[windows], grad.dtype.type(0))
    return result


def second_gradient_of_equals(
    xp: ArrayModule, x: Array, pooled: Array, grad: Array, *axes: Axis
) -> Array:
    """Returns `grad` (of x's shape) at each window's first element equal to `pooled`; 0 in windows without one."""
    result = xp.zeros(_pooled_shape(x, axes), grad.dtype)
    for _, windows, elements in reversed(list(_offsets(axes))):
        xp.copyto(result[windows], grad[elements], where=x[elements] == pooled[windows])
    return result


def largest_indices(xp: ArrayModule, x: Array, *axes: Axis) -> Array:
    """Returns the index of each window's first maximum within its image, in memory order."""
    kernels = [axis.kernel for axis in axes]
    indices = _first_largest(xp, x, axes).astype(np.int64)
    position = xp.zeros(indices.shape, np.int64)
    step = math.prod(kernels)
    for n, axis in enumerate(axes):
        step //= kernels[n]
        shape = [1] * indices.ndim
        shape[n + 1] = axis.count
        starts = (np.arange(axis.count) * axis.stride - axis.before).reshape(shape)
        position *= axis.size
        position += indices // step % kernels[n] + fixed(xp, starts)
    depth = x.shape[-1]
    return position * depth + xp.arange(depth)


def average_gradient(xp: ArrayModule, grad: Array, *axes: Axis) -> Array:
    """Returns the input's gradient: the sum of each element's shares of the windows that contain it."""
    if (fast := onednn.average_gradient(grad, axes)) is not None:
        return fast
    if xp is np and (output := native.average_gradient(grad, axes)) is not None:
        return output
    if runs_cuda(xp) and gpu.is_supported(grad, axes):
        return gpu.average_gradient(xp, grad, axes)
    result = grad / _window_counts(xp, axes, grad.dtype)
    for index in reversed(range(len(axes))):
        result = _window_sums(xp, result, axes[index], index + 1)
    return result


def _lowest_value(dtype: np.dtype) -> Any:
    if dtype.kind in "iu":
        return np.iinfo(dtype).min
    return np.finfo(dtype).min


def _pooled_shape(x: Array, axes: tuple[Axis, ...]) -> tuple[int, ...]:
    return (len(x), *(axis.count for axis in axes), x.shape[-1])


def _axis_index(dimension: int, part: slice) -> tuple[slice, ...]:
    return (slice(None),) * dimension + (part,)


def _reduce_windows(
    xp: ArrayModule, x: Array, axis: Axis, dimension: int, reduce: Callable[..., Any], start: Any
) -> Array:
    """Applies `reduce` to the elements of each window along `dimension`, beginning with `start`."""
    shape = (*x.shape[:dimension], axis.count, *x.shape[dimension + 1 :])
    result = xp.full(shape, start, x.dtype)
    for offset in range(axis.kernel):
        windows, elements = (_axis_index(dimension, part) for part in axis.overlap(offset))
        target = result[windows]
        reduce(target, x[elements], out=target)
    return result


def _window_sums(xp: ArrayModule, grad: Array, axis: Axis, dimension: int) -> Array:
    """Returns, for each element along `dimension`, the sum over the windows that contain it."""
    shape = (*grad.shape[:dimension], axis.size, *grad.shape[dimension + 1 :])
    result = xp.zeros(shape, grad.dtype)
    for offset in range(axis.kernel):
        windows, elements = (_axis_index(dimension, part) for part in axis.overlap(offset))
        target = result[elements]
        xp.add(target, grad[windows], out=target)
    return result


def _window_counts(xp: ArrayModule, axes: tuple[Axis, ...], dtype: np.dtype) -> Array:
    """Returns the number of elements of each window inside the input: [counts ..., 1]."""
    return fixed(xp, _host_counts(axes, dtype))


@functools.lru_cache(maxsize=16)
def _host_counts(axes: tuple[Axis, ...], dtype: np.dtype) -> np.ndarray:
    sizes = []
    for axis in axes:
        first = np.arange(axis.count) * axis.stride - axis.before
        last = np.minimum(first + axis.kernel, axis.size)
        sizes.append(last - np.maximum(first, 0))
    return functools.reduce(np.multiply.outer, sizes)[..., None].astype(dtype)


Offset: TypeAlias = tuple[int, tuple[slice, ...], tuple[slice, ...]]


def _offsets(axes: tuple[Axis, ...]) -> Iterable[Offset]:
    """Returns (number, windows, elements) for each element of a window, in order."""
    is_small = math.prod(axis.kernel for axis in axes) <= _MAX_CACHED_ELEMENTS
    return _cached_offsets(axes) if is_small else _iterate_offsets(axes)


_MAX_CACHED_ELEMENTS = 64  # elements of a window


@functools.lru_cache(maxsize=32)
def _cached_offsets(axes: tuple[Axis, ...]) -> tuple[Offset, ...]:
    return tuple(_iterate_offsets(axes))


def _iterate_offsets(axes: tuple[Axis, ...]) -> Iterator[Offset]:
    full_slice = slice(None)
    axis_overlaps = [[axis.overlap(offset) for offset in range(axis.kernel)] for axis in axes]
    for index, parts in enumerate(itertools.product(*axis_overlaps)):
        yield (
            index,
            (full_slice, *(part[0] for part in parts)),
            (full_slice, *(part[1] for part in parts)),
        )


def _mask_gradient(xp: ArrayModule, grad: Array, hit: Array) -> Array:
    """Returns `grad` where `hit`, else 0, even where `grad` is infinite."""
    if xp is not np:
        return xp.where(hit, grad, grad.dtype.type(0))
    bits = np.dtype(f"i{grad.itemsize}")
    return (grad.view(bits) & -hit.astype(bits)).view(grad.dtype)


def _first_largest(xp: ArrayModule, x: Array, axes: tuple[Axis, ...]) -> Array:
    """Returns the index of each window's first maximum, among elements inside the input."""
    kernels = [axis.kernel for axis in axes]
    largest, offsets, step = x, [], math.prod(kernels)
    for dimension, axis in enumerate(axes, 1):
        step //= axis.kernel
        starts = np.arange(axis.count) * axis.stride - axis.before
        clipped = np.maximum(starts, 0)
        offsets.append((clipped - starts) * step)
        largest = largest.take(fixed(xp, clipped), dimension)
    first = functools.reduce(np.add.outer, offsets)
    number_type = np.int8 if math.prod(kernels) < 128 else np.int32
    indices = xp.empty(largest.shape, number_type)
    indices[...] = fixed(xp, first[..., None].astype(number_type))
    # Numbers increase along the walk, so the larger of two is the later one. `maximum` is ten times as fast as
    # masked selection, but propagates NaN.
    orders = xp is np and (x.dtype.kind in "iu" or not np.isnan(np.min(x, initial=0)))
    for index, windows, elements in _offsets(axes):
        values, best = x[elements], largest[windows]
        is_better = best < values
        if orders:
            np.maximum(best, values, out=best)
            np.maximum(indices[windows], is_better * number_type(index), out=indices[windows])
        else:
            xp.copyto(best, values, where=is_better)
            xp.copyto(indices[windows], number_type(index), where=is_better)
    return indices


def _pool_in_chunks(
    xp: ArrayModule, pooled: Callable[..., Any], x: Array, axes: tuple[Axis, ...]
) -> Array:
    """Applies `pooled` to chunks of the images in x."""
    if xp is not np or x.size < _BLOCK:
        return pooled(x)
    result = np.empty(_pooled_shape(x, axes), x.dtype)

    def work(images: slice) -> None:
        result[images] = pooled(x[images])

    _run_over_images(xp, work, x)
    return result


def _run_over_images(xp: ArrayModule, work: Callable[[slice], None], x: Array) -> None:
    """Calls `work` with slices that together cover all images; on a CPU, cache-sized slices on threads."""
    images_per_chunk = (
        max(1, _BLOCK // max(1, x[0].size)) if xp is np and len(x) else max(1, len(x))
    )
    slices = [
        slice(first, first + images_per_chunk) for first in range(0, len(x), images_per_chunk)
    ]
    if xp is np and x.size >= _MIN_PARALLEL_ELEMENTS and len(slices) > 1 and thread_count() > 1:
        run_parts(lambda part: work(slices[part]), len(slices))
    else:
        for images in slices:
            work(images)
