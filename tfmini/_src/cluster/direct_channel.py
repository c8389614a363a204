"""Lines: calls between tasks over sockets of their own instead of gRPC, whose calls take several times as long.

Who has called a task by gRPC asks it for a line (`OPEN_LINE`). A task of tfmini's answers with the name of a Unix
socket that is no file, a secret that opens it once, the port it serves at itself and the size of the largest request it
takes there. Who cannot open the socket, as on another host, in another container or of another user, asks for a port in
place of a name: lines over TCP, which a task has where it serves without TLS. Who finds that the port that the task
serves at is another one, so that something stands between, or who cannot connect, as through a firewall, stays with
gRPC, and so does who has lost several lines of one server soon after they were opened; and so do larger requests.

A message is a head (how many bytes follow, the number of the call, what it is, the length of the method's name), the
name, and its bytes; over TCP between tasks that share a token its code follows (`message_codes`). A line that is lost
ends its calls with UnavailableError; the next ones go over gRPC. A forked process has none of its parent's: if it kept
them open, the other side would not see that its parent has ended.

TFMINI_SHARED_MEMORY=0 leaves Unix sockets out, TFMINI_LINES=0 all lines; a system without epoll and kqueue has none.
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
from tfmini._src.cluster.direct_poller import Work, poller
from tfmini._src.cluster.direct_sockets import NO_SIGNAL, not_in_children
from tfmini._src.cluster.message_codes import SIZE as CODE_SIZE
from tfmini._src.cluster.message_codes import Codes

REQUEST, REPLY, FAILURE, CANCEL = range(4)
_CANCELLED = bytes((CANCELLED,)) + b"Cancelled"
_HEAD = struct.Struct("<QQBB")
_READ_AHEAD = 64 << 10
_MOST_BUFFERS = 64
# As plain numbers: those of the module are enums, whose operators take microseconds.
_NOW = int(getattr(socket, "MSG_DONTWAIT", 0))
_SEND_NOW = _NOW | int(NO_SIGNAL)
_AT_ONCE = 1 << 20  # bytes of a large message that are read together
_PADDING = -_HEAD.size % 64  # before the head, so that what follows it is aligned

_calling: WeakSet[CallingLine] = WeakSet()


class Message(NamedTuple):
    """A message: `kind` is REQUEST, REPLY, FAILURE or CANCEL, `name` the method's."""

    kind: int
    number: int
    name: str
    data: Any


