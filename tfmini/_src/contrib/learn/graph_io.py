"""Queue-based batches of records read from files, and of features parsed from them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tfmini._src.base import dtypes
from tfmini._src.base.errors import CancelledError, OutOfRangeError
from tfmini._src.base.names.deprecation import deprecated
from tfmini._src.base.names.signature import arguments_of
from tfmini._src.formats.gfile_functions import glob
from tfmini._src.graph.composite_values import SparseTensor
from tfmini._src.graph.scopes import name_scope
from tfmini._src.graph.tensor import Tensor, TensorLike
from tfmini._src.ops import ops
from tfmini._src.ops.parsing.parse_example import parse_example
from tfmini._src.ops.queues.queue import FIFOQueue
from tfmini._src.ops.queues.reader import TFRecordReader
from tfmini._src.ops.summaries.scalar_histogram_summary import scalar
from tfmini._src.train.input_queues.batch import batch_join, shuffle_batch_join
from tfmini._src.train.input_queues.input_producer import string_input_producer
from tfmini._src.train.input_queues.queue_runner import QueueRunner, add_queue_runner

_KEY = "__key__"
_DATA = "Use tf.data."


@deprecated(None, _DATA)
def read_keyed_batch_examples(
    file_pattern: str,
    batch_size: Any,
    reader: Callable[..., Any],
    randomize_input: bool = True,
    num_epochs: int | None = None,
    queue_capacity: int = 10000,
    num_threads: int = 1,
    read_batch_size: int = 1,
    parse_fn: Callable[..., Any] | None = None,
    name: str | None = None,
    seed: int | None = None,
) -> Any:
    """Returns batches of records read from files, with their keys.

    Args:
      file_pattern: a glob pattern, or a list of them.
      batch_size: number of records per batch.
      reader: function that returns a reader, such as `tf.TFRecordReader`.
      randomize_input: whether to shuffle files and records.
      num_epochs: number of passes over all files; None for no limit. If given, the last batch may be smaller.
      queue_capacity: queue capacity in records.
      num_threads: number of readers.
      read_batch_size: number of records a reader reads at once.
      parse_fn: function from records to tensors, or to a dict of tensors.
      seed: seed for shuffling.

    Returns:
      (keys, records): string tensors [batch], or the results of `parse_fn` for the records.

    Raises:
      ValueError: if no files match, a number is not positive, or the queue is smaller than a batch.

    Example: `keys, records = tf.contrib.learn.read_keyed_batch_examples("*.tfrecord", 32, tf.TFRecordReader)`.
    """
    files = _files(file_pattern, randomize_input)
    _check_numbers(batch_size, queue_capacity, read_batch_size, num_threads, num_epochs)
    with name_scope(name, "read_batch_examples", [file_pattern]) as scope:
        with name_scope("file_name_queue") as queue_scope:
            names = string_input_producer(
                ops.constant(files, name="input"),
                shuffle=randomize_input,
                num_epochs=num_epochs,
                name=queue_scope,
                seed=seed,
            )
        examples = _examples(names, reader, num_threads, read_batch_size, parse_fn)
        values: dict[str, Any] = {
            "capacity": queue_capacity,
            "enqueue_many": read_batch_size > 1,
            "name": scope,
            "allow_smaller_final_batch": num_epochs is not None,
        }
        if randomize_input:
            min_queued = int(queue_capacity * 0.4)
            if not isinstance(batch_size, Tensor):
                min_queued = max(queue_capacity - 3 * batch_size, batch_size)
            batch = shuffle_batch_join(
                examples, batch_size, min_after_dequeue=min_queued, seed=seed, **values
            )
        else:
            batch = batch_join(examples, batch_size, **values)
        if parse_fn and isinstance(batch, dict):
            return batch.pop(_KEY), batch
        return batch


@deprecated(None, _DATA)
@arguments_of(read_keyed_batch_examples)
def read_batch_examples(*args: Any) -> Any:
    """Returns batches of records read from files, like `read_keyed_batch_examples` without keys.

    Returns:
      A string tensor [batch], or the result of `parse_fn` for it.
    """
    return read_keyed_batch_examples(*args)[1]


def _files(pattern: Any, is_shuffled: bool) -> list[str]:
    if isinstance(pattern, list) and not pattern:
        raise ValueError("No files given to dequeue_examples.")
    patterns = pattern if isinstance(pattern, list) else [pattern]
    names = [name for pattern in patterns for name in glob(pattern)]
    if not names:
        raise ValueError(f"No files match {pattern}.")
    return names if is_shuffled else sorted(names)


def _check_numbers(batch: Any, capacity: Any, read: Any, threads: Any, epochs: Any) -> None:
    if not capacity or capacity <= 0:
        raise ValueError(f"Invalid queue_capacity {capacity}.")
    if batch is None or not (isinstance(batch, Tensor) or 0 < batch < capacity):
        raise ValueError(f"Invalid batch_size {batch}, with queue_capacity {capacity}.")
    if read is None or not (isinstance(read, Tensor) or read > 0):
        raise ValueError(f"Invalid read_batch_size {read}.")
    if not threads or threads <= 0:
        raise ValueError(f"Invalid num_threads {threads}.")
    if epochs is not None and epochs <= 0:
        raise ValueError(f"Invalid num_epochs {epochs}.")


def _examples(names: Any, reader: Callable, threads: int, read: int, parse: Any) -> list:
    """Returns the parsed outputs of each of `threads` readers."""
    outputs: list = []
    with name_scope("read"):
        for _ in range(threads):
            result = reader()
            keys, records = result.read_up_to(names, read) if read > 1 else result.read(names)
            if parse is not None:
                records = parse(records)
            if isinstance(records, dict):
                records[_KEY] = keys
                outputs.append(records)
            else:
                outputs.append((keys, records))
    return outputs


@deprecated(None, _DATA)
def read_keyed_batch_features(
    file_pattern: str,
    batch_size: Any,
    features: dict[Any, Any],
    reader: Callable[..., Any],
    randomize_input: bool = True,
    num_epochs: int | None = None,
    queue_capacity: int = 10000,
    reader_num_threads: int = 1,
    feature_queue_capacity: int = 100,
    num_enqueue_threads: int = 2,
    parse_fn: Callable[..., Any] | None = None,
    name: str | None = None,
    read_batch_size: int | None = None,
) -> tuple[Any, dict[Any, Any]]:
    """Returns prefetched batches of features parsed from Examples in files.

    Args:
      file_pattern, batch_size, reader, randomize_input, num_epochs, queue_capacity, parse_fn, name: as in
        `read_keyed_batch_examples`.
      features: a dict from name to FixedLenFeature, VarLenFeature or similar.
      reader_num_threads: number of readers.
      feature_queue_capacity: queue capacity in parsed batches.
      num_enqueue_threads: number of parsing threads.
      read_batch_size: number of records a reader reads at once, by default a batch.

    Returns:
      (keys, a dict of tensors and SparseTensors).

    Raises:
      ValueError: as in `read_keyed_batch_examples`.
    """
    with name_scope(name, "read_batch_features", [file_pattern]) as scope:
        keys, examples = read_keyed_batch_examples(
            file_pattern,
            batch_size,
            reader,
            randomize_input=randomize_input,
            num_epochs=num_epochs,
            queue_capacity=queue_capacity,
            num_threads=reader_num_threads,
            read_batch_size=batch_size if read_batch_size is None else read_batch_size,
            parse_fn=parse_fn,
            name=scope,
        )
        return queue_parsed_features(
            parse_example(examples, features),
            keys=keys,
            feature_queue_capacity=feature_queue_capacity,
            num_enqueue_threads=num_enqueue_threads,
            name=scope,
        )


@deprecated(None, _DATA)
def queue_parsed_features(
    parsed_features: dict[Any, Any],
    keys: Any = None,
    feature_queue_capacity: int = 100,
    num_enqueue_threads: int = 2,
    name: str | None = None,
) -> tuple[Any, dict[Any, Any]]:
    """Prefetches features through a queue filled by threads.

    Args:
      parsed_features: a dict of tensors and SparseTensors.
      keys: an accompanying tensor, or None.
      feature_queue_capacity: queue capacity in batches.
      num_enqueue_threads: number of enqueuing threads.

    Returns:
      (keys or None, a dict of tensors and SparseTensors).
    """
    values = [*parsed_features.values(), *([] if keys is None else [keys])]
    with name_scope(name, "queue_parsed_features", values):
        parts: list[Tensor] = []
        for key in sorted(parsed_features):
            feature = parsed_features[key]
            is_sparse = isinstance(feature, SparseTensor)
            parts += _component_tensors(feature) if is_sparse else [feature]
        if keys is not None:
            parts.append(keys)
        queue = FIFOQueue(feature_queue_capacity, [part.dtype for part in parts])
        scalar(
            f"queue/parsed_features/{queue.name}/fraction_of_{feature_queue_capacity}_full",
            ops.cast(queue.size(), dtypes.float32) * (1.0 / feature_queue_capacity),
        )
        enqueued = [queue.enqueue(parts) for _ in range(num_enqueue_threads)]
        end_errors = (OutOfRangeError, CancelledError)
        add_queue_runner(QueueRunner(queue, enqueued, queue_closed_exception_types=end_errors))
        dequeued = queue.dequeue()
        dequeued = list(dequeued) if isinstance(dequeued, list | tuple) else [dequeued]
        for tensor, part in zip(dequeued, parts):
            tensor.set_shape(part.get_shape())
        components = iter(dequeued)
        features: dict[str, Any] = {}
        for key in sorted(parsed_features):
            is_sparse = isinstance(parsed_features[key], SparseTensor)
            first = next(components)
            features[key] = (
                SparseTensor(first, next(components), next(components)) if is_sparse else first
            )
        return (None if keys is None else dequeued[-1]), features


def _component_tensors(sparse: SparseTensor) -> list:
    return [sparse.indices, sparse.values, sparse.dense_shape]


@deprecated(None, _DATA)
def read_batch_features(
    file_pattern: str,
    batch_size: TensorLike,
    features: dict[Any, Any],
    reader: Callable[..., Any],
    randomize_input: bool = True,
    num_epochs: int | None = None,
    queue_capacity: int = 10000,
    feature_queue_capacity: int = 100,
    reader_num_threads: int = 1,
    num_enqueue_threads: int = 2,
    parse_fn: Callable[..., Any] | None = None,
    name: str | None = None,
    read_batch_size: int | None = None,
) -> dict[Any, Any]:
    """Returns batches of features parsed from Examples in files, like `read_keyed_batch_features` without keys."""
    return read_keyed_batch_features(**locals())[1]


@deprecated(None, _DATA)
@arguments_of(
    read_batch_features,
    *("reader", "feature_queue_capacity", "num_enqueue_threads", "parse_fn", "read_batch_size"),
    name="dequeue_record_examples",
)
def read_batch_record_features(**kwargs: Any) -> dict[Any, Any]:
    """Calls `read_batch_features` for TFRecord files."""
    return read_batch_features(**kwargs, reader=TFRecordReader)
