"""WorkerService: a worker's methods as serialized TensorFlow messages."""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any, NamedTuple, TypeAlias

from tfmini._src.base import proto
from tfmini._src.base.errors import (
    CancelledError,
    InternalError,
    InvalidArgumentError,
    OpError,
    UnimplementedError,
)
from tfmini._src.cluster.addresses import task_addresses, task_name
from tfmini._src.cluster.chunks import MIN_CHUNKED_BYTES, PULL_PART
from tfmini._src.cluster.direct_poller import poller
from tfmini._src.cluster.direct_server import Later
from tfmini._src.cluster.grpc_channel import (
    CLEAN_UP_MANY,
    RECEIVE_MANY,
    SHARE_MEMORY,
    STOP_DEQUEUING,
    WORKER,
)
from tfmini._src.cluster.grpc_server import Method, error_status
from tfmini._src.cluster.limits import check_message
from tfmini._src.cluster.recv_tensor import (
    MAX_KNOWN,
    bytes_to_keys,
    replies_buffers,
    reply_buffers,
    senders,
)
from tfmini._src.cluster.rendezvous import Item
from tfmini._src.cluster.wire import (
    Buffers,
    fields,
    join_buffers,
    malformed_message,
    named_tensor,
    read_number,
    read_tensor,
    tagged_field,
)
from tfmini._src.cluster.worker import Worker
from tfmini._src.executor.asynchronous_run import Submit
from tfmini._src.executor.tracing.recorder import Span
from tfmini._src.executor.tracing.step_stats import step_stats
from tfmini._src.formats.varints import varint

Callback: TypeAlias = Callable[[Buffers | None, BaseException | None], None]

_MAX_PARSED_BYTES = 4096  # bytes up to which protobuf parses a message, since most have no tensors
_UNSUPPORTED_METHODS = ("RecvBuf", "GetStepSequence", "CompleteGroup", "CompleteInstance")


