"""Writers of event files as session resources, which ops create, flush and close."""

from __future__ import annotations

import abc
import contextlib
import itertools
import os
import uuid
import weakref
from collections.abc import Iterator
from functools import partial
from typing import Any

from tfmini._src.base import logs
from tfmini._src.base.dtypes import string
from tfmini._src.base.names.deprecation import deprecated
from tfmini._src.graph.collections import add_to_collection, get_collection
from tfmini._src.graph.default_graph import get_default_graph
from tfmini._src.graph.default_stack import get_default_session
from tfmini._src.graph.eager.eager_tensor import EagerTensor
from tfmini._src.graph.eager.execution_mode import executing_eagerly
from tfmini._src.graph.graph import Graph
from tfmini._src.graph.graph_keys import GraphKeys
from tfmini._src.graph.scopes import control_dependencies, name_scope
from tfmini._src.graph.tensor import Tensor, TensorLike
from tfmini._src.ops import ops, raw
from tfmini._src.train.summary_v2.record_summaries import DEFAULTS
from tfmini._src.variables.init_scope import init_scope

_NUMBERS = itertools.count()
_INITIALIZERS = "_SUMMARY_WRITER_V2"


class SummaryWriter(abc.ABC):
    """Base class of summary writers; see `tf.contrib.summary.create_file_writer`."""

    @abc.abstractmethod
    def set_as_default(self) -> None:
        """Sets this as the thread's default writer."""
        raise NotImplementedError

    @abc.abstractmethod
    def as_default(self) -> Any:
        """Context manager that sets this as the thread's default writer."""
        raise NotImplementedError

    def init(self) -> Any:
        """Returns the operation that creates the event file."""
        raise NotImplementedError

    def flush(self) -> Any:
        """Returns the flush operation."""
        raise NotImplementedError

    def close(self) -> Any:
        """Returns the operation that flushes and closes the file."""
        raise NotImplementedError


class ResourceSummaryWriter(SummaryWriter):
    """A writer that is a resource of the session that runs its ops.

    runs_once: whether a writer becomes unusable when closed, in eager mode.
    """

    def __init__(
        self, shared_name: str, init_op_fn: Any, name: str | None = None, runs_once: bool = False
    ) -> None:
        self._resource = raw.SummaryWriter(shared_name=shared_name, name=name)
        self._init_op_fn = init_op_fn
        self._init_op = init_op_fn(self._resource)
        self._runs_once = runs_once
        self._closed = False
        if not executing_eagerly():
            add_to_collection(_INITIALIZERS, self._init_op)
        else:
            assert isinstance(self._resource, EagerTensor)
            weakref.finalize(self, self._resource._array.clear).atexit = False

    def _check_open(self) -> None:
        if self._closed and executing_eagerly():
            raise RuntimeError("SummaryWriter is already closed")

    def set_as_default(self) -> None:
        """Sets this as the thread's default writer.

        Raises:
          RuntimeError: if the writer is closed.
        """
        self._check_open()
        DEFAULTS.writer = self

    @contextlib.contextmanager
    def as_default(self) -> Iterator[ResourceSummaryWriter]:
        """Context manager that sets this as the thread's default writer; on exit, adds a flush op.

        Raises:
          RuntimeError: if the writer is closed.
        """
        self._check_open()
        previous_writer, DEFAULTS.writer = DEFAULTS.writer, self
        try:
            yield self
            self.flush()
        finally:
            DEFAULTS.writer = previous_writer

    def init(self) -> Any:
        """Returns the operation that creates the event file if it does not exist.

        Raises:
          RuntimeError: if the writer is closed.
        """
        self._check_open()
        return self._init_op if self._runs_once else self._init_op_fn(self._resource)

    def flush(self) -> Any:
        """Returns a flush operation, or None if the writer is closed."""
        if self._closed and executing_eagerly():
            return None
        return flush(writer=self)

    def close(self) -> Any:
        """Returns the operation that flushes and closes the file, or None if the writer is closed."""
        if self._closed and executing_eagerly():
            return None
        self._closed = self._runs_once and executing_eagerly()
        with control_dependencies([flush(writer=self)]), get_default_graph().device("cpu:0"):
            return raw.CloseSummaryWriter(self._resource)


