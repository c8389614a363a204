"""TFRecord files: sequences of binary records, also used for event files.

A record is its length in eight bytes, their masked checksum in four, its bytes, and their masked checksum in four.
"""

from __future__ import annotations

import os
import stat
import struct
from collections.abc import Iterator
from typing import Any

from tfmini._src.base.errors import DataLossError, FailedPreconditionError
from tfmini._src.formats.crc32c import MASK_DELTA, crc32c, crc32c_of_bytes, mask
from tfmini._src.formats.open_file import open_file
from tfmini._src.formats.system_errors import system_error
from tfmini._src.formats.zlib_file import MAX_INFLATED, DeflatingFile, Deflation, InflatingFile

_HEADER = 12  # header size in bytes
_FOOTER = 4
RECORD_OVERHEAD = _HEADER + _FOOTER
_READ_BYTES = 1 << 16  # bytes read at once; larger buffers would be mapped by malloc each time
_MAX_LENGTHS = 4096  # cached headers, as record lengths repeat

_LENGTH = struct.Struct("<Q")
_CRC = struct.Struct("<I")


class RecordWriter:
    """Writes a file of records.

    Args:
      path: the file; an existing one is replaced.
      compression: compression options, or None.
      new: whether the path must not exist, not even as a link.

    Raises:
      OpError: on construction or later, if the file cannot be written.

    Example:

      writer = RecordWriter("/tmp/data.tfrecord")
      writer.write(b"a record")
      writer.close()
    """

    def __init__(self, path: str | bytes, compression: Deflation | None = None, new: bool = False):
        self._name = os.fsdecode(path)
        self._headers: dict[int, bytes] = {}
        file = open_file(self._name, "xb" if new else "wb", 1 << 16)
        try:
            self._file = DeflatingFile(file, compression) if compression else file
        except BaseException:
            file.close()
            raise

    def write(self, record: bytes) -> None:
        """Appends a record."""
        length = len(record)
        header = self._headers.get(length)
        if header is None:
            header = self._header(length)
        footer = _CRC.pack(mask(crc32c_of_bytes(record)))
        try:
            self._file.write(b"".join((header, record, footer)))
        except OSError as error:
            raise system_error(error, self._name) from None
        except AttributeError:
            raise self._is_closed() from None

    def _header(self, length: int) -> bytes:
        if len(self._headers) == _MAX_LENGTHS:
            self._headers.clear()
        stored = _LENGTH.pack(length)
        header = self._headers[length] = stored + _CRC.pack(mask(crc32c(stored)))
        return header

    def flush(self) -> None:
        """Flushes the file, so that all records can be read from it."""
        if self._file is None:
            raise self._is_closed()
        try:
            self._file.flush()
        except OSError as error:
            raise system_error(error, self._name) from None

    def close(self) -> None:
        """Flushes and closes the file; has no effect if already closed."""
        file, self._file = self._file, None
        try:
            if file is not None:
                file.close()
        except OSError as error:
            raise system_error(error, self._name) from None

    def _is_closed(self) -> FailedPreconditionError:
        return FailedPreconditionError(None, None, "Writer not initialized or previously closed")


class RecordReader:
    """Iterates over the records of a file, with bounded memory: a buffer, or a single larger record.

    Args:
      path: the file.
      compression: "", "GZIP" or "ZLIB".
      start: offset of the first record in bytes, in an uncompressed file.

    Raises:
      OpError: if it cannot be opened.
      DataLossError: while iterating, if a record is damaged or truncated. A record of which only the first twelve
        bytes or fewer exist may still be being written and ends the file; `trailing` is the number of these bytes.

    Example:

      with RecordReader("/tmp/data.tfrecord") as records:
          for record in records:
              print(len(record))
    """

    def __init__(self, path: str | bytes, compression: str = "", start: int = 0):
        self._name = os.fsdecode(path)
        self._lengths: dict[bytes, int] = {}
        self._start = start
        file = open_file(self._name, "rb", 0)
        if start:
            file.seek(start)
        self._file: Any = file
        self._descriptor = file.fileno()
        self._inflated = MAX_INFLATED if compression else 1
        if compression:
            self._file = InflatingFile(file, compression == "GZIP", self._name)
        self.trailing = 0

    def __enter__(self) -> RecordReader:
        return self

    def __exit__(self, *error: Any) -> None:
        self._file.close()

    def __iter__(self) -> Iterator[bytes]:
        buffer, base, position = b"", self._start, 0
        checksum, unpack, lengths = crc32c_of_bytes, _CRC.unpack_from, self._lengths
        while True:
            start = position + _HEADER
            if start > len(buffer):
                base += position
                buffer, position, start = self._longer(buffer[position:], _HEADER), 0, _HEADER
                if start > len(buffer):
                    self.trailing = len(buffer)
                    return
            header = buffer[position:start]
            length = lengths.get(header)
            if length is None:
                length = self._length(header, base + position)
            end = start + length
            if end + _FOOTER > len(buffer):
                base += position
                buffer = self._longer(buffer[position:], _HEADER + length + _FOOTER)
                position, start, end = 0, _HEADER, _HEADER + length
                if end + _FOOTER > len(buffer):
                    raise self._data_loss("truncated", base)
            record = buffer[start:end]
            crc = checksum(record)
            if unpack(buffer, end)[0] != ((crc >> 15 | crc << 17) + MASK_DELTA) & 0xFFFFFFFF:
                raise self._data_loss("corrupted", base + start)
            position = end + _FOOTER
            yield record

    def _longer(self, data: bytes, size: int) -> bytes:
        """Extends `data` with subsequent bytes to at least `size`, unless the file ends."""
        parts, total = [data], len(data)
        while total < size:
            try:
                part = self._file.read(max(_READ_BYTES, min(size - total, total)))
            except OSError as error:
                raise system_error(error, self._name) from None
            if not part:
                break
            parts.append(part)
            total += len(part)
        return b"".join(parts)

    def _length(self, header: bytes, offset: int) -> int:
        if _CRC.unpack_from(header, 8)[0] != mask(crc32c(header[:8])):
            raise self._data_loss("corrupted", offset)
        length = _LENGTH.unpack_from(header)[0]
        status = os.fstat(self._descriptor)
        if stat.S_ISREG(status.st_mode) and length > status.st_size * self._inflated:
            raise self._data_loss("truncated", offset)
        if len(self._lengths) == _MAX_LENGTHS:
            self._lengths.clear()
        self._lengths[header] = length
        return length

    def _data_loss(self, damage_kind: str, offset: int) -> DataLossError:
        return DataLossError(None, None, f"{damage_kind} record at {offset}\nof {self._name}")
