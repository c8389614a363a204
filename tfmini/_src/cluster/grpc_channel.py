"""Calls to TensorFlow's services on other tasks; imports gRPC at the first call."""

from __future__ import annotations

import re
import threading
from collections import Counter
from collections.abc import Callable, Sequence
from functools import partial
from queue import Empty, SimpleQueue
from time import monotonic
from types import ModuleType
from typing import Any

from tfmini._src.base import errors
from tfmini._src.base.locks import make_lock
from tfmini._src.base.missing_package import missing_package
from tfmini._src.cluster.direct_channel import FAILURE, REPLY, CallingConnection, FramedConnection
from tfmini._src.cluster.direct_sockets import (
    OPEN_CONNECTION,
    Offer,
    connect_offer,
    parse_offer,
    preferred_transports,
)
from tfmini._src.cluster.message_codes import caller_codes
from tfmini._src.cluster.security import TOKEN_KEY, channel_credentials, current

MASTER, WORKER = "/tensorflow.MasterService/", "/tensorflow.WorkerService/"

# Only tfmini has this method: several RecvTensor calls in one. Other tasks get a request per tensor.
RECEIVE_MANY = "/tfmini.WorkerService/RecvTensors"
# CleanupGraph for several steps at once.
CLEAN_UP_MANY = "/tfmini.WorkerService/CleanupGraphs"
# Ends the waits of a step that have taken nothing, and lets the step finish if it does not need them.
STOP_DEQUEUING = "/tfmini.WorkerService/TakeNoMore"
# Offers the server shared memory for replies to the caller.
SHARE_MEMORY = "/tfmini.WorkerService/ShareMemory"
# A method that no server implements; calling it shows whether a task is reachable and, if not, the reason.
_PROBE = "/tfmini.Lines/Probe"
_PROBE_SECONDS = 1.0
# Seconds during which a task may drop every connection, as during its shutdown, before it counts as rejecting them.
_CLOSING_SECONDS = 5.0

# Time and number of early losses, with the server still running, after which direct connections are assumed blocked.
_EARLY_LOSS_SECONDS = 60.0
_MAX_EARLY_LOSSES = 3

# Options of channels and servers: no gRPC limit on message size, no proxy between tasks.
OPTIONS: tuple[tuple[str, int], ...] = (
    ("grpc.max_send_message_length", -1),
    ("grpc.max_metadata_size", 16 << 10),
    ("grpc.enable_http_proxy", 0),
)
_CHANNEL_OPTIONS = (
    *OPTIONS,
    ("grpc.max_receive_message_length", -1),
    ("grpc.use_local_subchannel_pool", 1),
    ("grpc.initial_reconnect_backoff_ms", 100),
    ("grpc.max_reconnect_backoff_ms", 1000),
    # Keepalive detects a silently vanished peer: TensorFlow's servers allow a ping every five minutes on an idle
    # connection; unacknowledged data closes the connection after 20 s.
    ("grpc.keepalive_time_ms", 310_000),
    ("grpc.keepalive_timeout_ms", 20_000),
)


def grpc() -> ModuleType:
    """Imports the gRPC library; raises UnimplementedError if it is not installed."""
    try:
        import grpc as library  # noqa: PLC0415
    except ImportError as error:
        raise missing_package("Servers and remote sessions", "grpcio", "cluster", error) from None
    return library


# Not every handshake error: a connection that takes too long is a "tcp handshaker shutdown".
_HANDSHAKE = re.compile(r"\bssl", re.IGNORECASE)
_CLOSED_PATTERN = re.compile("failed to connect.*(Socket closed|Connection reset)", re.DOTALL)
_TOO_LARGE = re.compile(r"essage larger than max \((\d+) vs\. (\d+)\)")

Then = Callable[[bytes | None, BaseException | None], None]


