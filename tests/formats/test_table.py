"""Tables: what is written is found again; what is damaged is said with its place."""

import io
import struct

import cramjam
import pytest

from tfmini.errors import DataLossError
from tfmini.formats.checksums import crc32c, masked, unmasked
from tfmini.formats.table import Table, TableWriter


def table(items):
    file = io.BytesIO()
    writer = TableWriter(file)
    for key, value in items:
        writer.add(key, value)
    writer.finish()
    return file.getvalue()


@pytest.mark.parametrize("count", [0, 1, 15, 16, 17, 30000])
def test_entries_come_back_in_order(count):
    items = [(f"key{i:06d}".encode(), b"v" * (i % 50)) for i in range(count)]
    read = Table(table(items), "file")
    assert list(read.items()) == items
    for key, value in items[:: max(1, count // 7)]:
        assert read[key] == value and key in read
    for key in (b"", b"key", b"key000000x", b"z"):
        assert read.get(key) is None and key not in read
    with pytest.raises(KeyError):
        read[b"z"]


def test_large_values_have_blocks_of_their_own():
    items = [(bytes([i]), bytes([i]) * (1 << 18)) for i in range(4)]
    assert list(Table(table(items), "file").items()) == items


def test_compressed_blocks_are_read():
    """A block as snappy stores it, put in the place of a plain one by hand."""
    plain = table([(b"a", b"1" * 500)])
    size = (
        plain.index(struct.pack("<I", 1), 500) + 4
    )  # the block ends with the number of its restarts
    stored = bytes(cramjam.snappy.compress_raw(plain[:size])) + b"\x01"
    block = stored + struct.pack("<I", masked(crc32c(stored)))
    data, places = block, []
    for contents in (struct.pack("<II", 0, 1), None):  # no metadata; the index
        if contents is None:
            handle = bytes([0]) + bytes([len(stored) - 1])
            contents = b"\x00\x01" + bytes([len(handle)]) + b"b" + handle + struct.pack("<II", 0, 1)
        places.append((len(data), len(contents)))
        data += contents + b"\x00" + struct.pack("<I", masked(crc32c(contents + b"\x00")))
    handles = b"".join(_varint(number) for place in places for number in place)
    data += handles.ljust(40, b"\x00") + plain[-8:]
    assert list(Table(data, "file").items()) == [(b"a", b"1" * 500)]


def _varint(number):
    return bytes([number]) if number < 128 else bytes([number & 127 | 128, number >> 7])


@pytest.mark.parametrize(
    "change, text",
    [
        (lambda d: d[:40], "file is too short to be an sstable"),
        (lambda d: d[:-1] + b"\0", "bad magic number"),
        (lambda d: b"\xff" + d[1:], "block checksum mismatch: FILE at byte 0"),
        (lambda d: d[:-48] + b"\xff" * 40 + d[-8:], "bad block handle"),
        (lambda d: d[:-48] + b"\x00\x00\x7f\x7f".ljust(40, b"\0") + d[-8:], "truncated block read"),
    ],
)
def test_damage_is_named(change, text):
    data = change(table([(b"a", b"1"), (b"b", b"2")]))
    with pytest.raises(DataLossError) as caught:
        list(Table(data, "FILE").items())
    assert text in caught.value.message


def test_checksums_are_masked_as_leveldb_does():
    assert crc32c(b"123456789") == 0xE3069283  # the check value of CRC-32C
    assert crc32c(memoryview(b"6789"), crc32c(b"12345")) == 0xE3069283
    assert (
        masked(0xE3069283)
        == ((0xE3069283 >> 15 | 0xE3069283 << 17 & 0xFFFFFFFF) + 0xA282EAD8) % 2**32
    )
    assert unmasked(masked(12345)) == 12345


def test_a_key_is_looked_for_from_a_restart():
    """Also where that was damaged before the checksum was made."""
    keys = [b"k%05d" % i for i in range(100)]
    plain = bytearray(table([(key, b"v") for key in keys]))
    end = plain.index(struct.pack("<I", 7), 400) + 4  # of the block, which has seven restarts
    plain[end - 12 : end - 8] = struct.pack("<I", 3)  # the fifth, amid an entry
    stored = bytes(plain[: end + 1])
    plain[end + 1 : end + 5] = struct.pack("<I", masked(crc32c(stored)))
    damaged = Table(plain, "FILE")
    assert [key for key, _ in damaged.items()] == keys
    with pytest.raises(DataLossError, match="FILE at byte 0"):
        for key in keys:
            damaged.get(key)
