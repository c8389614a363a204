"""MasterService: a master's methods as serialized TensorFlow messages."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

from tfmini._src.base import proto
from tfmini._src.base.errors import OpError
from tfmini._src.cluster.direct_server import Later
from tfmini._src.cluster.grpc_channel import MASTER
from tfmini._src.cluster.grpc_server import Method, error_status
from tfmini._src.cluster.master import Master
from tfmini._src.cluster.master_session import StepKey
from tfmini._src.cluster.wire import (
    Buffers,
    fields,
    five_byte_varint,
    join_buffers,
    named_tensor,
    read_tensor,
    tagged_field,
    tensor_buffers,
    total_size,
)
from tfmini._src.cluster.worker_service import Callback, reply_to_call, split_named_tensors
from tfmini._src.devices.attributes import device_to_attributes
from tfmini._src.executor.asynchronous_run import Submit

# Arrays and their dtypes.
Results = tuple[Sequence[Any], Sequence[Any]]


class MasterService:
    """A master's methods by full name."""

    def __init__(self, master: Master, submit: Submit):
        self._master = master
        self._submit = submit
        names: dict[str, Method] = {
            "CreateSession": self._create_session,
            "ExtendSession": self._extend_session,
            "PartialRunSetup": self._set_up_partial_run,
            "CloseSession": self._close_session,
            "ListDevices": self._list_devices,
            "Reset": self._reset,
            "MakeCallable": self._make_callable,
            "ReleaseCallable": self._release_callable,
        }
        self.methods: Mapping[str, Method] = {
            MASTER + name: method for name, method in names.items()
        }
        self.later: Mapping[str, Later] = {
            f"{MASTER}RunStep": self._run,
            f"{MASTER}RunCallable": self._run_callable,
        }
        # Over direct connections, whose threads must not run slow work.
        self.direct_handlers: Mapping[str, Later] = {
            name: partial(self._begin, method) for name, method in self.later.items()
        }

    def _begin(self, method: Later, request: bytes, call: Any, on_done: Callback) -> None:
        """Begins a call on another thread."""

        def begin() -> None:
            try:
                method(request, call, on_done)
            except BaseException as error:  # any error is reported to the caller
                on_done(None, error)

        self._submit(begin)

    def _create_session(self, request: bytes, call: Any) -> bytes:
        message = proto.CreateSessionRequest.FromString(request)
        handle, version = self._master.create_session(
            message.graph_def, message.config, call.is_active, message.target
        )
        return proto.CreateSessionResponse(
            session_handle=handle, graph_version=version
        ).SerializeToString()

    def _extend_session(self, request: bytes, call: Any) -> bytes:
        message = proto.ExtendSessionRequest.FromString(request)
        session = self._master.session(message.session_handle)
        version = session.extend(message.graph_def, message.current_graph_version)
        return proto.ExtendSessionResponse(new_graph_version=version).SerializeToString()

    def _set_up_partial_run(self, request: bytes, call: Any) -> bytes:
        message = proto.PartialRunSetupRequest.FromString(request)
        key = StepKey(tuple(message.feed), tuple(message.fetch), tuple(message.target))
        handle = self._master.session(message.session_handle).set_up_partial_run(key)
        return proto.PartialRunSetupResponse(partial_run_handle=handle).SerializeToString()

    def _run(self, request: bytes, call: Any, on_done: Callback) -> None:
        named, remainder = split_named_tensors(request, 2)
        message = proto.RunStepRequest.FromString(remainder)
        key = StepKey(tuple(name for name, _ in named), tuple(message.fetch), tuple(message.target))
        arrays = [array for _, array in named]
        metadata = proto.RunMetadata()
        finished: list[bool] = []

        def over(results: Any, error: BaseException | None) -> None:
            finished.append(True)
            if error is None:
                reply_to_call(on_done, lambda: _step_reply(key.fetches, results, metadata))
            elif isinstance(error, OpError) and message.store_errors_in_response_body:
                code, text = error_status(error)
                reply = proto.RunStepResponse(status_code=code, status_error_message=text)
                on_done([reply.SerializeToString()], None)
            else:
                on_done(None, error)

        try:
            session = self._master.session(message.session_handle)
            start_callback = _cancel_on_disconnect(call, finished)
            options, handle = message.options, message.partial_run_handle
            if not handle:
                session.run(key, arrays, options, metadata, start_callback, self._submit, over)
                return
            results = session.run_partly(handle, key, arrays, options, start_callback)
        except OpError as error:
            over(None, error)
        else:
            over(results, None)

    def _close_session(self, request: bytes, call: Any) -> bytes:
        self._master.close_session(proto.CloseSessionRequest.FromString(request).session_handle)
        return b""

    def _list_devices(self, request: bytes, call: Any) -> bytes:
        message = proto.ListDevicesRequest.FromString(request)
        local, remote = self._master.list_devices(message.session_handle)
        return proto.ListDevicesResponse(
            local_device=map(device_to_attributes, local),
            remote_device=map(device_to_attributes, remote),
        ).SerializeToString()

    def _reset(self, request: bytes, call: Any) -> bytes:
        message = proto.ResetRequest.FromString(request)
        self._master.reset(list(message.container), list(message.device_filters))
        return b""

    def _make_callable(self, request: bytes, call: Any) -> bytes:
        message = proto.MakeCallableRequest.FromString(request)
        session = self._master.session(message.session_handle)
        handle = session.make_callable(message.options)
        return proto.MakeCallableResponse(handle=handle).SerializeToString()

    def _run_callable(self, request: bytes, call: Any, on_done: Callback) -> None:
        handle, callable_handle, arrays = "", 0, []
        for field, wire_type, value in fields(request):
            if field == 1 and wire_type == 2:
                handle = request[value[0] : value[1]].decode(errors="replace")
            elif field == 2 and wire_type == 0:
                callable_handle = value
            elif field == 3 and wire_type == 2:
                arrays.append(read_tensor(request, *value)[0])
        session = self._master.session(handle)
        key, options = session.callable(callable_handle)
        metadata = proto.RunMetadata()
        finished: list[bool] = []

        def over(results: Any, error: BaseException | None) -> None:
            finished.append(True)
            if error is None:
                reply_to_call(on_done, lambda: _callable_reply(results, metadata))
            else:
                on_done(None, error)

        start_callback = _cancel_on_disconnect(call, finished)
        session.run(key, arrays, options, metadata, start_callback, self._submit, over)

    def _release_callable(self, request: bytes, call: Any) -> bytes:
        message = proto.ReleaseCallableRequest.FromString(request)
        self._master.session(message.session_handle).release_callable(message.handle)
        return b""


