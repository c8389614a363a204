"""The server side of direct connections: a server's methods, called by other tasks over sockets."""

from __future__ import annotations

import secrets
import socket
import threading
from collections import deque
from collections.abc import Callable, Mapping
from functools import partial
from time import sleep
from typing import Any

from tfmini._src.base import errors
from tfmini._src.base.locks import make_lock
from tfmini._src.base.system import is_unix
from tfmini._src.cluster.direct_channel import (
    CANCEL,
    FAILURE,
    REPLY,
    REQUEST,
    FramedConnection,
    Message,
)
from tfmini._src.cluster.direct_sockets import (
    NO_SIGNAL,
    TCP_TRANSPORT,
    UNIX_TRANSPORT,
    Offer,
    answer_to,
    configure_connection,
    listening_tcp,
    listening_unix,
    new_secret,
    receive_secret,
    supports_tcp_connections,
    supports_unix_sockets,
)
from tfmini._src.cluster.limits import current as current_limits
from tfmini._src.cluster.message_codes import server_codes
from tfmini._src.cluster.wire import Buffers

_MAX_REQUEST = 1 << 20
_MAX_NAME = 256
_MAX_SECRETS = 256
_MAX_UNVERIFIED = 64  # connections that have not presented a secret yet
_PAUSE_SECONDS = 0.1

# `begin(request, call, on_done)`: `on_done(buffers, error)` is called once, on any thread.
Later = Callable[[bytes, Any, Callable[[Buffers | None, BaseException | None], None]], None]


class DirectCall:
    """One call over a connection, with the parts of gRPC's context interface that methods use.

    lock: shared by the calls of its connection.
    on_end: called at its end, before the added callbacks.
    """

    def __init__(self, lock: Any, on_end: Callable[[], Any]) -> None:
        self._lock = lock
        self._callbacks = [on_end]
        self._is_over = False

    def add_callback(self, callback: Callable[[], Any]) -> bool:
        """Registers `callback` for the end of the call; returns False if it has already ended."""
        with self._lock:
            if not self._is_over:
                self._callbacks.append(callback)
            return not self._is_over

    def is_active(self) -> bool:
        """Whether the caller is still waiting for the reply."""
        return not self._is_over

    def end(self, answer: Callable[..., Any] | None = None, *arguments: Any) -> None:
        """Ends the call with `answer(*arguments)`, unless it has already ended."""
        with self._lock:
            if self._is_over:
                return
            self._is_over = True
            callbacks, self._callbacks = self._callbacks, []  # they refer to the call (a cycle)
        if answer is not None:
            answer(*arguments)
        for callback in callbacks:
            callback()