class NoopSummaryWriter(SummaryWriter):
    """A writer that discards its input; used if there is no directory."""

    def set_as_default(self) -> None:
        """Leaves the thread's writer unchanged."""

    @contextlib.contextmanager
    def as_default(self) -> Iterator[None]:
        """Context manager with no effect."""
        yield

    def init(self) -> None:
        """Does nothing; returns None."""

    def flush(self) -> None:
        """Does nothing; returns None."""

    def close(self) -> None:
        """Does nothing; returns None."""


def create_file_writer(
    logdir: str,
    max_queue: TensorLike | None = None,
    flush_millis: TensorLike | None = None,
    filename_suffix: TensorLike | None = None,
    name: str | None = None,
) -> SummaryWriter:
    """Creates an event file writer for `tf.contrib.summary`.

    Args:
      logdir: the directory, created if missing; None for a no-op writer.
      max_queue: capacity of the event queue, an int32 scalar; 10 by default.
      flush_millis: flush interval in milliseconds, an int32 scalar; two minutes by default.
      filename_suffix: suffix of the file name, by default ".v2".
      name: the resource name of the writer in a session, by default "logdir:" plus the directory; writers with the
        same name share a file.

    Returns:
      A `SummaryWriter`; `tf.contrib.summary.initialize` creates the file.

    Example:
      writer = tf.contrib.summary.create_file_writer("/tmp/log")
      with writer.as_default(), tf.contrib.summary.always_record_summaries():
          tf.contrib.summary.scalar("loss", loss, step=step)
      with tf.Session() as session:
          tf.contrib.summary.initialize(session=session)
          session.run(tf.contrib.summary.all_summary_ops())
          session.run(writer.close())
    """
    if logdir is None:
        return NoopSummaryWriter()
    logdir = str(logdir)
    with get_default_graph().device("cpu:0"):
        if max_queue is None:
            max_queue = ops.constant(10)
        if flush_millis is None:
            flush_millis = ops.constant(120_000)
        if filename_suffix is None:
            filename_suffix = ops.constant(".v2")
        make = partial(
            raw.CreateSummaryFileWriter,
            logdir=logdir,
            max_queue=max_queue,
            flush_millis=flush_millis,
            filename_suffix=filename_suffix,
        )
        return ResourceSummaryWriter("logdir:" + logdir if name is None else name, make)


def create_file_writer_v2(
    logdir: Any,
    max_queue: Any = None,
    flush_millis: Any = None,
    filename_suffix: Any = None,
    name: str | None = None,
) -> SummaryWriter:
    """Creates a writer of a new event file, for `tf.compat.v2.summary`.

    Args:
      logdir: the directory; created if missing.
      max_queue: capacity of the event queue, an int32 scalar; 10 by default.
      flush_millis: flush interval in milliseconds, an int32 scalar; two minutes by default.
      filename_suffix: suffix of the file name, by default ".v2".

    Returns:
      A `SummaryWriter`. Its file is created immediately in eager mode, and outside functions under
      construction.

    Raises:
      ValueError: if the directory is missing, or an argument is a graph tensor but the file is created
        immediately.

    Example:
      writer = tf.compat.v2.summary.create_file_writer("/tmp/log")
      with writer.as_default():
          tf.compat.v2.summary.write("loss", loss, step=step)
    """
    if logdir is None:
        raise ValueError("logdir cannot be None")
    graph = get_default_graph()
    values = {
        "logdir": logdir,
        "max_queue": max_queue,
        "flush_millis": flush_millis,
        "filename_suffix": filename_suffix,
    }
    with name_scope(name, "create_file_writer") as scope, graph.device("cpu:0"), init_scope():
        if executing_eagerly():
            _reject_graph_tensors(values, graph.building_function)
        settings: dict[str, Any] = {
            "logdir": ops.convert_to_tensor(logdir, string),
            "max_queue": ops.constant(10) if max_queue is None else max_queue,
            "flush_millis": ops.constant(120_000) if flush_millis is None else flush_millis,
        }
        suffix = ops.constant(".v2") if filename_suffix is None else filename_suffix
        settings["filename_suffix"] = ops.constant(f".{os.getpid()}.{next(_NUMBERS)}") + suffix
        shared_name = str(uuid.uuid4()) if executing_eagerly() else scope.rstrip("/")
        make = partial(raw.CreateSummaryFileWriter, **settings)
        return ResourceSummaryWriter(shared_name, make, name, runs_once=True)


