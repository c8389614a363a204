"""Variants in checkpoints: the format, hand-built, and damage."""

import struct

import pytest

from tfmini._src.base.errors import DataLossError
from tfmini._src.formats.crc32c import crc32c, mask
from tfmini._src.formats.stored_variants import pack_variants, unpack_variants

ITEMS = [b"one", b"", b"x" * 300]


def packed_reference(items):
    """A length as a varint, the message, and the masked checksum of all lengths (of eight bytes), messages and sums."""
    stored = summed = b""
    for item in items:
        size, length = len(item), b""
        while size >= 128:
            length, size = length + bytes([size & 127 | 128]), size >> 7
        summed += struct.pack("<Q", len(item)) + item
        end = struct.pack("<I", mask(crc32c(summed)))
        summed += end
        stored += length + bytes([size]) + item + end
    return stored, crc32c(summed)


@pytest.mark.parametrize("items", [[], ITEMS[:1], ITEMS])
def test_variant_round_trip(items):
    packed = pack_variants(items)
    assert packed == packed_reference(items)
    result, checksum = unpack_variants(memoryview(packed[0]), len(items), "v")
    assert result.tolist() == items and result.dtype == object and checksum == packed[1]
    assert all(type(item) is bytes for item in result)


@pytest.mark.parametrize(
    "change, count, text",
    [
        (lambda d: d, 4, r"no 64-bit number at byte \d+"),
        (lambda d: d[:-1], 3, "too few bytes for variant 2 of v"),
        (lambda d: d + b"x", 3, "too many bytes for 3 variants of v"),
        (lambda d: d, 2, "too many bytes for 2 variants of v"),
        (lambda d: d[:14], 3, "too few bytes for 3 variants of v"),
        (lambda d: d, 1000, "too few bytes for 1000 variants of v"),
        (lambda d: b"\x03onE" + d[4:], 3, "variant 0 of v is damaged"),
        (lambda d: d[:4] + b"\0\0\0\0" + d[8:], 3, "variant 0 of v is damaged"),
        (lambda d: d[:-1] + bytes([d[-1] ^ 1]), 3, "variant 2 of v is damaged"),
        (lambda d: b"\xff" * 20, 3, "."),
    ],
)
def test_damage_is_named(change, count, text):
    data = memoryview(change(pack_variants(ITEMS)[0]))
    with pytest.raises(DataLossError, match=text if text == "." else f"^{text}$"):
        unpack_variants(data, count, "v")
