"""Bytes of the requests in memory: arriving, queued or running."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator

from tfmini._src.base.errors import UnavailableError


class RequestByteLimit:
    """Limits the total bytes of all requests to `max_bytes`."""

    def __init__(self, max_bytes: int):
        self._max_bytes, self._held_bytes = max_bytes, 0

    @contextlib.contextmanager
    def request(self) -> Iterator[Callable[[int], None]]:
        """Context manager of a request; yields a counter of its bytes that raises UnavailableError beyond the limit."""
        request_bytes = 0

        def hold(size: int) -> None:
            nonlocal request_bytes
            if self._held_bytes + size > self._max_bytes:
                raise UnavailableError(
                    None,
                    None,
                    f"Requests in progress hold {self._held_bytes} bytes; this server's limit is {self._max_bytes}",
                )
            request_bytes += size
            self._held_bytes += size

        try:
            yield hold
        finally:
            self._held_bytes -= request_bytes
