"""Reader classes, which read records from work units (usually file names) in a queue."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NoReturn

from tfmini._src.base import dtypes
from tfmini._src.base.names.deprecation import deprecated
from tfmini._src.base.read_only import read_only
from tfmini._src.formats.tf_record import TFRecordOptions
from tfmini._src.graph.eager.execution_mode import require_graph_mode
from tfmini._src.graph.opdef import public, raw
from tfmini._src.graph.tensor import Tensor, TensorLike

if TYPE_CHECKING:
    from tfmini._src.ops.queues.queue import QueueBase


_REPLACEMENT_NOTICE = "Queue-based input pipelines have been replaced by `tf.data`. Use "


@public
class ReaderBase:
    """Base class of readers, which split work units into records.

    If the reader has no current work unit, reading a record dequeues one, which may block.

    Args:
      reader_ref: the tensor of the reader handle.
      supports_serialize: whether its state is serializable.
    """

    reader_ref: Tensor = read_only("The tensor of the handle.")
    supports_serialize: bool = read_only("Whether its state can be serialized.")

    def __init__(self, reader_ref: Tensor, supports_serialize: bool = False):
        require_graph_mode(
            "Readers are not supported when eager execution is enabled. Instead, please use tf.data to get data into "
            "your model."
        )
        self._reader_ref = reader_ref
        self._supports_serialize = supports_serialize

    def _form(self, name: str) -> Any:
        """Returns the op with this name in its resource or reference form."""
        is_resource = self._reader_ref.dtype == dtypes.resource
        return getattr(raw, f"{name}V2" if is_resource else name)

    def _handle(self, queue: Any) -> Any:
        handle = queue if isinstance(queue, Tensor) else queue.queue_ref
        if self._reader_ref.dtype == dtypes.resource:
            return handle
        return raw.FakeQueue(handle)

    def read(self, queue: QueueBase | Tensor, name: str | None = None) -> Any:
        """Reads the next record and returns its key and value, two scalar strings.

        Args:
          queue: a string queue, or the tensor of its handle.

        Raises:
          tf.errors.OutOfRangeError (when run): if no record is left, and the queue is closed and empty.
          tf.errors.OpError (when run): if reading fails.
        """
        return self._form("ReaderRead")(self._reader_ref, self._handle(queue), name=name)

    def read_up_to(
        self, queue: QueueBase | Tensor, num_records: TensorLike, name: str | None = None
    ) -> Any:
        """Reads up to `num_records` records of one work unit; returns two vectors, the keys and the values.

        Args:
          queue: as for `read`.
          num_records: a scalar int64.

        Raises:
          tf.errors.OpError: as for `read`.
        """
        read = self._form("ReaderReadUpTo")
        return read(self._reader_ref, self._handle(queue), num_records, name=name)

    def num_records_produced(self, name: str | None = None) -> Tensor:
        """Returns the number of records produced so far as a scalar int64 Tensor."""
        return self._form("ReaderNumRecordsProduced")(self._reader_ref, name=name)

    def num_work_units_completed(self, name: str | None = None) -> Tensor:
        """Returns the number of completed work units as a scalar int64 Tensor."""
        return self._form("ReaderNumWorkUnitsCompleted")(self._reader_ref, name=name)

    def serialize_state(self, name: str | None = None) -> Tensor:
        """Returns the serialized state of the reader as a scalar string Tensor.

        Raises:
          tf.errors.UnimplementedError (when run): if `supports_serialize` is False.
        """
        return self._form("ReaderSerializeState")(self._reader_ref, name=name)

    def restore_state(self, state: TensorLike, name: str | None = None) -> Any:
        """Returns an operation that restores a serialized state.

        Args:
          state: the result of `serialize_state` from a reader of the same class.

        Raises:
          tf.errors.UnimplementedError (when run): if `supports_serialize` is False.
          tf.errors.InvalidArgumentError (when run): if the string is not a valid state.
        """
        return self._form("ReaderRestoreState")(self._reader_ref, state, name=name)

    def reset(self, name: str | None = None) -> Any:
        """Resets the reader to its initial state, without a current work unit."""
        return self._form("ReaderReset")(self._reader_ref, name=name)


@public
class WholeFileReader(ReaderBase):
    """A reader that produces one record per file: its name and contents.

    Example:
      names = tf.train.string_input_producer(["a.png", "b.png"])
      name, content = tf.WholeFileReader().read(names)
    """

    @deprecated(None, _REPLACEMENT_NOTICE + "`tf.data.Dataset.map(tf.read_file)`.")
    def __init__(self, name: str | None = None):
        super().__init__(raw.WholeFileReaderV2(name=name), supports_serialize=True)


@public
class TextLineReader(ReaderBase):
    """A reader that produces one record per line, without line end; its key is "file:number", counted from 1.

    Args:
      skip_header_lines: the number of lines to skip at the start of each file; 0 by default.

    Example:
      _, line = tf.TextLineReader(skip_header_lines=1).read(names)
      x, y = tf.decode_csv(line, [[0.0], [0]])
    """

    @deprecated(None, _REPLACEMENT_NOTICE + "`tf.data.TextLineDataset`.")
    def __init__(self, skip_header_lines: int | None = None, name: str | None = None):
        super().__init__(raw.TextLineReaderV2(skip_header_lines=skip_header_lines, name=name))


@public
class FixedLengthRecordReader(ReaderBase):
    """A reader that produces records of `record_bytes` bytes; the key is "file:number", counted from 0.

    Args:
      record_bytes: the record size in bytes.
      header_bytes, footer_bytes: the number of bytes to skip at the start and end of each file; 0 by default.
      hop_bytes: the distance between record starts; `record_bytes` by default.
      encoding: the file compression: "ZLIB", "GZIP", or none.

    Example:
      _, record = tf.FixedLengthRecordReader(1 + 32 * 32 * 3).read(names)
      values = tf.decode_raw(record, tf.uint8)
    """

    @deprecated(None, _REPLACEMENT_NOTICE + "`tf.data.FixedLengthRecordDataset`.")
    def __init__(
        self,
        record_bytes: int,
        header_bytes: int | None = None,
        footer_bytes: int | None = None,
        hop_bytes: int | None = None,
        name: str | None = None,
        encoding: str | None = None,
    ):
        reader = raw.FixedLengthRecordReaderV2(
            record_bytes=record_bytes,
            header_bytes=header_bytes,
            footer_bytes=footer_bytes,
            hop_bytes=hop_bytes,
            encoding=encoding,
            name=name,
        )
        super().__init__(reader)


@public
class TFRecordReader(ReaderBase):
    """A reader of TFRecord files; the key is "file:byte offset".

    Args:
      options: a `tf.python_io.TFRecordOptions` with the file compression.

    Raises:
      ValueError: for an unknown compression.

    Example:
      _, record = tf.TFRecordReader().read(names)
      example = tf.parse_single_example(record, {"x": tf.FixedLenFeature([2], tf.float32)})
    """

    @deprecated(None, _REPLACEMENT_NOTICE + "`tf.data.TFRecordDataset`.")
    def __init__(self, name: str | None = None, options: Any = None):
        compression = TFRecordOptions.get_compression_type_string(options)
        super().__init__(raw.TFRecordReaderV2(name=name, compression_type=compression))


@public
class LMDBReader(ReaderBase):
    """Unsupported, raises NotImplementedError; convert LMDB files to TFRecord files instead."""

    @deprecated(None, _REPLACEMENT_NOTICE + "`tf.contrib.data.LMDBDataset`.")
    def __init__(self, name: str | None = None, options: TFRecordOptions | None = None) -> None:
        _raise_no_lmdb_error()


def _raise_no_lmdb_error() -> NoReturn:
    raise NotImplementedError(
        "tf.LMDBReader: tfmini does not read LMDB files. Convert them to TFRecord files once "
        "(with the Python package lmdb and tf.python_io.TFRecordWriter), and read these with "
        "tf.TFRecordReader."
    )


@public
class IdentityReader(ReaderBase):
    """A reader that produces one record per work unit, which is both key and value."""

    @deprecated(None, _REPLACEMENT_NOTICE + "`tf.data.Dataset.map(...)`.")
    def __init__(self, name: str | None = None):
        super().__init__(raw.IdentityReaderV2(name=name), supports_serialize=True)
