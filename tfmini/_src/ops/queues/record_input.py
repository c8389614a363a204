"""`RecordInput`: an endless sequence of batches of records from files, in random order."""

from __future__ import annotations

from typing import Any

from tfmini._src.formats.tf_record import TFRecordCompressionType, TFRecordOptions
from tfmini._src.graph import raw
from tfmini._src.graph.scopes import name_scope
from tfmini._src.ops import ops


class RecordInput:
    """An endless sequence of batches of records from TFRecord files, in random order, epoch after epoch.

    Args:
      file_pattern: file path patterns, separated by commas; each epoch reads all files.
      batch_size: the number of records per batch.
      buffer_size: the size of the shuffle buffer; larger buffers improve shuffling.
      parallelism: the number of files read concurrently.
      shift_ratio: the fraction of the files by which their order is rotated in each epoch.
      seed: the seed of the order, an integer.
      batches: None, or the number of batches that `get_yield_op()` returns.
      compression_type: a `tf.python_io.TFRecordCompressionType`.

    Example:
      batch = tf.contrib.framework.RecordInput("/tmp/*.tfrecord", batch_size=32, buffer_size=1000).get_yield_op()
    """

    def __init__(
        self,
        file_pattern: str,
        batch_size: int = 1,
        buffer_size: int = 1,
        parallelism: int = 1,
        shift_ratio: float = 0,
        seed: int = 0,
        name: str | None = None,
        batches: int | None = None,
        compression_type: str | None = None,
    ):
        self._batch_size = batch_size if batches is None else batch_size * batches
        self._batches = batches
        self._file_pattern = file_pattern
        self._buffer_size = buffer_size
        self._parallelism = parallelism
        self._shift_ratio = shift_ratio
        self._seed = seed
        self._name = name
        none = TFRecordCompressionType.NONE
        self._compression_type = none if compression_type is None else compression_type

    def get_yield_op(self) -> Any:
        """Returns the records of the next batch or batches.

        Returns:
          A string Tensor [batch_size]; with `batches`, a list of as many lists of scalar string Tensors.

        Raises:
          tf.errors.NotFoundError (when run): if no file matches.
          tf.errors.DataLossError (when run): for a corrupt file.
        """
        options = TFRecordOptions(self._compression_type)
        records = raw.RecordInput(
            file_pattern=self._file_pattern,
            file_buffer_size=self._buffer_size,
            file_parallelism=self._parallelism,
            file_shuffle_shift_ratio=self._shift_ratio,
            batch_size=self._batch_size,
            file_random_seed=self._seed,
            compression_type=TFRecordOptions.get_compression_type_string(options),
            name=self._name,
        )
        if self._batches is None:
            return records
        batches: list[list] = [[] for _ in range(self._batches)]
        with name_scope(self._name):
            for index, record in enumerate(ops.split(records, self._batch_size, 0)):
                batches[index % self._batches].append(ops.reshape(record, []))
        return batches
