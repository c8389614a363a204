"""Requests and responses of ASGI, the interface between uvicorn and its applications."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Coroutine
from typing import Any, TypeVar

from tfmini._src.base.errors import CancelledError
from tfmini._src.programs.serving.http_protocol import DISCONNECT_EXTENSION

T = TypeVar("T")

Receive = Callable[[], Awaitable[Any]]
Send = Callable[[Any], Awaitable[None]]

JSON = b"application/json"
PLAIN_TEXT = b"text/plain; charset=utf-8"


class Request:
    """A request: its head, `scope`, with `HttpProtocol`'s extension; `receive` returns the parts of its body."""

    __slots__ = ("method", "path", "_extensions", "_receive")

    def __init__(self, scope: Any, receive: Receive):
        self.method: str = scope["method"]
        self.path: str = scope["path"]
        self._extensions = scope["extensions"]
        self._receive = receive

    async def part(self) -> tuple[bytes, bool]:
        """Returns the next part of the body, and whether it is the last.

        Raises:
          CancelledError: if the client has disconnected.
        """
        message = await self._receive()
        if message["type"] == "http.disconnect":
            raise _client_disconnected()
        return message.get("body", b""), not message.get("more_body", False)

    async def cancel_if_disconnected(self, work: Coroutine[Any, Any, T]) -> T:
        """Returns the result of `work`, which is cancelled when the client disconnects.

        Raises:
          CancelledError: if it has.
        """
        task, is_gone = asyncio.current_task(), False

        def cancel() -> None:
            nonlocal is_gone
            is_gone = True
            if task is not None:
                task.cancel()

        self._extensions[DISCONNECT_EXTENSION] = cancel
        try:
            return await work
        except asyncio.CancelledError:
            if is_gone and task is not None:
                task.uncancel()
                raise _client_disconnected() from None
            raise
        finally:
            self._extensions[DISCONNECT_EXTENSION] = None


def _client_disconnected() -> CancelledError:
    return CancelledError(None, None, "The client disconnected")


class Response:
    """A response of known length, with at least one part; a part is sent once the client has received the previous
    ones, and then freed.
    """

    __slots__ = ("_status", "_parts", "_media_type")

    def __init__(self, status: int, parts: list[bytes], media_type: bytes = JSON):
        self._status, self._media_type = status, media_type
        self._parts = parts[::-1]

    async def send(self, send: Send) -> None:
        """Sends the response."""
        size = b"%d" % sum(map(len, self._parts))
        headers = [(b"content-length", size), (b"content-type", self._media_type)]
        await send({"type": "http.response.start", "status": self._status, "headers": headers})
        while self._parts:
            body = self._parts.pop()
            has_more = bool(self._parts)
            await send({"type": "http.response.body", "body": body, "more_body": has_more})
