"""Convolution of float32 images through oneDNN, with primitives cached by shapes."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from typing import Any

import numpy as np

from tfmini._src.devices.host.native import convolution as native
from tfmini._src.devices.host.onednn.library import (
    ALL_THREADS,
    ANY,
    CHANNELS_LAST,
    DIFF_DST,
    DIFF_SRC,
    DIFF_WEIGHTS,
    DST,
    FORWARD,
    ROWS_COLUMNS_DEPTH_FILTERS,
    SRC,
    WEIGHTS,
    Argument,
    Handle,
    Library,
    OneDnnError,
    Steps,
    library_for,
    numbers,
)
from tfmini._src.devices.host.onednn.reordered_filters import FilterReordering
from tfmini._src.devices.host.threads import run_parts, thread_count
from tfmini._src.devices.numpy.windows.axes import Axis

_DIRECT = 1
_QUERY_WEIGHTS, _QUERY_DIFF_WEIGHTS = 131, 132

# Minimum multiplications; for fewer, NumPy's path is as fast.
_MIN_MULTIPLICATIONS = 1_000_000
# Minimum channels; for fewer, NumPy's forward path and input gradient are faster.
_MIN_FORWARD_DEPTH, _MIN_GRADIENT_DEPTH = 3, 16


def is_large(axes: Sequence[Axis], batch: int, depth: int, filters: int) -> bool:
    """Whether the convolution is large enough for NumPy's path to be slower."""
    rows = [axis.kernel * axis.count for axis in axes]
    return len(rows) == 2 and rows[0] * rows[1] * batch * depth * filters >= _MIN_MULTIPLICATIONS


def convolution(
    x: Any, filter: Any, grad: Any, axes: Sequence[Axis], shape: Sequence[int]
) -> _Convolution | None:
    """Returns the primitives of a convolution and its gradients; None if NumPy or the native library must compute it.

    Args:
      x, filter, grad: the input, the filter and the gradient of the result; None for unavailable arrays.
      axes: rows and columns.
      shape: [batch, depth, filters].
    """
    batch, depth, filters = shape
    if not is_large(axes, *shape):
        return None
    # For images with few channels, these oneDNN primitives take up to five times as long as NumPy.
    if grad is None and depth < _MIN_FORWARD_DEPTH or x is None and depth < _MIN_GRADIENT_DEPTH:
        return None
    which = native.FILTER_GRADIENT if filter is None else native.INPUT_GRADIENT
    if native.is_winograd(tuple(axes), *shape, native.FORWARD if grad is None else which):
        return None
    arrays = [array for array in (x, filter, grad) if array is not None]
    library = library_for(*arrays)
    if library is None:
        return None
    try:
        return _prepared(library, tuple(axes), batch, depth, filters)
    except OneDnnError:
        return None


