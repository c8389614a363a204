"""Window ops as loops, and modules restricted to NumPy."""

import itertools

import numpy as np

from tfmini._src.devices.numpy.windows.axes import Axis


class Nothing:
    """A native library without any functions."""

    def __getattr__(self, name):
        return lambda *arguments: None


def axis_of(rng, dilated=True):
    """Random windows, possibly entirely in the padding, or skipping elements."""
    size, kernel, stride = (int(rng.integers(*span)) for span in ((1, 8), (1, 4), (1, 4)))
    dilation = int(rng.integers(1, 4)) if dilated else 1
    reach = (kernel - 1) * dilation
    before = int(rng.integers(0, reach + 1))
    behind = int(rng.integers(0, reach + 1))
    count = (before + size + behind - reach - 1) // stride + 1
    if count < 1:
        return axis_of(rng, dilated)
    behind = max((count - 1) * stride + reach + 1 - before - size, 0)
    return Axis(size, kernel, stride, dilation, before, behind, count)


def windows_of(axes):
    """(window, [(position in the filter, position in the image)] inside the image) of each window, in order."""
    for window in itertools.product(*(range(axis.count) for axis in axes)):
        found = []
        for position in itertools.product(*(range(axis.kernel) for axis in axes)):
            at = tuple(
                index * axis.stride + offset * axis.dilation - axis.before
                for index, offset, axis in zip(window, position, axes)
            )
            if all(0 <= a < axis.size for a, axis in zip(at, axes)):
                found.append((position, at))
        yield window, found


def every(window):
    """The index of a window, or of a position, in all images."""
    return (slice(None), *window)


def images(rng, axes, depth, dtype=np.float64, count=2):
    """Integers with ties, one for each input element."""
    return rng.integers(-4, 5, (count, *(axis.size for axis in axes), depth)).astype(dtype)


def results(rng, axes, depth, dtype=np.float64, count=2):
    return rng.integers(-4, 5, (count, *(axis.count for axis in axes), depth)).astype(dtype)
