"""Float32 convolution over up to three axes, and its gradients, without im2col."""

from __future__ import annotations

import math
import struct
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any

import numpy as np

from tfmini._src.base.records import dataclass
from tfmini._src.devices.arrays import Array
from tfmini._src.devices.host.native.library import (
    float_kernel,
    function,
    is_contiguous,
)
from tfmini._src.devices.host.threads import thread_count
from tfmini._src.devices.numpy.windows.axes import Axis

# Pass numbers, as in kernels/cpu/convolution.cpp.
FORWARD, INPUT_GRADIENT, FILTER_GRADIENT = range(3)
_NAMES = "convolve", "convolution_input_gradient", "convolution_filter_gradient"
_MIN_PARALLEL_MULTIPLICATIONS = 1 << 18


@dataclass(frozen=True)
class Epilogue:
    """A bias and an activation after a convolution, or after the gradient of its input.

    bias: [channels], added to the result, or None.
    rectifies: whether ReLU follows.
    features: the output of a ReLU, whose gradient is then computed too; or None.
    """

    bias: Any = None
    rectifies: bool = False
    features: Any = None


NO_EPILOGUE = Epilogue()


def convolve(
    x: Array, filter: Array, axes: Sequence[Axis], epilogue: Epilogue = NO_EPILOGUE
) -> np.ndarray | None:
    """Convolves `x` [batch, sizes ..., depth] with `filter` [sizes ..., depth, filters] to [batch, counts ...,
    filters]; None if NumPy must compute it.
    """
    depth, filters = filter.shape[-2:]
    shape = (len(x), *(axis.count for axis in axes), filters)
    return _call_kernel(FORWARD, axes, (x, filter), depth, filters, shape, epilogue)


def input_gradient(
    filter: Array, grad: Array, axes: Sequence[Axis], epilogue: Epilogue = NO_EPILOGUE
) -> np.ndarray | None:
    """Returns the gradient with respect to the input, [batch, sizes ..., depth]; None if NumPy must compute it."""
    if any(axis.stride > 1 and axis.dilation > 1 for axis in axes):
        return None
    depth, filters = filter.shape[-2:]
    shape = (len(grad), *(axis.size for axis in axes), depth)
    return _call_kernel(INPUT_GRADIENT, axes, (grad, filter), depth, filters, shape, epilogue)


def filter_gradient(x: Array, grad: Array, axes: Sequence[Axis]) -> np.ndarray | None:
    """Returns the gradient with respect to the filter, [sizes ..., depth, filters]; None if NumPy must compute it."""
    depth, filters = x.shape[-1], grad.shape[-1]
    shape = (*(axis.kernel for axis in axes), depth, filters)
    return _call_kernel(FILTER_GRADIENT, axes, (x, grad), depth, filters, shape)


def _call_kernel(
    direction: int,
    axes: Sequence[Axis],
    operands: tuple[Any, Any],
    depth: int,
    filters: int,
    shape: tuple[int, ...],
    epilogue: Epilogue | None = None,
) -> np.ndarray | None:
    extra_args: tuple[Any, ...] = ()
    if epilogue is not None:
        extra_args = epilogue.bias, epilogue.features
        sizes_of_beside = shape[-1:], shape
        if any(a is not None and a.shape != size for a, size in zip(extra_args, sizes_of_beside)):
            return None
    # A copy takes less time than a matrix of windows.
    first, second = map(np.ascontiguousarray, operands)
    kernel = float_kernel(_NAMES[direction], first, second, *extra_args)
    if kernel is None or len(axes) > 3:
        return None
    batch = len(first)
    sizes, memory, threads = _prepare_sizes(
        tuple(axes), batch, depth, filters, direction, thread_count()
    )
    result, workspace = np.empty(shape, np.float32), np.empty(memory, np.float32)
    flags = () if epilogue is None else (epilogue.rectifies,)
    kernel(sizes, first, second, *extra_args, *flags, result, workspace, threads)
    return result


def pass_for_shapes(
    direction: int, axes: Sequence[Axis], x: Sequence[int], filter: Sequence[int]
) -> Callable[[np.ndarray, np.ndarray], np.ndarray | None] | None:
    """Returns the pass for float32 arrays of known shapes, or None if NumPy must compute it. The pass does not check
    shapes, has no epilogue, and returns None for arrays that are not contiguous.
    """
    kernel, (depth, filters) = function(_NAMES[direction]), filter[-2:]
    if kernel is None or 0 in (*x, *filter) or any(axis.count == 0 for axis in axes):
        return None
    if direction == INPUT_GRADIENT and any(axis.stride > 1 and axis.dilation > 1 for axis in axes):
        return None
    sizes, memory, threads = _prepare_sizes(
        tuple(axes), x[0], depth, filters, direction, thread_count()
    )
    result_of = (x[0], *(axis.count for axis in axes), filters), x, filter
    shape, without = result_of[direction], () if direction == FILTER_GRADIENT else (None, None, 0)

    def call(first: np.ndarray, second: np.ndarray) -> np.ndarray | None:
        if not (is_contiguous(first) and is_contiguous(second)):
            return None
        result, workspace = np.empty(shape, np.float32), np.empty(memory, np.float32)
        arrays = first, second, *without, result, workspace
        kernel(sizes, *arrays, threads)
        return result

    return call


@lru_cache(maxsize=256)
def _prepare_sizes(
    axes: tuple[Axis, ...], batch: int, depth: int, filters: int, direction: int, threads: int
) -> tuple[bytes, int, int]:
    """Returns the sizes in the kernels' format, the workspace size in elements, and the number of threads."""
    sizes = _pack_sizes(axes, batch, depth, filters)
    products_per_image = math.prod(axis.kernel * axis.count for axis in axes) * depth * filters
    threads = threads if batch * products_per_image >= _MIN_PARALLEL_MULTIPLICATIONS else 1
    count: Any = function("convolution_memory")
    return sizes, count(sizes, direction, threads), threads


@lru_cache(maxsize=256)
def is_winograd(
    axes: tuple[Axis, ...], batch: int, depth: int, filters: int, direction: int
) -> bool:
    """Whether the pass is computed by Winograd's minimal filtering, which is faster than products of windows."""
    test: Any = function("convolution_is_winograd")
    return test is not None and bool(test(_pack_sizes(axes, batch, depth, filters), direction))


def _pack_sizes(axes: Sequence[Axis], batch: int, depth: int, filters: int) -> bytes:
    """Returns the sizes in the kernels' format."""
    fields = [batch, depth] + [1, 1, 1, 1, 0, 1] * (3 - len(axes))
    for axis in axes:
        fields += [axis.size, axis.kernel, axis.stride, axis.dilation, axis.before, axis.count]
    return struct.pack("21q", *fields, filters)
