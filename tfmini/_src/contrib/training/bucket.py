"""Bucketing: batches of similar examples, e.g. sentences of similar length."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from tfmini._src.base import dtypes
from tfmini._src.base.errors import CancelledError, OutOfRangeError
from tfmini._src.base.names.signature import arguments_of
from tfmini._src.base.shapes import TensorShape
from tfmini._src.base.shapes.tensor_shape import ShapeLike
from tfmini._src.graph.convert_to_tensor import (
    convert_n_to_tensor_or_indexed_slices,
    convert_to_tensor,
)
from tfmini._src.graph.scopes import name_scope
from tfmini._src.graph.static_values import get_static_value
from tfmini._src.graph.tensor import TensorLike
from tfmini._src.ops import ops
from tfmini._src.ops.queues.queue import FIFOQueue, PaddingFIFOQueue
from tfmini._src.ops.summaries.scalar_histogram_summary import scalar
from tfmini._src.train.input_queues.batch import (
    component_dtypes,
    component_shapes,
    keeping,
    pack_dequeued,
    tensor_list,
)
from tfmini._src.train.input_queues.queue_runner import QueueRunner, add_queue_runner
from tfmini._src.train.input_queues.sparse_components import restore, store_lists

_ENDS = (OutOfRangeError, CancelledError)


def _bucket_batch_sizes(batch_size: Any, num_buckets: int) -> list:
    if not isinstance(batch_size, list | tuple):
        return [batch_size] * num_buckets
    if len(batch_size) != num_buckets:
        raise ValueError("If batch_size is a list it must have num_buckets elements")
    return list(batch_size)


def _static_batch_size(size: Any) -> Any:
    size = convert_to_tensor(size, dtype=dtypes.int32, name="batch_size")
    value = get_static_value(size)
    return size if value is None else value


def bucket(
    tensors: Iterable[TensorLike],
    which_bucket: Any,
    batch_size: TensorLike,
    num_buckets: int,
    num_threads: int = 1,
    capacity: int = 32,
    bucket_capacities: Sequence[int] | None = None,
    shapes: Sequence[ShapeLike] | dict[str, ShapeLike] | None = None,
    dynamic_pad: bool = False,
    allow_smaller_final_batch: bool = False,
    keep_input: Any = True,
    shared_name: str | None = None,
    name: str | None = None,
) -> tuple[Any, ...]:
    """Returns batches of examples from one bucket each, enqueued by background threads.

    Args:
      tensors: an example, a list of Tensors and SparseTensors, or a dictionary.
      which_bucket: a scalar int32, the example's bucket.
      batch_size: number of examples per batch, or a list with one per bucket.
      num_buckets: number of buckets.
      num_threads: number of threads that produce examples.
      capacity: capacity of the final queue in batches.
      bucket_capacities: capacity of each bucket in examples; by default `capacity`.
      shapes: shape of each component, if not known from `tensors`.
      dynamic_pad: whether to pad components of different sizes with zeros.
      allow_smaller_final_batch: whether a bucket's last batch may be smaller.
      keep_input: a scalar bool, whether to keep the example.
      shared_name: name under which graphs of a session or server share the queues.
      name: operation name prefix.

    Returns:
      A tuple of the bucket, a scalar int32 Tensor, and a batch in the structure of `tensors`, with a leading batch
      axis.

    Raises:
      ValueError: if `tensors` is empty, or the number of batch sizes or capacities differs from the number of buckets.

    Example: `which, (words,) = tf.contrib.training.bucket([words], tf.size(words) // 10, 32, 5, dynamic_pad=True)`.
    """
    sizes = _bucket_batch_sizes(batch_size, num_buckets)
    capacities = [capacity] * num_buckets if bucket_capacities is None else bucket_capacities
    if len(capacities) != num_buckets:
        raise ValueError(
            f"The list bucket_capacities ({capacities}) must have exactly num_buckets ({num_buckets}) elements."
        )
    components = tensor_list(tensors)
    with name_scope(name, "bucket", components):
        example = convert_n_to_tensor_or_indexed_slices(components)
        if not example:
            raise ValueError("Expected at least one tensor in bucket().")
        keep = keeping(keep_input, False)
        (example,), origins = store_lists([example], False, keep)
        sizes = [_static_batch_size(size) for size in sizes]
        types = component_dtypes([example])
        dims = component_shapes([example], shapes, False)
        which = convert_to_tensor(which_bucket, dtype=dtypes.int32, name="which_bucket")
        make = PaddingFIFOQueue if dynamic_pad else FIFOQueue
        buckets = [
            make(
                capacity=capacity,
                dtypes=types,
                shapes=dims,
                shared_name=None if shared_name is None else f"{shared_name}_{i}",
                name=f"bucket_queue_{i}",
            )
            for i, capacity in enumerate(capacities)
        ]
        is_fixed = not allow_smaller_final_batch and not isinstance(batch_size, list | tuple)
        rows = (
            sizes[-1] if is_fixed and isinstance(sizes[-1], int | np.integer | np.ndarray) else None
        )
        batches = PaddingFIFOQueue(
            capacity=capacity,
            dtypes=[dtypes.int32, *types],
            shapes=[
                TensorShape([]),
                *(TensorShape([rows]).concatenate(shape) for shape in buckets[0].shapes),
            ],
            shared_name=shared_name,
            name="top_queue",
        )
        _run_bucket_threads(
            buckets, batches, example, which, keep, sizes, allow_smaller_final_batch, num_threads
        )
        for queue in buckets:
            scalar(f"bucket/{queue.name}/size", ops.cast(batches.size(), dtypes.float32))
        full = ops.cast(batches.size(), dtypes.float32) * (1.0 / capacity)
        scalar(f"bucket/{batches.name}/fraction_of_{capacity}_full", full)
        bucket_id, *dequeued = batches.dequeue(name="dequeue_top")
        batch = restore(dequeued[0] if len(dequeued) == 1 else dequeued, origins)
        return bucket_id, pack_dequeued(tensors, batch)


def _run_bucket_threads(
    buckets: list,
    batches: Any,
    example: list,
    which: Any,
    keep: Any,
    sizes: list,
    takes_fewer: bool,
    num_threads: int,
) -> None:
    """Adds two queue runners, which move examples to buckets and batches out of buckets."""

    def enqueue() -> Any:
        fills = [
            ops.cond(ops.equal(which, i), lambda q=queue: q.enqueue(example), ops.no_op)
            for i, queue in enumerate(buckets)
        ]
        return ops.group(*fills, name="group_enqueues")

    fill = ops.smart_cond(keep, enqueue, ops.no_op)
    assignments = []
    for i, (queue, size) in enumerate(zip(buckets, sizes)):
        bucket_id = ops.constant(i)
        take = queue.dequeue_up_to if takes_fewer else queue.dequeue_many
        elements = take(size, name=f"read_bucket_{i}")
        elements = elements if isinstance(elements, list) else [elements]
        assignments.append(batches.enqueue([bucket_id, *elements], name=f"enqueue_from_bucket_{i}"))
    add_queue_runner(
        QueueRunner(
            buckets[0],
            assignments,
            close_op=batches.close(),
            cancel_op=batches.close(cancel_pending_enqueues=True),
            queue_closed_exception_types=_ENDS,
        )
    )
    add_queue_runner(
        QueueRunner(
            batches,
            [fill] * num_threads,
            close_op=ops.group(*[queue.close() for queue in buckets]),
            cancel_op=ops.group(*[queue.close(cancel_pending_enqueues=True) for queue in buckets]),
            queue_closed_exception_types=_ENDS,
        )
    )


@arguments_of(bucket, "which_bucket", "num_buckets")
def bucket_by_sequence_length(
    input_length: TensorLike,
    tensors: Any,
    batch_size: TensorLike,
    bucket_boundaries: Sequence[int],
    shapes: Any,
    name: str | None,
    **kwargs: Any,
) -> tuple[Any, ...]:
    """Returns batches of sequences of similar length.

    Args:
      input_length: a scalar int32, the length of the sequence.
      bucket_boundaries: increasing integers, the exclusive upper limits of buckets.
      Other arguments are as in `tf.contrib.training.bucket`.

    Returns:
      A tuple of the lengths, an int32 Tensor [batch_size], and a batch in the structure of `tensors`, with a leading
      batch axis; for a dict with a single tensor, a list.

    Raises:
      TypeError: if `bucket_boundaries` is not a list of integers.
      ValueError: if it is empty or not increasing.
    """
    components = tensor_list(tensors)
    if not isinstance(bucket_boundaries, list | tuple):
        raise TypeError(
            f"bucket_boundaries must be a list or tuple, but received: {bucket_boundaries}"
        )
    if not bucket_boundaries:
        raise ValueError("bucket_boundaries must not be empty")
    for low, high in zip(bucket_boundaries[:-1], bucket_boundaries[1:]):
        if not isinstance(low, int) or not isinstance(high, int):
            raise TypeError(f"bucket boundaries must be integers, but saw: {low} and {high}")
        if low >= high:
            raise ValueError(
                f"Buckets must contain sequential increasing lengths, but saw: {low} before {high}"
            )
    with name_scope(name, "bucket_by_sequence_length", [input_length, *components]):
        length = convert_to_tensor(input_length, dtype=dtypes.int32, name="input_length")
        limits = np.iinfo(np.int32)
        lows, highs = [limits.min, *bucket_boundaries], [*bucket_boundaries, limits.max]
        is_in = ops.logical_and(ops.less_equal(lows, length), ops.less(length, highs))
        which = ops.cast(ops.reduce_min(ops.where_v2(is_in)), dtypes.int32)
        _, batch = bucket(
            tensors=[length, *components],
            which_bucket=which,
            batch_size=batch_size,
            num_buckets=len(bucket_boundaries) + 1,
            shapes=None if shapes is None else [TensorShape([]), *shapes],
            **kwargs,
        )
        outputs = batch[1:]
        if isinstance(tensors, dict) and len(tensors) == 1:
            outputs = [outputs]  # as in TensorFlow, a single value becomes a list
        return batch[0], pack_dequeued(tensors, outputs)
