"""Files compressed as a single zlib stream, with or without a gzip header."""

from __future__ import annotations

import zlib
from typing import BinaryIO

from tfmini._src.base.errors import DataLossError, InvalidArgumentError
from tfmini._src.base.records import dataclass

# Maximum expansion of a byte of a deflated stream.
MAX_INFLATED = 1032

_HEADER_OF_GZIP = 16  # added to the window bits


@dataclass(frozen=True)
class Deflation:
    """Compression options; the defaults are TensorFlow's."""

    gzip: bool = False
    flush_mode: int = zlib.Z_NO_FLUSH
    input_buffer_size: int = 256 << 10
    window_bits: int | None = None
    compression_level: int = zlib.Z_DEFAULT_COMPRESSION
    compression_method: int = zlib.DEFLATED
    mem_level: int = 9
    compression_strategy: int = zlib.Z_DEFAULT_STRATEGY


class DeflatingFile:
    """Compresses data written to it until `close`; raises InvalidArgumentError if zlib rejects the options."""

    def __init__(self, file: BinaryIO, options: Deflation):
        bits = options.window_bits
        if bits is None:
            bits = zlib.MAX_WBITS + (_HEADER_OF_GZIP if options.gzip else 0)
        self._file = file
        self._mode = options.flush_mode
        self._flush_threshold = options.input_buffer_size
        self._unflushed_bytes = 0
        try:
            self._stream = zlib.compressobj(
                options.compression_level,
                options.compression_method,
                bits,
                options.mem_level,
                options.compression_strategy,
            )
            zlib.compressobj().flush(self._mode)  # raises for an invalid mode
        except (ValueError, OverflowError, zlib.error):
            raise InvalidArgumentError(
                None, None, f"deflateInit failed with status-2\nof {options}"
            ) from None

    def write(self, data: bytes) -> None:
        """Adds bytes to the stream."""
        self._file.write(self._stream.compress(data))
        self._unflushed_bytes += len(data)
        if self._mode != zlib.Z_NO_FLUSH and self._unflushed_bytes >= self._flush_threshold:
            self._file.write(self._stream.flush(self._mode))
            self._unflushed_bytes = 0

    def flush(self) -> None:
        """Flushes the file, so that all written data can be read from it."""
        self._file.write(self._stream.flush(zlib.Z_PARTIAL_FLUSH))
        self._file.flush()
        self._unflushed_bytes = 0

    def close(self) -> None:
        """Ends the stream and closes the file."""
        try:
            self._file.write(self._stream.flush(zlib.Z_FINISH))
        finally:
            self._file.close()


class InflatingFile:
    """Decompresses a file incrementally; bytes after the stream are ignored.

    Args:
      file: the compressed file, at its start.
      gzip: whether it has a gzip header.
      name: its name, for messages.
    """

    _PART = 1 << 18  # bytes read at once

    def __init__(self, file: BinaryIO, gzip: bool, name: str):
        self._file = file
        self._name = name
        self._stream = zlib.decompressobj(zlib.MAX_WBITS + (_HEADER_OF_GZIP if gzip else 0))

    def read(self, size: int) -> bytes:
        """Reads up to `size` bytes; returns none at the end of the stream. Raises DataLossError for damaged data."""
        data = b""
        try:
            while not data and not self._stream.eof:
                stored = self._stream.unconsumed_tail or self._file.read(self._PART)
                data = self._stream.decompress(stored, size)
                if not stored:
                    break
        except zlib.error as error:
            reason = str(error).rpartition(": ")[2]
            code = str(error).split()[1]
            raise DataLossError(
                None,
                None,
                f"inflate() failed with error {code}: {reason}\n"
                f"in the first {self._file.tell()} bytes of {self._name}",
            ) from None
        return data

    def close(self) -> None:
        """Closes the compressed file."""
        self._file.close()