class Framed:
    """One end of a line: framed messages over a connected socket.

    A send never waits: what the socket does not take at once goes out when it has room. So who reads may send.

    Args:
      codes: those of what is sent and of what is received, where messages carry them.
    """

    def __init__(self, connected: socket.socket, codes: tuple[Codes, Codes] | None = None):
        self._socket = not_in_children(connected)
        self._codes = codes
        self._code_size = 0 if codes is None else CODE_SIZE
        self._is_tcp = connected.family != getattr(socket, "AF_UNIX", None)
        self._lock = make_lock()
        self._rest: deque[Any] = deque()  # what waits for room
        self._held: list[Any] = []  # what goes out with the next message
        self._reading = make_lock()
        self._begun = b""  # of a message
        # One that comes in several reads, and how much of it is there.
        self._large: tuple[memoryview, int] | None = None
        self._most: int | None = None
        self._received: Callable[[Message], Callable[[], Any] | None] | None = None
        self._lost: Callable[[], Any] | None = None

    def listen(
        self,
        received: Callable[[Message], Callable[[], Any] | None],
        lost: Callable[[], Any],
        most: int | None = None,
    ) -> None:
        """Has `received(message)` called with each message, in their order, and `lost()` at the end of the line.

        received: it returns what is to be done with the message, which may take long, or None.
        most: bytes of the largest message that is taken; a larger one ends the line.
        """
        self._most = most
        with self._lock:
            try:
                if self._socket.fileno() >= 0:
                    self._received, self._lost = received, lost
                    self._watch(bool(self._rest))
                    return
            except OSError:  # this process may have no more threads
                self._lost = None
                self._end()
        lost()  # it has been closed meanwhile

    def send(
        self, kind: int, number: int, name: bytes, buffers: Sequence[Any], is_held: bool = False
    ) -> None:
        """Sends a message.

        is_held: whether it goes out with the next message, or by `flush`, so that both wake the other side once.

        Raises:
          OSError: if the line is lost.
        """
        size = sum(map(len, buffers))
        head = _HEAD.pack(len(name) + size, number, kind, len(name)) + name
        if len(buffers) > _MOST_BUFFERS:
            buffers = [b"".join(buffers)]
        pieces = [head, *[each for each in buffers if len(each)]]
        with self._lock:
            if self._codes is not None:
                pieces.append(self._codes[0].of_next(pieces))
                size += CODE_SIZE
            if is_held and len(self._held) < _MOST_BUFFERS:
                self._held += pieces
                return
            if self._held:
                size += sum(map(len, self._held))
                pieces[:0], self._held = self._held, []
            self._send_or_keep(pieces, len(head) + size)

    def flush(self) -> None:
        """Sends what is held.

        Raises:
          OSError: if the line is lost.
        """
        with self._lock:
            if self._held:
                pieces, self._held = self._held, []
                self._send_or_keep(pieces, sum(map(len, pieces)))

    def _send_or_keep(self, pieces: Sequence[Any], size: int) -> None:
        """Sends what the socket takes, and keeps what it has no room for; the caller holds the lock."""
        if self._rest:
            self._rest.extend(pieces)
        elif (sent := self._sent(pieces)) < size:
            self._rest.extend(pieces)
            self._drop(sent)
            self._watch(sends=True)

    def _watch(self, sends: bool) -> None:
        """Has the poller tell when there is room to send, or no more; the caller holds the lock."""
        if sends or self._received is not None:
            poller().watch(self._socket.fileno(), self, sends)
        else:
            poller().forget(self._socket.fileno())

    def _sent(self, pieces: Sequence[Any]) -> int:
        """The number of bytes that the socket takes of them now; the caller holds the lock."""
        try:
            return self._socket.sendmsg(pieces, [], _SEND_NOW)
        except BlockingIOError:
            return 0

    def _drop(self, sent: int) -> None:
        """Forgets so many bytes of what waits for room."""
        rest = self._rest
        while rest and sent >= len(rest[0]):
            sent -= len(rest.popleft())
        if sent:
            rest[0] = memoryview(rest[0])[sent:]

    def go_on(self, can_send: bool, work: Work) -> None:
        """As a poller has it: sends what waits, and adds to `work` what is to be done with what has come."""
        if can_send or self._received is None:
            with self._lock:
                try:
                    self._drop(self._sent(list(itertools.islice(self._rest, _MOST_BUFFERS + 2))))
                except OSError:
                    self._rest.clear()
                    self._shut()
                if not self._rest and self._socket.fileno() >= 0:
                    self._watch(sends=False)
        if self._received is None:
            return
        with self._reading:
            try:
                for message in self._messages():
                    piece = self._received(message)
                    if piece is not None:
                        work.append(piece)
            except (OSError, MemoryError, ValueError):  # numpy's, of a size that no array has
                with self._lock:
                    lost, self._lost = self._lost, None
                    self._end()
                if lost is not None:
                    work.append(lost)

    def _messages(self) -> Iterator[Message]:
        """The messages that have come meanwhile.

        Raises:
          OSError: if the line is lost.
        """
        if self._large is not None:
            yield from self._receive_large(*self._large)
            return
        try:
            data = self._socket.recv(_READ_AHEAD, _NOW)
        except BlockingIOError:
            return
        _something(len(data))
        if self._begun:
            data = self._begun + data
        start = 0
        while len(data) - start >= _HEAD.size:
            head = _HEAD.unpack_from(data, start)
            size = head[0]
            if self._most is not None and size > self._most:
                raise ConnectionError
            end = start + _HEAD.size + size + self._code_size
            if end > len(data):
                if size > _READ_AHEAD:
                    large = np.empty(end - start + _PADDING, np.uint8).data[_PADDING:]
                    large[: len(data) - start] = data[start:]
                    self._begun = b""
                    yield from self._receive_large(large, len(data) - start)
                    return
                break
            yield self._message(data, start, end, *head)
            start = end
        self._begun = data[start:]

    def _wait_for(self, count: int) -> None:
        """Has TCP tell of so many bytes when they are there, or as many as it likes to keep."""
        if self._is_tcp:
            self._socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVLOWAT, min(count, _AT_ONCE))

    def _receive_large(self, data: memoryview, count: int) -> list[Message]:
        """The message in `data`, of which `count` bytes are there; none if more of it has to come."""
        while count < len(data):
            try:
                count += _something(self._socket.recv_into(data[count:], 0, _NOW))
            except BlockingIOError:
                self._large = data, count
                self._wait_for(len(data) - count)
                return []
        self._large = None
        self._wait_for(1)
        return [self._message(data.toreadonly(), 0, len(data), *_HEAD.unpack_from(data))]

    def _message(
        self, data: Any, start: int, end: int, size: int, number: int, kind: int, length: int
    ) -> Message:
        """The message between two places of what has come, whose head is of the last four."""
        if size < length:
            raise ConnectionError
        if self._codes is not None:
            end -= CODE_SIZE
            if not self._codes[1].fits_next(bytes(data[end : end + CODE_SIZE]), [data[start:end]]):
                raise ConnectionError
        start += _HEAD.size
        name = str(data[start : start + length], errors="replace") if length else ""
        rest = data[start + length : end]
        return Message(kind, number, name, rest if kind == REPLY else bytes(rest))

    def close(self) -> None:
        """Closes the line for both sides."""
        self._shut()
        with self._lock:
            if self._lost is None:  # else the poller ends it, which sees that
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


