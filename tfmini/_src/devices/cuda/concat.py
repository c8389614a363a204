"""Arrays joined along an axis on a GPU, in one launch for up to 64 of them.

CuPy's concatenate launches one kernel per array; for more than eight small arrays it copies a table to the GPU,
which fails during capture (cupy/_core/_routines_manipulation.pyx, _concatenate_single_kernel).
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from tfmini._src.devices.arrays import ArrayModule
from tfmini._src.devices.cuda.launch import Array, each, in_one_piece, widest

_MOST = 64  # as in concat.cu
_SOURCES = np.dtype([("addresses", np.int64, _MOST), ("ends", np.int64, _MOST)])


def join(xp: ArrayModule, arrays: Sequence[Array], axis: int) -> Array:
    """The concatenation of arrays of one dtype, with shapes that differ only along the axis.

    Raises:
      ValueError: for incompatible shapes, or an axis out of range, as NumPy's concatenate does.
    """
    first = arrays[0]
    rank = first.ndim
    if not -rank <= axis < rank:
        raise ValueError(f"axis {axis} is out of bounds for array of dimension {rank}")
    axis %= rank
    outer, inner = first.shape[:axis], first.shape[axis + 1 :]
    for array in arrays:
        if array.ndim != rank or array.shape[:axis] != outer or array.shape[axis + 1 :] != inner:
            raise ValueError(
                "all the input array dimensions except for the axis must match exactly"
            )
    result = xp.empty((*outer, sum(a.shape[axis] for a in arrays), *inner), first.dtype)
    if result.size:
        selected = [in_one_piece(xp, a) for a in arrays if a.size]
        _fill(
            xp,
            result,
            selected,
            [a.shape[axis] for a in selected],
            math.prod(outer),
            math.prod(inner),
        )
    return result


def stack(xp: ArrayModule, arrays: Sequence[Array], axis: int) -> Array:
    """The arrays, of one dtype and shape, along a new axis from 0 to their rank."""
    shape = arrays[0].shape
    outer, inner = shape[:axis], shape[axis:]
    result = xp.empty((*outer, len(arrays), *inner), arrays[0].dtype)
    if result.size:
        sources = [in_one_piece(xp, a) for a in arrays]
        _fill(xp, result, sources, [1] * len(sources), math.prod(outer), math.prod(inner))
    return result


def _fill(
    xp: ArrayModule, result: Array, arrays: list[Array], lengths: list[int], outer: int, inner: int
) -> None:
    """Moves arrays [outer, length, inner] to their places in the result."""
    width = widest(math.gcd(*lengths) * inner * result.itemsize, result, *arrays)
    parts = [length * inner * result.itemsize // width for length in lengths]
    total = sum(parts)
    begin = 0
    for number in range(0, len(arrays), _MOST):
        some = slice(number, number + _MOST)
        table = np.zeros(1, _SOURCES)
        count = len(arrays[some])
        ends = begin + np.cumsum(parts[some])
        table["addresses"][0, :count] = [array.data.ptr for array in arrays[some]]
        table["ends"][0, :count] = ends
        columns = int(ends[-1]) - begin
        size = outer * columns
        sizes = (size, columns, begin, total)
        each(xp, "concat", f"join_{width}", size, table, np.int32(count), result, *sizes)
        begin = int(ends[-1])
