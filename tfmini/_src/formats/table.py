"""Sorted key-value tables in LevelDB's format (leveldb/doc/table_format.md), as used by TensorFlow's checkpoints.

A file consists of blocks, an index block with their locations, and a footer. Within a block, a key is stored as the
length of the prefix shared with the previous key and the remaining bytes; every sixteenth key is stored in full. Each
block ends with its compression type and a checksum.
"""

from __future__ import annotations

import bisect
import functools
import struct
from collections.abc import Callable, Iterator
from typing import BinaryIO

from tfmini._src.base.errors import DataLossError
from tfmini._src.formats import snappy
from tfmini._src.formats.crc32c import crc32c, mask
from tfmini._src.formats.data_file import DataFile
from tfmini._src.formats.varints import read_varint, varint

_MAGIC = 0xDB4775248B80FB57
_FOOTER = 48  # size in bytes
_TRAILER = 5  # bytes after a block: its type and its checksum
_UNCOMPRESSED, _SNAPPY = 0, 1
_BLOCK_SIZE = 1 << 18  # bytes at which a block is full
_RESTART = 16  # keys per restart
# Far larger than any block written here or by TensorFlow, in bytes; a larger declared size is damage.
_LARGEST_BLOCK = 1 << 31
_MAX_INFLATED = 22  # maximum expansion of a snappy byte
# Shared key prefixes take no space in the file, so keys may be longer than the file. If every sixteenth key is
# complete, they are at most sixteen times as long in total.
_MAX_SHARED = _RESTART
_MAX_SHARED_DEFLATED = 64  # for a compressed block: maximum ratio to its bytes in the file
_MAX_STEPS = 1 << 12  # maximum number of keys since the last complete key
_MAX_SEARCHES = 8  # in a block, before all its keys are listed


class TableWriter:
    """Writes a table to a file; `finish` completes it.

    Args:
      file: a file open for binary writing, at its start.

    Example:

      writer = TableWriter(file)
      writer.add(b"a", b"1")
      writer.finish()
    """

    def __init__(self, file: BinaryIO):
        self._file = file
        self._offset = 0
        self._block = _BlockWriter(_RESTART)
        self._index = _BlockWriter(1)
        self._last = b""
        self._pending = b""  # handle of a block whose index entry depends on the next key

    def add(self, key: bytes, value: bytes) -> None:
        """Adds an entry; keys must be added in ascending order."""
        if self._pending:
            self._index.add(_separator(self._last, key), self._pending)
            self._pending = b""
        self._last = key
        if self._block.add(key, value) >= _BLOCK_SIZE:
            self._end_block()

    def finish(self) -> None:
        """Writes the last block, the index and the footer."""
        if not self._block.is_empty:
            self._end_block()
        meta = self._write(_BlockWriter(_RESTART))
        if self._pending:
            self._index.add(_short_successor(self._last), self._pending)
        index = self._write(self._index)
        handles = (meta + index).ljust(_FOOTER - 8, b"\0")
        self._file.write(handles + struct.pack("<Q", _MAGIC))

    def _end_block(self) -> None:
        self._pending = self._write(self._block)
        self._block = _BlockWriter(_RESTART)

    def _write(self, block: _BlockWriter) -> bytes:
        """Writes a block and returns its handle."""
        contents = block.contents() + bytes([_UNCOMPRESSED])
        self._file.write(contents + struct.pack("<I", mask(crc32c(contents))))
        handle = varint(self._offset) + varint(len(contents) - 1)
        self._offset += len(contents) + 4
        return handle


class _BlockWriter:
    def __init__(self, interval: int):
        self._interval = interval
        self._entries = bytearray()
        self._restarts = [0]
        self._count = 0
        self._last = b""

    @property
    def is_empty(self) -> bool:
        return not self._entries

    def add(self, key: bytes, value: bytes) -> int:
        """Adds an entry; returns the size in bytes that the block would have if it ended here."""
        entries = self._entries
        if self._count == self._interval:
            self._restarts.append(len(entries))
            self._count = shared = 0
        else:
            shared = _common_prefix_length(self._last, key)
        sizes = shared, len(key) - shared, len(value)
        entries += bytes(sizes) if max(sizes) < 0x80 else b"".join(map(varint, sizes))
        entries += key[shared:]
        entries += value
        self._last = key
        self._count += 1
        return len(entries) + 4 * len(self._restarts) + 4

    def contents(self) -> bytes:
        positions = [*self._restarts, len(self._restarts)]
        return bytes(self._entries) + struct.pack(f"<{len(positions)}I", *positions)


