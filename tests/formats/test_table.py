"""Tables: written entries are found again; damage is reported with its position."""

import io
import struct
import tracemalloc

import pytest

from tests.support.lazy_modules import LazyModule
from tfmini._src.formats.crc32c import crc32c, mask, unmask
from tfmini._src.formats.table import Table, TableWriter
from tfmini.errors import DataLossError

cramjam = LazyModule("cramjam")


def table(items):
    file = io.BytesIO()
    writer = TableWriter(file)
    for key, value in items:
        writer.add(key, value)
    writer.finish()
    return file.getvalue()


@pytest.mark.parametrize("count", [0, 1, 15, 16, 17, 30000])
def test_entries_stay_in_order(count):
    items = [(f"key{i:06d}".encode(), b"v" * (i % 50)) for i in range(count)]
    read = Table(table(items), "file")
    assert list(read.items()) == items
    for key, value in items[:: max(1, count // 7)]:
        assert read[key] == value and key in read
    for key in (b"", b"key", b"key000000x", b"z"):
        assert read.get(key) is None and key not in read
    with pytest.raises(KeyError, match="b'z'"):
        read[b"z"]


def test_large_values_use_separate_blocks():
    items = [(bytes([i]), bytes([i]) * (1 << 18)) for i in range(4)]
    assert list(Table(table(items), "file").items()) == items


def test_compressed_blocks_are_read():
    """A snappy block, inserted in place of a plain one."""
    plain = table([(b"a", b"1" * 500)])
    size = plain.index(struct.pack("<I", 1), 500) + 4  # the block ends with its restart count
    stored = bytes(cramjam.snappy.compress_raw(plain[:size])) + b"\x01"
    block = stored + struct.pack("<I", mask(crc32c(stored)))
    data, positions = block, []
    for contents in (struct.pack("<II", 0, 1), None):  # no metadata; the index
        if contents is None:
            handle = bytes([0]) + bytes([len(stored) - 1])
            contents = b"\x00\x01" + bytes([len(handle)]) + b"b" + handle + struct.pack("<II", 0, 1)
        positions.append((len(data), len(contents)))
        data += contents + b"\x00" + struct.pack("<I", mask(crc32c(contents + b"\x00")))
    handles = b"".join(_varint(number) for location in positions for number in location)
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


def block(entries):
    """A block of (shared length, rest of the key, value), with one restart."""
    parts = [_number(s) + _number(len(k)) + _number(len(v)) + k + v for s, k, v in entries]
    return b"".join(parts) + struct.pack("<II", 0, 1)


def _number(value):
    return _varint(value) if value < 1 << 14 else bytes([value & 127 | 128]) + _number(value >> 7)


def assembled(data, index):
    """A hand-built table of a data block and an index block."""
    whole, handles = b"", []
    for contents in (data, index(len(data))):
        handles.append(_number(len(whole)) + _number(len(contents)))
        whole += contents + b"\x00" + struct.pack("<I", mask(crc32c(contents + b"\x00")))
    return whole + (b"\x00\x00" + handles[1]).ljust(40, b"\0") + table([])[-8:]


LONG = 200_000


def long_keys(value):
    """60,000 keys of 200,000 bytes with long common prefixes: 12 GB in half a megabyte."""
    rows = [(LONG, struct.pack(">H", i), value) for i in range(1, 60_000)]
    return block([(0, b"k" * LONG, value), *rows])


def index_of_one(size):
    return block([(0, b"z", _number(0) + _number(size))])


@pytest.mark.parametrize("which", ["data", "index"])
def test_shared_long_keys_use_bounded_memory(which):
    handle = _number(0) + _number(8)
    data = {
        "data": lambda: assembled(long_keys(b"v"), index_of_one),
        "index": lambda: assembled(block([]), lambda size: long_keys(handle)),
    }[which]()
    assert len(data) < 1_000_000
    tracemalloc.start()
    try:
        with pytest.raises(DataLossError, match="keys of a block are longer .* FILE at byte"):
            list(Table(data, "FILE").items())
        with pytest.raises(DataLossError, match="FILE at byte"):
            Table(data, "FILE").get(b"l")
        assert tracemalloc.get_traced_memory()[1] < 64 << 20
    finally:
        tracemalloc.stop()


def test_long_keys_round_trip():
    items = [(b"k" * 50_000 + struct.pack(">H", i), b"") for i in range(100)]
    read = Table(table(items), "FILE")
    assert list(read.items()) == items and read.get(items[77][0]) == b""


def test_overlapping_blocks():
    """Two index entries for one block: collecting the entries returns them once."""
    index = block([(0, b"y", _number(0) + _number(13)), (0, b"z", _number(0) + _number(13))])
    data = assembled(block([(0, b"a", b"1")]), lambda size: index)
    assert Table(data, "FILE").get(b"a") == b"1"
    with pytest.raises(DataLossError, match="blocks of an sstable overlap: FILE at byte 0"):
        list(Table(data, "FILE").items())


def test_block_without_restarts_is_not_scanned():
    rows = [(1, struct.pack(">H", i), b"") for i in range(20_000)]
    data = assembled(block([(0, b"k", b""), *rows]), index_of_one)
    assert len(list(Table(data, "FILE").items())) == 20_001
    assert Table(data, "FILE").get(b"k" + struct.pack(">H", 4000)) == b""
    with pytest.raises(DataLossError, match="a block has no restart points: FILE at byte 0"):
        Table(data, "FILE").get(b"k" + struct.pack(">H", 9000))


def test_checksum_masking_matches_leveldb():
    assert crc32c(b"123456789") == 0xE3069283  # the check value of CRC-32C
    assert crc32c(memoryview(b"6789"), crc32c(b"12345")) == 0xE3069283
    assert (
        mask(0xE3069283)
        == ((0xE3069283 >> 15 | 0xE3069283 << 17 & 0xFFFFFFFF) + 0xA282EAD8) % 2**32
    )
    assert unmask(mask(12345)) == 12345


def test_lookup_starts_at_restart():
    """Even if it was damaged before the checksum was computed."""
    keys = [b"k%05d" % i for i in range(100)]
    plain = bytearray(table([(key, b"v") for key in keys]))
    end = plain.index(struct.pack("<I", 7), 400) + 4  # of the block with seven restarts
    plain[end - 12 : end - 8] = struct.pack("<I", 3)  # the fifth, inside an entry
    stored = bytes(plain[: end + 1])
    plain[end + 1 : end + 5] = struct.pack("<I", mask(crc32c(stored)))
    damaged = Table(plain, "FILE")
    assert [key for key, _ in damaged.items()] == keys
    with pytest.raises(DataLossError, match="FILE at byte 0"):
        for key in keys:
            Table(plain, "FILE").get(key)


def keys_of_index(data):
    """The full keys of a table's index, as written by LevelDB, parsed by hand."""
    numbers, location = [], len(data) - 48
    while len(numbers) < 4:
        shift = number = 0
        while True:
            byte = data[location]
            location, number, shift = location + 1, number | (byte & 127) << shift, shift + 7
            if byte < 128:
                break
        numbers.append(number)
    start, size = numbers[2:]
    contents = data[start : start + size]
    (restarts,) = struct.unpack("<I", contents[-4:])
    positions = struct.unpack(f"<{restarts}I", contents[-4 - 4 * restarts : -4])
    return [contents[p + 3 : p + 3 + contents[p + 1]] for p in positions]


@pytest.mark.parametrize(
    "first, second, between",
    [
        (b"key1long", b"key3", b"key2"),
        (b"key1long", b"key2", b"key1long"),
        (b"key1", b"key9long", b"key2"),
        (b"key", b"keys", b"key"),
        (b"k\xfelong", b"k\xff", b"k\xfelong"),
        (b"a\xffz", b"c", b"b"),
    ],
)
def test_index_keys_are_shortened_as_in_leveldb(first, second, between):
    """The shortest key from a block's last key on, and before the next block's first."""
    large = bytes(1 << 18)
    data = table([(first, large), (second, large)])
    assert keys_of_index(data)[0] == between
    read = Table(data, "file")
    assert read[first] == read[second] == large


@pytest.mark.parametrize(
    "last, after",
    [(b"key", b"l"), (b"\xff\xffk", b"\xff\xffl"), (b"\xff\xff", b"\xff\xff"), (b"\xfe", b"\xff")],
)
def test_last_index_key_is_shortened_as_in_leveldb(last, after):
    assert keys_of_index(table([(last, b"1")])) == [after]


def stored(kind, contents):
    """A data block of this kind, its index, and the footer."""
    whole = contents + bytes([kind])
    whole += struct.pack("<I", mask(crc32c(whole)))
    index = block([(0, b"z", _number(0) + _number(len(contents)))])
    location = len(whole)
    whole += index + b"\x00" + struct.pack("<I", mask(crc32c(index + b"\x00")))
    handles = b"\x00\x00" + _number(location) + _number(len(index))
    return whole + handles.ljust(40, b"\0") + table([])[-8:]


@pytest.mark.parametrize(
    "kind, contents, text",
    [
        (2, block([(0, b"a", b"1")]), "bad block type"),
        (255, block([(0, b"a", b"1")]), "bad block type"),
        (1, b"", "corrupted compressed block contents"),
        (1, b"\xff" * 12, "corrupted compressed block contents"),
        (1, b"\xff\xff\xff\xff\x0f" + bytes(20), "corrupted compressed block contents"),
        (1, b"\x05\x00a", "corrupted compressed block contents"),
        (0, b"abc", "bad block contents"),
        (0, struct.pack("<I", 7), "bad block contents"),
        (0, b"\x00\x01\x09a" + struct.pack("<II", 0, 1), "bad entry in block"),
        (0, b"\x05\x01\x01ab" + struct.pack("<II", 0, 1), "bad entry in block"),
        (0, b"\x00\x80" + struct.pack("<II", 0, 1), "bad entry in block"),
    ],
)
def test_invalid_blocks(kind, contents, text):
    with pytest.raises(DataLossError, match=f"^{text}: FILE at byte 0$"):
        list(Table(stored(kind, contents), "FILE").items())


def test_unsorted_index_is_refused():
    index = block([(0, b"y", _number(0) + _number(13)), (0, b"b", _number(0) + _number(13))])
    data = assembled(block([(0, b"a", b"1")]), lambda size: index)
    with pytest.raises(DataLossError, match="index of an sstable is not sorted: FILE at byte"):
        Table(data, "FILE").get(b"a")


@pytest.mark.parametrize(
    "second",
    [
        b"\x01\x01\x01bz",  # shares a byte with the previous key
        b"\x00\x09\x01bz",  # ends after the block
    ],
)
def test_restart_without_whole_key(second):
    first = b"\x00\x01\x01az"
    restarts = struct.pack("<III", 0, len(first), 2)
    damaged = Table(stored(0, first + second + restarts), "FILE")
    with pytest.raises(DataLossError, match="^invalid restart point in a block: FILE at byte 0$"):
        damaged.get(b"a")


def test_last_key_may_end_block():
    """Its value is empty, and it is a restart."""
    entries = b"\x00\x01\x01az\x00\x03\x00bcd"
    read = Table(stored(0, entries + struct.pack("<III", 0, 5, 2)), "FILE")
    assert read.get(b"a") == b"z" and read.get(b"bcd") == b"" and read.get(b"b") is None
    assert read.get(b"zz") is None  # after all blocks
    assert list(read.items()) == [(b"a", b"z"), (b"bcd", b"")]
