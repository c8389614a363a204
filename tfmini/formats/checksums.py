"""CRC-32C as TensorFlow's files hold it: masked, since the checksum of bytes that hold checksums says little."""

from __future__ import annotations

import contextlib
import threading
import time
from collections import deque
from collections.abc import Iterator
from queue import SimpleQueue

import google_crc32c
import numpy as np

_DELTA = 0xA282EAD8
_WORD = 0xFFFFFFFF
# The library's C code takes arrays as they are; what it has for other machines takes nothing but bytes.
_TAKES_ARRAYS = google_crc32c.implementation == "c"


def crc32c(data: bytes | memoryview | np.ndarray, crc: int = 0) -> int:
    """The checksum of bytes (an array: contiguous uint8), or of those behind what has the checksum `crc`."""
    if isinstance(data, memoryview):
        data = np.frombuffer(data, np.uint8)
    if not (_TAKES_ARRAYS or isinstance(data, bytes)):
        data = bytes(data)
    return google_crc32c.extend(crc, data)


def masked(crc: int) -> int:
    """How a checksum is written."""
    return ((crc >> 15 | crc << 17) + _DELTA) & _WORD


def unmasked(value: int) -> int:
    """The checksum that `value` was written for."""
    rotated = (value - _DELTA) & _WORD
    return (rotated >> 17 | rotated << 15) & _WORD


class Summing:
    """A thread that sums up bytes while its caller reads or writes the next ones.

    A context manager; the thread starts with the first part. What it has not come to when the total is wanted the
    caller sums up itself.

    helps: whether it saves time. On a busy machine the thread may be put off while it holds the interpreter, and
      the caller waits with it.
    """

    def __init__(self) -> None:
        self._parts: deque[np.ndarray] = deque()
        self._calls: SimpleQueue[bool] = SimpleQueue()
        self._lock = threading.Lock()
        self._thread: threading.Thread | None = None
        self._crc = 0
        self.helps = True

    @contextlib.contextmanager
    def watched(self) -> Iterator[None]:
        """Looks how long the block waits: half as long as it works, and the thread is no help."""
        begin, worked = time.perf_counter(), time.thread_time()
        yield
        worked = time.thread_time() - worked
        self.helps = time.perf_counter() - begin < 1.5 * worked + 1e-4

    def add(self, part: np.ndarray) -> None:
        """Adds bytes, which must stay as they are until `total` has returned."""
        if self._thread is None:
            self._thread = threading.Thread(target=self._work, name="tfmini-checksums", daemon=True)
            self._thread.start()
        self._parts.append(part)
        self._calls.put(True)

    def total(self) -> int:
        """The checksum of all that was added; the next one begins anew."""
        self._sum_up()
        with self._lock:
            crc, self._crc = self._crc, 0
        return crc

    def _sum_up(self) -> None:
        while self._parts:
            with self._lock:  # in their order
                if self._parts:
                    self._crc = crc32c(self._parts.popleft(), self._crc)

    def _work(self) -> None:
        while self._calls.get():
            self._sum_up()

    def __enter__(self) -> Summing:
        return self

    def __exit__(self, *error: object) -> None:
        if self._thread is not None:
            self._parts.clear()
            self._calls.put(False)
            self._thread.join()
            self._thread = None
