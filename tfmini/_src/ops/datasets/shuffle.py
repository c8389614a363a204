"""Shuffled datasets, in TensorFlow's order.

The buffer is a ring of elements read but not yet returned. Each word of a random stream selects an element of its
earliest epoch; the first element of that epoch moves to the vacated slot, and the next element read is appended.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from tfmini._src.base.errors import invalid
from tfmini._src.base.fresh_seeds import fresh_if_zero
from tfmini._src.devices.numpy.philox_words import Words
from tfmini._src.ops.datasets.dataset_value import (
    ELEMENTS,
    INFINITE,
    Dataset,
    Element,
    Iterator,
    RowIterator,
    Run,
    SameSizeDataset,
    UnaryDataset,
    dataset_op,
    repeat_count,
    scalar_argument,
    set_declared_types,
)

_ROWS_PER_BATCH = 64  # number of rows read per batch


class Shuffle(SameSizeDataset):
    """The elements in random order, drawn from a buffer of `size` elements.

    reshuffles: whether the order differs between epochs.
    words: the source of epoch seeds; by default, a separate stream.
    """

    def __init__(
        self,
        source: Dataset,
        size: int,
        seeds: tuple[int, int],
        reshuffles: bool,
        words: Words | None = None,
    ):
        super().__init__(source)
        self.words = words
        self.size = size
        self.seeds = seeds
        self.reshuffles = reshuffles

    def iterate(self, run: Run, path: str) -> Iterator:
        path += "/Shuffle"
        seeds = self.seeds
        if self.reshuffles:
            generator = self.words or run.seeds.setdefault(path, Words(seeds))
            seeds = generator.next(), generator.next()
        return _shuffle(self.source, run, path, self.size, seeds, 1)


class ShuffleAndRepeat(UnaryDataset):
    """Fused shuffle and repeat, with one buffer for all epochs."""

    def __init__(self, source: Dataset, size: int, seeds: tuple[int, int], count: int):
        super().__init__(source)
        self.size = size
        self.seeds = seeds
        self.count = count

    def iterate(self, run: Run, path: str) -> Iterator:
        path += "/ShuffleAndRepeat"
        return _shuffle(self.source, run, path, self.size, self.seeds, self.count)

    def cardinality(self) -> int:
        return INFINITE if self.count < 0 else repeat_count(self.source.cardinality(), self.count)


def _shuffle(
    source: Dataset, run: Run, path: str, size: int, seeds: tuple[int, int], count: int
) -> Iterator:
    inner = source.iterate(run, path) if count else None
    iterator_class = _ShuffleIterator if inner is None or inner.rows is None else _ShuffledRows
    return iterator_class(source, run, path, inner, size, seeds, count)


class _ShuffleIterator(Iterator):
    is_pure = property(lambda self: self._inner is None or self._inner.is_pure)

    def __init__(
        self,
        source: Dataset,
        run: Run,
        path: str,
        inner: Iterator | None,
        size: int,
        seeds: tuple[int, int],
        count: int,
    ):
        self._source = source
        self._run = run
        self._path = path
        self._inner = inner
        self._size = size
        self._words = Words(seeds)
        self._remaining_epochs = count - 1  # remaining epochs after this one
        self._has_started = False
        self._buffer: list[Any] = []
        self._start = 0  # start of the earliest epoch; positions are counted over all epochs
        self._end = 0  # number of elements read
        self._ends: list[int] = []  # ends of finished epochs with unread elements
        self._read: list[Any] = []  # in reverse order
        self.is_fresh = inner is None or inner.is_fresh

    def next(self) -> Element | None:
        element = self._take_items(1)
        return element[0] if element else None

    def _next_elements(self) -> list[Any]:
        """Reads the next elements of the epoch; returns an empty list at its end."""
        assert self._inner is not None
        element = self._inner.next()
        return [] if element is None else [element]

    def _fill(self) -> bool:
        """Fills the buffer across epochs; returns False if nothing is left."""
        while self._inner is not None:
            self._read = self._next_elements()
            if self._read:
                self._has_started = True
                return True
            if not self._remaining_epochs or (self._remaining_epochs < 0 and not self._has_started):
                self._inner = None
            else:
                self._remaining_epochs -= 1
                self._ends.append(self._end)
                self._inner = self._source.iterate(self._run, self._path)
        return False

    def _take_items(self, count: int) -> list[Any]:
        """Returns the next items, fewer than `count` only at the end."""
        values: list[Any] = []
        buffer, size, start, ends = self._buffer, self._size, self._start, self._ends
        words = self._words._words
        read = self._read
        while len(values) < count:
            if self._inner is None and not read and not ends and self._end - start > 1:
                start = self._drain(values, start, count - len(values))
                words = self._words._words
                continue
            while self._end - start < size:
                if not read:
                    if not self._fill():
                        break
                    read = self._read
                if len(buffer) < size:
                    buffer.append(read.pop())
                else:
                    buffer[self._end % size] = read.pop()
                self._end += 1
            if start == self._end:
                break
            while ends and ends[0] == start:
                del ends[0]
            if not words:
                words = self._words._words = self._words.next_block()
            position = (start + words.pop() % ((ends[0] if ends else self._end) - start)) % size
            values.append(buffer[position])
            first = start % size
            buffer[position] = buffer[first]
            buffer[first] = None
            start += 1
        self._start = start
        return values

    def _drain(self, values: list[Any], start: int, count: int) -> int:
        """Returns items of a fully read epoch from position `start` on, and the position after them."""
        buffer, size = self._buffer, self._size
        random_values = np.array(self._words.several(min(count, self._end - start)))
        firsts = np.arange(start, start + len(random_values))
        positions = ((firsts + random_values % (self._end - firsts)) % size).tolist()
        for position, first in zip(positions, (firsts % size).tolist()):
            values.append(buffer[position])
            buffer[position] = buffer[first]
            buffer[first] = None
        return start + len(random_values)

    def save(self) -> Any:
        epochs = self._run.seeds.get(self._path)
        return (
            (self._words.seeds, self._words.count),
            None if epochs is None else (epochs.seeds, epochs.count),
            (self._remaining_epochs, self._has_started, self._start, self._end),
            self._buffer,
            self._ends,
            self._read,
            None if self._inner is None else self._inner.save(),
        )

    def restore(self, state: Any) -> None:
        words, epochs, counts, buffer, ends, read, inner = state
        self._words = _words_at(*words)
        if epochs is not None:
            self._run.seeds[self._path] = _words_at(*epochs)
        self._remaining_epochs, self._has_started, self._start, self._end = counts
        self._buffer, self._ends, self._read = buffer, ends, read
        if inner is None:
            self._inner = None
        else:
            self._inner = self._source.iterate(self._run, self._path)
            self._inner.restore(inner)


def _words_at(seeds: tuple[int, int], count: int) -> Words:
    words = Words(seeds)
    words.skip(count)
    return words


class _ShuffledRows(_ShuffleIterator, RowIterator):
    def __init__(self, source: Dataset, run: Run, path: str, inner: Any, *settings: Any):
        super().__init__(source, run, path, inner, *settings)
        self.rows = inner.rows

    next = RowIterator.next

    def take(self, count: int) -> list[int]:
        return self._take_items(count)

    def _next_elements(self) -> list[Any]:
        assert self._inner is not None
        indices = self._inner.take(_ROWS_PER_BATCH)
        indices.reverse()
        return indices


@dataset_op(
    "ShuffleDataset",
    "input_dataset: variant, buffer_size: int64, seed: int64, seed2: int64 -> handle: variant",
    reshuffle_each_iteration=True,
    **ELEMENTS,
)
def shuffle_dataset_op(ctx, input_dataset, buffer_size, seed, seed2, *, reshuffle_each_iteration):
    size = checked_buffer_size(buffer_size)
    seeds = stream_seeds(seed, seed2)
    return set_declared_types(Shuffle(input_dataset, size, seeds, reshuffle_each_iteration), ctx)


@dataset_op(
    "ShuffleAndRepeatDataset",
    "input_dataset: variant, buffer_size: int64, seed: int64, seed2: int64, count: int64 -> handle: variant",
    **ELEMENTS,
)
def shuffle_and_repeat_dataset_op(ctx, input_dataset, buffer_size, seed, seed2, count):
    size, repetitions = checked_buffer_size(buffer_size), scalar_argument(count, "count")
    if repetitions <= 0 and repetitions != -1:
        invalid("count must be greater than zero or equal to -1.")
    return set_declared_types(
        ShuffleAndRepeat(input_dataset, size, stream_seeds(seed, seed2), repetitions), ctx
    )


def checked_buffer_size(buffer_size: Any) -> int:
    """Returns the argument `buffer_size` after validation."""
    size = scalar_argument(buffer_size, "buffer_size")
    if size <= 0:
        invalid("buffer_size must be greater than zero.")
    return size


def stream_seeds(seed: Any, seed2: Any) -> tuple[int, int]:
    """Returns the seeds of a stream, which are random if both arguments are 0."""
    return fresh_if_zero(scalar_argument(seed, "seed"), scalar_argument(seed2, "seed2"))
