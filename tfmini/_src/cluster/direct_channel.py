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

TFMINI_SHARED_MEMORY=0 leaves Unix sockets out, TFMINI_LINES=0 all lines.
"""

from __future__ import annotations

import socket
import struct
import threading
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from typing import Any
from weakref import WeakSet

from tfmini._src.base.errors import CANCELLED
from tfmini._src.base.locks import after_fork, make_lock
from tfmini._src.cluster.direct_sockets import NO_SIGNAL, not_in_children
from tfmini._src.cluster.message_codes import SIZE as CODE_SIZE
from tfmini._src.cluster.message_codes import Codes

REQUEST, REPLY, FAILURE, CANCEL = range(4)
_CANCELLED = bytes((CANCELLED,)) + b"Cancelled"
_HEAD = struct.Struct("<QQBB")
_READ_AHEAD = 64 << 10
_MOST_BUFFERS = 64

_calling: WeakSet[CallingLine] = WeakSet()


class Framed:
    """One end of a line: framed messages over a connected socket.

    A send never waits: what the socket does not take at once goes out in a thread. So who reads may send.

    Args:
      codes: those of what is sent and of what is received, where messages carry them.
    """

    def __init__(self, connected: socket.socket, codes: tuple[Codes, Codes] | None = None):
        self._socket = not_in_children(connected)
        self._sent: Codes | None = None
        self._received: Codes | None = None
        if codes is not None:
            self._sent, self._received = codes
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
            if self._sent is not None:
                pieces.append(memoryview(self._sent.of_next(pieces)))
            if self._rest:
                self._rest.extend(pieces)
                return
            try:
                sent = self._socket.sendmsg(pieces, [], socket.MSG_DONTWAIT | NO_SIGNAL)
            except BlockingIOError:
                sent = 0
            while pieces and sent >= len(pieces[0]):
                sent -= len(pieces.pop(0))
            if not pieces:
                return
            self._rest.extend((pieces[0][sent:], *pieces[1:]))
        try:
            threading.Thread(target=self._send_rest, name="tfmini line out", daemon=True).start()
        except RuntimeError as error:  # this process may have no more: half a message is no line
            self.close()
            raise OSError(str(error)) from None

    def _send_rest(self) -> None:
        while True:
            with self._lock:
                if not self._rest:
                    return
                piece = self._rest[0]
            try:
                self._socket.sendall(piece, NO_SIGNAL)
            except OSError:
                self.close()
                return
            with self._lock:
                self._rest.popleft()

    def messages(self, most: int | None = None) -> Iterator[tuple[int, int, str, bytes]]:
        """Messages received until the line is lost: kind, number, method name and bytes.

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
                    if self._received is not None:
                        code = stream.read(CODE_SIZE)
                        if not self._received.fits_next(code, (head, name, data)):
                            return
                    yield kind, number, name.decode(errors="replace"), data
            except (OSError, MemoryError, OverflowError):
                return

    def close(self) -> None:
        """Closes the line for both sides."""
        try:
            self._socket.shutdown(socket.SHUT_RDWR)
        except OSError:
            pass
        self._socket.close()


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
        self, method: str, request: bytes, then: Callable[[int, bytes], None]
    ) -> Callable[[], None] | None:
        """Starts a call, with `then(kind, bytes)` at its end; returns a canceller, None if the line is lost.

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

    def read(self) -> None:
        """Reads replies until the line is lost."""
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
        """Rejects further calls, without telling the other side."""
        self._is_lost = True
        self._calls.clear()


def _leave_to_the_parent() -> None:
    for line in list(_calling):
        line.forget()


after_fork(_leave_to_the_parent)