def create_noop_writer() -> SummaryWriter:
    """Creates a writer that discards its input."""
    return NoopSummaryWriter()


def _reject_graph_tensors(arguments: dict[str, Any], is_in_function: bool) -> None:
    for argument, value in arguments.items():
        if isinstance(value, Tensor) and not isinstance(value, EagerTensor):
            if is_in_function:
                raise ValueError(
                    f'Invalid graph Tensor argument "{argument}={value}" to create_file_writer() inside an '
                    "@tf.function. The create call will be lifted into the outer eager execution context, so it "
                    "cannot consume graph tensors defined inside the function body."
                )
            raise ValueError(
                f'Invalid graph Tensor argument "{argument}={value}" to eagerly executed create_file_writer().'
            )


@deprecated(None, "Renamed to create_file_writer().")
def create_summary_file_writer(*args: Any, **kwargs: Any) -> SummaryWriter:
    """Older name of `tf.contrib.summary.create_file_writer`.

    Args:
      *args: positional arguments of `create_file_writer`.
      **kwargs: keyword arguments of `create_file_writer`.
    """
    logs.warning(
        "Deprecation Warning: create_summary_file_writer was renamed to create_file_writer"
    )
    return create_file_writer(*args, **kwargs)


def flush(writer: object = None, name: str | None = None) -> Any:
    """Returns the flush operation of a writer.

    Args:
      writer: a `SummaryWriter`, or the Tensor of its resource; by default the thread's writer.

    Returns:
      The Operation; a `tf.no_op` if there is no writer.
    """
    if writer is None:
        writer = DEFAULTS.writer
        if writer is None:
            return ops.no_op()
    resource = writer._resource if isinstance(writer, ResourceSummaryWriter) else writer
    with get_default_graph().device("cpu:0"):
        return raw.FlushSummaryWriter(resource, name=name)


def summary_writer_initializer_op() -> list[Any]:
    """Returns a list of operations that create the event files of all writers in the default graph.

    Raises:
      RuntimeError: in eager mode, where files already exist.
    """
    if executing_eagerly():
        raise RuntimeError(
            "tf.contrib.summary.summary_writer_initializer_op is only supported in graph mode."
        )
    return get_collection(_INITIALIZERS)


def all_v2_summary_ops() -> list[Any] | None:
    """Returns all `tf.contrib.summary` ops in the default graph, except ops of `graph` and `import_event`.

    Returns:
      A list of Tensors and Operations to run with the step; None in eager mode.
    """
    if executing_eagerly():
        return None
    return get_collection(GraphKeys._SUMMARY_COLLECTION)


def initialize(graph: Graph | None = None, session: Any = None) -> None:
    """Creates the event files of all writers in the default graph, and writes a graph with the thread's writer.

    Does nothing in eager mode, where files already exist.

    Args:
      graph: a `tf.Graph` or GraphDef to write at step 0; by default, none.
      session: the session that runs the ops; by default the default session.

    Raises:
      RuntimeError: if this thread has no writer.
      ValueError: if there is no session.
    """
    if executing_eagerly():
        return
    if DEFAULTS.writer is None:
        raise RuntimeError("No default tf.contrib.summary.SummaryWriter found")
    if session is None:
        session = get_default_session()
        if session is None:
            raise ValueError("session must be passed if no default session exists")
    session.run(summary_writer_initializer_op())
    if graph is not None:
        message = graph.as_graph_def(add_shapes=True) if isinstance(graph, Graph) else graph
        name_placeholder = ops.placeholder(string)
        with get_default_graph().device("cpu:0"):
            read, step = ops.identity(name_placeholder), ops.convert_to_tensor(0, "int64")
            written = raw.WriteGraphSummary(DEFAULTS.writer._resource, step, read)
        session.run(written, feed_dict={name_placeholder: message.SerializeToString()})


def eval_dir(model_dir: str, name: str | None = None) -> str:
    """Returns the event directory of an evaluation: "eval" in the directory of the model, or "eval_NAME"."""
    return os.path.join(model_dir, f"eval_{name}" if name else "eval")
