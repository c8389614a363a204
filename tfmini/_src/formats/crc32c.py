"""CRC-32C as stored in TensorFlow's files: masked, because CRCs of data with embedded CRCs are problematic."""

from __future__ import annotations

import contextlib
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator
from queue import SimpleQueue
from typing import Any

import numpy as np

from tfmini._src.base.locks import make_lock
from tfmini._src.formats import crc32c_in_numpy

try:
    import google_crc32c
except ModuleNotFoundError:
    google_crc32c = None  # type: ignore

MASK_DELTA = 0xA282EAD8
_WORD = 0xFFFFFFFF
# Without its C extension, the library falls back to a Python loop.
_library: Any = (
    google_crc32c
    if google_crc32c is not None and google_crc32c.implementation == "c"
    else crc32c_in_numpy
)

# The checksum of a `bytes` object.
crc32c_of_bytes: Callable[[bytes], int] = _library.value

# Number of tasks for which the thread is not used after a task in which it did not help.
_SKIPPED_TASKS = 8


def crc32c(data: bytes | memoryview | np.ndarray, crc: int = 0) -> int:
    """Returns the checksum of bytes (an array: contiguous uint8), continuing from the checksum `crc`."""
    if isinstance(data, memoryview):
        data = np.frombuffer(data, np.uint8)
    return _library.extend(crc, data)


def mask(crc: int) -> int:
    """Masks a checksum for storage in a file."""
    return ((crc >> 15 | crc << 17) + MASK_DELTA) & _WORD


def unmask(value: int) -> int:
    """Recovers the checksum from its masked form."""
    rotated = (value - MASK_DELTA) & _WORD
    return (rotated >> 17 | rotated << 15) & _WORD


class Sum:
    """Checksum of the bytes added so far."""

    __slots__ = ("crc",)

    def __init__(self) -> None:
        self.crc = 0

    def add(self, part: np.ndarray) -> None:
        self.crc = crc32c(part, self.crc)


class ChecksumThread:
    """A thread that checksums bytes while its caller reads the next ones.

    A context manager: the thread starts with the first part, and all sums are complete at the end of the block. The
    caller processes any remaining parts itself. On a busy machine the thread may be preempted while holding the GIL,
    blocking the caller: see `should_delegate`.
    """

    def __init__(self) -> None:
        self._parts: deque[tuple[Sum, np.ndarray]] = deque()
        self._calls: SimpleQueue[bool] = SimpleQueue()
        self._lock = make_lock()
        self._thread: threading.Thread | None = None
        self._skipped_tasks_left = 0

    def should_delegate(self) -> bool:
        """Whether to give the next task to the thread; False for a while after it has not reduced the total time."""
        self._skipped_tasks_left -= 1
        return self._skipped_tasks_left < 0

    @contextlib.contextmanager
    def watch(self) -> Iterator[None]:
        """Measures the wait time in the block: above half of the working time, the thread does not help."""
        begin, worked = time.perf_counter(), time.thread_time()
        yield
        worked = time.thread_time() - worked
        if time.perf_counter() - begin > 1.5 * worked + 1e-4:
            self._skipped_tasks_left = _SKIPPED_TASKS

    def add(self, total: Sum, part: np.ndarray) -> None:
        """Adds bytes to a sum; they must not change until the block ends."""
        if self._thread is None:
            self._thread = threading.Thread(target=self._work, name="tfmini-checksums", daemon=True)
            self._thread.start()
        self._parts.append((total, part))
        self._calls.put(True)

    def _sum_up(self) -> None:
        while self._parts:
            with self._lock:  # in order
                if self._parts:
                    total, part = self._parts.popleft()
                    total.add(part)

    def _work(self) -> None:
        while self._calls.get():
            self._sum_up()

    def __enter__(self) -> ChecksumThread:
        return self

    def __exit__(self, exc_type: object, *error: object) -> None:
        if self._thread is not None:
            if exc_type is not None:
                self._parts.clear()
            self._sum_up()
            self._calls.put(False)
            self._thread.join()
            self._thread = None
