"""Context manager that runs queue runners within a block."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from tfmini._src.base.locks import make_lock
from tfmini._src.graph.collections import get_collection
from tfmini._src.graph.graph_keys import GraphKeys
from tfmini._src.session.base_session import BaseSession
from tfmini._src.train.input_queues.coordinator import Coordinator

_STOP_SECONDS = 120
_running = make_lock()


class NestedQueueRunnerError(Exception):
    """Raised if `QueueRunners` blocks are nested."""


@contextmanager
def QueueRunners(session: BaseSession) -> Iterator[None]:
    """Context manager that runs the queue runners of the default graph.

    The runners are stopped at the end; the session is closed if one does not stop within 120 seconds.

    Args:
      session: the session to run in.

    Raises:
      NestedQueueRunnerError: if blocks are nested.

    Example:
      with tf.Session() as session, tf.contrib.slim.queues.QueueRunners(session):
          images, labels = session.run([images, labels])
    """
    if not _running.acquire(blocking=False):
        raise NestedQueueRunnerError("QueueRunners cannot be nested")
    try:
        coord = Coordinator()
        threads = [
            thread
            for runner in get_collection(GraphKeys.QUEUE_RUNNERS)
            for thread in runner.create_threads(session, coord=coord, daemon=True, start=True)
        ]
        try:
            yield
        finally:
            coord.request_stop()
            try:
                coord.join(threads, stop_grace_period_secs=_STOP_SECONDS)
            except RuntimeError:
                session.close()
    finally:
        _running.release()