class Channel:
    """Connection to one task at "host:port", opened on first use and reopened when lost."""

    def __init__(self, address: str):
        library = grpc()
        security = current()
        credentials = channel_credentials(library, security)
        self.address = address
        self.is_plain = False  # whether the task has only TensorFlow's methods
        self._library = library
        self._token = security.token
        self._metadata = ((TOKEN_KEY, security.token),) if security.token else None
        self._is_secure = credentials is not None
        if credentials is None:
            self._channel = library.insecure_channel(address, _CHANNEL_OPTIONS)
        else:
            self._channel = library.secure_channel(address, credentials, _CHANNEL_OPTIONS)
        self._methods: dict[str, Any] = {}
        self._lock = make_lock()
        self._connection: CallingConnection | None = None
        self._has_requested_connection = False
        self._early_losses: Counter[tuple[bytes, int]] = Counter()  # by connection address
        self._is_closed = False
        self._closing_since: float | None = None

    def _method(self, name: str) -> Any:
        method = self._methods.get(name)
        if method is None:
            with self._lock:
                # Registered, so that the name is prepared only once.
                method = self._methods[name] = self._channel.unary_unary(name)
        return method

    def call(
        self, name: str, request: bytes, timeout: float | None = None, waits: bool = False
    ) -> bytes:
        """Sends a request and returns the reply.

        Args:
          name: full method name.
          timeout: in seconds.
          waits: whether to wait for a task that is not running yet.

        Raises:
          OpError: with the class that corresponds to the reply's status.
          UnauthenticatedError: if it waits, and only one of the task and this process uses TLS.
        """
        if not waits and self._connection is not None:
            outcome: SimpleQueue[Any] = SimpleQueue()
            cancel = self._begin_on_connection(
                name, request, lambda reply, error: outcome.put((reply, error))
            )
            if cancel is not None:
                return _reply_in_time(outcome, cancel, timeout)
        try:
            if waits:
                return self._call_checking(name, request, timeout)
            return self._method(name)(request, timeout=timeout, metadata=self._metadata)
        except self._library.RpcError as error:
            raise call_error(error, self.address) from None

    def _call_checking(self, name: str, request: bytes, timeout: float | None) -> bytes:
        future = self._method(name).future(
            request, timeout=timeout, metadata=self._metadata, wait_for_ready=True
        )
        try:
            while True:
                try:
                    return future.result(_PROBE_SECONDS)
                except self._library.FutureTimeoutError:
                    self.check()
        finally:
            future.cancel()  # unless it has already ended

    def check(self) -> None:
        """Probes an unresponsive task; raises UnauthenticatedError if only one side uses TLS."""
        try:
            self._method(_PROBE)(b"", timeout=_PROBE_SECONDS, metadata=self._metadata)
            details = ""
        except self._library.RpcError as error:
            details = error.details() or ""
        now = monotonic()
        if not _CLOSED_PATTERN.search(details):
            self._closing_since = None
        elif self._closing_since is None:
            self._closing_since = now
        is_closing = (
            self._closing_since is not None and now > self._closing_since + _CLOSING_SECONDS
        )
        if is_closing or _HANDSHAKE.search(details):
            raise errors.UnauthenticatedError(
                None,
                None,
                f"{self.address} is reachable, but connecting failed: {details}. Both "
                "sides require the same TFMINI_TLS_CA and a TFMINI_TLS_CERT and "
                "TFMINI_TLS_KEY signed by it, or none of these.",
            )

    def begin(
        self,
        name: str,
        request: bytes,
        on_done: Then,
        timeout: float | None = None,
        waits: bool = False,
        is_held: bool = False,
    ) -> Callable[[], None]:
        """Starts a call; calls `on_done(reply, error)` when it has ended. Returns its cancel function.

        timeout: in seconds; not applied to calls over a connection.
        is_held: whether a connection may hold it for the next call or `flush`.
        """
        if not waits and self._connection is not None:
            cancel = self._begin_on_connection(name, request, on_done, is_held)
            if cancel is not None:
                return cancel
        future = self._method(name).future(
            request, timeout=timeout, metadata=self._metadata, wait_for_ready=waits or None
        )

        def on_future_done(future: Any) -> None:
            try:
                reply = future.result()
            except self._library.FutureCancelledError:
                on_done(None, errors.CancelledError(None, None, "Cancelled"))
            except self._library.RpcError as error:
                on_done(None, call_error(error, self.address))
            except Exception as error:  # raised by the library itself, at interpreter exit
                on_done(None, errors.UnavailableError(None, None, f"{self.address}: {error}"))
            else:
                on_done(reply, None)

        future.add_done_callback(on_future_done)
        return future.cancel

    def flush(self) -> None:
        """Sends the held calls."""
        connection = self._connection
        if connection is not None:
            connection.flush()

    def request_connection(self) -> None:
        """Moves later calls to a direct connection if the task offers one that this process can open."""
        if not self._has_requested_connection:
            self._has_requested_connection = True
            self._request_connection(preferred_transports(self._is_secure))

    def _request_connection(self, transports: Sequence[bytes]) -> None:
        """Requests a connection by one transport after another, until one is offered."""
        if transports and not self._is_closed:
            try:
                self.begin(
                    OPEN_CONNECTION,
                    transports[0],
                    partial(self._accept, transports[1:]),
                    timeout=60,
                )
            except ValueError:  # gRPC's error for a channel closed in the meantime
                pass

    def _accept(
        self, others: Sequence[bytes], reply: bytes | None, error: BaseException | None
    ) -> None:
        if isinstance(error, errors.UnavailableError):
            self._has_requested_connection = False
        if error is not None or self._is_closed:
            return
        offer = parse_offer(reply) if reply else None
        # Never less than the token requires.
        if (
            offer is None
            or self._early_losses[offer.direct_address] >= _MAX_EARLY_LOSSES
            or (offer.direct_port and offer.is_authenticated != bool(self._token))
        ):
            self._request_connection(others)
        elif self.address.rpartition(":")[2] == str(offer.port):  # otherwise a proxy is in between
            threading.Thread(
                target=self._open_connection,
                args=(offer, others),
                name="tfmini connection",
                daemon=True,
            ).start()

    def _open_connection(self, offer: Offer, ask_arguments: Sequence[bytes]) -> None:
        """Opens a connection."""
        peer_socket = connect_offer(offer, self.address)
        if peer_socket is None:
            self._request_connection(ask_arguments)
            return
        on_lost = partial(self._on_connection_lost, offer.direct_address, monotonic())
        codes = caller_codes(self._token, offer.secret) if offer.is_authenticated else None
        connection = self._connection = CallingConnection(
            FramedConnection(peer_socket, codes), offer.max_request_size, on_lost
        )
        if self._is_closed:
            connection.close()
        connection.listen()

    def _on_connection_lost(
        self, endpoint: tuple[bytes, int], start_time: float, connection: CallingConnection
    ) -> None:
        self._early_losses[endpoint] += monotonic() < start_time + _EARLY_LOSS_SECONDS
        if self._connection is connection:
            self._connection, self._has_requested_connection = None, False

    def _begin_on_connection(
        self, name: str, request: bytes, on_done: Then, is_held: bool = False
    ) -> Callable[[], None] | None:
        """Same as `begin`, over the connection; returns None if the connection does not support the call."""
        connection = self._connection
        if connection is None or len(request) > connection.max_request_size:
            return None

        def on_end(kind: int, data: bytes) -> None:
            if kind == REPLY:
                on_done(data, None)
            elif kind == FAILURE and data:
                on_done(None, error_from(data[0], data[1:].decode(errors="replace")))
            else:
                on_done(
                    None, errors.UnavailableError(None, None, f"Socket closed ({self.address})")
                )

        return connection.begin(name, request, on_end, is_held)

    def close(self) -> None:
        self._is_closed = True
        connection = self._connection
        if connection is not None:
            connection.close()
        self._channel.close()


