"""`tf.python_io`: public reader and writer of record files."""

from __future__ import annotations

import os
import weakref
from collections.abc import Iterator
from os import PathLike
from typing import Any, Self

from tfmini._src.base import program_strings
from tfmini._src.base.names.deprecation import deprecated
from tfmini._src.formats.record_reader_writer import RECORD_OVERHEAD, RecordReader, RecordWriter
from tfmini._src.formats.zlib_file import Deflation


class TFRecordCompressionType:
    """Compression types of a record file."""

    NONE = 0
    ZLIB = 1
    GZIP = 2


class TFRecordOptions:
    """Compression options of a record file; None means zlib's or TensorFlow's default.

    Args:
      compression_type: "GZIP", "ZLIB", "" or None, or a `TFRecordCompressionType`.
      flush_mode: zlib flush mode used whenever the input buffer is full, default `zlib.Z_NO_FLUSH`.
      input_buffer_size: size of that buffer in bytes, default 256 KiB.
      output_buffer_size: accepted for compatibility and ignored: compressed bytes are written immediately.
      window_bits: zlib window size.
      compression_level: 0 to 9.
      compression_method: zlib's only method.
      mem_level: 1 to 9.
      compression_strategy: zlib strategy.

    Raises:
      ValueError: for an unknown compression.
    """

    compression_type_map = {
        TFRecordCompressionType.ZLIB: "ZLIB",
        TFRecordCompressionType.GZIP: "GZIP",
        TFRecordCompressionType.NONE: "",
    }

    def __init__(
        self,
        compression_type: str | int | None = None,
        flush_mode: int | None = None,
        input_buffer_size: int | None = None,
        output_buffer_size: int | None = None,
        window_bits: int | None = None,
        compression_level: int | None = None,
        compression_method: int | None = None,
        mem_level: int | None = None,
        compression_strategy: int | None = None,
    ):
        self.get_compression_type_string(compression_type)
        self.compression_type = compression_type
        self.flush_mode = flush_mode
        self.input_buffer_size = input_buffer_size
        self.output_buffer_size = output_buffer_size
        self.window_bits = window_bits
        self.compression_level = compression_level
        self.compression_method = compression_method
        self.mem_level = mem_level
        self.compression_strategy = compression_strategy

    @classmethod
    def get_compression_type_string(cls, options: Any) -> str:
        """Returns the name of a compression: "GZIP", "ZLIB", or "" for none.

        Args:
          options: a `TFRecordOptions`, a `TFRecordCompressionType`, a name, or None.

        Raises:
          ValueError: for an unknown compression.
        """
        while isinstance(options, TFRecordOptions):
            options = options.compression_type
        if not options:
            return ""
        if options in cls.compression_type_map:
            return cls.compression_type_map[options]
        if options in cls.compression_type_map.values():
            return options
        raise ValueError(f'Not a valid compression_type: "{options}"')

    def _deflation(self) -> Deflation | None:
        compression = self.get_compression_type_string(self.compression_type)
        values = {
            name: value
            for name, value in vars(self).items()
            if value is not None and name not in ("compression_type", "output_buffer_size")
        }
        return Deflation(compression == "GZIP", **values) if compression else None


class TFRecordWriter:
    """Writes a record file, in a `with` block or until `close`.

    Args:
      path: the file; an existing one is replaced.
      options: compression: a `TFRecordOptions`, a `TFRecordCompressionType`, or a name.

    Raises:
      ValueError: for an unknown compression.
      NotFoundError: if the directory does not exist; other `tf.errors` for other system errors.

    Example:

      with tf.python_io.TFRecordWriter("/tmp/data.tfrecord") as writer:
          writer.write(example.SerializeToString())
    """

    def __init__(
        self, path: str | bytes | PathLike[str], options: TFRecordOptions | str | int | None = None
    ):
        if not isinstance(options, TFRecordOptions):
            options = TFRecordOptions(compression_type=options)
        self._writer = RecordWriter(os.fsencode(path), options._deflation())
        # For writers that are never closed.
        self._end = weakref.finalize(self, self._writer.close)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, unused_type: object, unused_value: object, unused_traceback: object) -> None:
        self.close()

    def write(self, record: bytes | str) -> None:
        """Appends a record.

        Args:
          record: bytes.

        Raises:
          TypeError: for other types, such as str.
          FailedPreconditionError: if the file is closed.
        """
        record = program_strings.encode_string(record)
        if not isinstance(record, bytes):
            if record is not None:  # TensorFlow writes an empty record here
                raise TypeError(f"expected bytes, {type(record).__name__} found")
            record = b""
        self._writer.write(record)

    def flush(self) -> None:
        """Flushes written data to the system, so that other readers see it."""
        self._writer.flush()

    def close(self) -> None:
        """Flushes and closes the file; also done when the writer is garbage-collected or the process exits."""
        self._end.detach()
        self._writer.close()


@deprecated(None, "Use eager execution and: \n`tf.data.TFRecordDataset(path)`")
def tf_record_iterator(
    path: str | bytes | PathLike[str], options: TFRecordOptions | str | int | None = None
) -> Iterator[Any]:
    """Iterates over the records of a file.

    Args:
      path: the file.
      options: compression: a `TFRecordOptions`, a `TFRecordCompressionType`, or a name.

    Returns:
      An iterator of bytes. After the end of an uncompressed file, it continues with appended records, as in TensorFlow
      2; TensorBoard reads growing event files this way.

    Raises:
      NotFoundError: at the first record, if the file does not exist.
      DataLossError: if a record is damaged or truncated; the message contains the file and the offset.
    """
    return _RecordIterator(path, options)


class _RecordIterator:
    """An iterator that keeps its file open until the last record."""

    def __init__(self, path: Any, options: Any):
        self._path, self._options = path, options
        self._end = 0  # end of the last record in bytes
        self._is_closed = False
        self._records: Iterator[bytes] | None = None

    def __iter__(self) -> Iterator[bytes]:
        return self

    def __next__(self) -> bytes:
        if self._is_closed:
            raise StopIteration
        if self._records is None:
            self._records = self._iterate()
        try:
            record = next(self._records)
        except BaseException:
            self._records = None
            raise
        self._end += len(record) + RECORD_OVERHEAD
        return program_strings.decode_strings(record) if program_strings.decoders else record

    def _iterate(self) -> Iterator[bytes]:
        compression = TFRecordOptions.get_compression_type_string(self._options)
        with RecordReader(os.fsencode(self._path), compression, self._end) as records:
            try:
                yield from records
            finally:
                self._is_closed = compression != ""

    def close(self) -> None:
        """Ends the iteration."""
        self._records, self._is_closed = None, True
