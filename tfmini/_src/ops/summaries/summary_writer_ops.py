"""Ops that write summaries directly to event files: file writers, and an op for each kind of summary.

At run time, the handle of a writer is its `WriterSlot`, which the session stores under the shared name or the name of
its node; `CreateSummaryFileWriter` creates the writer in it.
"""

from __future__ import annotations

import os
import time
import weakref
from typing import Any

import numpy as np

from tfmini._src.base import proto
from tfmini._src.base.dtypes import float16, float32, uint8
from tfmini._src.base.errors import DataLossError, FailedPreconditionError, NotFoundError, invalid
from tfmini._src.base.locks import make_lock
from tfmini._src.formats.events import EventFile
from tfmini._src.formats.gfile_functions import makedirs
from tfmini._src.formats.schemes import c_string, local_path
from tfmini._src.graph.op_traits.handle_kinds import SUMMARY_WRITER, Resource
from tfmini._src.graph.opdef import Attr, op_with_handles
from tfmini._src.graph.shape_inference import scalar
from tfmini._src.ops.operands import shape_text
from tfmini._src.ops.parsing.serialized_tensors import tensor_message
from tfmini._src.ops.string.string_elements import array_shape, list_strings, scalar_string
from tfmini._src.ops.summaries.audio_summary import sound_summary
from tfmini._src.ops.summaries.encoding import encode_histogram
from tfmini._src.ops.summaries.histogram_buckets import compute_histogram
from tfmini._src.ops.summaries.image_summary import picture_summary
from tfmini._src.ops.summaries.tensor_summaries import merge_metadata
from tfmini._src.ops.type_lists import REAL_NUMBERS

op = op_with_handles(writer=SUMMARY_WRITER)


class Writer:
    """Writes events to a new file, in batches."""

    def __init__(self, logdir: str, max_queue: int, flush_millis: int, suffix: str):
        makedirs(logdir)
        if not os.path.isdir(local_path(logdir)):
            raise FailedPreconditionError(None, None, "Not a directory")
        self._file = EventFile(os.path.join(logdir, "events"), suffix)
        self._file.open()
        self._max_queue = max_queue
        self._seconds = flush_millis / 1000
        self._flushed = time.monotonic()
        self._events: list[bytes] = []
        self._lock = make_lock()
        self._end = weakref.finalize(self, _flush_and_close, os.getpid(), self._events, self._file)

    def add(self, event: Any) -> None:
        """Queues an event; flushes the queue if it is long or its oldest event is old."""
        with self._lock:
            self._events.append(event.SerializeToString())
            is_late = time.monotonic() - self._flushed > self._seconds
            if is_late or len(self._events) > self._max_queue:
                self._flush()

    def flush(self) -> None:
        """Writes all pending events."""
        with self._lock:
            self._flush()

    def _flush(self) -> None:
        _write_all(self._events, self._file)
        self._flushed = time.monotonic()


def _write_all(events: list[bytes], file: EventFile) -> None:
    while events:
        file.write(events[0])
        del events[0]
    file.flush()


def _flush_and_close(process: int, events: list[bytes], file: EventFile) -> None:
    """Flushes and closes the file, unless called in a fork of the writing process."""
    if os.getpid() == process:
        _write_all(events, file)
    file.close()


class WriterSlot(Resource):
    """A session's slot for a writer, which is empty until a writer is created.

    other_names: names of the other resources in the container.
    """

    resource_kind = SUMMARY_WRITER

    def __init__(self, container: str, name: str, other_names: set[str]):
        self._container = container or "localhost"
        self._name = name
        self._other_names = other_names
        self._lock = make_lock()
        self._writer: Writer | None = None

    def create(self, *settings: Any) -> None:
        """Creates the writer unless it exists."""
        with self._lock:
            if self._writer is None:
                self._writer = Writer(*settings)
                self._other_names.add(self._name)

    def writer(self) -> Writer:
        """Returns the writer; raises NotFoundError if it does not exist."""
        writer = self._writer
        if writer is None:
            raise self._missing()
        return writer

    def remove(self) -> None:
        """Closes the writer; raises NotFoundError if it does not exist."""
        with self._lock:
            if self._writer is None:
                raise self._missing(is_sought=False)
            self._writer.flush()
            self._writer = None

    def clear(self) -> None:
        """Closes the writer, if any."""
        with self._lock:
            if self._writer is not None:
                self._writer.flush()
                self._writer = None

    def _missing(self, is_sought: bool = True) -> NotFoundError:
        path = f"{self._container}/{self._name}"
        if self._other_names:
            text = f"Resource {path}/N10tensorflow22SummaryWriterInterfaceE does not exist."
        else:
            text = f"Container {self._container} does not exist."
            text += f" (Could not find resource: {path})" if is_sought else ""
        return NotFoundError(None, None, text)


@op("SummaryWriter", "-> writer: resource", stateful=True, shared_name="", container="")
def summary_writer_op(ctx):
    container = ctx.op.attrs["container"]
    name = ctx.op.attrs["shared_name"] or ctx.op.name
    return ctx.resources.named(
        ("summary_writer", container, name),
        lambda: WriterSlot(container, name, ctx.resources.names_in(container)),
    )


@op(
    "CreateSummaryFileWriter",
    "writer: resource, logdir: string, max_queue: int32, flush_millis: int32, filename_suffix: string ->",
    stateful=True,
    uses_files=True,
)
def create_summary_file_writer_op(xp, writer, logdir, max_queue, flush_millis, filename_suffix):
    directory = c_string(os.fsdecode(_string_scalar(logdir, "logdir")))
    suffix = os.fsdecode(_string_scalar(filename_suffix, "filename_suffix"))
    counts = (
        int(_number_scalar(max_queue, "max_queue")),
        int(_number_scalar(flush_millis, "flush_millis")),
    )
    writer.create(directory, *counts, suffix)
    return ()


