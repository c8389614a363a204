"""Direct connections: calls between tasks over dedicated sockets, several times faster than gRPC's.

The calling task requests a connection over gRPC (`OPEN_CONNECTION`). A tfmini task replies with the name of an abstract
Unix socket, a one-time secret for it, its own server port and the size of the largest request it accepts there. A
caller that cannot open the socket (another host, container or user) requests a port instead: connections over TCP,
available if the server does not use TLS. The caller stays with gRPC if the reported server port differs from the one it
calls (a proxy in between), if it cannot connect (a firewall), or after losing several connections to one server soon
after they were opened. Larger requests also use gRPC.

A message is a head (byte count, call number, kind, length of the method name), the name, and the payload; over TCP
between tasks that share a token, an authentication code follows (`message_codes`). A lost connection fails its calls
with UnavailableError; later calls use gRPC. A forked process closes its parent's connections: otherwise the peer would
not notice the parent's end.

TFMINI_SHARED_MEMORY=0 disables Unix sockets, TFMINI_LINES=0 all connections; without epoll or kqueue there are no
connections.
"""

from __future__ import annotations

import itertools
import socket
import struct
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from functools import partial
from typing import Any, NamedTuple
from weakref import WeakSet

import numpy as np

from tfmini._src.base.errors import CANCELLED
from tfmini._src.base.locks import after_fork, make_lock
from tfmini._src.base.system import is_unix
from tfmini._src.cluster.direct_poller import Work, poller
from tfmini._src.cluster.direct_sockets import NO_SIGNAL, close_in_children
from tfmini._src.cluster.message_codes import SIZE as CODE_SIZE, MessageAuthenticator

REQUEST, REPLY, FAILURE, CANCEL = range(4)
_CANCELLED = bytes((CANCELLED,)) + b"Cancelled"
_HEAD = struct.Struct("<QQBB")
_READ_AHEAD = 64 << 10
_MAX_BUFFERS = 64
# Plain numbers, because the module's constants are enums, whose operators take microseconds.
_NONBLOCKING_FLAG = int(getattr(socket, "MSG_DONTWAIT", 0))
_SEND_NOW = _NONBLOCKING_FLAG | int(NO_SIGNAL)
_MAX_READ_BYTES = 1 << 20  # maximum bytes of a large message that are read at a time
_PADDING = -_HEAD.size % 64  # padding before the head that aligns the payload

_calling: WeakSet[CallingConnection] = WeakSet()


class Message(NamedTuple):
    """A message: `kind` is REQUEST, REPLY, FAILURE or CANCEL, `name` is the method name."""

    kind: int
    call_id: int
    name: str
    data: Any


