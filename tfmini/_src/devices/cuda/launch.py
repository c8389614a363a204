"""Kernel launches: grids and blocks by size, and type names as used in kernel names.

All kernel functions take `xp`, the module `cupy`, and arrays of the current device, and launch on its current stream.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any

import numpy as np

from tfmini._src.devices.arrays import ArrayModule
from tfmini._src.devices.cuda.kernel_sources import function

Array = Any  # cupy.ndarray

THREADS = 256
MAX_WIDE_THREADS = 512  # maximum threads per block of a kernel declared WIDE_KERNEL
_MAX_BLOCKS = 4096  # several waves on any GPU; grid-stride loops process the rest
# Of kernels/transpose.cu: its squares, their largest number of blocks, the shortest side, the sizes of elements.
_TILE, _MAX_SQUARES, _MIN_TILED_SIDE, _ITEM_SIZES = 32, 1 << 14, 8, (1, 2, 4, 8)

FLOATS = {"float32": "f32", "float64": "f64"}
REALS = {**FLOATS, "float16": "f16"}  # dtypes of kernels that compute float16 values in float32
NUMBERS = {**FLOATS, "int32": "i32", "int64": "i64"}
INDEX_TYPES = {"int32": "i32", "int64": "i64"}


def runs_cuda(xp: ArrayModule) -> bool:
    """Whether an array module is CuPy, which the kernels require, as opposed to numpy or another device's module."""
    return xp is not np and hasattr(xp, "cuda")


def run(
    xp: ArrayModule,
    file: str,
    kernel: str,
    grid: tuple[int, ...],
    block: tuple[int, ...],
    *args: Any,
) -> None:
    """Launches a kernel of kernels/FILE.cu."""
    function(xp, file, kernel)(grid, block, args)


def per_element(xp: ArrayModule, file: str, kernel: str, size: int, *args: Any) -> None:
    """Launches a grid-stride kernel over `size` elements; does nothing if `size` is 0."""
    if size:
        run(xp, file, kernel, grid_for_elements(size), (THREADS,), *args)


def grid_for_elements(size: int) -> tuple[int]:
    """Returns the grid for `size` elements."""
    return (max(1, min(-(-size // THREADS), _MAX_BLOCKS)),)


def rows(count: int, columns: int) -> tuple[tuple[int], tuple[int, int]]:
    """Returns the grid and block of a kernel whose threads along x share a row: for short rows, a warp per row and
    eight rows per block, else one row per block and a thread for every eight elements.
    """
    if columns <= THREADS:
        grid, block = -(-count // 8), (32, 8)
    else:
        threads = min(MAX_WIDE_THREADS, 1 << max(6, (columns // 8).bit_length()))
        grid, block = count, (threads, 1)
    return (max(1, min(grid, 1 << 16)),), block


def matrix(array: Array) -> tuple[int, int]:
    """Returns the number of rows along the last axis of an array, and their length."""
    return math.prod(array.shape[:-1]), array.shape[-1]


def as_contiguous(xp: ArrayModule, array: Array) -> Array:
    """Returns the array, or a contiguous copy; transposed matrices are copied by a kernel with coalesced access."""
    if array.flags.c_contiguous:
        return array
    layout = _transpose_base(array)
    if layout is None:
        return xp.ascontiguousarray(array)
    source, batch, height, width = layout
    result = xp.empty(array.shape, array.dtype)
    squares = batch * -(-height // _TILE) * -(-width // _TILE)
    name = f"transpose_{array.itemsize}"
    grid, block = (min(squares, _MAX_SQUARES),), (_TILE, _TILE // 4)
    bits = f"u{array.itemsize}"
    run(
        xp,
        "transpose",
        name,
        grid,
        block,
        source.view(bits),
        result.view(bits),
        batch,
        height,
        width,
    )
    return result


def _transpose_base(array: Array) -> tuple[Array, int, int, int] | None:
    """Returns the contiguous base [batch, height, width] of a view [batch, width, height], and its extents.

    An extent may span several merged axes. Returns None for other views, and for narrow matrices, which gain nothing.
    """
    rank = array.ndim
    axes = sorted(range(rank), key=lambda axis: -array.strides[axis])
    source = array.transpose(axes)
    if not source.flags.c_contiguous:
        return None
    positions = [axes.index(axis) for axis in range(rank)]
    first = next(n for n, axis in enumerate(positions) if n != axis)
    second = positions[first]
    if positions[first:] != [*range(second, rank), *range(first, second)]:
        return None
    extents = (source.shape[:first], source.shape[first:second], source.shape[second:])
    batch, height, width = map(math.prod, extents)
    is_narrow = min(height, width) < _MIN_TILED_SIDE or array.itemsize not in _ITEM_SIZES
    return None if is_narrow else (source, batch, height, width)


def widest(size: int, *arrays: Array) -> int:
    """Returns the width of the widest element, in bytes, that divides `size` bytes and the addresses of the arrays."""
    return widest_element_at(size, [array.data.ptr for array in arrays])


def widest_element_at(size: int, addresses: Iterable[int]) -> int:
    """Same as `widest`, for addresses."""
    bits = size | 16
    for address in addresses:
        bits |= address
    return bits & -bits


def supports(dtype: Any, names: dict[str, str] = FLOATS) -> bool:
    """Whether there are kernels for this dtype."""
    return np.dtype(dtype).name in names
