"""Philox4x32-10, the counter-based generator behind TensorFlow's random ops, applied to whole arrays.

A stream is a key and a counter of four 32-bit words. Block i of a stream consists of four words, the result of ten
rounds of the generator over (the low half of the counter + i, its high half). Blocks are independent of each other, so
they are vectorized.

Generator: J. Salmon et al., "Parallel random numbers: as easy as 1, 2, 3", SC 2011.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np

from tfmini._src.base.records import dataclass
from tfmini._src.devices.arrays import Array, ArrayModule

MULTIPLIERS = (0xD2511F53, 0xCD9E8D57)
WEYL = (0x9E3779B9, 0xBB67AE85)
LOW = 0xFFFFFFFF
_MULTIPLIERS, _WEYL = (tuple(map(np.uint64, constants)) for constants in (MULTIPLIERS, WEYL))
_LOW_WORD, _WORD_BITS = np.uint64(LOW), np.uint64(32)


@dataclass(frozen=True)
class Stream:
    """The start of a sequence of blocks: `key`, and the counter as two 64-bit numbers."""

    key: tuple[int, int]
    high: int
    offset: int = 0

    def skip(self, blocks: int) -> Stream:
        """Returns the stream advanced by `blocks` blocks."""
        return Stream(self.key, self.high, (self.offset + blocks) % 2**64)


def seeded_stream(seed: int, seed2: int) -> Stream:
    """Returns the stream of an op with the attrs `seed` and `seed2` (64-bit integers of any sign)."""
    seed %= 2**64
    return Stream((seed & LOW, seed >> 32), seed2 % 2**64)


def stateless_stream(seed: tuple[int, int]) -> Stream:
    """Returns the stream of a stateless op, whose seed pair is scrambled by one block of a fixed key."""
    first, second = (int(part) % 2**64 for part in seed)
    x0, x1, x2, x3 = block(Stream((0x3EC8F720, 0x02461E29), second, first), 0)
    return Stream((x0, x1), x2 | x3 << 32)


def block(stream: Stream, index: int) -> tuple[int, int, int, int]:
    """Returns the four words of one block, as Python integers."""
    low = (stream.offset + index) % 2**64
    x0, x1, x2, x3 = low & LOW, low >> 32, stream.high & LOW, stream.high >> 32
    for key0, key1 in _round_keys(stream.key):
        product0, product1 = x0 * MULTIPLIERS[0], x2 * MULTIPLIERS[1]
        x0, x1 = product1 >> 32 ^ x1 ^ key0, product1 & LOW
        x2, x3 = product0 >> 32 ^ x3 ^ key1, product0 & LOW
    return x0, x1, x2, x3


def first_blocks(seeds: np.ndarray) -> list[np.ndarray]:
    """Returns the words of the first block of each stateless stream, four uint64 arrays.

    seeds: int64 [streams, 2].
    """
    first, second = np.ascontiguousarray(seeds.T).view(np.uint64)
    fixed = np.uint64(0x3EC8F720), np.uint64(0x02461E29)
    x0, x1, x2, x3 = _rounds(fixed, [*_halves(first), *_halves(second)])
    none = np.zeros_like(x0)
    return _rounds((x0, x1), [none, none, x2, x3])


def _halves(words: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    return words & _LOW_WORD, words >> _WORD_BITS


def _rounds(
    key: tuple[np.ndarray | np.uint64, np.ndarray | np.uint64], counter: list[np.ndarray]
) -> list[np.ndarray]:
    """Applies ten rounds to arrays of counters, with one key each or one key for all."""
    (key0, key1), (x0, x1, x2, x3) = key, counter
    for round_index in range(10):
        if round_index:
            key0, key1 = (key0 + _WEYL[0]) & _LOW_WORD, (key1 + _WEYL[1]) & _LOW_WORD
        product0, product1 = x0 * _MULTIPLIERS[0], x2 * _MULTIPLIERS[1]
        x0, x1 = product1 >> _WORD_BITS ^ x1 ^ key0, product1 & _LOW_WORD
        x2, x3 = product0 >> _WORD_BITS ^ x3 ^ key1, product0 & _LOW_WORD
    return [x0, x1, x2, x3]


def _round_keys(key: tuple[int, int]) -> Iterator[tuple[int, int]]:
    for round_index in range(10):
        yield (key[0] + round_index * WEYL[0]) & LOW, (key[1] + round_index * WEYL[1]) & LOW


class Words(NamedTuple):
    """The words of n blocks in uint64 arrays of 2 n: first half x0 (x1), second half x2 (x3).

    The upper halves of `odd` contain garbage. The next call overwrites both buffers.
    """

    even: Array
    odd: Array


class Generator(threading.local):
    """Generates blocks in its own memory, which each thread reuses between calls."""

    def __init__(self) -> None:
        self._memory: dict[str, Array] = {}
        self._counters: dict[str, Array] = {}

    def lanes(self, xp: ArrayModule, count: int, capacity: int) -> list[Array]:
        """Returns `count` uint64 arrays of 2 * capacity elements; `words` and `words_at` use the first three."""
        size = 2 * capacity * count
        memory = self._memory.get(xp.__name__)
        if memory is None or len(memory) < size:
            memory = self._memory[xp.__name__] = xp.empty(size, np.uint64)
        return list(memory[:size].reshape(count, 2 * capacity))

    def numbers(self, xp: ArrayModule, count: int) -> Array:
        """Returns the numbers 0 ... count - 1 as uint64."""
        indices = self._counters.get(xp.__name__)
        if indices is None or len(indices) < count:
            indices = self._counters[xp.__name__] = xp.arange(max(count, 8192), dtype=np.uint64)
        return indices[:count]

    def words(
        self, xp: ArrayModule, stream: Stream, first: int, count: int, lanes: list[Array]
    ) -> Words:
        """Returns blocks `first` ... `first + count - 1` of a stream."""
        indices = self.numbers(xp, count)
        start = (stream.offset + first) % 2**64
        if (start & LOW) + count <= 2**32:
            low = xp.add(indices, np.uint64(start & LOW), out=lanes[0][:count])
            return _ten_rounds(xp, stream, low, start >> 32, lanes)
        return self.words_at(xp, stream, indices + np.uint64(first), lanes)

    def words_at(
        self, xp: ArrayModule, stream: Stream, indices: Array, lanes: list[Array]
    ) -> Words:
        """Returns the blocks with these indices, a uint64 array."""
        counter = indices + np.uint64(stream.offset)
        low = xp.bitwise_and(counter, _uint64_constant(xp, LOW), out=lanes[0][: len(counter)])
        return _ten_rounds(xp, stream, low, counter >> _uint64_constant(xp, 32), lanes)


@lru_cache(maxsize=1024)
def _uint64_constant(xp: ArrayModule, value: int) -> Any:
    """Returns a uint64 constant in the form that the module's ufuncs process fastest."""
    return np.array(value, np.uint64) if xp is np else np.uint64(value)


