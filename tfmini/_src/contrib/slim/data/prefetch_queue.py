"""`tf.contrib.slim.prefetch_queue`: a queue that prefetches inputs."""

from __future__ import annotations

from typing import Any

from tfmini._src.base import dtypes as _dtypes
from tfmini._src.graph.scopes import name_scope
from tfmini._src.ops import ops
from tfmini._src.ops.queues.queue import FIFOQueue, PaddingFIFOQueue
from tfmini._src.ops.summaries.scalar_histogram_summary import scalar
from tfmini._src.train.input_queues.queue_runner import QueueRunner, add_queue_runner


def prefetch_queue(
    tensors: Any,
    capacity: int = 8,
    num_threads: int = 1,
    dynamic_pad: bool = False,
    shared_name: str | None = None,
    name: str | None = None,
) -> Any:
    """Returns a queue filled with `tensors`, usually batches, by background threads.

    Args:
      tensors: a list of tensors, or a dict whose keys become the queue's component names.
      capacity: capacity in elements.
      num_threads: number of enqueuing threads.
      dynamic_pad: whether to pad batches with different shapes.
      shared_name: name under which sessions share the queue.
      name: a name scope.

    Returns:
      A queue; its QueueRunner is in the graph's collection.

    Raises:
      ValueError: for unknown shapes, unless `dynamic_pad` is set.

    Example:
      queue = slim.prefetch_queue.prefetch_queue([images, labels])
      images, labels = queue.dequeue()
    """
    names = sorted(tensors) if isinstance(tensors, dict) else None
    values = tensors if names is None else [tensors[key] for key in names]
    with name_scope(name, "prefetch_queue", values) as name:
        make = PaddingFIFOQueue if dynamic_pad else FIFOQueue
        queue = make(
            capacity=capacity,
            dtypes=[value.dtype for value in values],
            shapes=[value.get_shape() for value in values],
            names=names,
            shared_name=shared_name,
        )
        enqueue = queue.enqueue(tensors)
        add_queue_runner(QueueRunner(queue, [enqueue] * num_threads))
        fraction = ops.cast(queue.size(), _dtypes.float32) * (1.0 / capacity)
        scalar(f"fraction_of_{capacity}_full", fraction)
        return queue
