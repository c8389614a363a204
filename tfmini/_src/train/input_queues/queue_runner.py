"""QueueRunner: threads that fill a queue until its input ends or their coordinator stops them."""

from __future__ import annotations

import threading
import weakref
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from tfmini._src.base import logs, proto
from tfmini._src.base.errors import (
    CancelledError,
    OpError,
    OutOfRangeError,
    error_code_from_exception_type,
    exception_type_from_error_code,
)
from tfmini._src.base.locks import make_lock
from tfmini._src.base.names.deprecation import deprecated
from tfmini._src.base.read_only import read_only
from tfmini._src.graph.collections import add_to_collection, get_collection
from tfmini._src.graph.default_graph import get_default_graph
from tfmini._src.graph.default_stack import DefaultSession, get_default_session
from tfmini._src.graph.eager.execution_mode import require_graph_mode
from tfmini._src.graph.graph_keys import GraphKeys
from tfmini._src.graph.graphdef.collection_protos import register_proto_function
from tfmini._src.graph.prefixes import prepend_name_scope, strip_name_scope
from tfmini._src.session.base_session import BaseSession
from tfmini._src.session.batched_steps import repeat_op

if TYPE_CHECKING:
    from tfmini._src.graph.operation import Operation
    from tfmini._src.train.input_queues.coordinator import Coordinator


_INSTEAD = "To construct input pipelines, use the `tf.data` module."


class QueueRunner:
    """Fills a queue: each enqueue operation runs in a loop in its own thread.

    The queue is closed when the last operation reaches the end of its input; pending enqueues are cancelled when the
    coordinator stops.

    Args:
      queue: the queue.
      enqueue_ops: the operations; an operation listed twice has two threads.
      close_op, cancel_op: operations that close the queue at the end of input and on a stop; by default the queue's
        own.
      queue_closed_exception_types: a tuple of `tf.errors` classes that signal the end of input; by default
        `(tf.errors.OutOfRangeError,)`.
      queue_runner_def: a QueueRunnerDef, instead of the arguments above.
      import_scope: name scope to prepend to the names in it.

    Raises:
      ValueError: if the queue or operations are missing, or `queue_runner_def` is given as well.
      TypeError: if `queue_closed_exception_types` is not a tuple of error classes.

    Example: `tf.train.QueueRunner(queue, [queue.enqueue(example)] * 4)`.
    """

    queue: Any = read_only("The queue.")
    enqueue_ops: Any = read_only("The enqueue operations, one per thread.")
    close_op: Any = read_only("The operation that closes the queue.")
    cancel_op: Any = read_only("The operation that closes the queue and cancels pending enqueues.")
    exceptions_raised: list = read_only("Exceptions raised in threads without a coordinator.")

    @deprecated(None, _INSTEAD)
    def __init__(
        self,
        queue: Any = None,
        enqueue_ops: Sequence[Any] | None = None,
        close_op: Operation | None = None,
        cancel_op: Operation | None = None,
        queue_closed_exception_types: tuple[type[Exception], ...] | None = None,
        queue_runner_def: proto.QueueRunnerDef | None = None,
        import_scope: str | None = None,
    ):
        require_graph_mode(
            "QueueRunners are not supported when eager execution is enabled. Instead, please use tf.data to get data "
            "into your model."
        )
        if queue_runner_def:
            if queue or enqueue_ops:
                raise ValueError("queue_runner_def and queue are mutually exclusive.")
            self._read(queue_runner_def, import_scope)
        else:
            if not queue or not enqueue_ops:
                raise ValueError("Must provide queue and enqueue_ops.")
            exception_types = queue_closed_exception_types
            if exception_types is not None:
                is_tuple = isinstance(exception_types, tuple) and exception_types
                if not is_tuple or not all(
                    issubclass(exception_type, OpError) for exception_type in exception_types
                ):
                    raise TypeError(
                        "queue_closed_exception_types, when provided, must be a tuple of tf.error types, but saw: "
                        f"{exception_types}"
                    )
            self._queue = queue
            self._enqueue_ops = enqueue_ops
            self._close_op = queue.close() if close_op is None else close_op
            self._cancel_op = cancel_op
            if cancel_op is None:
                self._cancel_op = queue.close(cancel_pending_enqueues=True)
            self._kinds = exception_types or (OutOfRangeError,)
        self._lock = make_lock()
        self._running: Any = weakref.WeakKeyDictionary()  # number of threads by session
        self._exceptions_raised: list[BaseException] = []

    def _read(self, message: Any, import_scope: str | None) -> None:
        graph = get_default_graph()

        def element(name: str) -> Any:
            return graph.as_graph_element(prepend_name_scope(name, import_scope))

        self._queue = element(message.queue_name)
        self._enqueue_ops = [element(name) for name in message.enqueue_op_name]
        self._close_op = element(message.close_op_name)
        self._cancel_op = element(message.cancel_op_name)
        codes = message.queue_closed_exception_types
        self._kinds = tuple(map(exception_type_from_error_code, codes)) or (OutOfRangeError,)

    queue_closed_exception_types: tuple = read_only(
        "Error classes that signal the end of input.", "_kinds"
    )
    name: str = read_only("The name of the queue's node.", "_queue.name")

    def create_threads(
        self,
        sess: DefaultSession,
        coord: Coordinator | None = None,
        daemon: bool = False,
        start: bool = False,
    ) -> list[threading.Thread]:
        """Creates threads that run the operations in a session; none if threads already run there.

        Args:
          sess: the session.
          coord: a Coordinator that receives the exceptions of the threads and joins them.
          daemon: whether the threads are daemons.
          start: whether to start the threads.
        """
        with self._lock:
            if self._running.get(sess, 0) > 0:
                return []
            self._running[sess] = len(self._enqueue_ops)
            self._exceptions_raised = []
        threads = [
            threading.Thread(
                target=self._run,
                args=(sess, index, coord),
                name=f"QueueRunnerThread-{self.name}-{op.name}",
            )
            for index, op in enumerate(self._enqueue_ops)
        ]
        if coord:
            threads.append(
                threading.Thread(
                    target=self._close_on_stop,
                    args=(sess, coord),
                    name=f"QueueRunnerThread-{self.name}-close_on_stop",
                )
            )
        for thread in threads:
            if coord:
                coord.register_thread(thread)
            thread.daemon = daemon or thread.daemon
            if start:
                thread.start()
        return threads

    def _run(self, sess: Any, index: int, coord: Any) -> None:
        is_counted = True
        try:
            step = self._step(sess, index)
            while not (coord and coord.should_stop()):
                try:
                    step()
                except self._kinds:
                    is_counted = False
                    if self._end_thread(sess):
                        self._close(sess, self._close_op)
                    return
        except Exception as error:  # re-raised in the main thread
            if coord and coord.joined and isinstance(error, CancelledError):
                return  # after `join`, which closed the session to end this thread
            if coord:
                coord.request_stop(error)
                return
            logs.error("Exception in QueueRunner: %s", error)
            with self._lock:
                self._exceptions_raised.append(error)
            raise
        finally:
            if is_counted:
                self._end_thread(sess)

    def _step(self, sess: Any, index: int) -> Callable[[], Any]:
        """Returns the function that an enqueue thread calls repeatedly."""
        return repeat_op(sess, self._enqueue_ops[index])

    def _end_thread(self, sess: Any) -> bool:
        """Decrements the thread count; returns whether the last thread has ended."""
        with self._lock:
            self._running[sess] -= 1
            return self._running[sess] == 0

    def _close_on_stop(self, sess: Any, coord: Any) -> None:
        coord.wait_for_stop()
        self._close(sess, self._cancel_op)

    @staticmethod
    def _close(sess: Any, close_op: Any) -> None:
        """Closes the queue unless the queue or its session is already closed."""
        try:
            sess.run(close_op)
        except (OpError, RuntimeError) as error:
            logs.vlog(1, "Ignored exception: %s", error)

    def to_proto(self, export_scope: str | None = None) -> Any:
        """Returns a QueueRunnerDef, or None if the queue is outside the name scope `export_scope`."""
        if export_scope is not None and not self.queue.name.startswith(export_scope):
            return None
        return proto.QueueRunnerDef(
            queue_name=strip_name_scope(self.queue.name, export_scope),
            enqueue_op_name=[strip_name_scope(op.name, export_scope) for op in self.enqueue_ops],
            close_op_name=strip_name_scope(self.close_op.name, export_scope),
            cancel_op_name=strip_name_scope(self.cancel_op.name, export_scope),
            queue_closed_exception_types=[
                error_code_from_exception_type(exception_type) for exception_type in self._kinds
            ],
        )

    @staticmethod
    def from_proto(
        queue_runner_def: proto.QueueRunnerDef, import_scope: str | None = None
    ) -> QueueRunner:
        """Creates a QueueRunner from a QueueRunnerDef, in the default graph."""
        return QueueRunner(queue_runner_def=queue_runner_def, import_scope=import_scope)


