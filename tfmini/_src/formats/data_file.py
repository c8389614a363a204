"""A shard of a checkpoint: bytes read at any place."""

from __future__ import annotations

import contextlib
import os
import weakref

import numpy as np

from tfmini._src.base.errors import DataLossError
from tfmini._src.formats.crc32c import Sum, Summing, crc32c
from tfmini._src.formats.system_errors import translated

# Bytes that are read and summed up at a time: they stay in the cache in between.
_PART = 1 << 21
_LARGE = 1 << 20  # a thread beside may sum up


class DataFile:
    """A shard, closed when nobody has it any more."""

    def __init__(self, path: str):
        self._path = path
        with translated(path):
            self._descriptor = os.open(path, os.O_RDONLY)
            weakref.finalize(self, os.close, self._descriptor)
            self.size = os.fstat(self._descriptor).st_size

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
