"""Numbers in seven bits a byte, the lowest first, as protobuf and LevelDB write them."""

from __future__ import annotations

from tfmini._src.base.errors import DataLossError

_LONGEST = 10  # bytes of a number of 64 bits


def varint(number: int) -> bytes:
    """The bytes of a number from 0 to 2**64 - 1."""
    if number < 0x80:
        return bytes((number,))
    result = bytearray()
    while number > 0x7F:
        result.append(number & 0x7F | 0x80)
        number >>= 7
    result.append(number)
    return bytes(result)


def read_varint(data: bytes | memoryview, start: int) -> tuple[int, int]:
    """The number that begins at `start`, and where what follows it begins."""
    number = 0
    for i, byte in enumerate(data[start : start + _LONGEST]):
        number |= (byte & 0x7F) << 7 * i
        if byte < 0x80:
            if number >> 64:
                break
            return number, start + i + 1
    raise DataLossError(None, None, f"no number of 64 bits at byte {start}")
