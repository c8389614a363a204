"""Pooling of float32 images through oneDNN, with primitives cached by shapes."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from typing import Any

import numpy as np

from tfmini._src.devices.arrays import Array
from tfmini._src.devices.host.onednn.library import (
    CHANNELS_LAST,
    DIFF_DST,
    DIFF_SRC,
    DST,
    FORWARD,
    INFERENCE,
    SRC,
    Argument,
    Handle,
    Library,
    OneDnnError,
    Steps,
    library_for,
    numbers,
)
from tfmini._src.devices.numpy.windows.axes import Axis

_MAX, _AVERAGE_INSIDE = 0x1FF, 0x3FF
_QUERY_WORKSPACE, _WORKSPACE = 135, 64

# Minimum input elements; for fewer, NumPy's path is as fast.
_MIN_ELEMENTS = 1 << 15


def max_pooled(x: Array, axes: Sequence[Axis]) -> Any:
    """Returns the largest element of each window; None if left to NumPy, for example for infinite or NaN values."""
    pooling = _pooling(x, axes, _MAX, x.shape[-1], x)
    return pooling.forward(x) if pooling and np.isfinite(np.min(x)) else None


def max_gradient(x: Array, grad: Array, axes: Sequence[Axis]) -> Any:
    """Returns the input's gradient, each window's added at its first largest element; None if left to NumPy."""
    pooling = _pooling(x, axes, _MAX, x.shape[-1], x, grad)
    return pooling.max_gradient(x, grad) if pooling and np.isfinite(np.min(x)) else None


def average_pooled(x: Array, axes: Sequence[Axis]) -> Any:
    """Returns the mean of each window's elements; None if NumPy must compute it."""
    pooling = _pooling(x, axes, _AVERAGE_INSIDE, x.shape[-1], x)
    return pooling.forward(x) if pooling else None


def average_gradient(grad: Array, axes: Sequence[Axis]) -> Any:
    """Returns the gradient with respect to the input; None if NumPy must compute it."""
    pooling = _pooling(grad, axes, _AVERAGE_INSIDE, grad.shape[-1], grad)
    return pooling.average_gradient(grad) if pooling else None


def _pooling(
    template: Any, axes: Sequence[Axis], kind: int, depth: int, *arrays: Array
) -> _Pooling | None:
    """Returns the primitives for arrays of these sizes; None if the library does not support them."""
    if len(axes) != 2 or template.size < _MIN_ELEMENTS:
        return None
    library = library_for(*arrays)
    if library is None:
        return None
    try:
        return _prepared(library, tuple(axes), kind, len(template), depth)
    except OneDnnError:
        return None


class _Pooling:
    """The primitives of a pooling for one set of shapes."""

    def __init__(self, library: Library, axes: tuple[Axis, ...], kind: int, batch: int, depth: int):
        self.library, self.kind = library, kind
        sizes, counts = [axis.size for axis in axes], [axis.count for axis in axes]
        self.x_shape, self.y_shape = (batch, *sizes, depth), (batch, *counts, depth)
        self.x = library.description((batch, depth, *sizes), CHANNELS_LAST)
        self.y = library.description((batch, depth, *counts), CHANNELS_LAST)
        self.geometry = [
            numbers([axis.stride for axis in axes]),
            numbers([axis.kernel for axis in axes]),
            numbers([axis.dilation - 1 for axis in axes]),
            numbers([axis.before for axis in axes]),
            numbers([axis.after for axis in axes]),
        ]
        self.x_argument, self.y_argument = Argument(self.x), Argument(self.y)
        self.inference = self._description(INFERENCE)

    def _description(self, purpose: int) -> Handle:
        arguments = (purpose, self.kind, self.x, self.y, *self.geometry)
        return self.library.describe_primitive("pooling_forward", *arguments)

    def _backward(self, forward: Handle) -> Handle:
        arguments = (self.kind, self.x, self.y, *self.geometry, forward)
        return self.library.describe_primitive("pooling_backward", *arguments)

    @functools.cached_property
    def _forward_steps(self) -> Steps:
        steps = Steps(self.library)
        steps.add(self.inference, (SRC, self.x_argument), (DST, self.y_argument))
        return steps

    @functools.cached_property
    def _max_gradient_steps(self) -> tuple[Steps, Argument]:
        """The steps that find the positions of the largest elements and add the gradients there, and their result."""
        steps, forward = Steps(self.library), self._description(FORWARD)
        positions = Argument(
            self.library.query_description(forward, _QUERY_WORKSPACE), is_internal=True
        )
        pooled = Argument(self.y, is_internal=True)
        steps.add(forward, (SRC, self.x_argument), (DST, pooled), (_WORKSPACE, positions))
        result, gradient = Argument(self.x), (DIFF_DST, self.y_argument)
        steps.add(self._backward(forward), gradient, (_WORKSPACE, positions), (DIFF_SRC, result))
        return steps, result

    @functools.cached_property
    def _average_gradient_steps(self) -> Steps:
        steps = Steps(self.library)
        backward = self._backward(self._description(FORWARD))
        steps.add(backward, (DIFF_DST, self.y_argument), (DIFF_SRC, self.x_argument))
        return steps

    def forward(self, x: np.ndarray) -> np.ndarray:
        result = np.empty(self.y_shape, np.float32)
        self._forward_steps.run((self.x_argument, x), (self.y_argument, result))
        return result

    def max_gradient(self, x: np.ndarray, grad: np.ndarray) -> np.ndarray:
        result = np.empty(self.x_shape, np.float32)
        steps, at_result = self._max_gradient_steps
        steps.run((self.x_argument, x), (self.y_argument, grad), (at_result, result))
        return result

    def average_gradient(self, grad: np.ndarray) -> np.ndarray:
        result = np.empty(self.x_shape, np.float32)
        self._average_gradient_steps.run((self.y_argument, grad), (self.x_argument, result))
        return result


_prepared = functools.lru_cache(maxsize=128)(_Pooling)