class FramedConnection:
    """One end of a connection: framed messages over a connected socket.

    Sends never block: bytes that the socket does not accept are sent once it is writable, so a reader may send.

    Args:
      codes: authentication codes of outgoing and incoming messages, or None.
    """

    def __init__(
        self,
        connected: socket.socket,
        codes: tuple[MessageAuthenticator, MessageAuthenticator] | None = None,
    ):
        self._socket = close_in_children(connected)
        self._codes = codes
        self._code_size = 0 if codes is None else CODE_SIZE
        self._is_tcp = not is_unix(connected)
        self._lock = make_lock()
        self._pending: deque[Any] = deque()  # output waiting for the socket
        self._held_output: list[Any] = []  # output held back for the next message
        self._reading = make_lock()
        self._started = b""  # the beginning of an incomplete message
        # A message received in several reads, and its bytes so far.
        self._partial_message: tuple[memoryview, int] | None = None
        self._max_message_size: int | None = None
        self._receive_reply: Callable[[Message], Callable[[], Any] | None] | None = None
        self._lost: Callable[[], Any] | None = None

    def listen(
        self,
        received: Callable[[Message], Callable[[], Any] | None],
        on_lost: Callable[[], Any],
        max_size: int | None = None,
    ) -> None:
        """Calls `received(message)` for each message, in order, and `on_lost()` when the connection closes.

        received: returns None, or a possibly slow function to run for the message.
        max_size: maximum message size in bytes; a larger message closes the connection.
        """
        self._max_message_size = max_size
        with self._lock:
            try:
                if self._socket.fileno() >= 0:
                    self._receive_reply, self._lost = received, on_lost
                    self._watch(bool(self._pending))
                    return
            except OSError:  # the process is out of threads
                self._lost = None
                self._end()
        on_lost()  # the connection was closed in the meantime

    def send(
        self, kind: int, call_id: int, name: bytes, buffers: Sequence[Any], is_held: bool = False
    ) -> None:
        """Sends a message.

        is_held: whether to hold it for the next message or `flush`, so that both wake the peer once.

        Raises:
          OSError: if the connection is lost.
        """
        size = sum(map(len, buffers))
        head = _HEAD.pack(len(name) + size, call_id, kind, len(name)) + name
        if len(buffers) > _MAX_BUFFERS:
            buffers = [b"".join(buffers)]
        pieces = [head, *[buffer for buffer in buffers if len(buffer)]]
        with self._lock:
            if self._codes is not None:
                pieces.append(self._codes[0].next_code(pieces))
                size += CODE_SIZE
            if is_held and len(self._held_output) < _MAX_BUFFERS:
                self._held_output += pieces
                return
            if self._held_output:
                size += sum(map(len, self._held_output))
                pieces[:0], self._held_output = self._held_output, []
            self._send_or_queue(pieces, len(head) + size)

    def flush(self) -> None:
        """Sends the held messages; raises OSError if the connection is lost."""
        with self._lock:
            if self._held_output:
                pieces, self._held_output = self._held_output, []
                self._send_or_queue(pieces, sum(map(len, pieces)))

    def _send_or_queue(self, pieces: Sequence[Any], size: int) -> None:
        """Sends as much as the socket accepts and stores the rest; the caller holds the lock."""
        if self._pending:
            self._pending.extend(pieces)
        elif (sent := self._send_some(pieces)) < size:
            self._pending.extend(pieces)
            self._drop(sent)
            self._watch(sends=True)

    def _watch(self, sends: bool) -> None:
        """Registers for, or unregisters from, write readiness; the caller holds the lock."""
        if sends or self._receive_reply is not None:
            poller().watch(self._socket.fileno(), self, sends)
        else:
            poller().forget(self._socket.fileno())

    def _send_some(self, pieces: Sequence[Any]) -> int:
        """Returns the number of bytes that the socket accepts now; the caller holds the lock."""
        try:
            return self._socket.sendmsg(pieces, [], _SEND_NOW)
        except BlockingIOError:
            return 0

    def _drop(self, sent: int) -> None:
        """Removes `sent` bytes from the pending output."""
        pending = self._pending
        while pending and sent >= len(pending[0]):
            sent -= len(pending.popleft())
        if sent:
            pending[0] = memoryview(pending[0])[sent:]

    def go_on(self, can_send: bool, work: Work) -> None:
        """Implements `Pollable.go_on`: sends pending output and adds functions for received messages to `work`."""
        if can_send or self._receive_reply is None:
            with self._lock:
                try:
                    self._drop(
                        self._send_some(list(itertools.islice(self._pending, _MAX_BUFFERS + 2)))
                    )
                except OSError:
                    self._pending.clear()
                    self._shut()
                if not self._pending and self._socket.fileno() >= 0:
                    self._watch(sends=False)
        if self._receive_reply is None:
            return
        with self._reading:
            try:
                for message in self._messages():
                    piece = self._receive_reply(message)
                    if piece is not None:
                        work.append(piece)
            except (OSError, MemoryError, ValueError):  # NumPy's error for an impossible array size
                with self._lock:
                    on_lost, self._lost = self._lost, None
                    self._end()
                if on_lost is not None:
                    work.append(on_lost)

    def _messages(self) -> Iterator[Message]:
        """Yields the messages received since the last call; raises OSError if the connection is lost."""
        if self._partial_message is not None:
            yield from self._receive_large(*self._partial_message)
            return
        try:
            data = self._socket.recv(_READ_AHEAD, _NONBLOCKING_FLAG)
        except BlockingIOError:
            return
        _checked_count(len(data))
        if self._started:
            data = self._started + data
        start = 0
        while len(data) - start >= _HEAD.size:
            head = _HEAD.unpack_from(data, start)
            size = head[0]
            if self._max_message_size is not None and size > self._max_message_size:
                raise ConnectionError
            end = start + _HEAD.size + size + self._code_size
            if end > len(data):
                if size > _READ_AHEAD:
                    large = np.empty(end - start + _PADDING, np.uint8).data[_PADDING:]
                    large[: len(data) - start] = data[start:]
                    self._started = b""
                    yield from self._receive_large(large, len(data) - start)
                    return
                break
            yield self._message(data, start, end, *head)
            start = end
        self._started = data[start:]

    def _wait_for(self, count: int) -> None:
        """Sets the TCP low-water mark: wake up at `count` bytes, or at the system's maximum."""
        if self._is_tcp:
            self._socket.setsockopt(
                socket.SOL_SOCKET, socket.SO_RCVLOWAT, min(count, _MAX_READ_BYTES)
            )

    def _receive_large(self, data: memoryview, count: int) -> list[Message]:
        """Returns the message in `data`, of which `count` bytes have arrived; none if it is still incomplete."""
        while count < len(data):
            try:
                count += _checked_count(self._socket.recv_into(data[count:], 0, _NONBLOCKING_FLAG))
            except BlockingIOError:
                self._partial_message = data, count
                self._wait_for(len(data) - count)
                return []
        self._partial_message = None
        self._wait_for(1)
        return [self._message(data.toreadonly(), 0, len(data), *_HEAD.unpack_from(data))]

    def _message(
        self, data: Any, start: int, end: int, size: int, call_id: int, kind: int, length: int
    ) -> Message:
        """Decodes the message between two positions of the received data; the last four arguments are from its head."""
        if size < length:
            raise ConnectionError
        if self._codes is not None:
            end -= CODE_SIZE
            if not self._codes[1].verify(bytes(data[end : end + CODE_SIZE]), [data[start:end]]):
                raise ConnectionError
        start += _HEAD.size
        name = str(data[start : start + length], errors="replace") if length else ""
        payload = data[start + length : end]
        return Message(kind, call_id, name, payload if kind == REPLY else bytes(payload))

    def close(self) -> None:
        """Closes the connection for both sides."""
        self._shut()
        with self._lock:
            if self._lost is None:  # otherwise the poller closes it later
                self._end()

    def _shut(self) -> None:
        with suppress(OSError):
            self._socket.shutdown(socket.SHUT_RDWR)

    def _end(self) -> None:
        """Closes the socket; the caller holds the lock."""
        descriptor = self._socket.fileno()
        if descriptor >= 0:
            poller().forget(descriptor)
            self._socket.close()


