"""A master's stub of another task's worker: the methods of `Worker` over WorkerService."""

from __future__ import annotations

import re
import secrets
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from typing import Any

from tfmini._src.base import errors, proto
from tfmini._src.cluster.grpc_channel import (
    CLEAN_UP_MANY,
    STOP_DEQUEUING,
    WORKER,
    Channel,
    error_from,
)
from tfmini._src.cluster.grpc_server import error_status
from tfmini._src.cluster.wire import Buffers, fields, join_buffers, named_tensor, tagged_field
from tfmini._src.cluster.worker_service import read_named
from tfmini._src.formats.varints import varint

_UINT64_MASK = (1 << 64) - 1
_CLEAN_UP_BATCH = 16
_SEND = re.compile(r"\{\{node _send_(\S+)_\d+\}\}")

# `on_done(arrays by key, a StepStats message or None, error)`
RunCallback = Callable[[dict[str, Any], Any, BaseException | None], None]


class RemoteWorker:
    """Stub of the worker behind a channel."""

    def __init__(self, name: str, channel: Channel):
        self.name = name
        self.channel = channel
        self._ended: list[int] = []

    def _call(self, method: str, message: Any, timeout: float | None = None) -> bytes:
        try:
            return self.channel.call(WORKER + method, message.SerializeToString(), timeout=timeout)
        except errors.OpError as error:
            raise prefix_task(self.name, error) from None

    def create_session(self, handle: str, isolated: bool, cluster: Any = None) -> None:
        """Same as `Worker.create_session`; `cluster` is the session's own ClusterDef, if any."""
        job, _, task = self.name.partition("/replica:0/task:")
        message = proto.CreateWorkerSessionRequest(
            session_handle=handle, isolate_session_state=isolated
        )
        message.server_def.protocol = "grpc"
        message.server_def.job_name = job.removeprefix("/job:")
        message.server_def.task_index = int(task)
        if cluster is not None:
            message.server_def.cluster.CopyFrom(cluster)
        self._call("CreateWorkerSession", message, 60)
        self.channel.request_connection()

    def delete_session(self, handle: str) -> None:
        self._clean_up_ended()
        message = proto.DeleteWorkerSessionRequest(session_handle=handle)
        self._forget("DeleteWorkerSession", message)

    def register(self, handle: str, graph_def: Any, has_control_flow: bool, options: Any) -> str:
        """Registers a partition; returns its handle."""
        message = proto.RegisterGraphRequest(
            session_handle=handle,
            create_worker_session_called=True,
            graph_def=graph_def,
            has_control_flow=has_control_flow,
        )
        if options is not None:
            message.graph_options.CopyFrom(options)
        reply = self._call("RegisterGraph", message)
        return proto.RegisterGraphResponse.FromString(reply).graph_handle

    def deregister(self, handle: str, graph_handle: str) -> None:
        message = proto.DeregisterGraphRequest(
            session_handle=handle, create_worker_session_called=True, graph_handle=graph_handle
        )
        self._forget("DeregisterGraph", message)

    def run(
        self,
        handle: str,
        graph: str,
        step_id: int,
        feeds: Mapping[str, tuple[Any, Any]],
        keys: Sequence[str],
        timed: bool,
        on_done: RunCallback,
        is_last: bool | None = None,
        is_held: bool = False,
    ) -> Callable[[], None]:
        """Starts a partition's part of a step; `feeds` contains arrays and dtypes by key. Returns a canceller.

        is_last: whether this call ends a partial run; None for a whole step.
        is_held: whether to hold the request for the next one to the task or the channel's `flush`.
        """
        message = proto.RunGraphRequest(
            session_handle=handle,
            create_worker_session_called=True,
            graph_handle=graph,
            step_id=step_id,
            recv_key=keys,
            store_errors_in_response_body=True,
            request_id=secrets.randbits(62) + 1,
        )
        message.exec_opts.record_timeline = timed
        message.is_partial = is_last is not None
        message.is_last_partial_run = bool(is_last)
        buffers: Buffers = [message.SerializeToString()]
        size = len(buffers[0])
        for key, (value, dtype) in feeds.items():
            encoded = named_tensor(3, key.encode(), value, dtype, size)
            size += sum(map(len, encoded))
            buffers += encoded

        def on_reply(reply: bytes | None, error: BaseException | None) -> None:
            values: dict[str, Any] = {}
            stats = None
            if reply is not None:
                try:
                    values, stats = self._read(reply)
                except errors.OpError as wrong:
                    error = wrong
            if isinstance(error, errors.OpError):
                error = prefix_task(self.name, _rename_send(error))
            on_done(values, stats, error)

        request = join_buffers(buffers)
        return self.channel.begin(f"{WORKER}RunGraph", request, on_reply, is_held=is_held)

    def _read(self, reply: bytes) -> tuple[dict[str, Any], Any]:
        values: dict[str, Any] = {}
        trailing = bytearray()
        code, text, stats = 0, "", None
        for field, wire_type, value in fields(reply):
            if field == 1 and wire_type == 2:
                key, array = read_named(reply, *value)
                values[key] = array
            elif field == 2 and wire_type == 2:
                trailing += tagged_field(2, reply[value[0] : value[1]])
            elif field == 5 and wire_type == 0:
                code = value
            elif field == 6 and wire_type == 2:
                text = str(reply[value[0] : value[1]], errors="replace")
        if code:
            raise error_from(code, text)
        if trailing:
            stats = proto.RunGraphResponse.FromString(bytes(trailing)).step_stats
        return values, stats

    def clean_up(self, step_id: int, immediately: bool = True) -> None:
        """Makes the task drop the tensors of a step; batched with other steps unless `immediately`."""
        if self.channel.is_plain:
            self._forget("CleanupGraph", proto.CleanupGraphRequest(step_id=step_id))
            return
        self._ended.append(step_id)
        if immediately or len(self._ended) >= _CLEAN_UP_BATCH:
            self._clean_up_ended()

    def _clean_up_ended(self) -> None:
        step_ids, self._ended = self._ended, []
        if not step_ids:
            return

        def on_reply(reply: bytes | None, error: BaseException | None) -> None:
            if isinstance(error, errors.UnimplementedError):
                self.channel.is_plain = True
                for step_id in step_ids:
                    self.clean_up(step_id)

        self.channel.begin(CLEAN_UP_MANY, _encode_steps(step_ids), on_reply, timeout=60)

    def stop_dequeuing(self, step_id: int, failed: Callable[[], Any]) -> None:
        """Asynchronous `Worker.stop_dequeuing`; calls `failed()` if the request fails."""

        def on_reply(reply: bytes | None, error: BaseException | None) -> None:
            if error is not None:
                failed()

        with suppress(ValueError):  # gRPC's error for a closed channel, whose calls have ended
            self.channel.begin(STOP_DEQUEUING, _encode_steps([step_id]), on_reply, timeout=60)

    def clean_up_all(self, containers: Sequence[str]) -> None:
        self._call("CleanupAll", proto.CleanupAllRequest(container=containers), 60)

    def _forget(self, method: str, message: Any) -> None:
        """Starts a call and ignores its result."""
        self.channel.begin(
            WORKER + method, message.SerializeToString(), lambda reply, error: None, timeout=60
        )


def _encode_steps(step_ids: Sequence[int]) -> bytes:
    """Encodes step numbers as a request."""
    return b"".join(b"\x08" + varint(step_id & _UINT64_MASK) for step_id in step_ids)


def _rename_send(error: errors.OpError) -> errors.OpError:
    """Replaces a send's name in an error with the fetched node's, since the client knows no sends to other tasks."""
    message = _SEND.sub(r"{{node \1}}", error.message)
    return error if message == error.message else error_from(error_status(error)[0], message)


def prefix_task(task: str, error: errors.OpError) -> errors.OpError:
    """Prefixes a task's error with that task's name."""
    if error.message.startswith("From /job:"):
        return error
    code, text = error_status(error)
    return error_from(code, f"From {task}:\n{text}")


def task_errors(failures: Sequence[BaseException]) -> BaseException:
    """Returns the root error of a step's parts: neither cancelled nor aborted, if possible."""
    derived_errors = (errors.CancelledError, errors.AbortedError)
    for error in failures:
        if isinstance(error, errors.OpError) and not isinstance(error, derived_errors):
            return error
    for error in failures:
        if not isinstance(error, errors.CancelledError):
            return error
    return failures[0]
