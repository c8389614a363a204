"""`tf.python_io`: files of records as programs write and read them."""

from __future__ import annotations

import os
import weakref
from collections.abc import Iterator
from typing import Any

from tfmini._src.base.names.deprecation import deprecated
from tfmini._src.formats.record_reader_writer import RecordReader, RecordWriter
from tfmini._src.formats.zlib_file import Deflation


class TFRecordCompressionType:
    """The compression of a file of records."""

    NONE = 0
    ZLIB = 1
    GZIP = 2


class TFRecordOptions:
    """Compression options of a file of records; None means zlib's or TensorFlow's default.

    Args:
      compression_type: "GZIP", "ZLIB", "" or None, or one of `TFRecordCompressionType`.
      flush_mode: zlib's flush mode whenever the buffer of what is written is full, default `zlib.Z_NO_FLUSH`.
      input_buffer_size: that buffer's bytes, default 256 KiB.
      output_buffer_size: taken for TensorFlow's sake: compressed bytes go to the file at once.
      window_bits: zlib's window.
      compression_level: 0 to 9.
      compression_method: zlib's only method.
      mem_level: 1 to 9.
      compression_strategy: zlib's strategy.

    Raises:
      ValueError: if there is no such compression.
    """

    compression_type_map = {
        TFRecordCompressionType.ZLIB: "ZLIB",
        TFRecordCompressionType.GZIP: "GZIP",
        TFRecordCompressionType.NONE: "",
    }

    def __init__(
        self,
        compression_type=None,
        flush_mode=None,
        input_buffer_size=None,
        output_buffer_size=None,
        window_bits=None,
        compression_level=None,
        compression_method=None,
        mem_level=None,
        compression_strategy=None,
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
    def get_compression_type_string(cls, options):
        """The name of a compression: "GZIP", "ZLIB", or "" for none.

        Args:
          options: a `TFRecordOptions`, one of `TFRecordCompressionType`, a name, or None.

        Raises:
          ValueError: if there is no such compression.
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
        given = {
            name: value
            for name, value in vars(self).items()
            if value is not None and name not in ("compression_type", "output_buffer_size")
        }
        return Deflation(compression == "GZIP", **given) if compression else None


class TFRecordWriter:
    """Writes a file of records, in a `with` block or until `close`.

    Args:
      path: the file; one that is there is replaced.
      options: how to compress it: a `TFRecordOptions`, one of `TFRecordCompressionType`, or a name.

    Raises:
      ValueError: if there is no such compression.
      NotFoundError: if the folder is not there; other errors of `tf.errors` for what else the system refuses.

    Example:
      with tf.python_io.TFRecordWriter("/tmp/data.tfrecord") as writer:
          writer.write(example.SerializeToString())
    """

    def __init__(self, path, options=None):
        if not isinstance(options, TFRecordOptions):
            options = TFRecordOptions(compression_type=options)
        self._writer = RecordWriter(os.fsencode(path), options._deflation())
        # For a writer that nobody closes.
        self._end = weakref.finalize(self, self._writer.close)

    def __enter__(self):
        return self

    def __exit__(self, unused_type, unused_value, unused_traceback):
        self.close()

    def write(self, record):
        """Adds a record.

        Args:
          record: bytes.

        Raises:
          TypeError: if it is something else, text for instance.
          FailedPreconditionError: if the file was closed.
        """
        if not isinstance(record, bytes):
            if record is not None:  # TensorFlow writes an empty record
                raise TypeError(f"expected bytes, {type(record).__name__} found")
            record = b""
        self._writer.write(record)

    def flush(self):
        """Gives the system what was written, so that others can read it."""
        self._writer.flush()

    def close(self):
        """Writes what is left and closes the file; so does the end of the writer or the process."""
        self._end.detach()
        self._writer.close()


@deprecated(None, "Use eager execution and: \n`tf.data.TFRecordDataset(path)`")
def tf_record_iterator(path, options=None) -> Iterator[Any]:
    """The records of a file, one after the other.

    Args:
      path: the file.
      options: how it is compressed: a `TFRecordOptions`, one of `TFRecordCompressionType`, or a name.

    Yields:
      bytes.

    Raises:
      NotFoundError: at the first record, if there is no such file.
      DataLossError: if a record is damaged or cut off; its message names the file and the place.
    """
    compression = TFRecordOptions.get_compression_type_string(options)
    with RecordReader(os.fsencode(path), compression) as records:
        yield from records