def _common_prefix_length(first_bytes: bytes, other: bytes) -> int:
    """Returns the length of the common prefix."""
    length = min(len(first_bytes), len(other))
    difference = int.from_bytes(first_bytes[:length], "big") ^ int.from_bytes(other[:length], "big")
    return length - (difference.bit_length() + 7) // 8


def _separator(start: bytes, limit: bytes) -> bytes:
    """Returns a short key k with `start` <= k < `limit`."""
    position = _common_prefix_length(start, limit)
    if position < min(len(start), len(limit)):
        byte = start[position]
        if byte < 0xFF and byte + 1 < limit[position]:
            return start[:position] + bytes([byte + 1])
    return start


def _short_successor(key: bytes) -> bytes:
    """Returns a short key not less than `key`."""
    for i, byte in enumerate(key):
        if byte != 0xFF:
            return key[:i] + bytes([byte + 1])
    return key


class Table:
    """Reads a table: `table[key]`, `key in table`, and items in order.

    Args:
      data: the file, or its bytes.
      name: the file name, for messages.

    Raises:
      DataLossError: on construction or reading, if the file is damaged.
    """

    def __init__(self, data: DataFile | bytes | bytearray, name: str):
        self._data = data
        self._size = data.size if isinstance(data, DataFile) else len(data)
        self._name = name
        position = self._size - _FOOTER
        if position < 0:
            raise self._data_loss("file is too short to be an sstable", 0)
        footer = self._bytes(position, self._size)
        if struct.unpack("<Q", footer[-8:])[0] != _MAGIC:
            raise self._data_loss("not an sstable (bad magic number)", self._size - 8)
        _, _, end_position = self._handle(footer, 0, position)
        offset, size, _ = self._handle(footer, end_position, position)
        entries = list(self._read_block(offset, size).entries())
        self._index_keys = [key for key, _ in entries]
        self._handles = [value for _, value in entries]
        self._index_offset = offset
        self._last: tuple[int, _Block] | None = None  # the last requested block, verified
        if any(a > b for a, b in zip(self._index_keys, self._index_keys[1:])):
            raise self._data_loss("index of an sstable is not sorted", offset)

    def __getitem__(self, key: bytes) -> bytes:
        value = self.get(key)
        if value is None:
            raise KeyError(key)
        return value

    def __contains__(self, key: bytes) -> bool:
        return self.get(key) is not None

    def get(self, key: bytes) -> bytes | None:
        """Returns the value of a key, None if missing; reads a single block."""
        index = bisect.bisect_left(self._index_keys, key)
        if index == len(self._handles):
            return None
        return self._block(index).get(key)

    def items(self) -> Iterator[tuple[bytes, bytes]]:
        """Yields all entries in key order."""
        last, end = None, 0
        for index, handle in enumerate(self._handles):
            offset, size, _ = self._handle(handle, 0, self._index_offset)
            if offset < end:
                raise self._data_loss("blocks of an sstable overlap", offset)
            end = offset + size
            for key, value in self._block(index).entries():
                if last is not None and key <= last:
                    raise self._data_loss("keys of an sstable are not sorted", self._index_offset)
                last = key
                yield key, value

    def _block(self, index: int) -> _Block:
        last = self._last
        if last is None or last[0] != index:
            offset, size, _ = self._handle(self._handles[index], 0, self._index_offset)
            last = self._last = index, self._read_block(offset, size)
        return last[1]

    def _handle(self, data: bytes | memoryview, start: int, position: int) -> tuple[int, int, int]:
        """Parses a block handle: offset, size, and the position after it."""
        try:
            offset, start = read_varint(data, start)
            size, start = read_varint(data, start)
        except DataLossError:
            raise self._data_loss("bad block handle", position) from None
        return offset, size, start

    def _read_block(self, offset: int, size: int) -> _Block:
        contents = self._contents(offset, size)
        capacity = min(_MAX_SHARED * len(contents), _MAX_SHARED_DEFLATED * size)
        return _Block(contents, capacity, functools.partial(self._data_loss, offset=offset))

    def _contents(self, offset: int, size: int) -> bytes | memoryview:
        """Returns a block's bytes, verified and decompressed."""
        end = offset + size + _TRAILER
        if size > _LARGEST_BLOCK or end > self._size - _FOOTER:
            raise self._data_loss("truncated block read", offset)
        block = self._bytes(offset, end)
        stored = block[:-4]
        if mask(crc32c(bytes(stored))) != struct.unpack("<I", block[-4:])[0]:
            raise self._data_loss("block checksum mismatch", offset)
        compression = stored[-1]
        if compression == _UNCOMPRESSED:
            return stored[:-1]
        if compression != _SNAPPY:
            raise self._data_loss("bad block type", offset)
        compressed = bytes(stored[:-1])
        try:
            length = snappy.uncompressed_size(compressed)
            if length > min(_LARGEST_BLOCK, _MAX_INFLATED * size + 64):
                raise self._data_loss("corrupted compressed block contents", offset)
            return snappy.decompress(compressed)
        except DataLossError:
            raise self._data_loss("corrupted compressed block contents", offset) from None

    def _bytes(self, start: int, end: int) -> memoryview:
        data = self._data
        return memoryview(
            data.bytes(start, end - start) if isinstance(data, DataFile) else data[start:end]
        )

    def _data_loss(self, problem: str, offset: int) -> DataLossError:
        return DataLossError(None, None, f"{problem}: {self._name} at byte {offset}")


