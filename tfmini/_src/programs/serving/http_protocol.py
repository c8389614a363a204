"""uvicorn's HTTP protocol with limits on the data and time that a client may use before its request is read."""

from __future__ import annotations

import asyncio
from http import HTTPStatus
from typing import Any

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from tfmini._src.programs.serving.deadline import Deadline

DISCONNECT_EXTENSION = (
    "when_gone"  # ASGI extension: a function called if the client disconnects before the response
)

_LARGEST_HEAD = 64 << 10  # bytes of a request line and its headers
KEEP_ALIVE = 60  # seconds for which a connection may be idle
MAX_HEAD_SECONDS = (
    15.0  # seconds from the connection, or the first byte after a response, to the end of the head
)


_CONTINUE = b"HTTP/1.1 100 "  # an interim response
_LAST_REQUEST = 1.0  # seconds for a request in transit to arrive when the server shuts down
_MAX_STALL = 15.0  # seconds without the client reading from a response


class HttpProtocol(HttpToolsProtocol):
    """One connection.

    A connection over the limit gets status 503, a head that is too large 431, one that is too slow 408; the connection
    is then closed. It is also closed if the client reads nothing from a response for 15 seconds. At shutdown an idle
    connection is closed after a second.

    Args:
      max_connections: maximum number of open connections.
      max_requests: closes the connection after that many requests; None: never.
    """

    def __init__(
        self,
        *arguments: Any,
        max_connections: int,
        max_requests: int | None = None,
        **options: Any,
    ):
        super().__init__(*arguments, **options)
        self._max_connections = max_connections
        self._max_requests = max_requests
        self._requests = 0
        self._is_rejected = False
        self._in_head = False
        self._in_body = False
        self._head_bytes = 0
        self._body_parts = 0
        self._trailer_bytes = 0
        self._awaits_head = False
        self._deadline = Deadline(self.loop)  # for the head, or the next request
        self._extensions: dict[str, Any] = {DISCONNECT_EXTENSION: None}
        self._unsent = 0
        self._stall_timer: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._response: Any = _Response(transport)
        if len(self.connections) > self._max_connections:
            self._reject(HTTPStatus.SERVICE_UNAVAILABLE)
        else:
            self._awaits_head = True
            self._deadline.set(MAX_HEAD_SECONDS, self._reject_slow_head)

    def connection_lost(self, exc: Exception | None) -> None:
        self._deadline.end()
        self._end_stall()
        super().connection_lost(exc)
        if self._extensions[DISCONNECT_EXTENSION] is not None:
            self._extensions[DISCONNECT_EXTENSION]()

    def pause_writing(self) -> None:
        super().pause_writing()
        self._await_taking()

    def resume_writing(self) -> None:
        self._end_stall()
        super().resume_writing()

    def data_received(self, data: bytes) -> None:
        if self._is_rejected:
            return
        if not self._in_body:
            self._head_bytes += len(data)
        begins_head = not self._awaits_head and (self.cycle is None or self.cycle.response_complete)
        if begins_head:
            self._awaits_head = True
        body_before = self._body_parts
        super().data_received(data)
        if begins_head and self._awaits_head and not self._is_rejected:
            self._deadline.set(MAX_HEAD_SECONDS, self._reject_slow_head)
        if self._in_body and self._body_parts == body_before:
            self._trailer_bytes += len(data)  # trailer fields after a chunked body are ignored
        if (
            self._in_head
            and self._head_bytes > _LARGEST_HEAD
            or self._trailer_bytes > _LARGEST_HEAD
        ):
            self._reject(HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE)

    def on_message_begin(self) -> None:
        self._in_head = True
        super().on_message_begin()
        self.scope["extensions"] = self._extensions

    def on_header(self, name: bytes, value: bytes) -> None:
        if self._in_head:
            super().on_header(name, value)

    def on_headers_complete(self) -> None:
        self._in_head = False
        self._in_body = True
        self._head_bytes = self._trailer_bytes = 0
        self._stop_waiting()
        size = len(self.url) + sum(len(name) + len(value) + 4 for name, value in self.headers)
        if self._is_rejected or size > _LARGEST_HEAD:
            self._reject(HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE)
        else:
            super().on_headers_complete()
            self.cycle.transport = self._response
            self._requests += 1
            if self._requests == self._max_requests:
                self.cycle.keep_alive = False

    def on_body(self, body: bytes) -> None:
        self._body_parts += 1
        self._trailer_bytes = 0
        if not self._is_rejected:
            super().on_body(body)

    def on_message_complete(self) -> None:
        self._in_body = False
        self._head_bytes = self._trailer_bytes = 0
        if self._is_rejected:
            return
        super().on_message_complete()
        if not self.pipeline:
            self.flow.resume_reading()  # so that a disconnecting client is noticed
        if self.cycle.response_complete:  # answered before its body arrived
            self._await_next()

    def on_response_complete(self) -> None:
        self._response.end()
        self.server_state.total_requests += 1
        if self.transport.is_closing():
            return
        self.flow.resume_reading()
        if self.pipeline:
            self._start_asgi_task(*self.pipeline.pop())
        else:
            self._await_next()

    def shutdown(self) -> None:
        """Shuts down after one more request: closing an idle connection at once would lose a request in transit."""
        self._max_requests = self._requests + 1
        if self.cycle is None or self.cycle.response_complete:
            self._deadline.set(_LAST_REQUEST, self.transport.close)
        else:
            self.cycle.keep_alive = False

    def send_400_response(self, msg: str) -> None:
        if not self._is_rejected:
            super().send_400_response(msg)

    def _await_taking(self) -> None:
        self._unsent = self.transport.get_write_buffer_size()
        self._stall_timer = self.loop.call_later(_MAX_STALL, self._check_taking)

    def _check_taking(self) -> None:
        if self.transport.get_write_buffer_size() < self._unsent:
            self._await_taking()
        else:
            self.transport.abort()

    def _end_stall(self) -> None:
        if self._stall_timer is not None:
            self._stall_timer.cancel()
            self._stall_timer = None

    def _await_next(self) -> None:
        self._awaits_head = False
        self._deadline.set(self.timeout_keep_alive, self.timeout_keep_alive_handler)

    def _stop_waiting(self) -> None:
        self._awaits_head = False
        self._deadline.clear()

    def _reject_slow_head(self) -> None:
        self._reject(HTTPStatus.REQUEST_TIMEOUT)

    def _reject(self, status: HTTPStatus) -> None:
        """Responds with a status once, and closes the connection."""
        self._stop_waiting()
        if self._is_rejected:
            return
        self._is_rejected = True
        if self.cycle is not None and not self.cycle.response_complete:
            self.transport.close()  # an earlier request's response is being sent: no other may replace it
            return
        head = f"HTTP/1.1 {status.value} {status.phrase}\r\nconnection: close\r\ncontent-length: 0\r\n\r\n"
        self.transport.write(head.encode())
        self.transport.close()


class _Response:
    """Transport of a connection's responses: sends each head together with the first part of its body."""

    def __init__(self, transport: asyncio.Transport):
        self._transport = transport
        self._head = b""
        self._has_head = False

    def write(self, data: bytes) -> None:
        if self._head:
            self._transport.write(self._head + data)
            self._head = b""
        elif self._has_head or data.startswith(_CONTINUE):
            self._transport.write(data)
        else:
            self._has_head = True
            self._head = data

    def end(self) -> None:
        """Ends a response; sends its head if there is no body."""
        if self._head:
            self._transport.write(self._head)
            self._head = b""
        self._has_head = False

    def close(self) -> None:
        self.end()
        self._transport.close()

    def is_closing(self) -> bool:
        return self._transport.is_closing()
