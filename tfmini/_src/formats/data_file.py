"""A checkpoint shard with random-access reads."""

from __future__ import annotations

import contextlib
import math
import mmap
import os
import weakref

import numpy as np

from tfmini._src.base.errors import DataLossError
from tfmini._src.base.locks import make_lock
from tfmini._src.base.system import has_positioned_reads
from tfmini._src.formats.crc32c import ChecksumThread, Sum, crc32c
from tfmini._src.formats.system_errors import translate_errors

# Bytes read and checksummed at a time, small enough to stay in the cache in between.
_CHUNK_BYTES = 1 << 21
_BUFFER_BYTES = 1 << 16
MAX_BUFFERED_BYTES = 1 << 12  # bytes that are copied from the buffer rather than read
_MIN_CONCURRENT_BYTES = 1 << 20  # minimum bytes that a concurrent thread may checksum
_MIN_MAPPED_BYTES = 1 << 16  # minimum bytes of a tensor to map, if tensors are mapped

_maps = False


def map_tensors() -> None:
    """Makes this process memory-map the large tensors of checkpoints that it reads.

    Processes that read the same file share its pages until one writes to such a tensor, which copies the page.
    Overwriting or truncating the file in place changes the tensors or crashes those processes; replacing it by
    renaming, or removing it, is safe.
    """
    global _maps
    _maps = True


class DataFile:
    """A shard, closed when garbage-collected."""

    def __init__(self, path: str):
        self._path = path
        with translate_errors(path):
            self._file = open(path, "rb", 0)
            weakref.finalize(self, self._file.close)
            self.size = os.fstat(self._file.fileno()).st_size
        self._lock = make_lock()
        self._buffer = 0, b""  # the bytes from an offset on

    def map_tensor(self, offset: int, shape: tuple[int, ...], dtype: np.dtype) -> np.ndarray | None:
        """Returns the tensor at `offset` as memory-mapped pages; None if it must be read instead."""
        size = math.prod(shape) * dtype.itemsize
        if not _maps or size < _MIN_MAPPED_BYTES or offset % dtype.itemsize:
            return None
        start = offset - offset % mmap.ALLOCATIONGRANULARITY
        with translate_errors(self._path):
            pages = mmap.mmap(
                self._file.fileno(),
                offset - start + size,
                access=mmap.ACCESS_COPY,
                offset=start,
            )
        return np.ndarray(shape, dtype, pages, offset - start)

    def read_into(
        self, target: np.ndarray, offset: int, summing: ChecksumThread | None = None
    ) -> Sum:
        """Fills a byte array from `offset`; returns the checksum, complete once `summing` has ended."""
        total = Sum()
        beside = None
        if (
            summing is not None
            and len(target) >= _MIN_CONCURRENT_BYTES
            and summing.should_delegate()
        ):
            beside = summing
        with (
            translate_errors(self._path),
            contextlib.nullcontext() if beside is None else beside.watch(),
        ):
            for start in range(0, len(target), _CHUNK_BYTES):
                part = target[start : start + _CHUNK_BYTES]
                self._fill(part, offset + start)
                if beside is None:
                    total.add(part)
                else:
                    beside.add(total, part)
        return total

    def checksum(self, offset: int, size: int) -> int:
        """Returns the checksum of `size` bytes from `offset`."""
        buffer = np.empty(min(size, _CHUNK_BYTES), np.uint8)
        checksum = 0
        with translate_errors(self._path):
            for start in range(0, size, _CHUNK_BYTES):
                part = buffer[: size - start]
                self._fill(part, offset + start)
                checksum = crc32c(part, checksum)
        return checksum

    def bytes(self, offset: int, size: int) -> bytes:
        """Returns `size` bytes from `offset`; reads ahead if they are few."""
        if size <= MAX_BUFFERED_BYTES:
            start, buffer = self._buffer
            if not start <= offset <= offset + size <= start + len(buffer):
                result = np.empty(max(min(_BUFFER_BYTES, self.size - offset), size), np.uint8)
                self.fill(result, offset)
                start, buffer = self._buffer = offset, result.tobytes()
            return buffer[offset - start : offset - start + size]
        result = np.empty(size, np.uint8)
        self.fill(result, offset)
        return result.tobytes()

    def fill(self, part: np.ndarray, offset: int) -> None:
        """Fills a byte array from `offset`."""
        with translate_errors(self._path):
            self._fill(part, offset)

    def _fill(self, part: np.ndarray, offset: int) -> None:
        while part.size:
            count = self._read(part, offset)
            if not count:
                raise DataLossError(
                    None, None, f"Read less bytes than requested: {self._path} at byte {offset}"
                )
            part, offset = part[count:], offset + count

    def _read(self, part: np.ndarray, offset: int) -> int:
        """Fills a byte array as far as possible; returns the number of bytes read."""
        if has_positioned_reads:
            return os.preadv(self._file.fileno(), [part.data], offset)
        with self._lock:
            self._file.seek(offset)
            return self._file.readinto(part.data)
