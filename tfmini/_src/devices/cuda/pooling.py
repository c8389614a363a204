"""Pooling of float arrays [batch, sizes ..., channels] on a GPU, and its gradients; float16 is summed in float32.

Each is one launch, except the max pooling gradient of overlapping windows, which first finds the maxima.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from tfmini._src.devices.arrays import ArrayModule
from tfmini._src.devices.cuda.launch import REALS, Array, as_contiguous, per_element
from tfmini._src.devices.numpy.windows.axes import Axis

_MAX_AXES = 3
_FIELDS = ("sizes", "kernels", "strides", "before", "counts")
_WINDOW_DTYPE = np.dtype(
    [(name, np.int64) for name in ("batch", "channels")]
    + [(name, np.int64, _MAX_AXES) for name in _FIELDS]
)


def is_supported(array: Array, axes: Sequence[Axis]) -> bool:
    """Whether there are kernels for this dtype and these windows."""
    has_kernel = array.dtype.name in REALS and len(axes) <= _MAX_AXES
    return has_kernel and all(axis.dilation == 1 for axis in axes)


def max_pooled(xp: ArrayModule, x: Array, axes: Sequence[Axis], lowest: Any) -> Array:
    """Returns the largest element of each window, at least `lowest`; NaN counts as less than any number."""
    result = xp.empty(_pooled_shape(x, axes), x.dtype)
    number_type = np.float32 if x.dtype == np.float16 else x.dtype.type
    _launch_per_element(xp, "max_pooled", axes, x, (x, result), result, number_type(lowest))
    return result


def max_gradient(xp: ArrayModule, x: Array, grad: Array, axes: Sequence[Axis]) -> Array:
    """Returns the gradient with respect to the input: each window's gradient is added at its first largest element."""
    if all(_are_disjoint(axis) for axis in axes):
        new = xp.empty if all(_covers_input(axis) for axis in axes) else xp.zeros
        result = new(x.shape, grad.dtype)
        _launch_per_element(xp, "max_gradient_apart", axes, grad, (x, grad, result), grad)
        return result
    indices = xp.empty(_pooled_shape(x, axes), np.int32)
    _launch_per_element(xp, "first_largest", axes, x, (x, indices), indices)
    result = xp.empty(x.shape, grad.dtype)
    _launch_per_element(xp, "max_gradient", axes, grad, (indices, grad, result), result)
    return result


def average_pooled(xp: ArrayModule, x: Array, axes: Sequence[Axis]) -> Array:
    """Returns the mean of each window's elements."""
    result = xp.empty(_pooled_shape(x, axes), x.dtype)
    _launch_per_element(xp, "average_pooled", axes, x, (x, result), result)
    return result


def average_gradient(xp: ArrayModule, grad: Array, axes: Sequence[Axis]) -> Array:
    """Returns the gradient with respect to the input: each window's gradient is divided equally among its elements."""
    shape = (len(grad), *(axis.size for axis in axes), grad.shape[-1])
    result = xp.empty(shape, grad.dtype)
    _launch_per_element(xp, "average_gradient", axes, grad, (grad, result), result)
    return result


def _are_disjoint(axis: Axis) -> bool:
    """Whether the windows do not overlap."""
    return axis.kernel <= axis.stride or axis.count == 1


def _covers_input(axis: Axis) -> bool:
    """Whether the windows cover all elements."""
    last = (axis.count - 1) * axis.stride - axis.before + axis.kernel
    return (axis.kernel >= axis.stride or axis.count == 1) and last >= axis.size


def _pooled_shape(x: Array, axes: Sequence[Axis]) -> tuple[int, ...]:
    return (len(x), *(axis.count for axis in axes), x.shape[-1])


def _launch_per_element(
    xp: ArrayModule,
    kernel: str,
    axes: Sequence[Axis],
    template: Array,
    arrays: tuple[Array, ...],
    result: Array,
    *arguments: Any,
) -> None:
    """Launches a kernel with a thread per element of `result`; `template` defines the dtype, batch and channels."""
    windows = np.ones(1, _WINDOW_DTYPE)
    windows["batch"], windows["channels"] = len(template), template.shape[-1]
    windows["before"] = 0
    for position, axis in enumerate(axes, _MAX_AXES - len(axes)):
        fields = (axis.size, axis.kernel, axis.stride, axis.before, axis.count)
        for name, value in zip(_FIELDS, fields):
            windows[name][0, position] = value
    values = [as_contiguous(xp, array) for array in arrays]
    name = f"{kernel}_{REALS[template.dtype.name]}"
    per_element(xp, "pooling", name, result.size, *values, windows, result.size, *arguments)
