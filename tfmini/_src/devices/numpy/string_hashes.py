"""SipHash-2-4 and MurmurHash64A, computed for many strings at once.

SipHash, by Aumasson and Bernstein (https://www.aumasson.jp/siphash/), is used by TensorFlow in
`string_to_hash_bucket_strong`; MurmurHash64A, by Austin Appleby, in `string_to_hash_bucket`. Both read a string in
8-byte words. Strings are sorted by descending length, so that the states of strings with words left are at the front of
the arrays.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from tfmini._src.devices.arrays import Array
from tfmini._src.devices.host.native.strings import parse_numbers
from tfmini._src.devices.numpy.byte_rows import ByteRows

_MURMUR = np.uint64(0xC6A4A7935BD1E995)
_MURMUR_SEED = np.uint64(0xDECAFCAFFE)


def sip_hashes(strings: np.ndarray, key: tuple[int, int]) -> Array:
    """Returns the SipHash-2-4 of each bytes object of a vector, with a key of two 64-bit words, as uint64."""
    output = parse_numbers(
        "sip_hashes", strings, np.uint64, tuple(k & 0xFFFFFFFFFFFFFFFF for k in key)
    )
    if output is not None:
        return output
    rows = ByteRows(strings.tolist())
    order = np.argsort(-rows.lengths, kind="stable")
    starts, lengths = rows.starts[order], rows.lengths[order]
    low, high = (np.uint64(word & 0xFFFFFFFFFFFFFFFF) for word in key)
    state = np.empty((4, lengths.size), np.uint64)
    state[0] = low ^ np.uint64(0x736F6D6570736575)
    state[1] = high ^ np.uint64(0x646F72616E646F6D)
    state[2] = low ^ np.uint64(0x6C7967656E657261)
    state[3] = high ^ np.uint64(0x7465646279746573)
    for count, words in _full_words(rows, starts, lengths):
        _compress(state[:, :count], words)
    tails = rows.tails(starts + (lengths & ~7), lengths & 7)
    _compress(state, tails | (lengths.astype(np.uint64) << np.uint64(56)))
    state[2] ^= np.uint64(255)
    for _ in range(4):
        _sip_round(state)
    result = np.empty(lengths.size, np.uint64)
    result[order] = state[0] ^ state[1] ^ state[2] ^ state[3]
    return result


def murmur_hashes(strings: np.ndarray) -> Array:
    """Returns the MurmurHash64A of each bytes object of a vector, with TensorFlow's seed, as uint64."""
    output = parse_numbers("murmur_hashes", strings, np.uint64)
    if output is not None:
        return output
    rows = ByteRows(strings.tolist())
    order = np.argsort(-rows.lengths, kind="stable")
    starts, lengths = rows.starts[order], rows.lengths[order]
    state = _MURMUR_SEED ^ (lengths.astype(np.uint64) * _MURMUR)
    for count, words in _full_words(rows, starts, lengths):
        words = words * _MURMUR
        words ^= words >> np.uint64(47)
        state[:count] = (state[:count] ^ (words * _MURMUR)) * _MURMUR
    remainder = lengths & 7
    tails = rows.tails(starts + (lengths & ~7), remainder)
    state = np.where(remainder > 0, (state ^ tails) * _MURMUR, state)
    state ^= state >> np.uint64(47)
    state *= _MURMUR
    state ^= state >> np.uint64(47)
    result = np.empty(lengths.size, np.uint64)
    result[order] = state
    return result


def _full_words(rows: ByteRows, starts: Array, lengths: Array) -> Iterator[tuple[int, Any]]:
    """Yields, for each 8-byte word position, the count of strings (sorted, longest first) with it, and their words."""
    counts = lengths >> 3
    for index in range(int(counts[0]) if counts.size else 0):
        having = int(np.searchsorted(-counts, -index, side="left"))
        yield having, rows.words(starts[:having] + 8 * index)


def _compress(state: Any, words: Array) -> None:
    state[3] ^= words
    _sip_round(state)
    _sip_round(state)
    state[0] ^= words


def _rotate(row: Array, bits: int) -> None:
    row[:] = (row << np.uint64(bits)) | (row >> np.uint64(64 - bits))


def _sip_round(state: Any) -> None:
    a, b, c, d = state
    a += b
    c += d
    _rotate(b, 13)
    _rotate(d, 16)
    b ^= a
    d ^= c
    _rotate(a, 32)
    c += b
    a += d
    _rotate(b, 17)
    _rotate(d, 21)
    b ^= c
    d ^= a
    _rotate(c, 32)
