"""Large replies between tfmini's tasks, transferred in chunks.

If the requesting task accepts chunks, the other task stores a large reply and answers with its size and a secret, with
which the requester pulls the chunks, several in parallel. A reply may thus exceed the message size limit, and neither
side copies the entire reply. TensorFlow's tasks neither request chunks nor send them.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable
from typing import Any

import numpy as np

from tfmini._src.base.errors import AbortedError, InvalidArgumentError
from tfmini._src.base.locks import make_lock
from tfmini._src.cluster.wire import Buffers, fields, malformed_message, tagged_field, total_size
from tfmini._src.formats.varints import varint

PULL_PART = "/tfmini.WorkerService/PullPart"
ACCEPTS_PARTS = varint(6 << 3) + b"\x01"  # a request field
PART_BYTES = 2 << 20
MIN_CHUNKED_BYTES = 8 << 20
_MAX_CONCURRENT_CHUNKS = 4
_MAX_ANNOUNCEMENT_BYTES = 64  # bytes; announcements of chunked replies are shorter

Callback = Callable[[Any, BaseException | None], None]


class StoredReplies:
    """Large replies of a task, stored until pulled."""

    def __init__(self) -> None:
        self._lock = make_lock()
        self._replies: dict[bytes, tuple[int, Buffers, list[int]]] = {}

    def store(self, step: int, buffers: Buffers) -> bytes:
        """Stores the reply of a step; returns the message that announces it."""
        secret, size = secrets.token_bytes(16), total_size(buffers)
        with self._lock:
            self._replies[secret] = (step, [memoryview(b).cast("B") for b in buffers], [size])
        return tagged_field(3, secret) + varint(4 << 3) + varint(size)

    def take_chunk(self, request: bytes) -> bytes:
        """Returns the requested bytes and frees a reply with its last chunk; raises AbortedError for a freed reply."""
        secret, first, size = b"", 0, 0
        for field, wire_type, value in fields(request):
            if field == 1 and wire_type == 2:
                secret = request[value[0] : value[1]]
            elif field == 2 and wire_type == 0:
                first = value
            elif field == 3 and wire_type == 0:
                size = value
        with self._lock:
            reply = self._replies.get(secret)
            if reply is None:
                raise AbortedError(None, None, "The step that produced this tensor has ended")
            _, buffers, missing = reply
            missing[0] -= size
            if missing[0] <= 0:
                del self._replies[secret]
        return b"".join(_slices(buffers, first, first + size))

    def forget(self, step: int) -> None:
        """Drops the replies of a finished step."""
        if self._replies:
            with self._lock:
                for secret in [key for key, reply in self._replies.items() if reply[0] == step]:
                    del self._replies[secret]


def _slices(buffers: Buffers, first: int, last: int) -> Buffers:
    """Returns the slices of consecutive buffers that cover the bytes from `first` to `last`."""
    slices, start = [], 0
    for buffer in buffers:
        if start < last and start + len(buffer) > first:
            slices.append(buffer[max(0, first - start) : last - start])
        start += len(buffer)
    return slices


def pull(
    begin: Callable[..., Callable[[], None]], reply: bytes, on_done: Callback
) -> Callable[[], None]:
    """Calls `on_done(reply, error)` with the complete reply, pulling its chunks if needed; returns a canceller.

    begin: `begin(method, request, on_done)` of the channel that delivered the reply.
    """
    try:
        secret, size = _parse_announcement(reply)
    except InvalidArgumentError as error:
        on_done(None, error)
        return lambda: None
    if not secret:
        on_done(reply, None)
        return lambda: None
    return _Pull(begin, secret, size, on_done).cancel


def _parse_announcement(reply: bytes) -> tuple[bytes, int]:
    if len(reply) > _MAX_ANNOUNCEMENT_BYTES or reply[:1] != b"\x1a":
        return b"", 0
    secret, size = b"", 0
    for field, wire_type, value in fields(reply):
        if field == 3 and wire_type == 2:
            secret = reply[value[0] : value[1]]
        elif field == 4 and wire_type == 0:
            size = value
    return secret, size


class _Pull:
    """A reply in transit, several chunks in flight."""

    def __init__(self, begin: Callable[..., Any], secret: bytes, size: int, on_done: Callback):
        self._begin, self._on_done = begin, on_done
        self._start = tagged_field(1, secret)
        self._lock = make_lock()
        self._requested, self._missing, self._is_over = 0, size, False
        self._cancels: dict[int, Callable[[], None]] = {}
        self._all: np.ndarray | None = None
        try:
            self._all = np.empty(size, np.uint8)
        except (MemoryError, ValueError) as error:
            self._end(error)
            return
        for _ in range(_MAX_CONCURRENT_CHUNKS):
            self._request_next()

    def _request_next(self) -> None:
        with self._lock:
            first = self._requested
            size = min(PART_BYTES, len(self._all) - first)  # type: ignore[arg-type]
            if size <= 0 or self._is_over:
                return
            self._requested += size
        request = self._start + varint(2 << 3) + varint(first) + varint(3 << 3) + varint(size)

        def receive_part(part: bytes | None, error: BaseException | None) -> None:
            self._cancels.pop(first, None)
            if part is None or len(part) != size:
                self._end(error or malformed_message())
                return
            self._request_next()
            self._all[first : first + size] = np.frombuffer(part, np.uint8)  # type: ignore[index]
            with self._lock:
                self._missing -= size
                is_last = not self._missing
            if is_last:
                self._end(None)

        cancel = self._begin(PULL_PART, request, receive_part)
        if not self._is_over:
            self._cancels[first] = cancel

    def _end(self, error: BaseException | None) -> None:
        with self._lock:
            if self._is_over:
                return
            self._is_over = True
        for cancel in list(self._cancels.values()):
            cancel()
        if error is None:
            self._on_done(memoryview(self._all).toreadonly(), None)  # type: ignore[arg-type]
        else:
            self._on_done(None, error)

    def cancel(self) -> None:
        """Stops requesting chunks."""
        for cancel in list(self._cancels.values()):
            cancel()
