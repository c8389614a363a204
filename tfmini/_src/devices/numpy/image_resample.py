"""Resampling of images [batch, rows, columns, depth], where each output line is a weighted sum of input lines.

Rows are resampled first, then columns. `Lines` contains the input lines and weights of each output line; NumPy
computes it from host sizes, also for device kernels.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from tfmini._src.devices.arrays import Array, ArrayModule
from tfmini._src.devices.cuda.device_constants import fixed
from tfmini._src.devices.cuda.matmul import matmul
from tfmini._src.devices.host.native.images import image_resample as native
from tfmini._src.devices.host.threads import run_parts, thread_count

# Minimum elements of the result; for fewer, one thread is as fast.
_MIN_PARALLEL_ELEMENTS = 1 << 17
# Maximum depth at which pixels are gathered value by value, because copying a few bytes takes longer.
_SHALLOW = 8
# Minimum run of adjacent result rows with adjacent sources; shorter runs are gathered as fast.
_MIN_RUN = 4
# Maximum gathers and additions that distribute a gradient; for more, a matrix product is as fast.
_MAX_STEPS = 24


@dataclass(frozen=True)
class Lines:
    """Weighted sums along one axis: the input lines that contribute to each output line, and their weights.

    size: number of input lines; indices: [terms, output lines]; weights: float32, of the same shape.
    """

    size: int
    indices: np.ndarray
    weights: np.ndarray

    @property
    def count(self) -> int:
        """The number of output lines."""
        return self.indices.shape[1]

    @cached_property
    def native_arguments(self) -> tuple[np.ndarray, np.ndarray]:
        """The arguments for the native library."""
        return self.indices.astype(np.int32), self.weights


@dataclass(frozen=True)
class Interpolation:
    """Linear interpolation along one axis: from line `lower` towards line `upper` by the fraction `weight`."""

    size: int
    lower: np.ndarray
    upper: np.ndarray
    weight: np.ndarray

    @property
    def count(self) -> int:
        return len(self.lower)

    @cached_property
    def native_arguments(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """The arguments for the native library."""
        lower, upper = (positions.astype(np.int32) for positions in (self.lower, self.upper))
        return lower, upper, self.weight

    @cached_property
    def lines(self) -> Lines:
        """The interpolation as weighted sums, for the gradient."""
        one = np.float32(1)
        weights = np.stack([one - self.weight, self.weight])
        return Lines(self.size, np.stack([self.lower, self.upper]), weights)


def empty(xp: ArrayModule, images: Array, sizes: tuple[int, int]) -> Array:
    """Allocates the float32 result before temporary arrays of its size, so that lack of memory shows early."""
    return xp.empty((len(images), *sizes, images.shape[3]), "f")


def interpolate(
    xp: ArrayModule, images: Array, rows: Interpolation, columns: Interpolation, result: Array
) -> Array:
    """Interpolates each output pixel between four pixels."""
    if xp is np and native.interpolate_images(
        images, rows.native_arguments, columns.native_arguments, result
    ):
        return result
    if xp is np and images.shape[3] <= _SHALLOW:
        return _run_per_image(
            xp, _flat_interpolation(rows, columns, images.shape[3]), images, result
        )
    used, lower, upper = _read_rows(rows)

    def work(images: Array, result: Array) -> None:
        if len(used) < rows.size:
            images = xp.take(images, fixed(xp, used), axis=1)
        left, right = (
            _take_columns(xp, images, positions) for positions in (columns.lower, columns.upper)
        )
        weight = fixed(xp, columns.weight[:, None])
        images = _lerp(xp, left, right, weight)
        top, bottom = (
            xp.take(images, fixed(xp, positions), axis=1) for positions in (lower, upper)
        )
        _lerp(xp, top, bottom, fixed(xp, rows.weight[:, None, None]), result)

    return _run_per_image(xp, work, images, result)


class LineRun(NamedTuple):
    """Output lines start ... stop - 1, interpolated between adjacent lines that start at `lower` and `upper`."""

    start: int
    stop: int
    lower: int
    upper: int


def _line_runs(bounds: Interpolation) -> list[LineRun]:
    """Returns the runs of all lines; empty if they are too short to be worth a call each."""
    steps = (np.diff(bounds.lower) != 1) | (np.diff(bounds.upper) != 1)
    starts = [0, *(np.flatnonzero(steps) + 1).tolist()]
    if len(starts) * _MIN_RUN > bounds.count:
        return []
    stops = [*starts[1:], bounds.count]
    return [
        LineRun(a, b, int(bounds.lower[a]), int(bounds.upper[a])) for a, b in zip(starts, stops)
    ]


def _flat_interpolation(
    rows: Interpolation, columns: Interpolation, depth: int
) -> Callable[..., Any]:
    """Returns `work(images, result)` for pixels with few channels, which treats lines as rows of numbers."""
    left, right = (
        (positions[:, None] * depth + np.arange(depth)).ravel()
        for positions in (columns.lower, columns.upper)
    )
    column_weight, row_weight = np.repeat(columns.weight, depth), rows.weight[:, None]
    used, lower, upper = _read_rows(rows)
    runs = _line_runs(rows)

    def work(images: Array, result: Array) -> None:
        batch, height, width, _ = images.shape
        if len(used) < height and not runs:
            images, height = images.take(used, axis=1), len(used)
        flat = images.reshape(batch * height, width * depth).astype("f", copy=False)
        interpolated = np.empty((batch * height, len(left)), "f")
        flat.take(right, axis=1, out=interpolated, mode="clip")
        _interpolate_into(
            flat.take(left, axis=1, mode="clip"), interpolated, column_weight, interpolated
        )
        interpolated = interpolated.reshape(batch, height, len(left))
        lines = result.reshape(batch, result.shape[1], len(left))
        if not runs:
            interpolated.take(upper, axis=1, out=lines, mode="clip")
            _interpolate_into(
                interpolated.take(lower, axis=1, mode="clip"), lines, row_weight, lines
            )
        for start, stop, first, second in runs:
            top, bottom = (
                interpolated[:, positions : positions + stop - start]
                for positions in (first, second)
            )
            _interpolate_into(top, bottom, row_weight[start:stop], lines[:, start:stop])

    return work


def _interpolate_into(start: Any, end: Any, weight: Array, out: Array) -> None:
    """Writes start + (end - start) * weight to `out`."""
    np.subtract(end, start, out=out)
    np.multiply(out, weight, out=out)
    np.add(start, out, out=out)


def resample(xp: ArrayModule, images: Array, rows: Lines, columns: Lines, result: Array) -> Array:
    """Returns images whose rows, then columns are weighted sums."""
    if xp is np and native.resample_images(
        images, rows.native_arguments, columns.native_arguments, result
    ):
        return result

    def work(images: Array, result: Array) -> None:
        part = _weighted_sum(xp, images, rows, 1)
        result[...] = _weighted_sum(xp, part, columns, 2)

    return _run_per_image(xp, work, images, result)


def scatter_gradient(
    xp: ArrayModule, grad: Array, rows: Lines, columns: Lines, dtype: np.dtype
) -> Array:
    """Returns the image gradient, given the gradient of the output of `resample` or `interpolate`."""
    grad = grad.astype(dtype, copy=False)
    if xp is np:
        result = native.scatter_gradient(
            grad, rows.native_arguments, columns.native_arguments, (rows.size, columns.size)
        )
        if result is not None:
            return result
    return _resample_gradient(xp, _resample_gradient(xp, grad, columns, 2), rows, 1)


def nearest(
    xp: ArrayModule, images: Array, rows: np.ndarray, columns: np.ndarray, result: Array
) -> Array:
    """Writes `images[:, rows][:, :, columns]` to `result`."""
    if xp is np:
        positions = rows.astype(np.int32), columns.astype(np.int32)
        if native.nearest(images, *positions, result):
            return result
    row_images = xp.take(images, fixed(xp, columns), axis=2)
    return xp.take(row_images, fixed(xp, rows), axis=1, out=result)


def _read_rows(rows: Interpolation) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Returns the rows that are read, and `lower` and `upper` as indices into these rows."""
    used = np.unique(np.concatenate([rows.lower, rows.upper]))
    return used, np.searchsorted(used, rows.lower), np.searchsorted(used, rows.upper)


