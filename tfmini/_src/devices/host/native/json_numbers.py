"""Parses nested lists of numbers in JSON."""

from __future__ import annotations

import numpy as np

from tfmini._src.devices.host.native.library import address, function

_MAX_DIMENSIONS = 16


def json_numbers(text: bytes | bytearray, begin: int) -> tuple[np.ndarray, int, bool, int] | None:
    """Parses the list at `text[begin]`: float64 numbers, largest magnitude of integers, whether there are non-integers,
    and end. Returns None for ragged lists, integers of more than 15 digits, or numbers beyond float64.
    """
    kernel = function("json_numbers")
    if kernel is None:
        return None
    characters = np.frombuffer(text, np.uint8)[begin:]
    values = np.empty(text.count(b",", begin) + 1)
    header = np.empty(_MAX_DIMENSIONS + 3, np.int64)
    args = address(characters), characters.size, address(values), values.size
    size = kernel(*args, address(header))
    if not size:
        return None
    rank, *shape, largest, fractions = header.tolist()
    shape = shape[:rank]
    return values[: np.prod(shape)].reshape(shape), largest, fractions > 0, begin + size
