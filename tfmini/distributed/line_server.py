"""The side of lines that answers: a server's methods, called over Unix sockets by tasks of this host."""

from __future__ import annotations

import secrets
import socket
import threading
from collections import deque
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from tfmini import errors
from tfmini.distributed.limits import current as current_limits
from tfmini.distributed.lines import (
    CANCEL,
    FAILURE,
    REPLY,
    REQUEST,
    Framed,
    are_possible,
    is_own_user,
    new_name,
    not_in_children,
)
from tfmini.distributed.wire import Buffers, fields, tagged, varint
from tfmini.locks import make_lock

_MOST_REQUEST = 1 << 20
_MOST_NAME = 256
_SECRET = 16
_SECRET_SECONDS = 20.0
_MOST_SECRETS = 256
_BACKLOG = 64

# `begin(request, call, then)`: `then(buffers, error)` is called once, by whichever thread.
Later = Callable[[bytes, Any, Callable[[Buffers | None, BaseException | None], None]], None]


class LineCall:
    """One call of a line, as methods see it: what gRPC's context is elsewhere."""

    def __init__(self) -> None:
        self._lock = make_lock()
        self._callbacks: list[Callable[[], Any]] = []
        self._is_over = False

    def add_callback(self, callback: Callable[[], Any]) -> bool:
        """Has `callback` called when the call ends; False if it has."""
        with self._lock:
            if not self._is_over:
                self._callbacks.append(callback)
            return not self._is_over

    def is_active(self) -> bool:
        """Whether somebody waits for its reply."""
        return not self._is_over

    def end(self, answer: Callable[[], Any] | None = None) -> None:
        """Ends it with `answer()`, unless it has ended."""
        with self._lock:
            if self._is_over:
                return
            self._is_over = True
        if answer is not None:
            answer()
        for each in self._callbacks:
            each()


class LineServer:
    """Takes lines, and answers what is called over them.

    Args:
      methods: `method(request, call)` by full name; each call runs in a thread of its own.
      later: those that give their reply later, by name, and wait for nothing; they run in the line's thread.
      submit: `submit(function, *arguments)` has another thread run it.
      status_of: the code and the text of an error.
    """

    def __init__(
        self,
        methods: Mapping[str, Callable[[bytes, Any], bytes]],
        later: Mapping[str, Later],
        submit: Callable[..., Any],
        status_of: Callable[[BaseException], tuple[int, str]],
    ):
        self._methods = methods
        self._later = later
        self._submit = submit
        self._status_of = status_of
        self._lock = make_lock()
        self._name = b""
        self._listener: socket.socket | None = None
        self._secrets: deque[bytes] = deque(maxlen=_MOST_SECRETS)
        self._lines: set[Framed] = set()
        self._is_closed = False
        self._most = min(_MOST_REQUEST, current_limits().message)

    def open(self, port: int) -> bytes:
        """The reply to who asks for a line; empty if there are none.

        port: at which the server itself is called.
        """
        if not are_possible():
            return b""
        with self._lock:
            if self._is_closed:
                return b""
            if self._listener is None:
                self._listen()
            secret = secrets.token_bytes(_SECRET)
            self._secrets.append(secret)
            numbers = varint(3 << 3) + varint(port) + varint(4 << 3) + varint(self._most)
            return tagged(1, self._name) + tagged(2, secret) + numbers

    def _listen(self) -> None:
        self._name = new_name()
        self._listener = not_in_children(socket.socket(socket.AF_UNIX, socket.SOCK_STREAM))
        self._listener.bind(self._name)
        self._listener.listen(_BACKLOG)
        threading.Thread(target=self._accept, name="tfmini lines", daemon=True).start()

    def _accept(self) -> None:
        assert self._listener is not None
        while True:
            try:
                found, _ = self._listener.accept()
            except OSError:
                if self._is_closed:
                    return
                continue
            threading.Thread(
                target=self._serve,
                args=(not_in_children(found),),
                name="tfmini line",
                daemon=True,
            ).start()

    def _is_wanted(self, found: socket.socket) -> bool:
        """Whether the other side shows a secret that has been given out."""
        found.settimeout(_SECRET_SECONDS)
        try:
            secret = b""
            while len(secret) < _SECRET and (more := found.recv(_SECRET - len(secret))):
                secret += more
            found.settimeout(None)
            if not is_own_user(found):
                return False
        except OSError:
            return False
        with self._lock:
            known = [each for each in self._secrets if secrets.compare_digest(each, secret)]
            for each in known:
                self._secrets.remove(each)
            return bool(known) and not self._is_closed

    def _serve(self, found: socket.socket) -> None:
        if not self._is_wanted(found):
            found.close()
            return
        framed = Framed(found)
        with self._lock:
            self._lines.add(framed)
        calls: dict[int, LineCall] = {}
        for kind, number, name, data in framed.messages(self._most + _MOST_NAME):
            if kind == REQUEST:
                call = calls[number] = LineCall()
                call.add_callback(partial(calls.pop, number, None))
                self._begin(framed, number, name, data, call)
            elif kind == CANCEL and (cancelled := calls.get(number)) is not None:
                cancelled.end()  # nobody waits for a reply
        framed.close()
        with self._lock:
            self._lines.discard(framed)
        for call in list(calls.values()):
            call.end()

    def _begin(self, framed: Framed, number: int, name: str, data: bytes, call: LineCall) -> None:
        def then(buffers: Buffers | None, error: BaseException | None) -> None:
            if not call.is_active():  # nobody waits any more
                return
            if error is None:
                _answer(framed, number, call, REPLY, buffers or [])
            else:
                code, text = self._status_of(error)
                _answer(framed, number, call, FAILURE, [bytes((code,)), text.encode()])

        later, method = self._later.get(name), self._methods.get(name)
        if later is not None:
            try:
                later(data, call, then)
            except BaseException as error:  # whatever it is, the caller hears of it
                then(None, error)
        elif method is None:
            then(None, errors.UnimplementedError(None, None, f"No method {name}"))
        else:
            self._submit(_run, method, data, call, then)

    def close(self) -> None:
        """Ends all lines."""
        with self._lock:
            self._is_closed = True
            lines, listener = list(self._lines), self._listener
        if listener is not None:
            try:
                listener.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass
            listener.close()
        for each in lines:
            each.close()


def _run(method: Any, data: bytes, call: LineCall, then: Any) -> None:
    try:
        reply = method(data, call)
    except BaseException as error:  # whatever it is, the caller hears of it
        then(None, error)
    else:
        then([reply], None)


def _answer(framed: Framed, number: int, call: LineCall, kind: int, buffers: Buffers) -> None:
    """Ends a call with a reply."""

    def answer() -> None:
        try:
            framed.send(kind, number, b"", buffers)
        except OSError:
            framed.close()

    call.end(answer)


def offer_of(reply: bytes) -> tuple[bytes, bytes, int, int]:
    """What a reply to `OPEN_LINE` says: the socket's name, the secret, the server's port, the largest request."""
    texts, numbers = {1: b"", 2: b""}, {3: 0, 4: 0}
    for field, kind, value in fields(reply):
        if field in texts and kind == 2:
            texts[field] = reply[value[0] : value[1]]
        elif field in numbers and kind == 0:
            numbers[field] = value
    return texts[1], texts[2], numbers[3], numbers[4]