class _Block:
    """The entries of a block, whose keys may total `capacity` bytes; `data_loss_error` creates its errors."""

    def __init__(
        self,
        data: bytes | memoryview,
        capacity: int,
        data_loss_error: Callable[[str], DataLossError],
    ):
        self._data = data
        self._capacity = capacity
        self._data_loss = data_loss_error
        end = len(data) - 4
        count = struct.unpack_from("<I", data, end)[0] if end >= 0 else 0
        self._entries_end = end - 4 * count
        if self._entries_end < 0:
            raise data_loss_error("bad block contents")
        self._restarts = struct.unpack_from(f"<{count}I", data, self._entries_end)
        self._searches = 0
        self._spans: dict[bytes, tuple[int, int]] = {}  # of all values, after several searches

    def entries(self, position: int = 0) -> Iterator[tuple[bytes, bytes]]:
        """Yields the entries from a restart point on, one in memory at a time."""
        for key, start, end in self._value_spans(position):
            yield key, bytes(self._data[start:end])

    def _value_spans(self, position: int = 0) -> Iterator[tuple[bytes, int, int]]:
        """Yields the keys from a restart point on, and the start and end of their values."""
        data, end, key, capacity = self._data, self._entries_end, b"", self._capacity
        while position < end:
            shared, unshared, length, position = self._lengths(position)
            if shared > len(key) or position + unshared + length > end:
                raise self._data_loss("bad entry in block")
            capacity -= shared + unshared
            if capacity < 0:
                raise self._data_loss("keys of a block are longer than the block")
            key = key[:shared] + bytes(data[position : position + unshared])
            position += unshared
            yield key, position, position + length
            position += length

    def get(self, key: bytes) -> bytes | None:
        """Returns the value of a key, None if missing; searches from the last restart point before or at it."""
        self._searches += 1
        if self._searches > _MAX_SEARCHES:
            if not self._spans:
                self._spans = {k: (start, end) for k, start, end in self._value_spans()}
            start, end = self._spans.get(key, (-1, -1))
            return None if start < 0 else bytes(self._data[start:end])
        index = bisect.bisect_right(self._restarts, key, key=self._key_at)
        start = self._restarts[index - 1] if index else 0
        for step, (stored, value) in enumerate(self.entries(start)):
            if stored == key:
                return value
            if stored > key:
                return None
            if step == _MAX_STEPS:
                raise self._data_loss("a block has no restart points")
        return None

    def _key_at(self, restart: int) -> bytes:
        """Returns the key at a restart point, which is stored in full."""
        shared, unshared, _, position = self._lengths(restart)
        if shared or position + unshared > self._entries_end:
            raise self._data_loss("invalid restart point in a block")
        return bytes(self._data[position : position + unshared])

    def _lengths(self, position: int) -> tuple[int, int, int, int]:
        """Parses an entry's header: lengths of the shared key, the rest and the value, and the position after it."""
        head = self._data[position : position + 3]
        if len(head) == 3 and max(head) < 0x80:
            return (*head, position + 3)
        try:
            shared, position = read_varint(self._data, position)
            unshared, position = read_varint(self._data, position)
            length, position = read_varint(self._data, position)
        except DataLossError:
            raise self._data_loss("bad entry in block") from None
        return shared, unshared, length, position
