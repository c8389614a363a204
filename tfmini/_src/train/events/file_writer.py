"""`tf.summary.FileWriter`: writes summaries, graphs and logs of a program for TensorBoard."""

from __future__ import annotations

import time
import warnings
from contextlib import ExitStack
from typing import Any, Self, SupportsInt

from tfmini._src.base import logs, proto
from tfmini._src.base.locks import make_rlock
from tfmini._src.base.names.user_line import users_level
from tfmini._src.graph.default_graph import get_default_graph
from tfmini._src.graph.eager.execution_mode import executing_eagerly
from tfmini._src.graph.graph import Graph
from tfmini._src.session.base_session import BaseSession
from tfmini._src.train.events.event_file_writer import EventFileWriter
from tfmini._src.train.events.event_file_writer_v2 import EventFileWriterV2
from tfmini._src.train.events.plugin_assets import write_plugin_assets
from tfmini._src.train.meta_graph.export_meta_graph import export_meta_graph


class FileWriter:
    """Writes events asynchronously to a new file in a directory.

    Args:
      logdir: the directory; created if missing.
      graph: a `tf.Graph` to add immediately, with its collections.
      max_queue: capacity of the event queue; calls block when it is full.
      flush_secs: flush interval in seconds.
      graph_def: a GraphDef instead of `graph`; deprecated.
      filename_suffix: suffix of the file name.
      session: a session whose ops write the events, to the file shared with `tf.contrib.summary` ops of its graph.

    Raises:
      RuntimeError: in eager mode; use `tf.contrib.summary` instead.
      OpError: for system errors; errors of writes are raised by the next call.

    Example:
      with tf.summary.FileWriter("/tmp/log", tf.get_default_graph()) as writer:
          value = tf.Summary.Value(tag="loss", simple_value=0.5)
          writer.add_summary(tf.Summary(value=[value]), global_step=1)
    """

    def __init__(
        self,
        logdir: str,
        graph: Graph | proto.GraphDef | None = None,
        max_queue: int = 10,
        flush_secs: int = 120,
        graph_def: proto.GraphDef | None = None,
        filename_suffix: str | None = None,
        session: BaseSession | None = None,
    ):
        if executing_eagerly():
            raise RuntimeError(
                "tf.summary.FileWriter is not compatible with eager execution. Use tf.contrib.summary instead."
            )
        settings = logdir, max_queue, flush_secs, filename_suffix
        self.event_writer: EventFileWriter | EventFileWriterV2
        if session is None:
            self.event_writer = EventFileWriter(*settings)
        else:
            self.event_writer = EventFileWriterV2(session, *settings)
        self._closed = False
        self._run_tags: set[Any] = set()
        self._summary_tags: set[str] = set()
        if graph is not None or graph_def is not None:
            try:
                self.add_graph(graph, graph_def=graph_def)
                nodes = graph.as_graph_def(add_shapes=True) if isinstance(graph, Graph) else graph
                self.add_meta_graph(export_meta_graph(graph_def=graph_def or nodes))
            except BaseException:
                self.event_writer.close()
                raise

    def __enter__(self) -> Self:
        return self

    def __exit__(self, unused_type: object, unused_value: object, unused_traceback: object) -> None:
        self.close()

    def add_summary(self, summary: Any, global_step: SupportsInt | None = None) -> None:
        """Adds a summary.

        Args:
          summary: the value of a summary op (bytes), or a `tf.Summary`.
          global_step: step of the entry.

        Only the first summary of a tag keeps its metadata, which TensorBoard needs only once.
        """
        event = proto.Event()
        if isinstance(summary, bytes):
            event.summary.SetInParent()
            event.summary.ParseFromString(summary)
        else:
            iter(summary.value)  # fails unless it is a Summary
            event.summary.CopyFrom(summary)
        tags = self._summary_tags
        for value in event.summary.value:
            tag = value.tag
            if tag not in tags:
                tags.add(tag)
            elif value.HasField("metadata"):
                value.ClearField("metadata")
        self._add(event, global_step)

    def add_session_log(
        self, session_log: proto.SessionLog, global_step: SupportsInt | None = None
    ) -> None:
        """Adds a `tf.SessionLog`, which records a session's start or stop, or a checkpoint."""
        self._add(proto.Event(session_log=session_log), global_step)

    def add_graph(
        self,
        graph: Graph | proto.GraphDef | None,
        global_step: SupportsInt | None = None,
        graph_def: proto.GraphDef | None = None,
    ) -> None:
        """Adds a graph with its tensor shapes and plugin files.

        Args:
          graph: a `tf.Graph`.
          global_step: step of the entry.
          graph_def: a GraphDef; deprecated.

        Raises:
          ValueError: if both are given.
          TypeError: if neither is given.
        """
        if graph is not None and graph_def is not None:
            raise ValueError("Please pass only graph, or graph_def (deprecated), but not both.")
        definition = graph_def if graph is None else graph
        if isinstance(definition, Graph):
            if graph is None:
                logs.warning(
                    "When passing a `Graph` object, please use the `graph` named argument instead of `graph_def`."
                )
            write_plugin_assets(definition, self.get_logdir())
            definition = definition.as_graph_def(add_shapes=True)
        elif isinstance(definition, proto.GraphDef):
            logs.warning(
                "Passing a `GraphDef` to the SummaryWriter is deprecated. "
                "Pass a `Graph` object instead, such as `sess.graph`."
            )
        else:
            raise TypeError(
                "The passed graph must be an instance of `Graph` or the deprecated `GraphDef`"
            )
        self._add(proto.Event(graph_def=definition.SerializeToString()), global_step)

    def add_meta_graph(
        self, meta_graph_def: proto.MetaGraphDef, global_step: SupportsInt | None = None
    ) -> None:
        """Adds a `tf.MetaGraphDef`, as returned by `tf.train.export_meta_graph`.

        Raises:
          TypeError: for other types.
        """
        if not isinstance(meta_graph_def, proto.MetaGraphDef):
            raise TypeError(
                f"meta_graph_def must be type MetaGraphDef, saw type: {type(meta_graph_def)}"
            )
        self._add(proto.Event(meta_graph_def=meta_graph_def.SerializeToString()), global_step)

    def add_run_metadata(
        self, run_metadata: proto.RunMetadata, tag: str, global_step: SupportsInt | None = None
    ) -> None:
        """Adds the metadata of one `run`.

        Args:
          run_metadata: a `tf.RunMetadata`.
          tag: its unique name.
          global_step: step of the entry.

        Raises:
          ValueError: if the tag was used before.
        """
        if tag in self._run_tags:
            raise ValueError("The provided tag was already used for this event type")
        self._run_tags.add(tag)
        tagged = proto.TaggedRunMetadata(tag=tag, run_metadata=run_metadata.SerializeToString())
        self._add(proto.Event(tagged_run_metadata=tagged), global_step)

    def add_event(self, event: proto.Event) -> None:
        """Adds a `tf.Event` unchanged.

        Raises:
          TypeError: for other types.
        """
        self._warn_if_closed()
        self.event_writer.add_event(event)

    def get_logdir(self) -> str:
        """Returns the directory."""
        return self.event_writer.get_logdir()

    def flush(self) -> None:
        """Blocks until all pending events are written."""
        self._warn_if_closed()
        self.event_writer.flush()

    def close(self) -> None:
        """Flushes pending events and closes the file."""
        self._closed = True
        self.event_writer.close()

    def reopen(self) -> None:
        """Reopens the writer after `close`; later events go to a new file."""
        self.event_writer.reopen()
        self._closed = False

    def _add(self, event: Any, step: Any) -> None:
        event.wall_time = time.time()
        if step is not None:
            event.step = int(step)
        self.add_event(event)

    def _warn_if_closed(self) -> None:
        if self._closed:
            warnings.warn(
                "Attempting to use a closed FileWriter. The operation will be a noop unless the FileWriter "
                "is explicitly reopened.",
                stacklevel=users_level(),
            )


class FileWriterCache:
    """Cache of shared writers, one per directory."""

    _cache: dict[Any, FileWriter] = {}
    _lock = make_rlock()

    @staticmethod
    def clear() -> None:
        """Closes all writers, even if closing one fails, and clears the cache."""
        with FileWriterCache._lock, ExitStack() as closing:
            for writer in FileWriterCache._cache.values():
                closing.callback(writer.close)
            FileWriterCache._cache = {}

    @staticmethod
    def get(logdir: str) -> FileWriter:
        """Returns the FileWriter of a directory; a new writer writes the default graph."""
        with FileWriterCache._lock:
            if logdir not in FileWriterCache._cache:
                FileWriterCache._cache[logdir] = FileWriter(logdir, graph=get_default_graph())
            return FileWriterCache._cache[logdir]
