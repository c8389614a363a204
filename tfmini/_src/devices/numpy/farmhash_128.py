"""FarmHash's Fingerprint128 of a string: two words, built from CityHash's and Murmur's rounds.

The algorithm is Geoff Pike's (https://github.com/google/farmhash); TensorFlow uses it for example
ids. Sums and products are modulo 2^64.
"""

from __future__ import annotations

import struct

_K0 = 0xC3A5C85C97CB3127
_K1 = 0xB492B66FBE98F273
_K2 = 0x9AE16A3B2F90404F
_PAIR = 0x9DDFEA08EB382D69
_WORD = (1 << 64) - 1


def fingerprint_128(string: bytes) -> tuple[int, int]:
    """Returns the low and the high word of a string's fingerprint."""
    if len(string) >= 16:
        return _hash_with_seed(string[16:], _word(string, 0), (_word(string, 8) + _K0) & _WORD)
    return _hash_with_seed(string, _K0, _K1)


def _word(string: bytes, offset: int) -> int:
    return struct.unpack_from("<Q", string, offset)[0]


def _half_word(string: bytes, offset: int) -> int:
    return struct.unpack_from("<I", string, offset)[0]


def _rotate(x: int, bits: int) -> int:
    x &= _WORD
    return (x >> bits | x << (64 - bits)) & _WORD


def _shift_mix(x: int) -> int:
    x &= _WORD
    return x ^ x >> 47


def _two_to_one(u: int, v: int, factor: int = _PAIR) -> int:
    return _shift_mix((v ^ _shift_mix((u ^ v) * factor)) * factor) * factor & _WORD


def _hash_up_to_16(string: bytes) -> int:
    length = len(string)
    if not length:
        return _K2
    if length < 4:
        low, high = string[0] + (string[length >> 1] << 8), length + (string[-1] << 2)
        return _shift_mix(low * _K2 ^ high * _K0) * _K2 & _WORD
    factor = _K2 + 2 * length
    if length < 8:
        first = length + (_half_word(string, 0) << 3)
        return _two_to_one(first, _half_word(string, length - 4), factor)
    a, b = _word(string, 0) + _K2, _word(string, length - 8)
    c = (_rotate(b, 37) * factor + a) & _WORD
    return _two_to_one(c, (_rotate(a, 25) + b) * factor & _WORD, factor)


def _hash_with_seed(string: bytes, a: int, b: int) -> tuple[int, int]:
    if len(string) >= 128:
        return _hash_long(string, a, b)
    length = len(string)
    if length <= 16:
        a = _shift_mix(a * _K1) * _K1 & _WORD
        c = (b * _K1 + _hash_up_to_16(string)) & _WORD
        d = _shift_mix(a + (_word(string, 0) if length >= 8 else c))
    else:
        c = _two_to_one((_word(string, length - 8) + _K1) & _WORD, a)
        d = _two_to_one((b + length) & _WORD, (c + _word(string, length - 16)) & _WORD)
        a = (a + d) & _WORD
        for offset in range(0, length - 16, 16):
            a = (a ^ _shift_mix(_word(string, offset) * _K1) * _K1 & _WORD) * _K1 & _WORD
            b ^= a
            c = (c ^ _shift_mix(_word(string, offset + 8) * _K1) * _K1 & _WORD) * _K1 & _WORD
            d ^= c
    a, b = _two_to_one(a, c), _two_to_one(d, b)
    return a ^ b, _two_to_one(b, a)


def _weak_hash(string: bytes, start: int, a: int, b: int) -> tuple[int, int]:
    """Hashes 32 bytes and two seeds to two words."""
    w, x, y, z = (_word(string, start + offset) for offset in (0, 8, 16, 24))
    a += w
    b = _rotate(b + a + z, 21)
    total = a + x + y
    return (total + z) & _WORD, (b + _rotate(total, 44) + a) & _WORD


def _hash_long(string: bytes, x: int, y: int) -> tuple[int, int]:
    """Returns the hash of 128 bytes or more: blocks of 64 bytes, then the rest in blocks of 32 from the end."""
    z = len(string) * _K1 & _WORD
    first = (_rotate(y ^ _K1, 49) * _K1 + _word(string, 0)) & _WORD
    v = first, (_rotate(first, 42) * _K1 + _word(string, 8)) & _WORD
    w = (_rotate(y + z, 35) * _K1 + x) & _WORD, _rotate(x + _word(string, 88), 53) * _K1 & _WORD
    blocks = len(string) // 128 * 2
    for s in range(0, 64 * blocks, 64):
        x = _rotate(x + y + v[0] + _word(string, s + 8), 37) * _K1 & _WORD
        y = _rotate(y + v[1] + _word(string, s + 48), 42) * _K1 & _WORD
        x ^= w[1]
        y = (y + v[0] + _word(string, s + 40)) & _WORD
        z = _rotate(z + w[0], 33) * _K1 & _WORD
        v = _weak_hash(string, s, v[1] * _K1, x + w[0])
        w = _weak_hash(string, s + 32, z + w[1], y + _word(string, s + 16))
        x, z = z, x
    x = (x + _rotate(v[0] + z, 49) * _K0) & _WORD
    y = (y * _K0 + _rotate(w[1], 37)) & _WORD
    z = (z * _K0 + _rotate(w[0], 27)) & _WORD
    w = w[0] * 9 & _WORD, w[1]
    v = v[0] * _K0 & _WORD, v[1]
    for offset in range(32, len(string) - 64 * blocks + 32, 32):
        s = len(string) - offset
        y = (_rotate(x + y, 42) * _K0 + v[1]) & _WORD
        w = (w[0] + _word(string, s + 16)) & _WORD, w[1]
        x = (x * _K0 + w[0]) & _WORD
        z = (z + w[1] + _word(string, s)) & _WORD
        w = w[0], (w[1] + v[0]) & _WORD
        v = _weak_hash(string, s, v[0] + z, v[1])
        v = v[0] * _K0 & _WORD, v[1]
    x, y = _two_to_one(x, v[0]), _two_to_one((y + z) & _WORD, w[0])
    low = _two_to_one((x + v[1]) & _WORD, w[1]) + y
    return low & _WORD, _two_to_one((x + w[1]) & _WORD, (y + v[1]) & _WORD)
