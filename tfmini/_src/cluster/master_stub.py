"""A client's interface to a server's master: over MasterService, or directly within one process."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from tfmini._src.base import errors, logs, proto
from tfmini._src.cluster.cluster_step import TIMED_OUT
from tfmini._src.cluster.grpc_channel import MASTER, Channel, error_from
from tfmini._src.cluster.grpc_server import error_status
from tfmini._src.cluster.master_session import StepKey
from tfmini._src.cluster.wire import (
    Buffers,
    fields,
    join_buffers,
    named_tensor,
    tagged_field,
    total_size,
    writable,
)
from tfmini._src.cluster.worker_service import read_named
from tfmini._src.devices.attributes import DeviceAttributes, attributes_to_device

# Seconds that a client waits for a server to come up.
_START_SECONDS = 600.0
# Seconds after which a client logs that it waits.
_WARNING_SECONDS = 10.0
# Seconds of silence past a step's timeout after which the server counts as lost.
_GRACE_SECONDS = 10.0


class MasterStub:
    """Stub of the master at an address, "host:port"."""

    def __init__(self, address: str):
        self._channel = Channel(address)

    def _call(
        self, method: str, message: Any, timeout: float | None = None, **metadata: Any
    ) -> bytes:
        return self._channel.call(MASTER + method, message.SerializeToString(), timeout, **metadata)

    def _call_when_up(self, method: str, message: Any, timeout: float) -> bytes:
        """Calls a method once the server is up; logs a warning if that takes long."""
        text = "%s still waiting for response from grpc://%s"
        timer = threading.Timer(
            _WARNING_SECONDS, logs.warning, (text, method, self._channel.address)
        )
        timer.daemon = True
        timer.start()
        try:
            return self._call(method, message, timeout, waits=True)
        finally:
            timer.cancel()

    def create_session(self, graph_def: Any, config: Any, target: str) -> tuple[str, int]:
        message = proto.CreateSessionRequest(graph_def=graph_def, config=config, target=target)
        limit = config.operation_timeout_in_ms / 1000 or _START_SECONDS
        reply = self._call_when_up("CreateSession", message, limit)
        response = proto.CreateSessionResponse.FromString(reply)
        self._channel.request_connection()
        return response.session_handle, response.graph_version

    def extend_session(self, handle: str, graph_def: Any, version: int) -> int:
        message = proto.ExtendSessionRequest(
            session_handle=handle, graph_def=graph_def, current_graph_version=version
        )
        return proto.ExtendSessionResponse.FromString(
            self._call("ExtendSession", message)
        ).new_graph_version

    def step(
        self, handle: str, key: StepKey, dtypes: Sequence[Any], partial_run: str = ""
    ) -> Callable[[Sequence[Any], Any, Any, float], list[Any]]:
        """Returns a function that runs a step: `run(feed values, options, metadata, limit in seconds)`.

        partial_run: the handle of the partial run to which the step belongs.
        """
        message = proto.RunStepRequest(
            session_handle=handle,
            fetch=key.fetches,
            target=key.targets,
            partial_run_handle=partial_run,
            store_errors_in_response_body=True,
        )
        start = message.SerializeToString()
        names = [name.encode() for name in key.feeds]
        method = f"{MASTER}RunStep"

        def run(values: Sequence[Any], options: Any, metadata: Any, limit: float) -> list[Any]:
            buffers: Buffers = [start]
            size = len(start)
            if options is not None:
                buffers.append(tagged_field(5, options.SerializeToString()))
                size += len(buffers[-1])
            for name, value, dtype in zip(names, values, dtypes):
                encoded = named_tensor(2, name, value, dtype, size)
                size += total_size(encoded)
                buffers += encoded
            timeout = limit + _GRACE_SECONDS if limit else None
            return _read_step(
                self._channel.call(method, join_buffers(buffers), timeout), key, metadata
            )

        return run

    def set_up_partial_run(self, handle: str, key: StepKey) -> str:
        message = proto.PartialRunSetupRequest(
            session_handle=handle, feed=key.feeds, fetch=key.fetches, target=key.targets
        )
        reply = self._call("PartialRunSetup", message)
        return proto.PartialRunSetupResponse.FromString(reply).partial_run_handle

    def run_partly(
        self, handle: str, run: str, feeds: Mapping[str, tuple[Any, Any]], fetches: Sequence[str]
    ) -> list[Any]:
        """Continues a partial run; `feeds` has values and dtypes by name."""
        key = StepKey(tuple(feeds), tuple(fetches), ())
        dtypes = [dtype for _, dtype in feeds.values()]
        step = self.step(handle, key, dtypes, run)
        return step([value for value, _ in feeds.values()], None, None, 0.0)

    def list_devices(self, handle: str) -> list[DeviceAttributes]:
        message = proto.ListDevicesRequest(session_handle=handle)
        reply = proto.ListDevicesResponse.FromString(self._call("ListDevices", message))
        return [
            attributes_to_device(attributes)
            for attributes in (*reply.local_device, *reply.remote_device)
        ]

    def close_session(self, handle: str) -> None:
        self._call("CloseSession", proto.CloseSessionRequest(session_handle=handle), 10)

    def reset(self, containers: Sequence[str], filters: Sequence[str], limit: float = 0.0) -> None:
        message = proto.ResetRequest(container=containers, device_filters=filters)
        self._call_when_up("Reset", message, limit or _START_SECONDS)

    def close(self) -> None:
        self._channel.close()


def _read_step(reply: bytes, key: StepKey, metadata: Any) -> list[Any]:
    """Returns the values in a RunStepResponse, in fetch order."""
    values: dict[str, Any] = {}
    code, text = 0, ""
    for field, wire_type, value in fields(reply):
        if field == 1 and wire_type == 2:
            name, array = read_named(reply, *value)
            values[name] = array
        elif field == 2 and wire_type == 2 and metadata is not None:
            metadata.MergeFromString(bytes(reply[value[0] : value[1]]))
        elif field == 3 and wire_type == 0:
            code = value
        elif field == 4 and wire_type == 2:
            text = str(reply[value[0] : value[1]], errors="replace")
    if code:
        raise error_from(code, text)
    try:
        return [writable(values[name]) for name in key.fetches]
    except KeyError as error:
        raise errors.InternalError(
            None, None, f"The server did not return {error.args[0]}"
        ) from None


class LocalMaster:
    """Stub of a master in this process."""

    def __init__(self, master: Any):
        self._master = master

    def _call(self, function: Callable[..., Any], *args: Any) -> Any:
        try:
            return function(*args)
        except errors.OpError as error:  # as if received over the wire
            raise error_from(*error_status(error)) from None

    def create_session(self, graph_def: Any, config: Any, target: str) -> tuple[str, int]:
        return self._call(self._master.create_session, graph_def, config, lambda: True, target)

    def extend_session(self, handle: str, graph_def: Any, version: int) -> int:
        return self._call(lambda: self._master.session(handle).extend(graph_def, version))

    def step(
        self, handle: str, key: StepKey, dtypes: Sequence[Any]
    ) -> Callable[[Sequence[Any], Any, Any, float], list[Any]]:
        def run(values: Sequence[Any], options: Any, metadata: Any, limit: float) -> list[Any]:
            session = self._call(self._master.session, handle)
            try:
                return self._call(session.run_locally, key, values, options, metadata)
            except errors.DeadlineExceededError as error:
                if error.message != TIMED_OUT:
                    raise
                raise errors.DeadlineExceededError(None, None, "Operation timed out.") from None

        return run

    def set_up_partial_run(self, handle: str, key: StepKey) -> str:
        return self._call(lambda: self._master.session(handle).set_up_partial_run(key))

    def run_partly(
        self, handle: str, run: str, feeds: Mapping[str, tuple[Any, Any]], fetches: Sequence[str]
    ) -> list[Any]:
        key = StepKey(tuple(feeds), tuple(fetches), ())
        values = [value for value, _ in feeds.values()]
        return self._call(lambda: self._master.session(handle).run_partly(run, key, values))[0]

    def list_devices(self, handle: str) -> list[DeviceAttributes]:
        local, remote = self._call(self._master.list_devices, handle)
        return [*local, *remote]

    def close_session(self, handle: str) -> None:
        self._call(self._master.close_session, handle)

    def reset(self, containers: Sequence[str], filters: Sequence[str], limit: float = 0.0) -> None:
        self._call(self._master.reset, containers, filters)

    def close(self) -> None:
        """Does nothing: the server keeps running."""


# This process's masters by target: local sessions call them directly, without messages.
LOCAL: dict[str, Any] = {}


def master_at(target: str) -> MasterStub | LocalMaster:
    """Returns the stub of the master named by a target ("grpc://host:port")."""
    local = LOCAL.get(target)
    return MasterStub(target.removeprefix("grpc://")) if local is None else LocalMaster(local)