@deprecated(None, _INSTEAD)
def add_queue_runner(qr: QueueRunner, collection: str = GraphKeys.QUEUE_RUNNERS) -> None:
    """Adds a QueueRunner to a collection of the graph, for `start_queue_runners`."""
    add_to_collection(collection, qr)


@deprecated(None, _INSTEAD)
def start_queue_runners(
    sess: Any = None,
    coord: Coordinator | None = None,
    daemon: bool = True,
    start: bool = True,
    collection: str = GraphKeys.QUEUE_RUNNERS,
) -> list[threading.Thread]:
    """Starts and returns the threads of all queue runners in a session's graph.

    Args:
      sess: the session, by default the default session.
      coord: a Coordinator for the threads.
      daemon: whether the threads are daemons.
      start: whether to start the threads.
      collection: the collection of queue runners.

    Raises:
      ValueError: if there is no session.
      TypeError: if `sess` is not a session.

    Example: `threads = tf.train.start_queue_runners(session, coordinator)`.
    """
    require_graph_mode("Queues are not compatible with eager execution.")
    if sess is None:
        sess = get_default_session()
        if not sess:
            raise ValueError(
                "Cannot start queue runners: No default session is registered. Use `with sess.as_default()` or pass an "
                "explicit session to tf.start_queue_runners(sess=sess)"
            )
    if not isinstance(sess, BaseSession):
        if type(sess).__name__ in ("MonitoredSession", "SingularMonitoredSession"):
            return []
        raise TypeError(f"sess must be a `tf.Session` object. Given class: {type(sess)}")
    with sess.graph.as_default():
        runners = get_collection(collection)
        if not runners:
            logs.warning(
                "`tf.train.start_queue_runners()` was called when no queue runners were defined. You can safely remove "
                "the call to this deprecated function."
            )
        return [
            thread
            for runner in runners
            for thread in runner.create_threads(sess, coord=coord, daemon=daemon, start=start)
        ]


register_proto_function(
    GraphKeys.QUEUE_RUNNERS, "QueueRunnerDef", QueueRunner.to_proto, QueueRunner.from_proto
)
