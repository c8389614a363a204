"""Transposes filters between TensorFlow's and cuDNN's orders, several per launch.

Transposed filters keep the shape [sizes ..., channels, filters]: they are views of arrays in cuDNN's order, which
`filters_for` does not need to copy.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from tfmini._src.devices.arrays import ArrayModule
from tfmini._src.devices.cuda.cudnn.convolution import filter_axes, filter_view
from tfmini._src.devices.cuda.launch import Array, as_contiguous, run

_MAX_SOURCES = 64  # as in filters.cu
_TILE, _HEIGHT = 32, 8
_MAX_BLOCKS = 256
_FILTER_TABLE_DTYPE = np.dtype(
    [(name, np.int64, _MAX_SOURCES) for name in ("sources", "targets", "rows", "middle", "columns")]
)

# Rows, middle and columns of an array whose axes are reversed.
Extents = tuple[int, int, int]


def to_cudnn_filters(
    xp: ArrayModule, filters: Sequence[Array], orders: Sequence[bool]
) -> list[Array]:
    """Returns copies of TensorFlow's filters in cuDNN's order, with channels first or last according to `orders`."""
    sources = [as_contiguous(xp, array) for array in filters]
    result, extents = [], []
    for array, first in zip(sources, orders):
        shape = tuple(array.shape[axis] for axis in filter_axes(array.ndim, first))
        result.append(xp.empty(shape, array.dtype))
        *sizes, channels, count = array.shape
        channel_position = channels if first else 1
        extents.append((math.prod(sizes) * (1 if first else channels), channel_position, count))
    _transpose(xp, sources, result, extents)
    return [filter_view(array, first) for array, first in zip(result, orders)]


def to_tensorflow_order(xp: ArrayModule, filters: Sequence[Array]) -> list[Array]:
    """Converts filters from `to_cudnn_filters` and `filter_view` to TensorFlow's layout; returns others unchanged."""
    results = list(filters)
    positions, sources, extents = [], [], []
    for position, array in enumerate(filters):
        extent = None if array.flags.c_contiguous else _find_permutation(array)
        if extent is None:
            results[position] = as_contiguous(xp, array)
            continue
        positions.append(position)
        extents.append(extent)
        sources.append(array)
        results[position] = xp.empty(array.shape, array.dtype)
    _transpose(xp, sources, [results[position] for position in positions], extents)
    return results


def _find_permutation(filter: Array) -> Extents | None:
    """Returns the extents that transpose a view to TensorFlow's order; None if it is in neither of cuDNN's orders."""
    *sizes, channels, count = filter.shape
    for first in (False, True):
        if filter.transpose(filter_axes(filter.ndim, first)).flags.c_contiguous:
            inner = math.prod(sizes)
            return (count, channels, inner) if first else (count, 1, inner * channels)
    return None


def _transpose(
    xp: ArrayModule, sources: Sequence[Array], targets: Sequence[Array], extents: Sequence[Extents]
) -> None:
    """Launches the kernel for arrays of one dtype."""
    for begin in range(0, len(sources), _MAX_SOURCES):
        chunk = slice(begin, begin + _MAX_SOURCES)
        table, count = np.zeros(1, _FILTER_TABLE_DTYPE), len(sources[chunk])
        table["sources"][0, :count] = [array.data.ptr for array in sources[chunk]]
        table["targets"][0, :count] = [array.data.ptr for array in targets[chunk]]
        for name, values in zip(("rows", "middle", "columns"), zip(*extents[chunk])):
            table[name][0, :count] = values
        squares = max(-(-r // _TILE) * m * -(-c // _TILE) for r, m, c in extents[chunk])
        if squares:
            grid = (min(squares, _MAX_BLOCKS), count)
            run(xp, "filters", f"turn_{sources[begin].itemsize}", grid, (_TILE, _HEIGHT), table)
