"""`tf.contrib.slim.parallel_reader`: parallel readers of files that share a queue."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tfmini._src.base import dtypes as _dtypes
from tfmini._src.base.dtypes import DTypeLike
from tfmini._src.base.read_only import read_only
from tfmini._src.formats.gfile_functions import glob
from tfmini._src.graph.scopes import name_scope
from tfmini._src.graph.tensor import TensorLike
from tfmini._src.ops import ops
from tfmini._src.ops.queues.queue import FIFOQueue, QueueBase, RandomShuffleQueue
from tfmini._src.ops.queues.reader import ReaderBase
from tfmini._src.ops.summaries.scalar_histogram_summary import scalar
from tfmini._src.train.input_queues.input_producer import string_input_producer
from tfmini._src.train.input_queues.queue_runner import QueueRunner, add_queue_runner


class ParallelReader(ReaderBase):
    """Parallel readers that enqueue into a common queue.

    Args:
      reader_class: a reader class.
      common_queue: a queue with two string components, for keys and records.
      num_readers: number of readers.
      reader_kwargs: keyword arguments of `reader_class`.

    Raises:
      TypeError: if the queue has the wrong dtypes.
    """

    common_queue: Any = read_only("The queue of keys and records.")

    def __init__(
        self,
        reader_class: type[ReaderBase],
        common_queue: QueueBase,
        num_readers: int = 4,
        reader_kwargs: dict[str, Any] | None = None,
    ):
        queue_dtypes = common_queue.dtypes
        if len(queue_dtypes) != 2 or not all(
            k.is_compatible_with(_dtypes.string) for k in queue_dtypes
        ):
            raise TypeError("common_queue.dtypes must be [tf.string, tf.string]")
        self._readers = [reader_class(**(reader_kwargs or {})) for _ in range(num_readers)]
        self._common_queue = common_queue

    @property
    def num_readers(self) -> int:
        """Number of readers."""
        return len(self._readers)

    def read(self, queue: Any, name: str | None = None) -> Any:
        """Returns the next key and record from the files in `queue`; adds a QueueRunner for the readers."""
        self._configure_readers_by(queue)
        return self._common_queue.dequeue(name=name)

    def read_up_to(self, queue: Any, num_records: TensorLike, name: str | None = None) -> Any:
        """Returns the next `num_records` keys and records, or the remaining ones."""
        self._configure_readers_by(queue)
        return self._common_queue.dequeue_up_to(num_records, name)

    def _configure_readers_by(self, queue: Any) -> None:
        enqueues = [self._common_queue.enqueue(reader.read(queue)) for reader in self._readers]
        add_queue_runner(QueueRunner(self._common_queue, enqueues))

    def num_records_produced(self, name: str | None = None) -> Any:
        """Returns the number of records read, a scalar int64 Tensor."""
        counts = [reader.num_records_produced() for reader in self._readers]
        return ops.add_n(counts, name=name)

    def num_work_units_completed(self, name: str | None = None) -> Any:
        """Returns the number of completely read files, a scalar int64 Tensor."""
        counts = [reader.num_work_units_completed() for reader in self._readers]
        return ops.add_n(counts, name=name)


def parallel_read(
    data_sources: str | Sequence[str],
    reader_class: type[ReaderBase],
    num_epochs: int | None = None,
    num_readers: int = 4,
    reader_kwargs: dict[str, Any] | None = None,
    shuffle: bool = True,
    dtypes: Sequence[DTypeLike] | None = None,
    capacity: int = 256,
    min_after_dequeue: int = 128,
    seed: int | None = None,
    scope: str | None = None,
) -> Any:
    """Returns the next key and record of files, read by parallel readers.

    Args:
      data_sources: file path with wildcards, or a list of them.
      reader_class: a reader class, e.g. `tf.TFRecordReader`.
      num_epochs: number of epochs, None for unlimited.
      num_readers: number of parallel readers.
      reader_kwargs: keyword arguments of `reader_class`.
      shuffle: whether to shuffle files and records.
      dtypes: dtypes of keys and records, both string.
      capacity: capacity of the queue in records.
      min_after_dequeue: minimum number of elements in a shuffling queue.
      seed: shuffling seed.
      scope: a name scope.

    Returns:
      Two scalar string Tensors.

    Raises:
      ValueError: if there are no files.
    """
    files = get_data_files(data_sources)
    with name_scope(scope, "parallel_read"):
        filenames = string_input_producer(
            files, num_epochs=num_epochs, shuffle=shuffle, seed=seed, name="filenames"
        )
        queue_dtypes = dtypes or [_dtypes.string, _dtypes.string]
        queue: Any
        if shuffle:
            queue = RandomShuffleQueue(
                capacity=capacity,
                min_after_dequeue=min_after_dequeue,
                dtypes=queue_dtypes,
                seed=seed,
                name="common_queue",
            )
        else:
            queue = FIFOQueue(capacity=capacity, dtypes=queue_dtypes, name="common_queue")
        fraction = ops.cast(queue.size(), _dtypes.float32) * (1.0 / capacity)
        scalar(f"fraction_of_{capacity}_full", fraction)
        reader = ParallelReader(
            reader_class, queue, num_readers=num_readers, reader_kwargs=reader_kwargs
        )
        return reader.read(filenames)


def single_pass_read(
    data_sources: str | Sequence[str],
    reader_class: type[ReaderBase],
    reader_kwargs: dict[str, Any] | None = None,
    scope: str | None = None,
) -> Any:
    """Returns the next key and record of files, read once in order.

    Args:
      data_sources: file path with wildcards, or a list of them.
      reader_class: a reader class.
      reader_kwargs: keyword arguments of `reader_class`.
      scope: a name scope.

    Raises:
      ValueError: if there are no files.
    """
    files = get_data_files(data_sources)
    with name_scope(scope, "single_pass_read"):
        filenames = string_input_producer(
            files, num_epochs=1, shuffle=False, capacity=1, name="filenames"
        )
        return reader_class(**(reader_kwargs or {})).read(filenames)


def get_data_files(data_sources: Any) -> list[str]:
    """Returns the paths of the matching files.

    Args:
      data_sources: file path with wildcards, or a list of them.

    Raises:
      ValueError: if there are no files.
    """
    if isinstance(data_sources, list | tuple):
        files = [path for source in data_sources for path in get_data_files(source)]
    elif any(sign in data_sources for sign in "*?["):
        files = glob(data_sources)
    else:
        files = [data_sources]
    if not files:
        raise ValueError(f"No data files found in {data_sources}")
    return files
