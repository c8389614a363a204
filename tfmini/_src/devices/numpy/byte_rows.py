"""Many byte strings in one buffer, for vectorized hashing."""

from __future__ import annotations

import numpy as np

from tfmini._src.devices.arrays import Array

# Zero bytes around the buffer, so that words across a string's ends stay inside.
_MARGIN = 64


class ByteRows:
    """Concatenated strings, with the offset and length of each.

    Each string ends with a zero byte, which makes the lengths of strings without zero bytes fast to measure.
    """

    def __init__(self, strings: list[bytes]):
        margin = bytes(_MARGIN)
        self._bytes = np.frombuffer(b"\0".join([margin, *strings, margin]), np.uint8)
        zeros = np.flatnonzero(self._bytes == 0)
        if zeros.size == 2 * _MARGIN + len(strings) + 1:  # no zeros within strings
            ends = zeros[_MARGIN : _MARGIN + len(strings) + 1]
        else:
            lengths = np.fromiter(map(len, strings), np.int64, len(strings))
            ends = np.concatenate([[_MARGIN], _MARGIN + np.cumsum(lengths + 1)])
        self.starts = ends[:-1] + 1
        self.lengths = np.diff(ends) - 1
        size = self._bytes.size
        self._words = np.ndarray((size - 7,), "<u8", self._bytes.data, strides=(1,))
        self._pairs = np.ndarray((size - 15,), "V16", self._bytes.data, strides=(1,))
        self._half_words = np.ndarray((size - 3,), "<u4", self._bytes.data, strides=(1,))

    def words(self, positions: Array) -> Array:
        """Returns the uint64 whose first byte is at each of `positions`, little-endian."""
        return self._words[positions]

    def word_pairs(self, positions: Array) -> tuple[Array, Array]:
        """Returns the words at each of `positions` and after it."""
        pairs = self._pairs[positions].view("<u8").reshape(-1, 2)
        return pairs[:, 0], pairs[:, 1]

    def half_words(self, positions: Array) -> Array:
        """Returns the four bytes from each of `positions` on, as uint64."""
        return self._half_words[positions].astype(np.uint64)

    def bytes(self, positions: Array) -> Array:
        """Returns the byte at each of `positions`, as uint64."""
        return self._bytes[positions].astype(np.uint64)

    def tails(self, positions: Array, counts: Array) -> Array:
        """Returns the last `counts` (0 to 7) bytes of a string, from `positions` on, zero-extended to uint64."""
        masks = (np.uint64(1) << (counts.astype(np.uint64) * np.uint64(8))) - np.uint64(1)
        return self._words[positions] & masks