class WorkerService:
    """A worker's methods by full name."""

    def __init__(self, worker: Worker, submit: Submit):
        self._worker = worker
        self._logged: bool = False
        names = {
            "GetStatus": self._get_status,
            "CreateWorkerSession": self._create_session,
            "DeleteWorkerSession": self._delete_session,
            "RegisterGraph": self._register,
            "DeregisterGraph": self._deregister,
            "CleanupGraph": self._clean_up,
            "CleanupAll": self._clean_up_all,
            "MarkRecvFinished": self._empty_reply,
            "Logging": self._log,
            "Tracing": self._empty_reply,
        }
        self.methods: Mapping[str, Method] = {
            **{WORKER + name: method for name, method in names.items()},
            **{WORKER + name: self._raise_unsupported_call for name in _UNSUPPORTED_METHODS},
            SHARE_MEMORY: self._share_memory,
            PULL_PART: self._part,
        }
        later_handlers: Mapping[str, Later] = {
            WORKER + "RecvTensor": self._receive,
            RECEIVE_MANY: self._receive_many,
            CLEAN_UP_MANY: partial(self._call_with_steps, worker.clean_up),
            STOP_DEQUEUING: partial(self._call_with_steps, worker.stop_dequeuing),
        }
        self.later: Mapping[str, Later] = {
            **later_handlers,
            f"{WORKER}RunGraph": partial(self._run, submit),
        }
        # Over direct connections, whose threads also run the continuation of a wait.
        self.direct_handlers: Mapping[str, Later] = {
            **later_handlers,
            f"{WORKER}RunGraph": partial(self._run, poller().call_soon),
        }

    def _get_status(self, request: bytes, call: Any) -> bytes:
        proto.GetStatusRequest.FromString(request)
        reply = proto.GetStatusResponse(device_attributes=self._worker.attributes())
        return reply.SerializeToString()

    def _create_session(self, request: bytes, call: Any) -> bytes:
        message = proto.CreateWorkerSessionRequest.FromString(request)
        server_def = message.server_def
        view = None
        if server_def.cluster.job:
            name = task_name(server_def.job_name, server_def.task_index)
            view = self._worker.renamed(name, task_addresses(server_def.cluster))
        self._worker.create_session(message.session_handle, message.isolate_session_state, view)
        return b""

    def _delete_session(self, request: bytes, call: Any) -> bytes:
        message = proto.DeleteWorkerSessionRequest.FromString(request)
        self._worker.delete_session(message.session_handle)
        return b""

    def _register(self, request: bytes, call: Any) -> bytes:
        message = proto.RegisterGraphRequest.FromString(request)
        handle = message.session_handle if message.create_worker_session_called else ""
        graph_handle = self._worker.register(handle, message.graph_def)
        return proto.RegisterGraphResponse(graph_handle=graph_handle).SerializeToString()

    def _deregister(self, request: bytes, call: Any) -> bytes:
        message = proto.DeregisterGraphRequest.FromString(request)
        handle = message.session_handle if message.create_worker_session_called else ""
        self._worker.deregister(handle, message.graph_handle)
        return b""

    def _run(self, soon: Submit, request: bytes, call: Any, on_done: Callback) -> None:
        parts = _parse_run_graph(request)
        note_end = self._cancels_at_end(call, parts)

        def finish(values: Sequence[Any] | None, error: BaseException | None) -> None:
            note_end()
            if values is None:
                reply_to_call(on_done, lambda: _failure_reply(parts, error))
            else:
                reply_to_call(on_done, lambda: self._reply(parts, values))

        try:
            if not parts.message.is_partial:
                self._worker.run(*parts.arguments(), soon, finish, parts.spans)
                return
            values = self._worker.run_partly(*parts.arguments(), parts.message.is_last_partial_run)
        except OpError as error:
            finish(None, error)
        else:
            finish(values, None)

    def _cancels_at_end(self, call: Any, parsed: _GraphRequest) -> Callable[[], Any]:
        """Cancels the step when the call ends, unless the returned function has been called before."""
        has_ended = False

        def cancel() -> None:
            if not has_ended:
                self._worker.cancel(parsed.message.step_id)

        if not call.add_callback(cancel):
            cancel()

        def note_end() -> None:
            nonlocal has_ended
            has_ended = True

        return note_end

    def _reply(self, parsed: _GraphRequest, values: Sequence[Any]) -> bytes:
        fetches = self._worker.graph(parsed.handle, parsed.message.graph_handle).fetches
        buffers: Buffers = []
        size = 0
        for key, value in zip(parsed.keys, values):
            encoded = named_tensor(1, key.encode(), value, fetches[key].dtype, size)
            size += sum(map(len, encoded))
            buffers += encoded
        if parsed.spans:
            stats = step_stats(parsed.spans)
            buffers.append(tagged_field(2, stats.SerializeToString()))
        return join_buffers(buffers) if buffers else b""

    def _clean_up(self, request: bytes, call: Any) -> bytes:
        self._worker.clean_up(proto.CleanupGraphRequest.FromString(request).step_id)
        return b""

    def _call_with_steps(
        self, function: Callable[[int], Any], request: bytes, call: Any, on_done: Callback
    ) -> None:
        """Calls a function with the step numbers of a request."""
        for field, wire_type, value in fields(request):
            if field == 1 and wire_type == 0:
                function(value - (value >> 63 << 64))
        on_done([], None)

    def _clean_up_all(self, request: bytes, call: Any) -> bytes:
        self._worker.clean_up_all(list(proto.CleanupAllRequest.FromString(request).container))
        return b""

    def _receive(self, request: bytes, call: Any, on_done: Callback) -> None:
        message = proto.RecvTensorRequest.FromString(request)

        def to_buffers(items: Sequence[Item]) -> Buffers:
            return reply_buffers(items[0], 0)

        self._gather(message.step_id, (message.rendezvous_key,), call, to_buffers, on_done)

    def _receive_many(self, request: bytes, call: Any, on_done: Callback) -> None:
        try:
            tag, start = read_number(request, 0)
            value, start = read_number(request, start)
        except IndexError:
            raise malformed_message() from None
        if tag != 1 << 3:
            raise malformed_message()
        step_id, remainder = value - (value >> 63 << 64), request[start:]
        expected = (
            _parse_tensor_request(remainder)
            if len(remainder) <= MAX_KNOWN
            else _parse_tensor_request.__wrapped__(remainder)
        )

        def to_buffers(items: Sequence[Item]) -> Buffers:
            return self._receive_many_reply(step_id, items, expected)

        self._gather(step_id, expected.keys, call, to_buffers, on_done, expected.senders)

    def _gather(
        self,
        step_id: int,
        keys: Sequence[str],
        call: Any,
        encode: Callable[[Sequence[Item]], Buffers],
        on_done: Callback,
        known_senders: Sequence[tuple[str, int, str]] = (),
    ) -> None:
        """Calls `on_done` with the reply that `encode` returns for the tensors of `keys`, once all have arrived."""

        is_over = False

        def on_arrival(items: list[Item] | None, error: BaseException | None) -> None:
            nonlocal is_over
            is_over = True
            if items is None:
                on_done(None, error)
                return
            try:
                reply = encode(items)
            except BaseException as failure:  # reported to the reply's waiter
                on_done(None, failure)
            else:
                on_done(reply, None)

        def cancel() -> None:
            if not is_over:
                forget()
                on_done(None, CancelledError(None, None, "Cancelled"))

        forget = self._worker.receive(step_id, keys, on_arrival, known_senders)
        if not call.add_callback(cancel):
            cancel()

    def _receive_many_reply(
        self, step_id: int, items: Sequence[Item], expected: _TensorRequest
    ) -> Buffers:
        """Returns the reply to `RECEIVE_MANY`: in shared memory, in chunks, or inline."""
        buffers, size = replies_buffers(items)
        if expected.secret:
            peer_file = self._worker.files_of_others.write(*expected[2:5], buffers)
            if peer_file is not None:
                return [peer_file]
        if expected.takes_parts and size > MIN_CHUNKED_BYTES:
            return [self._worker.stored_replies.store(step_id, buffers)]
        check_message(size)
        return buffers

    def _part(self, request: bytes, call: Any) -> bytes:
        return self._worker.stored_replies.take_chunk(request)

    def _share_memory(self, request: bytes, call: Any) -> bytes:
        """Maps another task's shared memory; replies whether this task can write to it."""
        return b"\x08\x01" if self._worker.files_of_others.take(request) else b""

    def _log(self, request: bytes, call: Any) -> bytes:
        proto.LoggingRequest.FromString(request)
        return b""

    def _empty_reply(self, request: bytes, call: Any) -> bytes:
        return b""

    def _raise_unsupported_call(self, request: bytes, call: Any) -> bytes:
        raise UnimplementedError(
            None,
            None,
            "Collective ops between tasks are not supported: use Horovod's interface instead "
            "(horovod.tensorflow)",
        )


