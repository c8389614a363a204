"""Lines: calls between tasks of one host over a Unix socket, beside gRPC, whose calls take several times as long.

Who has called a task by gRPC asks it for a line (`OPEN_LINE`). A task of tfmini's answers with the name of a Unix
socket that is no file, a secret that opens it once, the port it serves at itself and the size of the largest request
it takes there. Who finds that the port is another one, so that something stands between them, or who cannot open the
socket, as on another host, in another container or of another user, stays with gRPC; and so do larger requests.

A message is a head (how many bytes follow, the number of the call, what it is, the length of the method's name), the
name, and its bytes. A line that is lost ends its calls with UnavailableError; the next ones go over gRPC. A forked
process has none of its parent's: if it kept them open, the other side would not see that its parent has ended.

TFMINI_SHARED_MEMORY=0 leaves lines out.
"""

from __future__ import annotations

import os
import secrets
import socket
import struct
import threading
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from typing import Any
from weakref import WeakSet

from tfmini.errors import CANCELLED
from tfmini.locks import after_fork, make_lock

OPEN_LINE = "/tfmini.Lines/Open"
REQUEST, REPLY, FAILURE, CANCEL = range(4)
_CANCELLED = bytes((CANCELLED,)) + b"Cancelled"
_HEAD = struct.Struct("<QQBB")
_READ_AHEAD = 64 << 10
_USER = struct.Struct("iII")
_MOST_BUFFERS = 64
_CONNECT_SECONDS = 5.0

_sockets: WeakSet[socket.socket] = WeakSet()
_calling: WeakSet[CallingLine] = WeakSet()


def are_possible() -> bool:
    """Whether this system has Unix sockets without files, and the environment does not forbid lines."""
    has_them = hasattr(socket, "AF_UNIX") and hasattr(socket, "SO_PEERCRED")
    return has_them and os.environ.get("TFMINI_SHARED_MEMORY", "1") != "0"


def new_name() -> bytes:
    """A name for a socket that is no file."""
    return b"\0tfmini-" + secrets.token_hex(16).encode()


def not_in_children(found: socket.socket) -> socket.socket:
    """The socket, which processes that are forked from now on do not keep open."""
    _sockets.add(found)
    return found


def is_own_user(found: socket.socket) -> bool:
    """Whether the other side's process is this one's user's."""
    _, user, _ = _USER.unpack(found.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, _USER.size))
    return user == os.getuid()


class Framed:
    """One side of a line: messages to and from a connected socket.

    A send never waits: what the socket does not take at once goes out in a thread. So who reads may send.
    """

    def __init__(self, connected: socket.socket):
        self._socket = not_in_children(connected)
        self._lock = make_lock()
        self._rest: deque[Any] = deque()

    def send(self, kind: int, number: int, name: bytes, buffers: Sequence[Any]) -> None:
        """Sends a message.

        Raises:
          OSError: if the line is lost.
        """
        size = len(name) + sum(map(len, buffers))
        head = _HEAD.pack(size, number, kind, len(name)) + name
        if len(buffers) > _MOST_BUFFERS:
            buffers = [b"".join(buffers)]
        pieces = [memoryview(each).cast("B") for each in (head, *buffers) if len(each)]
        with self._lock:
            if self._rest:
                self._rest.extend(pieces)
                return
            try:
                sent = self._socket.sendmsg(pieces, [], socket.MSG_DONTWAIT)
            except BlockingIOError:
                sent = 0
            while pieces and sent >= len(pieces[0]):
                sent -= len(pieces.pop(0))
            if not pieces:
                return
            self._rest.extend((pieces[0][sent:], *pieces[1:]))
        threading.Thread(target=self._send_rest, name="tfmini line out", daemon=True).start()

    def _send_rest(self) -> None:
        while True:
            with self._lock:
                if not self._rest:
                    return
                piece = self._rest[0]
            try:
                self._socket.sendall(piece)
            except OSError:
                self.close()
                return
            with self._lock:
                self._rest.popleft()

    def messages(self, most: int | None = None) -> Iterator[tuple[int, int, str, bytes]]:
        """What comes, until the line is lost: the kind, the number, the method's name and the bytes.

        most: bytes of the largest message that is taken; a larger one ends the line.
        """
        with self._socket.makefile("rb", _READ_AHEAD) as stream:
            try:
                while len(head := stream.read(_HEAD.size)) == _HEAD.size:
                    size, number, kind, length = _HEAD.unpack(head)
                    if size < length or (most is not None and size > most):
                        return
                    name = stream.read(length) if length else b""
                    data = stream.read(size - length)
                    if len(name) + len(data) < size:
                        return
                    yield kind, number, name.decode(errors="replace"), data
            except (OSError, MemoryError, OverflowError):
                return

    def close(self) -> None:
        """Ends the line for both sides."""
        try:
            self._socket.shutdown(socket.SHUT_RDWR)
        except OSError:
            pass
        self._socket.close()


def connected(name: bytes, secret: bytes) -> Framed | None:
    """A line to the socket of a name; None if it cannot be opened from here."""
    found = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    try:
        found.settimeout(_CONNECT_SECONDS)
        found.connect(name)
        found.settimeout(None)
        if not is_own_user(found):
            raise PermissionError("another user's")
        found.sendall(secret)
    except OSError:
        found.close()
        return None
    return Framed(found)


class CallingLine:
    """The side of a line that calls.

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

    def start(self) -> None:
        """Reads replies from now on."""
        threading.Thread(target=self._read, name="tfmini line", daemon=True).start()

    def begin(
        self, method: str, request: bytes, then: Callable[[int, bytes], None]
    ) -> Callable[[], None] | None:
        """Calls `then(kind, bytes)` once; returns what cancels the call, or None if the line has been lost.

        then: REPLY and its bytes, FAILURE with a code in a byte and a text, or CANCEL where the line is lost.
        """
        with self._lock:
            if self._is_lost:
                return None
            self._number = number = self._number + 1
            self._calls[number] = then
        try:
            self._framed.send(REQUEST, number, method.encode(), [request])
        except OSError:
            self._framed.close()  # its reader ends the calls

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

    def _read(self) -> None:
        for kind, number, _, data in self._framed.messages():
            with self._lock:
                then = self._calls.pop(number, None)
            if then is not None:
                then(kind, data)
        self._framed.close()
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
        """Takes no more calls; says nothing to the other side."""
        self._is_lost = True
        self._calls.clear()


def _leave_to_the_parent() -> None:
    for line in list(_calling):
        line.forget()
    for each in list(_sockets):
        number = each.detach()  # `close` waits for the file that reads
        if number >= 0:
            os.close(number)
    _sockets.clear()


after_fork(_leave_to_the_parent)
