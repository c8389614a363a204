"""Pinned host memory for copies, which a GPU reads and writes by DMA.

Large copies are staged in pieces: host threads fill or read one piece while DMA moves others. CuPy's pool rounds sizes
up to a power of two (cupy/cuda/pinned_memory.pyx, PinnedMemoryPool.malloc), so 65 MB would pin 128 MB; pieces are
therefore powers of two. They are returned to the pool after the copy; otherwise a fetched array would stay pinned while
referenced.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

_PART_COUNT, _PART_BYTES = 4, 1 << 18
_READ_ALIGNMENT = 256  # alignment of GPU reads in bytes
_LAST_PIECE = 1 << 20  # maximum bytes of a copy's last piece; the others are powers of two
# Maximum bytes of a piece: eight threads fill or read it in the 0.3 ms of another one's DMA.
_LARGEST_PIECE = 16 << 20


def pinned_bytes(pool: Any, size: int) -> np.ndarray:
    """Returns memory of the pool, uint8 [size]."""
    return np.frombuffer(pool.malloc(size), np.uint8, size)


def pieces(size: int) -> list[tuple[int, int]]:
    """Returns the offsets and sizes of the pieces in which `size` bytes are copied."""
    parts = []
    begin = 0
    while size - begin > _LAST_PIECE:
        piece = min(_LARGEST_PIECE, 1 << ((size - begin).bit_length() - 1))
        parts.append((begin, piece))
        begin += piece
    return [*parts, (begin, size - begin)] if begin < size else parts


class PinnedRing:
    """Pinned memory for many small copies to a GPU, all in one stream, so that they share events.

    Its parts are filled in turn, and filled again when the copies from them are complete.

    Args:
      pool: the pool to allocate from.
      mark: function that returns an event marking the end of the copies submitted so far.
    """

    MAX_COPY_BYTES = 64 << 10  # maximum bytes per copy

    def __init__(self, pool: Any, mark: Callable[[], Any]):
        self._mark = mark
        self._memory = np.frombuffer(pool.malloc(_PART_COUNT * _PART_BYTES), np.uint8)
        self._begin = 0
        self._done: list[Any] = [None] * _PART_COUNT  # by ring part

    def stage(self, array: np.ndarray) -> np.ndarray:
        """Stages an array of up to `MAX_COPY_BYTES` bytes, for a copy to the GPU before the next `turn`."""
        stored = self._memory[self._begin : self._begin + array.nbytes].view(array.dtype)
        stored = stored.reshape(array.shape)
        stored[...] = array
        self._begin += -(-array.nbytes // _READ_ALIGNMENT) * _READ_ALIGNMENT
        return stored

    def turn(self) -> None:
        """Advances to the next part if this one is full; blocks until that part is free."""
        part, used = divmod(self._begin - 1, _PART_BYTES)
        if used + 1 + self.MAX_COPY_BYTES <= _PART_BYTES:
            return
        self._done[part] = self._mark()
        next_part = (part + 1) % _PART_COUNT
        self._begin = next_part * _PART_BYTES
        if self._done[next_part] is not None:
            self._done[next_part].synchronize()
