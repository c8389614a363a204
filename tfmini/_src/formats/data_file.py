"""A shard of a checkpoint: bytes read at any place."""

from __future__ import annotations

import contextlib
import math
import mmap
import os
import weakref

import numpy as np

from tfmini._src.base.errors import DataLossError
from tfmini._src.formats.crc32c import Sum, Summing, crc32c
from tfmini._src.formats.system_errors import translated

# Bytes that are read and summed up at a time: they stay in the cache in between.
_PART = 1 << 21
_LARGE = 1 << 20  # a thread beside may sum up
_MAPPED = 1 << 16  # bytes of a tensor that is mapped, where tensors are

_maps = False


def map_tensors() -> None:
    """From now on this process maps the large tensors of checkpoints that it reads.

    Processes that have read the same file share its pages, until one writes into such a tensor: that page is then its
    own. Whoever overwrites or shortens the file in place changes or ends those processes; a file that is renamed over
    it or removed does not matter.
    """
    global _maps
    _maps = True


class DataFile:
    """A shard, closed when nobody has it any more."""

    def __init__(self, path: str):
        self._path = path
        with translated(path):
            self._descriptor = os.open(path, os.O_RDONLY)
            weakref.finalize(self, os.close, self._descriptor)
            self.size = os.fstat(self._descriptor).st_size

    def mapped(self, offset: int, shape: tuple[int, ...], dtype: np.dtype) -> np.ndarray | None:
        """The tensor from `offset` on, as pages of the file; None where it is to be read."""
        size = math.prod(shape) * dtype.itemsize
        if not _maps or size < _MAPPED or offset % dtype.itemsize:
            return None
        start = offset - offset % mmap.ALLOCATIONGRANULARITY
        with translated(self._path):
            pages = mmap.mmap(
                self._descriptor,
                offset - start + size,
                flags=mmap.MAP_PRIVATE,
                prot=mmap.PROT_READ | mmap.PROT_WRITE,
                offset=start,
            )
        return np.ndarray(shape, dtype, pages, offset - start)

    def read_into(self, target: np.ndarray, offset: int, summing: Summing | None = None) -> Sum:
        """Fills an array of bytes with those from `offset` on; returns their sum, complete when `summing` has ended."""
        total = Sum()
        beside = None
        if summing is not None and len(target) >= _LARGE and summing.helps():
            beside = summing
        with (
            translated(self._path),
            contextlib.nullcontext() if beside is None else beside.watched(),
        ):
            for start in range(0, len(target), _PART):
                part = target[start : start + _PART]
                self._fill(part, offset + start)
                if beside is None:
                    total.add(part)
                else:
                    beside.add(total, part)
        return total

    def checksum(self, offset: int, size: int) -> int:
        """The checksum of the bytes from `offset` on."""
        buffer = np.empty(min(size, _PART), np.uint8)
        checksum = 0
        with translated(self._path):
            for start in range(0, size, _PART):
                part = buffer[: size - start]
                self._fill(part, offset + start)
                checksum = crc32c(part, checksum)
        return checksum

    def bytes(self, offset: int, size: int) -> bytes:
        """The bytes from `offset` on."""
        result = np.empty(size, np.uint8)
        self.fill(result, offset)
        return result.tobytes()

    def fill(self, part: np.ndarray, offset: int) -> None:
        """Fills an array of bytes with those from `offset` on."""
        with translated(self._path):
            self._fill(part, offset)

    def _fill(self, part: np.ndarray, offset: int) -> None:
        while part.size:
            count = os.preadv(self._descriptor, [part.data], offset)
            if not count:
                raise DataLossError(
                    None, None, f"Read less bytes than requested: {self._path} at byte {offset}"
                )
            part, offset = part[count:], offset + count