def _take_columns(xp: ArrayModule, images: Array, positions: np.ndarray) -> Array:
    """Returns the columns `positions` of images, as float32."""
    batch, rows, columns, depth = images.shape
    if depth > _SHALLOW or xp is not np:
        selected = xp.take(images, fixed(xp, positions), axis=2)
    else:
        indices = (positions[:, None] * depth + np.arange(depth)).ravel()
        flat = images.reshape(batch * rows, columns * depth).take(indices, axis=1)
        selected = flat.reshape(batch, rows, len(positions), depth)
    return selected.astype("f", copy=False)


def _lerp(xp: ArrayModule, start: Any, end: Any, weight: Any, out: Any = None) -> Any:
    """Returns start + (end - start) * weight; `end` is overwritten."""
    xp.subtract(end, start, out=end)
    xp.multiply(end, weight, out=end)
    return xp.add(start, end, out=end if out is None else out)


def _weighted_sum(xp: ArrayModule, images: Array, lines: Lines, axis: int) -> Any:
    """Returns the weighted sums along an axis, as float32."""
    images = images.astype("f", copy=False)
    terms = len(lines.indices)
    if terms > _MAX_STEPS:
        return _multiply_axis(xp, images, _weight_matrix(lines), axis)
    total = None
    for indices, weights in zip(lines.indices, lines.weights):
        term = _take_columns(xp, images, indices) if axis == 2 else None
        if term is None:
            term = xp.take(images, fixed(xp, indices), axis=1)
        term = xp.multiply(term, _weights_along(xp, weights, axis), out=term)
        total = term if total is None else xp.add(total, term, out=total)
    return total