@op("FlushSummaryWriter", "writer: resource ->", stateful=True)
def flush_summary_writer_op(xp, writer):
    writer.writer().flush()
    return ()


@op("CloseSummaryWriter", "writer: resource ->", stateful=True)
def close_summary_writer_op(xp, writer):
    writer.remove()
    return ()


def _string_scalar(value: Any, name: str) -> bytes:
    """Converts a string scalar or one-element tensor to str."""
    items = list_strings(value)
    if len(items) != 1:  # TensorFlow aborts here
        invalid(f"{name} must be a scalar, got shape {shape_text(array_shape(value))}")
    return items[0]


def _number_scalar(value: Any, name: str) -> Any:
    """Converts a scalar or one-element tensor to a number."""
    array = np.asarray(value)
    if array.size != 1:
        invalid(f"{name} must be a scalar, got shape {shape_text(array.shape)}")
    return array.reshape(())[()]


def _add_event(writer_slot: WriterSlot, step: Any, **fields: Any) -> tuple:
    global_step = int(_number_scalar(step, "step"))
    writer_slot.writer().add(proto.Event(wall_time=time.time(), step=global_step, **fields))
    return ()


def _parse(message: Any, data: bytes, text: str) -> Any:
    try:
        message.MergeFromString(data)
    except proto.parse_errors()[0]:
        raise DataLossError(None, None, text) from None
    return message


@op(
    "WriteScalarSummary",
    "writer: resource, step: int64, tag: string, value: T ->",
    stateful=True,
    T=REAL_NUMBERS,
)
def write_scalar_summary_op(xp, writer, step, tag, value):
    message = proto.Summary()
    scalar = np.float32(_number_scalar(value, "value"))
    message.value.add(
        tag=_string_scalar(tag, "tag").decode("utf-8", "replace"), simple_value=float(scalar)
    )
    return _add_event(writer, step, summary=message)


@op(
    "WriteHistogramSummary",
    "writer: resource, step: int64, tag: string, values: T ->",
    stateful=True,
    T=Attr("type", float32, allowed=REAL_NUMBERS),
)
def write_histogram_summary_op(xp, writer, step, tag, values):
    name = _string_scalar(tag, "tag")
    histogram = compute_histogram(values, name.decode(errors="replace"))
    return _add_event(
        writer, step, summary=proto.Summary.FromString(encode_histogram(name, histogram))
    )


@op(
    "WriteImageSummary",
    "writer: resource, step: int64, tag: string, tensor: T, bad_color: uint8 ->",
    stateful=True,
    max_images=Attr("int", 3, minimum=1),
    T=Attr("type", float32, allowed=(uint8, float32, float16)),
)
def write_image_summary_op(xp, writer, step, tag, tensor, bad_color, *, max_images):
    bad = np.asarray(bad_color)
    if bad.ndim != 1:
        invalid(f"bad_color must be a vector, got shape {shape_text(bad.shape)}")
    summary = picture_summary(_string_scalar(tag, "tag"), tensor, max_images, bad)
    return _add_event(writer, step, summary=summary)


@op(
    "WriteAudioSummary",
    "writer: resource, step: int64, tag: string, tensor: float, sample_rate: float ->",
    stateful=True,
    max_outputs=Attr("int", 3, minimum=1),
)
def write_audio_summary_op(xp, writer, step, tag, tensor, sample_rate, *, max_outputs):
    summary = sound_summary(_string_scalar(tag, "tag"), tensor, sample_rate, max_outputs)
    return _add_event(writer, step, summary=summary)


@op(
    "WriteSummary",
    "writer: resource, step: int64, tensor: T, tag: string, summary_metadata: string ->",
    stateful=True,
    T=Attr("type"),
)
def write_summary_op(xp, writer, step, tensor, tag, summary_metadata, *, T):
    message = proto.Summary()
    value = message.value.add(
        tag=_string_scalar(tag, "tag").decode("utf-8", "replace"), tensor=tensor_message(tensor, T)
    )
    data = _string_scalar(summary_metadata, "summary_metadata")
    if data:
        merge_metadata(value, data)
    return _add_event(writer, step, summary=message)


@op("WriteGraphSummary", "writer: resource, step: int64, tensor: string ->", stateful=True)
def write_graph_summary_op(xp, writer, step, tensor):
    data = _string_scalar(tensor, "tensor")
    graph = _parse(proto.GraphDef(), data, "Bad tf.GraphDef binary proto tensor string")
    return _add_event(writer, step, graph_def=graph.SerializeToString())


@op("WriteRawProtoSummary", "writer: resource, step: int64, tensor: string ->", stateful=True)
def write_raw_proto_summary_op(xp, writer, step, tensor):
    message = proto.Summary()
    for index, data in enumerate(list_strings(tensor)):
        text = f"Bad tf.compat.v1.Summary binary proto tensor string at index {index}"
        _parse(message, data, text)
    return _add_event(writer, step, summary=message)


@op("ImportEvent", "writer: resource, event: string ->", stateful=True)
def import_event_op(xp, writer, event):
    text = "Bad tf.Event binary proto tensor string"
    writer.writer().add(_parse(proto.Event(), scalar_string(event), text))
    return ()


summary_writer_op.infer(scalar)
