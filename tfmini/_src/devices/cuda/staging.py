"""Copies the inputs and results of a recorded step, in one launch before and one inside it; see kernels/staging.cu."""

from __future__ import annotations

import struct
from collections.abc import Sequence

import numpy as np

from tfmini._src.devices.arrays import ArrayModule
from tfmini._src.devices.cuda.launch import THREADS, Array, run

_MAX_SOURCES = 64  # as in staging.cu
_COPY_TABLE_DTYPE = np.dtype(
    [(name, np.int64, _MAX_SOURCES) for name in ("sources", "targets", "sizes")]
)
_COLUMN = 8 * _MAX_SOURCES  # bytes
_EMPTY_COLUMN = bytes(_COLUMN)
_BLOCK_BYTES = THREADS * 64  # bytes copied per block until the grid is full
_MAX_BLOCKS = 256


class Stage:
    """Copies arrays to contiguous fixed buffers and writes the addresses of results, up to 64 of each per launch."""

    def __init__(
        self, xp: ArrayModule, buffers: Sequence[Array], results: int, positions: Array | None
    ):
        self._xp = xp
        self._positions = positions
        self._parts = []
        for first in range(0, max(len(buffers), results), _MAX_SOURCES):
            chunk = buffers[first : first + _MAX_SOURCES]
            count = max(0, min(_MAX_SOURCES, results - first))
            extents = np.int32(len(chunk)), np.int32(first), np.int32(count)
            self._parts.append((_copy_table(targets=chunk).tobytes(), _grid(chunk), *extents))

    def run(self, arrays: Sequence[Array], results: Sequence[Array]) -> None:
        """Copies contiguous `arrays` of the buffers' dtypes and shapes, and sets the addresses of `results`."""
        sources = [array.data.ptr for array in arrays]
        targets = [array.data.ptr for array in results]
        for copies, grid, count, first, size in self._parts:
            begin, end = int(first), int(first) + _MAX_SOURCES
            copied = _pack_addresses(sources[begin:end]) + copies[_COLUMN:]
            set_later = (_EMPTY_COLUMN + _pack_addresses(targets[begin:end])).ljust(
                len(copies), b"\0"
            )
            kernel_args = (
                np.frombuffer(copied, _COPY_TABLE_DTYPE),
                count,
                np.frombuffer(set_later, _COPY_TABLE_DTYPE),
            )
            args = *kernel_args, first, size, self._positions
            run(self._xp, "staging", "stage", grid, (THREADS,), *args)


def deliver(xp: ArrayModule, results: Sequence[Array], positions: Array) -> None:
    """Copies contiguous results to the addresses that a `Stage` has written to `positions`."""
    for first in range(0, len(results), _MAX_SOURCES):
        chunk = results[first : first + _MAX_SOURCES]
        args = _copy_table(sources=chunk), np.int32(first), positions
        run(xp, "staging", "deliver", _grid(chunk), (THREADS,), *args)


def _pack_addresses(addresses: Sequence[int]) -> bytes:
    """Returns a column of the table with up to `_MAX_SOURCES` addresses."""
    return struct.pack(f"{len(addresses)}q", *addresses).ljust(_COLUMN, b"\0")


def _copy_table(**sides: Sequence[Array]) -> np.ndarray:
    """Returns the kernels' by-value parameter, with the addresses of one side."""
    table = np.zeros(1, _COPY_TABLE_DTYPE)
    for name, arrays in sides.items():
        table[name][0, : len(arrays)] = [array.data.ptr for array in arrays]
        table["sizes"][0, : len(arrays)] = [array.nbytes for array in arrays]
    return table


def _grid(arrays: Sequence[Array]) -> tuple[int, int]:
    largest = max((array.nbytes for array in arrays), default=0)
    return max(1, min(-(-largest // _BLOCK_BYTES), _MAX_BLOCKS)), max(1, len(arrays))
