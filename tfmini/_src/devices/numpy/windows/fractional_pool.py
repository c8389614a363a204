"""Fractional pooling: random window boundaries, drawn as in TensorFlow, and pooling over these windows."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator

import numpy as np

from tfmini._src.devices.arrays import Array
from tfmini._src.devices.numpy.philox import Stream, block
from tfmini._src.devices.numpy.random_choices import permutation


def pooling_sequences(
    seeds: Stream, sizes: list[int], counts: list[int], pseudo_random: bool
) -> list[np.ndarray]:
    """Returns the starts of the windows along each axis, followed by the size of the axis: int64 [count + 1] each."""
    sequences = []
    for size, count in zip(sizes, counts):
        draw_count = 2 if pseudo_random else count
        gaps = (_pseudo_random if pseudo_random else _random_sizes)(seeds, size, count)
        seeds = seeds.skip((draw_count + 3) // 4)
        sequences.append(np.concatenate([[0], np.cumsum(gaps)]).astype(np.int64))
    return sequences


def _random_sizes(stream: Stream, size: int, count: int) -> np.ndarray:
    """Returns the window sizes, two consecutive integers in random order."""
    gaps = np.full(count, size // count, np.int64)
    gaps[: size % count] += 1
    return gaps[permutation(np, stream, count)]


def _pseudo_random(stream: Stream, size: int, count: int) -> np.ndarray:
    """Returns the window sizes for equal steps from a random start (Graham, Fractional Max-Pooling, 2014)."""
    alpha, min_length = size / count, size // count
    max_start = min((min_length + 2) / alpha - 1, (size + 1 - min_length) / alpha - (count - 1))
    high, low, _, _ = block(stream, 0)
    start = ((high & 0xFFFFF) << 32 | low) / 2**52 * max_start
    bounds = [1, *(math.ceil(alpha * (i + start)) for i in range(1, count)), size + 1]
    return np.diff(bounds)


def _window_elements(
    sequence: np.ndarray, size: int, overlapping: bool
) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    """Yields, for each offset into windows, the windows with this element, and the element's index."""
    ends = np.minimum(sequence[1:] + (1 if overlapping else 0), size)
    starts = sequence[:-1]
    for offset in range(int((ends - starts).max(initial=0))):
        windows = np.flatnonzero(starts + offset < ends)
        yield windows, starts[windows] + offset


def _window_element_indices(
    rows: np.ndarray, columns: np.ndarray, shape: tuple[int, ...], overlapping: bool
) -> Iterator[tuple[tuple[Array, ...], tuple[Array, ...]]]:
    """Yields (windows, elements) for each element of a window, in order."""
    row_windows = list(_window_elements(rows, shape[1], overlapping))
    column_windows = list(_window_elements(columns, shape[2], overlapping))
    batch_indices = np.arange(shape[0])
    for row_window, other in itertools.product(row_windows, column_windows):
        yield (
            np.ix_(batch_indices, row_window[0], other[0]),
            np.ix_(batch_indices, row_window[1], other[1]),
        )


def _result_shape(x: np.ndarray, rows: np.ndarray, columns: np.ndarray) -> tuple[int, ...]:
    return (len(x), len(rows) - 1, len(columns) - 1, x.shape[3])


def max_pooled(
    x: np.ndarray, rows: np.ndarray, columns: np.ndarray, overlapping: bool
) -> np.ndarray:
    """Returns the largest element of each window; NaN counts as less than any number."""
    lowest = (np.iinfo if x.dtype.kind in "iu" else np.finfo)(x.dtype).min
    result = np.full(_result_shape(x, rows, columns), lowest, x.dtype)
    for windows, elements in _window_element_indices(rows, columns, x.shape, overlapping):
        result[windows] = np.fmax(result[windows], x[elements])
    return result


def average_pooled(
    x: np.ndarray, rows: np.ndarray, columns: np.ndarray, overlapping: bool
) -> np.ndarray:
    """Returns the mean of each window, rounded towards 0 for integers."""
    shape = _result_shape(x, rows, columns)
    sums, counts = np.zeros(shape, x.dtype), np.zeros((*shape[:3], 1), x.dtype)
    for windows, elements in _window_element_indices(rows, columns, x.shape, overlapping):
        sums[windows] += x[elements]
        counts[windows] += 1
    if x.dtype.kind == "f":
        return sums / counts
    return np.sign(sums) * (np.abs(sums) // counts)


def max_gradient(
    x: np.ndarray, grad: np.ndarray, rows: np.ndarray, columns: np.ndarray, overlapping: bool
) -> np.ndarray:
    """Returns the input's gradient: each window's gradient is added at its first largest element."""
    shape = _result_shape(x, rows, columns)
    indices = np.arange(x.size).reshape(x.shape)
    best, position = np.zeros(shape, x.dtype), np.full(shape, -1)
    for windows, elements in _window_element_indices(rows, columns, x.shape, overlapping):
        values, previous, index = x[elements], best[windows], position[windows]
        is_better = (previous < values) | (index < 0)
        best[windows] = np.where(is_better, values, previous)
        position[windows] = np.where(is_better, indices[elements], index)
    sums = np.bincount(position.reshape(-1), weights=grad.reshape(-1), minlength=x.size)
    return sums.astype(x.dtype).reshape(x.shape)


def average_gradient(
    shape: tuple[int, ...],
    grad: np.ndarray,
    rows: np.ndarray,
    columns: np.ndarray,
    overlapping: bool,
) -> np.ndarray:
    """Returns the input's gradient: the sum of each element's shares of the windows that contain it."""
    counts = np.zeros((*grad.shape[:3], 1))
    walk = list(_window_element_indices(rows, columns, shape, overlapping))
    for windows, _ in walk:
        counts[windows] += 1
    result, share = np.zeros(shape), grad / counts
    for windows, elements in walk:
        result[elements] += share[windows]
    return result.astype(grad.dtype)
