"""CRC-32C as TensorFlow's files hold it: masked, since the checksum of bytes that hold checksums says little."""

from __future__ import annotations

import threading
from collections.abc import Callable
from functools import partial
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

    A context manager; the thread starts with the first part.
    """

    def __init__(self) -> None:
        self._tasks: SimpleQueue[Callable[[], None] | None] = SimpleQueue()
        self._sums: SimpleQueue[int] = SimpleQueue()
        self._thread: threading.Thread | None = None
        self._crc = 0

    def add(self, part: np.ndarray) -> None:
        """Adds bytes, which must stay as they are until `total` has returned."""
        if self._thread is None:
            self._thread = threading.Thread(target=self._work, name="tfmini-checksums", daemon=True)
            self._thread.start()
        self._tasks.put(partial(self._extend, part))

    def total(self) -> int:
        """The checksum of all that was added; the next one begins anew."""
        if self._thread is None:
            return 0
        self._tasks.put(self._tell)
        return self._sums.get()

    def _extend(self, part: np.ndarray) -> None:
        self._crc = crc32c(part, self._crc)

    def _tell(self) -> None:
        self._sums.put(self._crc)
        self._crc = 0

    def _work(self) -> None:
        for task in iter(self._tasks.get, None):
            task()
            del task  # it holds an array

    def __enter__(self) -> Summing:
        return self

    def __exit__(self, *error: object) -> None:
        if self._thread is not None:
            self._tasks.put(None)
            self._thread.join()
            self._thread = None