def _weights_along(xp: ArrayModule, weights: np.ndarray, axis: int) -> Array:
    return fixed(xp, weights.reshape(-1, *(1,) * (3 - axis)))


def _weight_matrix(lines: Lines) -> np.ndarray:
    """Returns the weights as a matrix, [output lines, input lines]."""
    matrix = np.zeros((lines.count, lines.size), "f")
    row_indices = np.arange(lines.count)
    for indices, weights in zip(lines.indices, lines.weights):
        matrix[row_indices, indices] += weights
    return matrix


def _multiply_axis(xp: ArrayModule, images: Array, matrix: np.ndarray, axis: int) -> Array:
    """Multiplies the images along an axis by the matrix."""
    factor = fixed(xp, matrix.astype(images.dtype, copy=False))
    if axis == 2:
        return matmul(xp, factor, images)
    batch, rows, columns, depth = images.shape
    flat = images.reshape(batch, rows, columns * depth)
    return matmul(xp, factor, flat).reshape(batch, len(matrix), columns, depth)


def _resample_gradient(xp: ArrayModule, grad: Array, lines: Lines, axis: int) -> Array:
    """Returns the gradient of `_weighted_sum` along an axis."""
    steps = [
        (step, indices, weights)
        for indices, weights in zip(lines.indices, lines.weights)
        for step in _group_distinct(indices)
    ]
    if len(steps) > _MAX_STEPS:
        return _multiply_axis(xp, grad, _weight_matrix(lines).T, axis)
    shape = (*grad.shape[:axis], lines.size, *grad.shape[axis + 1 :])
    result = xp.zeros(shape, grad.dtype)
    leading = (slice(None),) * axis
    for step, indices, weights in steps:
        share = xp.take(grad, fixed(xp, step), axis=axis)
        share *= _weights_along(xp, weights[step].astype(grad.dtype), axis)
        result[(*leading, fixed(xp, indices[step]))] += share
    return result


def _group_distinct(indices: np.ndarray) -> list[np.ndarray]:
    """Groups the positions of `indices` so that no group contains an index twice."""
    order = np.argsort(indices, kind="stable")
    sorted_indices = indices[order]
    starts = np.searchsorted(sorted_indices, sorted_indices)
    turn = np.arange(len(indices)) - starts
    return [np.sort(order[turn == n]) for n in range(int(turn.max(initial=-1)) + 1)]


def _run_per_image(
    xp: ArrayModule, work: Callable[..., None], images: Array, result: Array
) -> Array:
    """Calls `work(images, result)` per image, on all threads for large batches."""
    if xp is not np or result.size < _MIN_PARALLEL_ELEMENTS:
        work(images, result)
        return result

    def resample(index: int) -> None:
        part = slice(index, index + 1)
        work(images[part], result[part])

    if thread_count() == 1 or len(images) == 1:
        for index in range(len(images)):
            resample(index)
    else:
        run_parts(resample, len(images))
    return result
