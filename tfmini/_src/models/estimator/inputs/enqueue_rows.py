"""A queue of array row batches, filled by threads that feed placeholders."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from tfmini._src.base import dtypes, logs
from tfmini._src.base.errors import OutOfRangeError
from tfmini._src.graph.scopes import name_scope
from tfmini._src.ops import ops
from tfmini._src.ops.queues.queue import FIFOQueue, PaddingFIFOQueue, RandomShuffleQueue
from tfmini._src.ops.summaries.scalar_histogram_summary import scalar
from tfmini._src.train.input_queues.feeding_queue_runner import FeedingQueueRunner
from tfmini._src.train.input_queues.queue_runner import add_queue_runner


def rows_of_batches(length: int, batch: int, first: int, epochs: int | None) -> Iterator[list[int]]:
    """Yields the row indices of each batch: from `first`, cyclically, for `epochs` epochs (None: no limit).

    Batches extend across epoch boundaries, except at the end.
    """
    start, remaining = first, None if epochs is None else epochs * length
    while remaining is None or remaining > 0:
        size = batch if remaining is None else min(batch, remaining)
        yield [(start + i) % length for i in range(size)]
        start = (start + size) % length
        remaining = None if remaining is None else remaining - size


def _feed(
    placeholders: Sequence[Any],
    columns: Callable[[list[int]], list[Any]],
    batches: Iterator[list[int]],
    epochs: int | None,
) -> Callable[[], dict]:
    def feed() -> dict:
        rows = next(batches, None)
        if rows is None:
            raise OutOfRangeError(None, None, f"Already emitted {epochs} epochs.")
        return dict(zip(placeholders, columns(rows)))

    return feed


def enqueue_rows(
    types: Sequence[Any],
    shapes: Sequence[Any],
    length: int,
    columns: Callable[[list[int]], list[Any]],
    capacity: int,
    shuffle: bool,
    threads: int,
    batch: int,
    epochs: int | None,
    min_after_dequeue: float | None = None,
) -> Any:
    """Returns a queue of rows filled by a QueueRunner.

    Args:
      types, shapes: types and shapes of an element's components.
      length: number of rows.
      columns: function from row indices to element components.
      capacity: capacity of the queue in rows.
      shuffle: whether to dequeue in random order.
      threads: number of enqueuing threads.
      batch: number of rows enqueued at a time.
      epochs: number of epochs; None for unlimited.
      min_after_dequeue: minimum size of a shuffling queue after dequeuing, by default a quarter of the
        capacity.

    Returns:
      The queue.
    """

    def feeder(placeholders: list) -> Callable[[], dict]:
        first = random.randrange(length) if shuffle else 0
        batches = rows_of_batches(length, batch, first, epochs)
        return _feed(placeholders, columns, batches, epochs)

    return enqueue_fed(types, shapes, feeder, capacity, shuffle, threads, epochs, min_after_dequeue)


def enqueue_fed(
    types: Sequence[Any],
    shapes: Sequence[Any],
    feeder: Callable[[list], Callable[[], dict]],
    capacity: int,
    shuffle: bool,
    threads: int,
    epochs: int | None,
    min_after_dequeue: float | None = None,
    padded: bool = False,
) -> Any:
    """Returns a queue filled by threads: `feeder(placeholders)` creates a function that returns each feed dict.

    With `padded`, elements of different sizes are padded on dequeuing. Other arguments are as in
    `enqueue_rows`.
    """
    _warn(shuffle, threads, epochs)
    types = [_feed_dtype(t) for t in types]
    with name_scope("enqueue_input"):
        least = 0
        if shuffle:
            least = int(capacity / 4 if min_after_dequeue is None else min_after_dequeue)
            queue: Any = RandomShuffleQueue(capacity, least, dtypes=types, shapes=shapes)
        else:
            queue_class = PaddingFIFOQueue if padded else FIFOQueue
            queue = queue_class(capacity, dtypes=types, shapes=shapes)
        enqueues, feeds = [], []
        for _ in range(threads):
            placeholders = [ops.placeholder(t) for t in types]
            enqueues.append(queue.enqueue_many(placeholders))
            feeds.append(feeder(placeholders))
        add_queue_runner(FeedingQueueRunner(queue, enqueues, feed_fns=feeds))
        surplus = ops.cast(ops.maximum(0, queue.size() - least), dtypes.float32)
        room = capacity - least
        scalar(f"queue/{queue.name}fraction_over_{least}_of_{room}_full", surplus * (1.0 / room))
    return queue


def _feed_dtype(dtype: Any) -> dtypes.DType:
    """Returns the dtype to feed a column with; pandas text dtypes become string."""
    return dtypes.string if getattr(dtype, "type", None) is str else dtypes.as_dtype(dtype)


def _warn(shuffle: bool, threads: int, epochs: int | None) -> None:
    """Warns about multiple enqueuing threads that distort epochs or the row order."""
    if threads <= 1:
        return
    if epochs is not None:
        logs.warning(
            "enqueue_data was called with num_epochs and num_threads > 1. num_epochs is applied per thread, so this "
            "will produce more epochs than you probably intend. If you want to limit epochs, use one thread."
        )
        if shuffle:
            logs.warning(
                "enqueue_data was called with shuffle=True, num_threads > 1, and num_epochs. This will create "
                "multiple threads, all reading the array/dataframe in order adding to the same shuffling queue; the "
                "results will likely not be sufficiently shuffled."
            )
    if not shuffle:
        logs.warning(
            "enqueue_data was called with shuffle=False and num_threads > 1. This will create multiple threads, all "
            "reading the array/dataframe in order. If you want examples read in order, use one thread; if you want "
            "multiple threads, enable shuffling."
        )


def check_shuffle(shuffle: Any) -> None:
    """Raises ValueError if `shuffle` is None."""
    if not isinstance(shuffle, bool):
        raise ValueError(
            "shuffle must be provided and explicitly set as boolean (it is recommended to set it as True for "
            f"training); got {shuffle}"
        )


def dequeue(queue: Any, batch: int, epochs: int | None) -> list[Any]:
    """Returns the components of a dequeued batch, possibly smaller at the end of limited epochs."""
    return queue.dequeue_many(batch) if epochs is None else queue.dequeue_up_to(batch)