def _checked_count(count: int) -> int:
    """Returns the number of bytes received; zero means the connection is closed."""
    if not count:
        raise ConnectionResetError
    return count


class CallingConnection:
    """The calling end of a connection, for requests of up to `max_request_size` bytes; calls `on_lost` once lost."""

    def __init__(
        self,
        connection: FramedConnection,
        max_request_size: int,
        on_lost: Callable[[CallingConnection], None],
    ):
        self._connection = connection
        self.max_request_size = max_request_size
        self._lost = on_lost
        self._lock = make_lock()
        self._last_call_id = 0
        self._calls: dict[int, Callable[[int, bytes], None]] = {}
        self._is_lost = False
        _calling.add(self)

    def begin(
        self,
        method: str,
        request: bytes,
        on_done: Callable[[int, bytes], None],
        is_held: bool = False,
    ) -> Callable[[], None] | None:
        """Starts a call; calls `on_done(kind, bytes)` at its end. Returns a canceller; None if the connection is lost.

        is_held: whether to hold the request for the next one or `flush`.
        on_done: called with REPLY and bytes, FAILURE with a one-bytecode and a text, or CANCEL on a lost connection.
        """
        with self._lock:
            if self._is_lost:
                return None
            self._last_call_id = call_id = self._last_call_id + 1
            self._calls[call_id] = on_done
        try:
            self._connection.send(REQUEST, call_id, method.encode(), [request], is_held)
        except OSError:
            self._connection.close()  # the loss ends the calls

        def cancel() -> None:
            with self._lock:
                is_there = self._calls.pop(call_id, None) is not None
            if is_there:
                try:
                    self._connection.send(CANCEL, call_id, b"", [])
                except OSError:
                    pass
                on_done(FAILURE, _CANCELLED)

        return cancel

    def flush(self) -> None:
        """Sends the held requests."""
        try:
            self._connection.flush()
        except OSError:
            self._connection.close()  # the loss ends the calls

    def listen(self) -> None:
        """Starts receiving replies."""
        self._connection.listen(self._receive_reply, self._on_close)

    def _receive_reply(self, message: Message) -> Callable[[], Any] | None:
        with self._lock:
            on_done = self._calls.pop(message.call_id, None)
        return on_done and partial(on_done, message.kind, message.data)

    def _on_close(self) -> None:
        with self._lock:
            self._is_lost = True
            waiting = list(self._calls.values())
            self._calls.clear()
        self._lost(self)
        for callback in waiting:
            callback(CANCEL, b"")

    def close(self) -> None:
        self._connection.close()

    def forget(self) -> None:
        """Rejects further calls, without notifying the server."""
        self._is_lost = True
        self._calls.clear()


def _leave_to_the_parent() -> None:
    for connection in list(_calling):
        connection.forget()


after_fork(_leave_to_the_parent)