class _Convolution:
    """The primitives of a convolution for one set of shapes."""

    def __init__(
        self,
        library: Library,
        axes: tuple[Axis, ...],
        batch: int,
        depth: int,
        filters: int,
        max_threads: int = ALL_THREADS,
    ):
        self.library, self.axes, self.max_threads = library, axes, max_threads
        sizes, counts = [axis.size for axis in axes], [axis.count for axis in axes]
        kernels = [axis.kernel for axis in axes]
        self.x_shape, self.grad_shape = (batch, *sizes, depth), (batch, *counts, filters)
        self.filter_shape = (*kernels, depth, filters)
        weights = (filters, depth, *kernels)
        self.x = library.description((batch, depth, *sizes), CHANNELS_LAST)
        self.y = library.description((batch, filters, *counts), CHANNELS_LAST)
        self.weights = library.description(weights, ROWS_COLUMNS_DEPTH_FILTERS)
        self.best = library.description(weights, ANY)
        self.geometry = [
            numbers([axis.stride for axis in axes]),
            numbers([axis.dilation - 1 for axis in axes]),
            numbers([axis.before for axis in axes]),
            numbers([axis.after for axis in axes]),
        ]
        arguments = (FORWARD, _DIRECT, self.x, self.best, None, self.y, *self.geometry)
        self.hint = library.describe_primitive(
            "convolution_forward", *arguments, max_threads=max_threads
        )

    @functools.cached_property
    def _forward(self) -> _ForwardOrBackwardData:
        return _ForwardOrBackwardData(self, self.hint, SRC, self.x, DST, self.y)

    @functools.cached_property
    def _backward_data(self) -> _ForwardOrBackwardData:
        description = self._backward("data", self.x, self.best, self.y)
        return _ForwardOrBackwardData(self, description, DIFF_DST, self.y, DIFF_SRC, self.x)

    @functools.cached_property
    def _backward_weights(self) -> _BackwardWeights:
        description = self._backward("weights", self.x, self.best, None, self.y)
        return _BackwardWeights(self, description)

    @functools.cached_property
    def _backward_weights_per_thread(self) -> list[tuple[slice, _BackwardWeights]]:
        """Images and primitive of each thread, since oneDNN's own threads would busy-wait."""
        batch, *_ = self.x_shape
        size = -(-batch // thread_count())
        slices = [slice(first, min(first + size, batch)) for first in range(0, batch, size)]
        sizes = self.x_shape[-1], self.grad_shape[-1]

        def for_images(count: int) -> _BackwardWeights:
            return _Convolution(
                self.library, self.axes, count, *sizes, max_threads=1
            )._backward_weights

        return [(part, for_images(part.stop - part.start)) for part in slices]

    def _backward(self, target: str, *descriptions: Any) -> Handle:
        arguments = (_DIRECT, *descriptions, *self.geometry, self.hint)
        name = f"convolution_backward_{target}"
        return self.library.describe_primitive(name, *arguments, max_threads=self.max_threads)

    def forward(self, x: np.ndarray, filter: np.ndarray) -> np.ndarray:
        """Returns the convolution."""
        result = np.empty(self.grad_shape, np.float32)
        self._forward.run(x, filter, result)
        return result

    def input_gradient(self, filter: np.ndarray, grad: np.ndarray) -> np.ndarray:
        result = np.empty(self.x_shape, np.float32)
        self._backward_data.run(grad, filter, result)
        return result

    def filter_gradient(self, x: np.ndarray, grad: np.ndarray) -> np.ndarray:
        parts = self._backward_weights_per_thread
        results = np.empty((len(parts), *self.filter_shape), np.float32)

        def work(index: int) -> None:
            images, steps = parts[index]
            steps.run(x[images], grad[images], results[index])

        run_parts(work, len(parts))
        total = results[0]
        for other in results[1:]:
            total += other
        return total


_prepared = functools.lru_cache(maxsize=128)(_Convolution)


class _ForwardOrBackwardData:
    """A primitive that reads images and a filter, which is reordered for the primitive."""

    def __init__(
        self, owner: _Convolution, description: Handle, read: int, x: Any, written: int, y: Any
    ):
        library = owner.library
        self.x, self.y = Argument(x), Argument(y)
        self.filter = Argument(library.query_description(description, _QUERY_WEIGHTS))
        self.reorder = FilterReordering(library, Argument(owner.weights), self.filter)
        self.steps = Steps(library)
        self.steps.add(description, (read, self.x), (WEIGHTS, self.filter), (written, self.y))

    def run(self, x: np.ndarray, filter: np.ndarray, result: np.ndarray) -> None:
        self.steps.run((self.x, x), (self.filter, self.reorder(filter)), (self.y, result))


class _BackwardWeights:
    """The primitive that computes the gradient of a filter, which is then reordered back."""

    def __init__(self, owner: _Convolution, description: Handle):
        library = owner.library
        self.x, self.y, self.filter = Argument(owner.x), Argument(owner.y), Argument(owner.weights)
        computed = Argument(
            library.query_description(description, _QUERY_DIFF_WEIGHTS), is_internal=True
        )
        self.steps = Steps(library, max_threads=1)
        self.steps.add(description, (SRC, self.x), (DIFF_DST, self.y), (DIFF_WEIGHTS, computed))
        self.steps.add_reorder(computed, self.filter)

    def run(self, x: np.ndarray, grad: np.ndarray, result: np.ndarray) -> None:
        self.steps.run((self.x, x), (self.y, grad), (self.filter, result))
