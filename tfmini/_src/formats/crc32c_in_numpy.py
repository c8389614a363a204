"""CRC-32C without google-crc32c's C extension: lookup tables and NumPy.

A CRC is a polynomial remainder and therefore linear: the CRC of a long input is the XOR of the remainders of its
parts, each advanced by as many zeros as the parts after it have bytes. NumPy processes the parts in parallel.
"""

from __future__ import annotations

import functools

import numpy as np

_POLYNOMIAL = 0x82F63B78  # Castagnoli's, least significant bit first
_WORD = 0xFFFFFFFF
_MIN_NUMPY_BYTES = 1 << 11  # number of bytes above which NumPy is faster than a loop
_BLOCK = 1 << 20  # bytes computed at once

_Array = np.ndarray


def extend(crc: int, data: bytes | _Array) -> int:
    """Returns the checksum of bytes (an array: contiguous uint8), continuing from the checksum `crc`."""
    array = np.frombuffer(data, np.uint8)
    state = crc ^ _WORD
    for start in range(0, len(array), _BLOCK):
        block = array[start : start + _BLOCK]
        state = (
            _extend_in_parts(state, block)
            if len(block) >= _MIN_NUMPY_BYTES
            else _extend_by_bytes(state, block)
        )
    return state ^ _WORD


def value(data: bytes | _Array) -> int:
    """Returns the checksum of bytes."""
    return extend(0, data)


def _extend_by_bytes(state: int, block: _Array) -> int:
    table = _byte_table_as_list()
    for byte in block.tolist():
        state = state >> 8 ^ table[(state ^ byte) & 0xFF]
    return state


def _extend_in_parts(state: int, block: _Array) -> int:
    """Returns the state after a block of at least four bytes, split into a power of two of equal parts."""
    # The size of a part: NumPy processes many parts per call.
    size = 1 << (len(block).bit_length() // 2 - 2)
    count = 1 << (-(-len(block) // size) - 1).bit_length()
    padded = np.zeros(count * size, np.uint8)  # leading zeros keep a zero state
    padded[-len(block) :] = block
    first = len(padded) - len(block)
    padded[first : first + 4] ^= np.frombuffer(state.to_bytes(4, "little"), np.uint8)
    table = _byte_table()
    states, values = np.zeros(count, "<u4"), np.empty(count, np.uint32)
    lowest, index = states.view(np.uint8)[::4], np.empty(count, np.intp)
    for column in np.ascontiguousarray(padded.reshape(count, size).T):
        np.bitwise_xor(lowest, column, out=index)
        table.take(index, out=values, mode="wrap")
        np.right_shift(states, 8, out=states)
        np.bitwise_xor(states, values, out=states)
    while len(states) > 1:
        states = _advance(states[::2], _advance_tables(size)) ^ states[1::2]
        size *= 2
    return int(states[0])


def _advance(states: _Array, tables: _Array) -> _Array:
    """Advances states by the number of zeros that the tables, one per state byte, encode."""
    low, second, third, high = (states >> shift & 0xFF for shift in (0, 8, 16, 24))
    return tables[0][low] ^ tables[1][second] ^ tables[2][third] ^ tables[3][high]


@functools.cache
def _byte_table() -> _Array:
    """Returns the state after each byte value, starting from zero."""
    table: _Array = np.arange(256, dtype=np.uint32)
    for _ in range(8):
        table = table >> 1 ^ np.where(table & 1, np.uint32(_POLYNOMIAL), np.uint32(0))
    return table


@functools.cache
def _byte_table_as_list() -> list[int]:
    return _byte_table().tolist()


@functools.cache
def _advance_tables(zeros: int) -> _Array:
    """Returns [4, 256] tables that advance each state byte by a number of zeros, a power of two."""
    if zeros > 1:
        half = _advance_tables(zeros // 2)
        return _advance(half, half)
    states = np.arange(256, dtype=np.uint32) << np.array([[0], [8], [16], [24]], np.uint32)
    return states >> 8 ^ _byte_table()[states & 0xFF]
