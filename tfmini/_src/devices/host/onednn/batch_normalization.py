"""Batch normalization of float32 images through oneDNN, with primitives cached by shapes."""

from __future__ import annotations

import ctypes
import functools
from typing import Any

import numpy as np

from tfmini._src.devices.arrays import Array
from tfmini._src.devices.host.onednn.library import (
    BACKWARD,
    CHANNELS_LAST,
    DIFF_DST,
    DIFF_SRC,
    DST,
    FORWARD,
    INFERENCE,
    SRC,
    VECTOR,
    Argument,
    Handle,
    Library,
    OneDnnError,
    Steps,
    library_for,
)

_GIVEN_STATISTICS, _SCALE_AND_SHIFT = 1, 6
_MEAN, _VARIANCE, _SCALE, _SHIFT, _DIFF_SCALE, _DIFF_SHIFT = 49, 50, 51, 52, 255, 256

# Minimum elements; for fewer, NumPy's path is as fast.
_MIN_ELEMENTS = 1 << 15


def normalization(
    epsilon: float, has_statistics: bool, x: Array, *arrays: Array
) -> _Normalization | None:
    """Returns the normalization of images [batch, rows, columns, channels]; None if NumPy must compute it.

    Args:
      epsilon: added to the variances.
      has_statistics: whether mean and variance are inputs instead of being computed from `x`.
      x: the images.
      arrays: the other inputs of the normalization.
    """
    if x.size < _MIN_ELEMENTS:
        return None
    library = library_for(x, *arrays)
    if library is None:
        return None
    try:
        return _prepared(library, x.shape, epsilon, has_statistics)
    except OneDnnError:
        return None


class _Normalization:
    """The primitives of a batch normalization for one shape.

    They use one thread, since several would busy-wait for each other, and memory bandwidth is the limit.
    """

    def __init__(self, library: Library, shape: tuple[int, ...], epsilon: float, has_stats: bool):
        self.library, self.shape, self.has_stats = library, shape, has_stats
        batch, rows, columns, channels = shape
        self.x = library.description((batch, channels, rows, columns), CHANNELS_LAST)
        self.vector = library.description((channels,), VECTOR)
        self.epsilon = ctypes.c_float(epsilon)
        self.flags = _SCALE_AND_SHIFT | (_GIVEN_STATISTICS if has_stats else 0)
        self.hint = self._forward_descriptor(INFERENCE if has_stats else FORWARD)

    def _forward_descriptor(self, purpose: int) -> Handle:
        arguments = (purpose, self.x, self.x, self.epsilon, self.flags)
        return self.library.describe_primitive(
            "batch_normalization_forward", *arguments, max_threads=1
        )

    def _bind_arguments(
        self, description: Handle, images: tuple[int, ...], vectors: tuple[int, ...]
    ) -> _ArraySteps:
        arguments = [Argument(self.x) for _ in images] + [Argument(self.vector) for _ in vectors]
        steps = Steps(self.library, max_threads=1)
        steps.add(description, *zip((*images, *vectors), arguments))
        return _ArraySteps(steps, arguments)

    @functools.cached_property
    def _forward(self) -> _ArraySteps:
        return self._bind_arguments(self.hint, (SRC, DST), (_SCALE, _SHIFT, _MEAN, _VARIANCE))

    @functools.cached_property
    def _backward(self) -> _ArraySteps:
        hint = self._forward_descriptor(FORWARD) if self.has_stats else self.hint
        arguments = (BACKWARD, self.x, self.x, self.x, self.epsilon, self.flags, hint)
        description = self.library.describe_primitive(
            "batch_normalization_backward", *arguments, max_threads=1
        )
        vectors = (_SCALE, _MEAN, _VARIANCE, _DIFF_SCALE, _DIFF_SHIFT)
        return self._bind_arguments(description, (SRC, DIFF_DST, DIFF_SRC), vectors)

    def forward(self, x: Array, scale: Any, offset: Any, mean: Array, variance: Array) -> Array:
        """Returns the normalized images; writes mean and variance unless they are inputs."""
        result = np.empty(self.shape, np.float32)
        self._forward.run(x, result, scale, offset, mean, variance)
        return result

    def backward(
        self, x: Array, grad: Array, scale: Any, mean: Array, variance: Array
    ) -> tuple[Array, Array, Array]:
        """Returns the gradients with respect to the images, scale and offset."""
        result = np.empty(self.shape, np.float32)
        scale_grad, offset_grad = np.empty_like(scale), np.empty_like(scale)
        self._backward.run(x, grad, result, scale, mean, variance, scale_grad, offset_grad)
        return result, scale_grad, offset_grad


_prepared = functools.lru_cache(maxsize=128)(_Normalization)


class _ArraySteps:
    """A primitive and its arguments, in order."""

    def __init__(self, steps: Steps, arguments: list[Argument]):
        self.steps, self.arguments = steps, arguments

    def run(self, *arrays: np.ndarray) -> None:
        self.steps.run(*zip(self.arguments, arrays))
