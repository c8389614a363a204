"""FarmHash's Fingerprint64, computed for many strings at once.

The algorithm is Geoff Pike's (https://github.com/google/farmhash); TensorFlow uses the fingerprint in
`string_to_hash_bucket_fast`. Each range of lengths has a formula. Sums and products are modulo 2^64, as in uint64
arrays.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from tfmini._src.devices.arrays import Array
from tfmini._src.devices.host.native.strings import parse_numbers
from tfmini._src.devices.numpy.byte_rows import ByteRows

_K0 = np.uint64(0xC3A5C85C97CB3127)
_K1 = np.uint64(0xB492B66FBE98F273)
_K2 = np.uint64(0x9AE16A3B2F90404F)


def fingerprints(strings: np.ndarray) -> Array:
    """Returns the 64-bit fingerprint of each string of a vector of bytes objects, as a uint64 array."""
    output = parse_numbers("fingerprints", strings, np.uint64)
    if output is not None:
        return output
    rows = ByteRows(strings.tolist())
    lengths = rows.lengths
    result = np.full(lengths.size, _K2, np.uint64)
    if not lengths.size:
        return result
    min_class, max_class = np.searchsorted(_MAX_LENGTHS, [lengths.min(), lengths.max()])
    formula = _FORMULAS[min_class]
    if min_class == max_class and formula is not None:
        return formula(rows, rows.starts, lengths)
    classes = np.searchsorted(_MAX_LENGTHS, lengths)
    for length_class in np.flatnonzero(np.bincount(classes)).tolist():
        formula = _FORMULAS[length_class]
        if formula is None:
            continue
        selected = np.flatnonzero(classes == length_class)
        result[selected] = formula(rows, rows.starts[selected], lengths[selected])
    return result


def _rotate(x: Array, bits: int) -> Array:
    return (x >> np.uint64(bits)) | (x << np.uint64(64 - bits))


def _shift_mix(x: Array) -> Array:
    return x ^ (x >> np.uint64(47))


def _two_to_one(u: Array, v: Array, factor: Any) -> Array:
    """Hashes two words to one."""
    return _shift_mix((v ^ _shift_mix((u ^ v) * factor)) * factor) * factor


def _length_factor(lengths: Array) -> Array:
    return _K2 + (lengths.astype(np.uint64) << np.uint64(1))


def _hash_up_to_3(rows: ByteRows, starts: Array, lengths: Array) -> Array:
    first, middle = rows.bytes(starts), rows.bytes(starts + (lengths >> 1))
    last = rows.bytes(starts + lengths - 1)
    y = first + (middle << np.uint64(8))
    z = lengths.astype(np.uint64) + (last << np.uint64(2))
    return _shift_mix(y * _K2 ^ z * _K0) * _K2


def _hash_up_to_7(rows: ByteRows, starts: Array, lengths: Array) -> Array:
    first, last = rows.half_words(starts), rows.half_words(starts + lengths - 4)
    return _two_to_one(
        lengths.astype(np.uint64) + (first << np.uint64(3)), last, _length_factor(lengths)
    )


def _hash_up_to_16(rows: ByteRows, starts: Array, lengths: Array) -> Array:
    factor = _length_factor(lengths)
    a = rows.words(starts) + _K2
    b = rows.words(starts + lengths - 8)
    return _two_to_one(_rotate(b, 37) * factor + a, (_rotate(a, 25) + b) * factor, factor)


# X, y, z and two word pairs.
_Pair = tuple[Array, Array]
_State = tuple[Array, Array, Array, _Pair, _Pair]


def _mix_ends(rows: ByteRows, starts: Any, lengths: Any, first: Any) -> tuple[Array, ...]:
    """Returns the shared part of the formulas for up to 32 and 64 bytes: hashes of the first and last 16 bytes."""
    factor = _length_factor(lengths)
    ends = starts + lengths
    a, b = rows.word_pairs(starts)
    d, c = rows.word_pairs(ends - 16)
    a, c, d = a * first, c * factor, d * _K2
    y = _rotate(a + b, 43) + _rotate(c, 30) + d
    return factor, a, y, _two_to_one(y, a + _rotate(b + _K2, 18) + c, factor)


def _hash_up_to_32(rows: ByteRows, starts: Array, lengths: Array) -> Array:
    return _mix_ends(rows, starts, lengths, _K1)[3]


def _hash_up_to_64(rows: ByteRows, starts: Array, lengths: Array) -> Array:
    factor, a, y, z = _mix_ends(rows, starts, lengths, _K2)
    ends = starts + lengths
    e = rows.words(starts + 16) * factor
    f = rows.words(starts + 24)
    g = (y + rows.words(ends - 32)) * factor
    h = (z + rows.words(ends - 24)) * factor
    return _two_to_one(_rotate(e + f, 43) + _rotate(g, 30) + h, e + _rotate(f + a, 18) + g, factor)


def _weak_hash(rows: ByteRows, positions: Array, a: Array, b: Array) -> _Pair:
    """Hashes 32 bytes and two seeds to two words."""
    w, x, y, z = (rows.words(positions + offset) for offset in (0, 8, 16, 24))
    a = a + w
    b = _rotate(b + a + z, 21)
    total = a + x + y
    return total + z, b + _rotate(total, 44) + a


def _round(rows: ByteRows, s: Any, state: _State, factor: Any, last: bool) -> _State:
    """Hashes one block of 64 bytes; the last block weighs its state by 9."""
    x, y, z, v, w = state
    nine = np.uint64(9 if last else 1)
    x = _rotate(x + y + v[0] + rows.words(s + 8), 37) * factor
    y = _rotate(y + v[1] + rows.words(s + 48), 42) * factor
    x = x ^ (w[1] * nine)
    y = y + v[0] * nine + rows.words(s + 40)
    z = _rotate(z + w[0], 33) * factor
    v = _weak_hash(rows, s, v[1] * factor, x + w[0])
    w = _weak_hash(rows, s + 32, z + w[1], y + rows.words(s + 16))
    return z, y, x, v, w


def _hash_long(rows: ByteRows, starts: Array, lengths: Array) -> Array:
    """Hashes strings with equal numbers of 64-byte blocks."""
    blocks = (lengths - 1) >> 6
    result = np.empty(lengths.size, np.uint64)
    for count in np.unique(blocks).tolist():
        selected = np.flatnonzero(blocks == count)
        result[selected] = _hash_blocks(rows, starts[selected], lengths[selected], count)
    return result


def _hash_blocks(rows: ByteRows, starts: Array, lengths: Array, blocks: int) -> Array:
    zero = np.zeros(starts.size, np.uint64)
    y = (zero + np.uint64(81)) * _K1 + np.uint64(113)
    z = _shift_mix(y * _K2 + np.uint64(113)) * _K2
    x = (zero + np.uint64(81)) * _K2 + rows.words(starts)
    state: _State = (x, y, z, (zero, zero), (zero, zero))
    for block in range(blocks):
        state = _round(rows, starts + 64 * block, state, _K1, last=False)
    x, y, z, v, w = state
    factor = _K1 + ((z & np.uint64(255)) << np.uint64(1))
    first = w[0] + ((lengths - 1) & 63).astype(np.uint64)
    v = v[0] + first, v[1]
    w = first + v[0], w[1]
    x, y, z, v, w = _round(rows, starts + lengths - 64, (x, y, z, v, w), factor, last=True)
    return _two_to_one(
        _two_to_one(v[0], w[0], factor) + _shift_mix(y) * _K0 + z,
        _two_to_one(v[1], w[1], factor) + x,
        factor,
    )


# Maximum string lengths of all formulas but the last.
_MAX_LENGTHS = np.array([0, 3, 7, 16, 32, 64])
_FORMULAS: tuple[Callable[..., Array] | None, ...] = (
    None,
    _hash_up_to_3,
    _hash_up_to_7,
    _hash_up_to_16,
    _hash_up_to_32,
    _hash_up_to_64,
    _hash_long,
)
