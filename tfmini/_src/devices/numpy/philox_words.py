"""The words of a Philox stream in sequence, generated in batches; used by shuffles."""

from __future__ import annotations

import numpy as np

from tfmini._src.devices.numpy.philox import LOW, Generator, Stream, block, seeded_stream

_BLOCKS = 256  # blocks of the stream computed at once
_MIN_VECTOR_BLOCKS = 16  # minimum blocks for vectorized computation
_generator = Generator()


class Words:
    """The words of a stream, in sequence."""

    def __init__(self, seeds: tuple[int, int]):
        self.seeds = seeds
        self._stream: Stream = seeded_stream(*seeds)
        self._blocks = 0
        self._words: list[int] = []

    def next_block(self) -> list[int]:
        """Returns the next words, in reverse order."""
        words: list[int] = []
        count = 1 if not self._blocks else min(_BLOCKS, 2 * self._blocks)
        if count < _MIN_VECTOR_BLOCKS:
            for index in range(self._blocks, self._blocks + count):
                words += block(self._stream, index)
        else:
            lanes = _generator.lanes(np, 3, count)
            result = _generator.words(np, self._stream, self._blocks, count, lanes)
            parts = (
                result.even[:count],
                result.odd[:count],
                result.even[count:],
                result.odd[count:],
            )
            words = (np.stack(parts, 1) & np.uint64(LOW)).ravel().tolist()
        self._blocks += count
        words.reverse()
        return words

    def next(self) -> int:
        if not self._words:
            self._words = self.next_block()
        return self._words.pop()

    def several(self, count: int) -> list[int]:
        """Returns between one and `count` of the next words."""
        if not self._words:
            self._words = self.next_block()
        words = self._words[: -count - 1 : -1]
        del self._words[-count:]
        return words

    @property
    def count(self) -> int:
        """The number of words consumed so far."""
        return 4 * self._blocks - len(self._words)

    def skip(self, count: int) -> None:
        """Moves to the position after the first `count` words of the stream."""
        self._blocks, remainder = divmod(count, 4)
        self._words = self.next_block() if remainder else []
        del self._words[len(self._words) - remainder :]