class _TensorRequest(NamedTuple):
    """A request for tensors, without its step number.

    senders: `senders(keys)`.
    secret, offset, room: the requester's shared memory region; none if the secret is empty.
    """

    keys: tuple[str, ...]
    senders: Sequence[tuple[str, int, str]]
    secret: bytes
    offset: int
    room: int
    takes_parts: bool


@functools.lru_cache(maxsize=1024)
def _parse_tensor_request(data: bytes) -> _TensorRequest:
    """Parses a request after its first field, the part that recurs; raises InvalidArgumentError if malformed."""
    keys: tuple[str, ...] = ()
    secret, offset, capacity, takes_parts = b"", 0, 0, False
    for field, wire_type, value in fields(data):
        if field == 2 and wire_type == 2:
            keys = bytes_to_keys(data[value[0] : value[1]])
        elif field == 3 and wire_type == 2:
            secret = data[value[0] : value[1]]
        elif field == 4 and wire_type == 0:
            offset = value
        elif field == 5 and wire_type == 0:
            capacity = value
        elif field == 6 and wire_type == 0:
            takes_parts = True
    if not keys:
        raise malformed_message()
    return _TensorRequest(keys, senders(keys), secret, offset, capacity, takes_parts)


class _GraphRequest(NamedTuple):
    """A request to run a partition's part of a step.

    spans: if not None, receives the run's spans.
    """

    message: Any
    handle: str
    feeds: dict[str, Any]
    keys: list[str]
    spans: list[Span] | None

    def arguments(self) -> tuple[str, str, int, dict[str, Any], list[str]]:
        """Returns the arguments of `Worker.run`."""
        message = self.message
        return self.handle, message.graph_handle, message.step_id, self.feeds, self.keys


def _parse_run_graph(request: bytes) -> _GraphRequest:
    message = (
        proto.RunGraphRequest.FromString(request) if len(request) <= _MAX_PARSED_BYTES else None
    )
    feeds: dict[str, Any] = {}
    if message is None or message.send:
        named, remainder = split_named_tensors(request, 3)
        feeds, message = dict(named), proto.RunGraphRequest.FromString(remainder)
    handle = message.session_handle if message.create_worker_session_called else ""
    timed = message.exec_opts.record_timeline or message.exec_opts.record_costs
    return _GraphRequest(message, handle, feeds, list(message.recv_key), [] if timed else None)


def reply_to_call(on_done: Callback, make: Callable[[], bytes]) -> None:
    """Ends a call with the reply returned by `make()`, or the error it raises."""
    try:
        reply = make()
    except BaseException as error:  # reported to the reply's waiter
        on_done(None, error)
    else:
        on_done([reply], None)


def _failure_reply(parsed: _GraphRequest, error: BaseException | None) -> bytes:
    """Encodes an error as a reply; raises the error itself if replies cannot carry it."""
    if not isinstance(error, OpError) or not parsed.message.store_errors_in_response_body:
        raise error or InternalError(None, None, "The run returned no results")
    code, text = error_status(error)
    return proto.RunGraphResponse(status_code=code, status_error_message=text).SerializeToString()


def split_named_tensors(request: bytes, tensors: int) -> tuple[list[tuple[str, Any]], bytes]:
    """Returns the names and arrays of a message's field `tensors`, and the message without them."""
    named = []
    remainder = bytearray()
    for field, wire_type, value in fields(request):
        if field == tensors and wire_type == 2:
            named.append(read_named(request, *value))
        elif wire_type == 2:
            remainder += tagged_field(field, request[value[0] : value[1]])
        elif wire_type == 0:
            remainder += varint(field << 3) + varint(value)
    return named, bytes(remainder)


def read_named(data: bytes, start: int, end: int) -> tuple[str, Any]:
    """Reads the name and array of a NamedTensorProto in a buffer."""
    name, tensor = "", (0, 0)
    for field, wire_type, value in fields(data, start, end):
        if wire_type == 2 and field == 1:
            try:
                name = str(data[value[0] : value[1]], "utf-8")
            except UnicodeDecodeError:
                raise malformed_message() from None
        elif wire_type == 2 and field == 2:
            tensor = value
    try:
        return name, read_tensor(data, *tensor)[0]
    except InvalidArgumentError as error:
        text = f"Invalid TensorProto for {name}: {error.message}"
        raise InvalidArgumentError(None, None, text) from None
