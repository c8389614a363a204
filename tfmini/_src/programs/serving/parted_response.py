"""A JSON response of several parts, each sent once the client has taken those before."""

from __future__ import annotations

from typing import Any

from starlette.responses import Response


class PartedResponse(Response):
    """A response whose length is known.

    Args:
      parts: at least one; each is freed as it is sent.
    """

    media_type = "application/json"

    def __init__(self, parts: list[bytes]):
        super().__init__(headers={"content-length": str(sum(map(len, parts)))})
        self._parts = parts[::-1]

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        start = {"type": "http.response.start", "status": 200, "headers": self.raw_headers}
        await send(start)
        while self._parts:
            body = self._parts.pop()
            more = bool(self._parts)
            await send({"type": "http.response.body", "body": body, "more_body": more})