class DirectServer:
    """Accepts connections and answers the calls on them.

    Args:
      methods: `method(request, call)` by full name; each call runs in its own thread.
      later_handlers: methods that never block and reply later, by full name; they run in the connection's thread.
      submit: `submit(function, *arguments)` runs the function on another thread.
      status_of: returns the code and the text of an error.
      host: host on which connections over TCP are accepted; None disables them.
      token: secret shared with callers, which authenticates messages over TCP.
    """

    def __init__(
        self,
        methods: Mapping[str, Callable[[bytes, Any], bytes]],
        later_handlers: Mapping[str, Later],
        submit: Callable[..., Any],
        status_of: Callable[[BaseException], tuple[int, str]],
        host: str = "",
        token: str = "",
    ):
        self._methods = methods
        self._later = later_handlers
        self._submit = submit
        self._status_of = status_of
        self._host = host
        self._token = token
        self._lock = make_lock()
        self._name = b""
        self._listeners: dict[bytes, socket.socket] = {}  # by the request for it
        self._unauthenticated: dict[socket.socket, None] = {}  # in LRU order
        self._secrets: deque[bytes] = deque(maxlen=_MAX_SECRETS)
        self._connections: set[FramedConnection] = set()
        self._is_closed = False
        self._max_request_size = min(_MAX_REQUEST, current_limits().message)

    def open(self, request: bytes, port: int) -> bytes:
        """Returns the reply to a connection request; empty if this kind is not available.

        request: `UNIX_TRANSPORT` or `TCP_TRANSPORT`.
        port: the server's own port.
        """
        is_possible = (
            supports_tcp_connections() and self._host
            if request == TCP_TRANSPORT
            else supports_unix_sockets()
        )
        if not is_possible or request not in (UNIX_TRANSPORT, TCP_TRANSPORT):
            return b""
        with self._lock:
            if self._is_closed:
                return b""
            listener = self._listeners.get(request)
            if listener is None:
                try:
                    listener = self._listen(request)
                except OSError:
                    return b""
            secret = new_secret()
            self._secrets.append(secret)
        if request == TCP_TRANSPORT:
            direct_port = listener.getsockname()[1]
            offer = Offer(b"", secret, port, self._max_request_size, direct_port, bool(self._token))
        else:
            offer = Offer(self._name, secret, port, self._max_request_size)
        return offer.to_bytes()

    def _listen(self, request: bytes) -> socket.socket:
        if request == TCP_TRANSPORT:
            listener = listening_tcp(self._host)
        else:
            listener, self._name = listening_unix()
        self._listeners[request] = listener
        threading.Thread(
            target=self._accept, args=(listener,), name="tfmini connections", daemon=True
        ).start()
        return listener

    def _accept(self, listener: socket.socket) -> None:
        while True:
            try:
                connection, _ = listener.accept()
            except OSError:
                if self._is_closed:
                    return
                sleep(_PAUSE_SECONDS)  # out of file descriptors, so one must be closed
                continue
            with self._lock:
                # Drops the one silent for longest.
                if len(self._unauthenticated) >= _MAX_UNVERIFIED:
                    _shut(next(iter(self._unauthenticated)))
                    del self._unauthenticated[next(iter(self._unauthenticated))]
                self._unauthenticated[connection] = None
            try:
                threading.Thread(
                    target=self._serve, args=(connection,), name="tfmini connection", daemon=True
                ).start()
            except RuntimeError:  # the process is out of threads
                connection.close()
                with self._lock:
                    self._unauthenticated.pop(connection, None)

    def _match_secret(self, connection: socket.socket) -> bytes:
        """Matches the peer's secret against the issued ones and answers it; returns None for an unknown secret."""
        try:
            secret = receive_secret(configure_connection(connection))
        except OSError:
            secret = b""
        with self._lock:
            self._unauthenticated.pop(connection, None)
            matching = [s for s in self._secrets if secrets.compare_digest(s, secret)]
            for match in matching:
                self._secrets.remove(match)
            if not matching or self._is_closed:
                return b""
        try:
            connection.sendall(answer_to(secret), NO_SIGNAL)
        except OSError:
            return b""
        return secret

    def _serve(self, connection: socket.socket) -> None:
        secret = self._match_secret(connection)
        if not secret:
            connection.close()
            return
        is_coded = self._token and not is_unix(connection)
        framed = FramedConnection(
            connection, server_codes(self._token, secret) if is_coded else None
        )
        with self._lock:
            self._connections.add(framed)
            is_closed = self._is_closed
        calls: dict[int, DirectCall] = {}
        lock = make_lock()

        def on_message(message: Message) -> Callable[[], Any] | None:
            call_id = message.call_id
            if message.kind == REQUEST:
                call = calls[call_id] = DirectCall(lock, partial(calls.pop, call_id, None))
                return partial(self._begin, framed, message, call)
            cancelled = calls.get(call_id) if message.kind == CANCEL else None
            return None if cancelled is None else cancelled.end  # no caller waits for a reply

        def on_lost() -> None:
            with self._lock:
                self._connections.discard(framed)
            for call in list(calls.values()):
                call.end()

        framed.listen(on_message, on_lost, self._max_request_size + _MAX_NAME)
        if is_closed:  # closed in the meantime
            framed.close()

    def _begin(self, connection: FramedConnection, message: Message, call: DirectCall) -> None:
        _, call_id, name, data = message

        def on_done(buffers: Buffers | None, error: BaseException | None) -> None:
            if not call.is_active():  # the caller no longer waits
                return
            if error is None:
                call.end(_send_reply, connection, call_id, REPLY, buffers or [])
            else:
                code, text = self._status_of(error)
                call.end(_send_reply, connection, call_id, FAILURE, [bytes((code,)), text.encode()])

        later_handler, method = self._later.get(name), self._methods.get(name)
        if later_handler is not None:
            try:
                later_handler(data, call, on_done)
            except BaseException as error:  # any error is reported to the caller
                on_done(None, error)
        elif method is None:
            on_done(None, errors.UnimplementedError(None, None, f"No method {name}"))
        else:
            self._submit(_run_method, method, data, call, on_done)

    def close(self) -> None:
        """Closes all connections."""
        with self._lock:
            self._is_closed = True
            connections, listeners = list(self._connections), list(self._listeners.values())
        for listener in listeners:
            _shut(listener)
            listener.close()
        for connection in connections:
            connection.close()


def _shut(connection: socket.socket) -> None:
    """Shuts a socket down, which wakes its waiters."""
    try:
        connection.shutdown(socket.SHUT_RDWR)
    except OSError:
        pass


def _run_method(method: Any, data: bytes, call: DirectCall, on_done: Any) -> None:
    try:
        reply = method(data, call)
    except BaseException as error:  # any error is reported to the caller
        on_done(None, error)
    else:
        on_done([reply], None)


def _send_reply(connection: FramedConnection, call_id: int, kind: int, buffers: Buffers) -> None:
    """Sends the reply to a call."""
    try:
        connection.send(kind, call_id, b"", buffers)
    except OSError:
        connection.close()