@lru_cache(maxsize=1024)
def _key_scalars(xp: ArrayModule, key: tuple[int, int]) -> list[tuple[Array, Array]]:
    """Returns the keys of the third and later rounds."""
    return [
        (_uint64_constant(xp, key0), _uint64_constant(xp, key1))
        for key0, key1 in [*_round_keys(key)][2:]
    ]


def _ten_rounds(
    xp: ArrayModule, stream: Stream, low: Array, high: int | Array, lanes: list[Array]
) -> Words:
    """Runs the generator. `low` is the front of lanes[0]; `high` is an array, or one number for all blocks.

    A round maps (x0, x1, x2, x3) to (hi(x2 m1) ^ x1 ^ key0, lo(x2 m1), hi(x0 m0) ^ x3 ^ key1,
    lo(x0 m0)). The odd words are the low halves of the previous products, which are therefore kept whole:
    `last` holds them while `products` is filled. The first two rounds are written out, as half
    of their words are equal in all blocks.
    """
    count = len(low)
    even, last, products = (lane[: 2 * count] for lane in lanes[:3])
    even0, even2 = even[:count], even[count:]
    last_halves = last[:count], last[count:]
    product_halves = products[:count], products[count:]
    m0, m1 = _uint64_constant(xp, MULTIPLIERS[0]), _uint64_constant(xp, MULTIPLIERS[1])
    half, mask = _uint64_constant(xp, 32), _uint64_constant(xp, LOW)
    multiply, shift, xor, clear = xp.multiply, xp.right_shift, xp.bitwise_xor, xp.bitwise_and
    (a0, a1), (b0, b1), *_ = _round_keys(stream.key)

    product1 = (stream.high & LOW) * MULTIPLIERS[1]
    product0 = multiply(low, m0, product_halves[1])
    shift(product0, half, even2)
    xor(even2, np.uint64(stream.high >> 32 ^ a1), even2)

    multiply(even2, m1, last_halves[0])
    clear(product0, mask, even2)
    product0 = (high ^ (product1 >> 32 ^ a0)) * MULTIPLIERS[0]
    last_halves[1][...] = product0
    xor(even2, product0 >> 32 ^ b1, even2)
    shift(last_halves[0], half, even0)
    xor(even0, np.uint64(product1 & LOW ^ b0), even0)

    for key0, key1 in _key_scalars(xp, stream.key):
        multiply(even2, m1, product_halves[0])
        multiply(even0, m0, product_halves[1])
        shift(products, half, even)
        xor(even, last, even)
        xor(even0, key0, even0)
        xor(even2, key1, even2)
        clear(even, mask, even)
        last, products = products, last
        last_halves, product_halves = product_halves, last_halves
    return Words(even, last)