def _cancel_on_disconnect(call: Any, finished: Sequence[bool]) -> Any:
    """Cancels a step when its client disconnects, unless the call has `finished`; partial runs survive it."""

    def on_begin(running: Any) -> None:
        def cancel() -> None:
            if not finished:
                running.cancel()

        if not call.add_callback(cancel):
            cancel()

    return on_begin


def _step_reply(names: Sequence[str], results: Results, metadata: Any) -> bytes:
    """Creates a RunStepResponse."""
    buffers: Buffers = []
    size = 0
    for name, value, dtype in zip(names, *results):
        encoded = named_tensor(1, name.encode(), value, dtype, size)
        size += total_size(encoded)
        buffers += encoded
    text = metadata.SerializeToString()
    buffers.append(tagged_field(2, text))
    return join_buffers(buffers)


def _callable_reply(results: Results, metadata: Any) -> bytes:
    """Creates a RunCallableResponse."""
    buffers: Buffers = []
    size = 0
    for value, dtype in zip(*results):
        inner = tensor_buffers(value, dtype, size + 6)
        buffers += [b"\x0a" + five_byte_varint(total_size(inner)), *inner]
        size += total_size(inner) + 6
    if metadata.ByteSize():
        buffers.append(tagged_field(2, metadata.SerializeToString()))
    return join_buffers(buffers) if buffers else b""
