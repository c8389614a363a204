"""Bias addition, row and column sums, argmax and argmin on a GPU."""

from __future__ import annotations

import math
from typing import Any

from tfmini._src.devices.arrays import ArrayModule
from tfmini._src.devices.cuda.launch import (
    INDEX_TYPES,
    NUMBERS,
    REALS,
    THREADS,
    Array,
    as_contiguous,
    matrix,
    per_element,
    rows,
    run,
)

_ROWS_PER_THREAD = 128  # rows summed by one thread
_MAX_PARTS = 65535  # CUDA's grid limit along y
_KERNEL_TYPE_NAMES = {**NUMBERS, **REALS}


def bias_add(
    xp: ArrayModule, value: Array, bias: Array, channels_first: bool = False, rectify: bool = False
) -> Array:
    """Returns value + bias along the last axis, or the second axis; with `rectify`, followed by ReLU."""
    value, bias = as_contiguous(xp, value), as_contiguous(xp, bias)
    result = xp.empty_like(value)
    inner = math.prod(value.shape[2:]) if channels_first else 1
    per_element(
        xp,
        "biases",
        f"bias_add_{_KERNEL_TYPE_NAMES[value.dtype.name]}",
        value.size,
        *(value, bias, result, value.size, bias.size, inner, rectify),
    )
    return result


def relu_gradient(xp: ArrayModule, gradient: Array, result: Array) -> Array:
    """Returns the gradient of ReLU, given its output or its input."""
    gradient, result = as_contiguous(xp, gradient), as_contiguous(xp, result)
    array = xp.empty_like(gradient)
    kernel = f"relu_gradient_{REALS[gradient.dtype.name]}"
    per_element(xp, "biases", kernel, array.size, gradient, result, array, array.size)
    return array


def bias_gradient(xp: ArrayModule, gradient: Array, channels_first: bool = False) -> Array:
    """Returns the sums over all axes except the channels."""
    channels = gradient.shape[1 if channels_first else -1]
    if not gradient.size:
        return xp.zeros(channels, gradient.dtype)
    inner = math.prod(gradient.shape[2:])
    if channels_first and inner > 1:
        gradient = row_sums(xp, gradient.reshape(-1, inner))
    return column_sums(xp, gradient.reshape(-1, channels))


def row_sums(xp: ArrayModule, array: Array) -> Array:
    """Returns the sums along the last axis."""
    return _reduce_rows(xp, "row_sums", array)


def row_maxima(xp: ArrayModule, array: Array) -> Array:
    """Returns the maxima along the last axis; NaN for rows that contain NaN."""
    return _reduce_rows(xp, "row_maxima", array)


def _reduce_rows(xp: ArrayModule, name: str, array: Array) -> Array:
    array = as_contiguous(xp, array)
    count, columns = matrix(array)
    result = xp.empty(array.shape[:-1], array.dtype)
    if count:
        kernel = f"{name}_{NUMBERS[array.dtype.name]}"
        run(xp, "reductions", kernel, *rows(count, columns), array, result, count, columns)
    return result


def column_sums(xp: ArrayModule, array: Array) -> Array:
    """Returns the sums [columns] of a matrix's columns, added in an order that depends only on its shape."""
    array, dtype = as_contiguous(xp, array), array.dtype
    count, columns = array.shape
    if not columns:
        return xp.zeros(0, dtype)
    width = min(32, 1 << (columns - 1).bit_length())
    block = width, THREADS // width
    while True:
        parts = min(max(1, -(-count // (_ROWS_PER_THREAD * block[1]))), _MAX_PARTS)
        sums = xp.empty((parts, columns), dtype if parts == 1 or dtype != "e" else "f")
        type_names = dict.fromkeys(
            _KERNEL_TYPE_NAMES[operand.dtype.name] for operand in (array, sums)
        )
        kernel = f"column_sums_{'_'.join(type_names)}"
        height = max(1, -(-count // parts))
        grid = -(-columns // width), parts
        run(xp, "reductions", kernel, grid, block, array, sums, count, columns, height)
        if parts == 1:
            return sums[0]
        array, count = sums, parts


def extremes(xp: ArrayModule, array: Array, dtype: Any = "int64", smallest: bool = False) -> Array:
    """Returns the argmax (or argmin) along the last axis: the index of the first of equal elements.

    NaN is ignored, except in rows that contain only NaN. `dtype` is int32 or int64.
    """
    array = as_contiguous(xp, array)
    count, columns = matrix(array)
    positions = xp.empty(array.shape[:-1], dtype)
    if count:
        name = "argmin" if smallest else "argmax"
        kernel = f"{name}_{NUMBERS[array.dtype.name]}_{INDEX_TYPES[positions.dtype.name]}"
        run(xp, "reductions", kernel, *rows(count, columns), array, positions, count, columns)
    return positions