def _reply_in_time(
    outcome: SimpleQueue[Any], cancel: Callable[[], None], timeout: float | None
) -> bytes:
    """Waits for a reply in a queue; cancels the call after the timeout."""
    try:
        reply, error = outcome.get(timeout=timeout)
    except Empty:
        cancel()
        raise errors.DeadlineExceededError(None, None, "Deadline Exceeded") from None
    except BaseException:  # Ctrl-C
        cancel()
        raise
    if error is not None:
        raise error
    return reply


def call_error(error: Any, address: str) -> errors.OpError:
    """Returns the error for the status of a call."""
    code, details = error.code().value[0], error.details() or ""
    if code == errors.UNAVAILABLE and address not in details:
        details = f"{details or 'Socket closed'} ({address})"
    if code == errors.RESOURCE_EXHAUSTED and (sizes := _TOO_LARGE.search(details)):
        details = (
            f"A message of {sizes[1]} bytes exceeds the limit of the server at {address}, "
            f"{sizes[2]} (TFMINI_LIMITS=message)"
        )
    return error_from(code, details)


def error_from(code: int, message: str) -> errors.OpError:
    """Returns the error for a code and a text."""
    if code in _ERROR_CODES:
        return errors.exception_type_from_error_code(code)(None, None, message)
    return errors.UnknownError(None, None, message, code)


_ERROR_CODES = frozenset(range(1, 17))


class Channels:
    """A task's channels to other tasks, by task name."""

    def __init__(self, addresses: dict[str, str]):
        self._addresses = dict(addresses)
        self._channels_by_task: dict[str, Channel] = {}
        self._lock = make_lock()

    def __contains__(self, task: str) -> bool:
        return task in self._addresses

    def channel_to(self, task: str) -> Channel:
        """Returns the channel to a task; raises InvalidArgumentError if the cluster has no task of this name."""
        channel = self._channels_by_task.get(task)
        if channel is None:
            with self._lock:
                if task not in self._addresses:
                    errors.invalid(f"The cluster has no task {task}")
                channel = self._channels_by_task.get(task) or Channel(self._addresses[task])
                self._channels_by_task[task] = channel
        return channel

    def add(self, addresses: dict[str, str]) -> None:
        """Adds the tasks of a session's own cluster."""
        with self._lock:
            for task, address in addresses.items():
                if self._addresses.get(task) != address:
                    self._addresses[task] = address
                    self._channels_by_task.pop(task, None)

    def close(self) -> None:
        with self._lock:
            for channel in self._channels_by_task.values():
                channel.close()
            self._channels_by_task.clear()
