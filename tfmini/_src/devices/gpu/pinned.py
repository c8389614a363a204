"""Pinned host memory for copies: a card reads and writes it by itself.

CuPy's pool rounds what is asked for up to a power of two (cupy/cuda/pinned_memory.pyx, PinnedMemoryPool.malloc): 65 MB
would pin 128 MB. So what is large is taken in pieces that are powers of two; and it is given back after the copy, since
who keeps a fetched array would keep it pinned.
"""

from __future__ import annotations

from typing import Any

import numpy as np

_PIECE = 1 << 20  # bytes; the last piece of more is at most as large, the others are powers of two


class PinnedBytes:
    """A number of bytes from a pool, in one piece or in several.

    pieces: (where it begins, the bytes as numpy's array), in order.
    """

    __slots__ = ("pieces",)

    def __init__(self, pool: Any, size: int):
        self.pieces = [
            (begin, np.frombuffer(pool.malloc(max(1, part)), np.uint8, part))
            for begin, part in _parts(size)
        ]

    def fill(self, array: np.ndarray) -> None:
        """Copies in an array without gaps."""
        source = array.reshape(-1).view(np.uint8)
        for begin, piece in self.pieces:
            piece[:] = source[begin : begin + piece.size]

    def read(self, shape: tuple[int, ...], dtype: Any) -> np.ndarray:
        """A new array of the stored bytes."""
        result = np.empty(shape, dtype)
        target = result.reshape(-1).view(np.uint8)
        for begin, piece in self.pieces:
            target[begin : begin + piece.size] = piece
        return result


def _parts(size: int) -> list[tuple[int, int]]:
    """The pieces of a size: where each begins, and its size."""
    if size <= _PIECE:
        return [(0, size)]
    parts = []
    begin = 0
    while size - begin > _PIECE:
        part = 1 << ((size - begin).bit_length() - 1)
        parts.append((begin, part))
        begin += part
    return [*parts, (begin, size - begin)] if begin < size else parts
