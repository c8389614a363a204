"""Concatenates arrays on a GPU, with one launch for up to 64 arrays.

CuPy's `concatenate` launches one kernel per array; for more than eight small arrays it copies a table to the GPU,
which fails during capture (cupy/_core/_routines_manipulation.pyx, _concatenate_single_kernel).
"""

from __future__ import annotations

import functools
import math
import struct
from collections.abc import Sequence

import numpy as np

from tfmini._src.devices.arrays import ArrayModule
from tfmini._src.devices.cuda.launch import Array, as_contiguous, per_element, widest_element_at

_MAX_SOURCES = 64  # as in concat.cu
_MAX_LAUNCHES = 1024  # cached tables
_SOURCE_TABLE_DTYPE = np.dtype(
    [("addresses", np.int64, _MAX_SOURCES), ("ends", np.int64, _MAX_SOURCES)]
)


def join(xp: ArrayModule, arrays: Sequence[Array], axis: int) -> Array:
    """Returns the concatenation of arrays of one dtype, with shapes that differ only along the axis.

    Raises:
      ValueError: for incompatible shapes, or an axis out of range, as in NumPy's `concatenate`.
    """
    shape, lengths, outer, inner = _concat_layout(tuple([array.shape for array in arrays]), axis)
    result = xp.empty(shape, arrays[0].dtype)
    if result.size:
        selected = [as_contiguous(xp, a) for a in arrays if a.size]
        _launch_concat(xp, result, selected, lengths, outer, inner)
    return result


@functools.lru_cache(_MAX_LAUNCHES)
def _concat_layout(
    shapes: tuple[tuple[int, ...], ...], axis: int
) -> tuple[tuple[int, ...], tuple[int, ...], int, int]:
    """Returns a concatenation's shape, the lengths of its nonempty arrays, and the sizes before and after the axis."""
    rank = len(shapes[0])
    if not -rank <= axis < rank:
        raise ValueError(f"axis {axis} is out of bounds for array of dimension {rank}")
    axis %= rank
    outer, inner = shapes[0][:axis], shapes[0][axis + 1 :]
    for shape in shapes:
        if len(shape) != rank or shape[:axis] != outer or shape[axis + 1 :] != inner:
            raise ValueError(
                "all the input array dimensions except for the axis must match exactly"
            )
    lengths = tuple([shape[axis] for shape in shapes if 0 not in shape])
    total = sum(shape[axis] for shape in shapes)
    return (*outer, total, *inner), lengths, math.prod(outer), math.prod(inner)


def stack(xp: ArrayModule, arrays: Sequence[Array], axis: int) -> Array:
    """Stacks arrays of one dtype and shape along a new axis, from 0 to their rank."""
    shape = arrays[0].shape
    outer, inner = shape[:axis], shape[axis:]
    result = xp.empty((*outer, len(arrays), *inner), arrays[0].dtype)
    if result.size:
        sources = [as_contiguous(xp, a) for a in arrays]
        _launch_concat(xp, result, sources, (1,) * len(sources), math.prod(outer), math.prod(inner))
    return result


def _launch_concat(
    xp: ArrayModule,
    result: Array,
    arrays: list[Array],
    lengths: tuple[int, ...],
    outer: int,
    inner: int,
) -> None:
    """Copies arrays [outer, length, inner] to their positions in the result."""
    row = inner * result.itemsize
    addresses = [array.data.ptr for array in arrays]
    width = widest_element_at(math.gcd(*lengths) * row, [result.data.ptr, *addresses])
    for first, ends, count, size, sizes in _launches(outer, row, width, lengths):
        chunk = addresses[first : first + _MAX_SOURCES]
        starts = struct.pack(f"{len(chunk)}q", *chunk).ljust(8 * _MAX_SOURCES, b"\0")
        table = np.frombuffer(starts + ends, _SOURCE_TABLE_DTYPE)
        per_element(xp, "concat", f"join_{width}", size, table, count, result, *sizes)


@functools.lru_cache(_MAX_LAUNCHES)
def _launches(
    outer: int, row: int, width: int, lengths: tuple[int, ...]
) -> list[tuple[int, bytes, np.int32, int, tuple[int, int, int, int]]]:
    """Returns the launches that concatenate arrays of these lengths in elements of `width` bytes.

    Each launch consists of the index of its first array, the second half of its table, the number of arrays, the number
    of copied elements, and the parameters after the result.

    row: bytes of a row of length 1.
    """
    parts = [length * row // width for length in lengths]
    total = sum(parts)
    begin = 0
    launches = []
    for first in range(0, len(lengths), _MAX_SOURCES):
        ends = begin + np.cumsum(parts[first : first + _MAX_SOURCES], dtype=np.int64)
        columns = int(ends[-1]) - begin
        size = outer * columns
        sizes = (size, columns, begin, total)
        table = ends.tobytes().ljust(8 * _MAX_SOURCES, b"\0")
        launches.append((first, table, np.int32(len(ends)), size, sizes))
        begin = int(ends[-1])
    return launches
