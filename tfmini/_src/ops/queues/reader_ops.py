"""Reader ops in two forms, like queue ops: with resource handles and with references."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from tfmini._src.base import dtypes
from tfmini._src.base.errors import invalid
from tfmini._src.graph.op_traits.handle_kinds import QUEUE, READER
from tfmini._src.graph.opdef import Attr, op_with_handles
from tfmini._src.graph.shape_inference import Dims, with_rank
from tfmini._src.ops.queues.reader_resource import (
    FixedLengths,
    Identities,
    Reader,
    Records,
    TextLines,
    WholeFiles,
)
from tfmini._src.ops.queues.shared_reader import SharedReader
from tfmini._src.ops.string.string_elements import scalar_string

op = op_with_handles(reader_handle=READER, queue_handle=QUEUE, resource=QUEUE)

_FORMS = (("", "Ref(string)"), ("V2", "resource"))
_SHARING_ATTRS: dict[str, Any] = {"container": "", "shared_name": ""}


def _handle_dims(op: Any) -> Dims:
    return () if op.outputs[0].dtype is dtypes.resource else (2,)


def _shared_reader(ctx: Any, make: Callable[[str], Reader]) -> SharedReader:
    """Returns the reader of a node, which is created on first use."""
    attrs, node = ctx.op.attrs, ctx.op.name
    op_type = ctx.op.type.removesuffix("V2")
    name = f"{op_type}/{attrs['shared_name']}" if attrs["shared_name"] else (op_type, node)
    key = ("reader", attrs["container"], name)
    return ctx.resources.named(key, lambda: SharedReader(make(node), attrs["shared_name"] or node))


def _declare_readers(suffix: str, handle: str) -> None:
    signature = f"-> reader_handle: {handle}"
    encoding: dict[str, Any] = {"encoding": ""} if suffix else {}

    @op(f"WholeFileReader{suffix}", signature, stateful=True, **_SHARING_ATTRS, uses_files=True)
    def whole_file_reader_op(ctx):
        return _shared_reader(ctx, WholeFiles)

    @op(f"IdentityReader{suffix}", signature, stateful=True, **_SHARING_ATTRS)
    def identity_reader_op(ctx):
        return _shared_reader(ctx, Identities)

    @op(
        f"TextLineReader{suffix}",
        signature,
        stateful=True,
        skip_header_lines=0,
        **_SHARING_ATTRS,
        uses_files=True,
    )
    def text_line_reader_op(ctx):
        skipped = ctx.op.attrs["skip_header_lines"]
        if skipped < 0:
            invalid(f"skip_header_lines must be >= 0 not {skipped}")
        return _shared_reader(ctx, lambda name: TextLines(name, skipped))

    @op(
        f"FixedLengthRecordReader{suffix}",
        signature,
        stateful=True,
        header_bytes=0,
        record_bytes=Attr("int"),
        footer_bytes=0,
        hop_bytes=0,
        **_SHARING_ATTRS,
        **encoding,
        uses_files=True,
    )
    def fixed_length_record_reader_op(ctx):
        attrs = ctx.op.attrs
        for name in ("header_bytes", "record_bytes", "footer_bytes", "hop_bytes"):
            if attrs[name] < 0:
                invalid(f"{name} must be >= 0 not {attrs[name]}")
        return _shared_reader(
            ctx,
            lambda name: FixedLengths(
                name,
                attrs["header_bytes"],
                attrs["record_bytes"],
                attrs["footer_bytes"],
                attrs["hop_bytes"],
                attrs.get("encoding", ""),
            ),
        )

    @op(
        f"TFRecordReader{suffix}",
        signature,
        stateful=True,
        **_SHARING_ATTRS,
        compression_type="",
        uses_files=True,
    )
    def tf_record_reader_op(ctx):
        compression = ctx.op.attrs["compression_type"]
        return _shared_reader(ctx, lambda name: Records(name, compression))

    for opdef in (
        whole_file_reader_op,
        identity_reader_op,
        text_line_reader_op,
        fixed_length_record_reader_op,
        tf_record_reader_op,
    ):
        opdef.infer(_handle_dims)
        if not suffix:
            opdef.differentiable = False


def _declare_uses(suffix: str, handle: str) -> None:
    stateful = suffix == "V2"
    subject = f"reader_handle: {handle}"
    both = f"{subject}, queue_handle: {handle}"

    def check(op) -> None:
        for tensor in op.inputs if stateful else ():
            with_rank(tensor._dims, 0)

    @op(
        f"ReaderRead{suffix}",
        f"{both} -> key: string, value: string",
        stateful=stateful,
        may_wait=True,
    )
    def reader_read_op(ctx, reader_handle, queue_handle):
        return reader_handle.read(queue_handle)

    @reader_read_op.infer
    def _(op) -> list[Dims]:
        check(op)
        return [(), ()]

    @op(
        f"ReaderReadUpTo{suffix}",
        f"{both}, num_records: int64 -> keys: string, values: string",
        stateful=stateful,
        may_wait=True,
    )
    def reader_read_up_to_op(ctx, reader_handle, queue_handle, num_records):
        if np.size(num_records) != 1:
            invalid(f"num_records must have one element, but had {np.size(num_records)}")
        count = int(np.ravel(num_records)[0])
        if count < 0:
            invalid(f"num_records must be >= 0 not {count}")
        return reader_handle.read(queue_handle, count)

    @reader_read_up_to_op.infer
    def _(op) -> list[Dims]:
        check(op)
        with_rank(op.inputs[2]._dims, 0)
        return [(None,), (None,)]

    @op(
        f"ReaderNumRecordsProduced{suffix}",
        f"{subject} -> records_produced: int64",
        stateful=stateful,
    )
    def reader_num_records_produced_op(xp, reader_handle):
        with reader_handle.state:
            return np.int64(reader_handle.reader.produced)

    @op(
        f"ReaderNumWorkUnitsCompleted{suffix}",
        f"{subject} -> units_completed: int64",
        stateful=stateful,
    )
    def reader_num_work_units_completed_op(xp, reader_handle):
        with reader_handle.state:
            return np.int64(reader_handle.reader.work_finished)

    @op(f"ReaderSerializeState{suffix}", f"{subject} -> state: string", stateful=stateful)
    def reader_serialize_state_op(xp, reader_handle):
        with reader_handle.state:
            return reader_handle.reader.serialize()

    @op(f"ReaderRestoreState{suffix}", f"{subject}, state: string ->", stateful=stateful)
    def reader_restore_state_op(xp, reader_handle, state):
        if np.shape(state):
            invalid(f"Reader state must be scalar, but had shape: {list(np.shape(state))}")
        with reader_handle.state:
            reader_handle.restore(scalar_string(state))
        return ()

    @reader_restore_state_op.infer
    def _(op) -> list[Dims]:
        check(op)
        with_rank(op.inputs[1]._dims, 0)
        return []

    @op(f"ReaderReset{suffix}", f"{subject} ->", stateful=stateful)
    def reader_reset_op(xp, reader_handle):
        reader_handle.reset()
        return ()

    @reader_reset_op.infer
    def _(op) -> list[Dims]:
        check(op)
        return []

    def one_scalar(op) -> Dims:
        check(op)
        return ()

    for opdef in (
        reader_num_records_produced_op,
        reader_num_work_units_completed_op,
        reader_serialize_state_op,
    ):
        opdef.infer(one_scalar)
    if not stateful:
        for opdef in (
            reader_read_op,
            reader_read_up_to_op,
            reader_num_records_produced_op,
            reader_num_work_units_completed_op,
            reader_serialize_state_op,
            reader_restore_state_op,
            reader_reset_op,
        ):
            opdef.differentiable = False


for _suffix, _handle in _FORMS:
    _declare_readers(_suffix, _handle)
    _declare_uses(_suffix, _handle)


@op("FakeQueue", "resource: resource -> handle: Ref(string)", infer=lambda op: (2,), stateful=True)
def fake_queue_op(xp, resource):
    return resource
