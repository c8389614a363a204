"""`FileWriter` with a session, which shares its event file with `tf.contrib.summary` ops."""

from __future__ import annotations

from typing import Any

from tfmini._src.base import proto
from tfmini._src.formats.gfile_functions import makedirs
from tfmini._src.graph.scopes import name_scope
from tfmini._src.ops import ops
from tfmini._src.train.summary_v2.record_summaries import always_record_summaries
from tfmini._src.train.summary_v2.summary_ops import import_event
from tfmini._src.train.summary_v2.summary_writer import create_file_writer


class EventFileWriterV2:
    """Writes events through session ops to one file per graph and directory.

    Args:
      session: the session; the ops are added to its graph.
      logdir: the directory; created if missing.
      max_queue, flush_secs, filename_suffix: as in `FileWriter`; ignored if the graph already has such a writer.
    """

    def __init__(
        self,
        session: Any,
        logdir: str,
        max_queue: int = 10,
        flush_secs: float = 120,
        filename_suffix: str | None = "",
    ):
        self._session = session
        self._logdir = logdir
        self._closed = False
        makedirs(logdir)
        with session.graph.as_default(), name_scope("filewriter"):
            writer = create_file_writer(
                logdir,
                max_queue=max_queue,
                flush_millis=flush_secs * 1000,
                filename_suffix=filename_suffix,
            )
            with always_record_summaries(), writer.as_default():
                unused = ops.constant("unused")
                self._event = ops.placeholder_with_default(unused, shape=[])
                self._add = import_event(self._event)
            self._init, self._flush, self._close = writer.init(), writer.flush(), writer.close()
        session.run(self._init)

    def get_logdir(self) -> str:
        """Returns the directory."""
        return self._logdir

    def reopen(self) -> None:
        """Reopens the writer after `close`; later events go to a new file."""
        if self._closed:
            self._closed = False
            self._session.run(self._init)

    def add_event(self, event: proto.Event) -> None:
        """Adds a `tf.Event`, unless the writer is closed."""
        if not self._closed:
            self._session.run(self._add, {self._event: event.SerializeToString()})

    def flush(self) -> None:
        """Blocks until all pending events are written."""
        self._session.run(self._flush)

    def close(self) -> None:
        """Flushes pending events and closes the file."""
        if not self._closed:
            self.flush()
            self._session.run(self._close)
            self._closed = True
