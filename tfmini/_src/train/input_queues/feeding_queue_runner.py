"""A QueueRunner whose enqueue operations are fed."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from tfmini._src.base.errors import CancelledError, OutOfRangeError
from tfmini._src.train.input_queues.queue_runner import QueueRunner

if TYPE_CHECKING:
    from tfmini._src.graph.operation import Operation
    from tfmini._src.ops.queues.queue import QueueBase


class FeedingQueueRunner(QueueRunner):
    """Fills a queue: each enqueue operation runs in a loop in its own thread, and a Python function feeds it.

    Args:
      queue, enqueue_ops, close_op, cancel_op: as in `QueueRunner`.
      feed_fns: for each operation, a function that returns the next feed_dict and raises `tf.errors.OutOfRangeError`
        at the end of input; None feeds nothing.
      queue_closed_exception_types: a tuple of `tf.errors` classes that signal the end of input; by default
        `(tf.errors.OutOfRangeError, tf.errors.CancelledError)`.

    Raises:
      ValueError: if queue or operations are missing, or the numbers of functions and operations differ.

    Example:
      rows = iter(range(100))
      runner = FeedingQueueRunner(queue, [queue.enqueue(x)], feed_fns=[lambda: {x: next(rows)}])
    """

    def __init__(
        self,
        queue: QueueBase | None = None,
        enqueue_ops: Any = None,
        close_op: Operation | None = None,
        cancel_op: Operation | None = None,
        feed_fns: Any = None,
        queue_closed_exception_types: tuple[type[Exception], ...] | None = None,
    ):
        exception_types = queue_closed_exception_types
        if exception_types is None:
            exception_types = (OutOfRangeError, CancelledError)
        super().__init__(
            queue, enqueue_ops, close_op, cancel_op, queue_closed_exception_types=exception_types
        )
        if feed_fns is not None and len(feed_fns) != len(enqueue_ops):
            raise ValueError(
                "If feed_fns is not None, it must have the same length as enqueue_ops."
            )
        self._feed_fns = feed_fns

    def _step(self, sess: Any, index: int) -> Callable[[], Any]:
        feed = None if self._feed_fns is None else self._feed_fns[index]
        if feed is None:
            return super()._step(sess, index)
        op = self._enqueue_ops[index]
        return lambda: sess.run(op, feed_dict=feed())

    def to_proto(self) -> Any:  # type: ignore[override]
        """Raises NotImplementedError, since feeds cannot be serialized."""
        raise NotImplementedError("_FeedingQueueRunner does not support serialization to proto.")