def _something(count: int) -> int:
    """The number of bytes received; none is the end of the line."""
    if not count:
        raise ConnectionResetError
    return count


class CallingLine:
    """The calling end of a line.

    Args:
      framed: the line.
      most: bytes of the largest request.
      lost: called once it is lost.
    """

    def __init__(self, framed: Framed, most: int, lost: Callable[[CallingLine], None]):
        self._framed = framed
        self.most = most
        self._lost = lost
        self._lock = make_lock()
        self._number = 0
        self._calls: dict[int, Callable[[int, bytes], None]] = {}
        self._is_lost = False
        _calling.add(self)

    def begin(
        self,
        method: str,
        request: bytes,
        then: Callable[[int, bytes], None],
        is_held: bool = False,
    ) -> Callable[[], None] | None:
        """Starts a call, with `then(kind, bytes)` at its end; returns a canceller, None if the line is lost.

        is_held: whether the request waits for the next one, or for `flush`.
        then: REPLY and its bytes, FAILURE with a code in a byte and a text, or CANCEL where the line is lost.
        """
        with self._lock:
            if self._is_lost:
                return None
            self._number = number = self._number + 1
            self._calls[number] = then
        try:
            self._framed.send(REQUEST, number, method.encode(), [request], is_held)
        except OSError:
            self._framed.close()  # which ends the calls

        def cancel() -> None:
            with self._lock:
                is_there = self._calls.pop(number, None) is not None
            if is_there:
                try:
                    self._framed.send(CANCEL, number, b"", [])
                except OSError:
                    pass
                then(FAILURE, _CANCELLED)

        return cancel

    def flush(self) -> None:
        """Sends the requests that are held."""
        try:
            self._framed.flush()
        except OSError:
            self._framed.close()  # which ends the calls

    def listen(self) -> None:
        """Takes the replies from now on."""
        self._framed.listen(self._received, self._ended)

    def _received(self, message: Message) -> Callable[[], Any] | None:
        with self._lock:
            then = self._calls.pop(message.number, None)
        return then and partial(then, message.kind, message.data)

    def _ended(self) -> None:
        with self._lock:
            self._is_lost = True
            waiting = list(self._calls.values())
            self._calls.clear()
        self._lost(self)
        for each in waiting:
            each(CANCEL, b"")

    def close(self) -> None:
        self._framed.close()

    def forget(self) -> None:
        """Rejects further calls, without telling the other side."""
        self._is_lost = True
        self._calls.clear()


def _leave_to_the_parent() -> None:
    for line in list(_calling):
        line.forget()


after_fork(_leave_to_the_parent)
