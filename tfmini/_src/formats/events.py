"""Event files, which TensorBoard shows: a file of records, each an Event message.

Its name is PREFIX.out.tfevents.SECONDS.HOST with a suffix; the first event says what format it has.
"""

from __future__ import annotations

import contextlib
import os
import platform
import time

from tfmini._src.base import proto
from tfmini._src.base.errors import AlreadyExistsError, OpError
from tfmini._src.base.locks import make_lock
from tfmini._src.formats.record_reader_writer import RecordWriter
from tfmini._src.formats.schemes import local_path

FORMAT = "brain.Event:2"


class EventFile:
    """Writes an event file, which is made when the first event comes; after `close` another one is made.

    Args:
      prefix: the path up to `.out.tfevents`.
      suffix: what its name ends with.

    Attributes:
      path: of the file, once it is there.

    Raises:
      OpError: if it cannot be written, when an event comes and later.
    """

    def __init__(self, prefix: str, suffix: str = ""):
        self._prefix = prefix
        self._suffix = suffix
        self._writer: RecordWriter | None = None
        self.path = ""
        self._lock = make_lock()

    def open(self) -> None:
        """Makes the file if there is none yet."""
        with self._lock:
            self._opened()

    def write(self, event: bytes) -> None:
        """Adds an event."""
        with self._lock:
            self._opened().write(event)

    def flush(self) -> None:
        """Flushes the file: all events can be read from it afterwards."""
        with self._lock:
            if self._writer is not None:
                self._writer.flush()

    def close(self) -> None:
        """Ends the file."""
        with self._lock:
            writer, self._writer = self._writer, None
            if writer is not None:
                writer.close()

    def _opened(self) -> RecordWriter:
        if self._writer is None:
            seconds = int(time.time())
            writer = None
            while writer is None:
                path = self._path(seconds)
                try:
                    writer = RecordWriter(path, new=True)
                except AlreadyExistsError:  # of another writer in this second
                    seconds += 1
            self.path = path
            first = proto.Event(wall_time=seconds, file_version=FORMAT)
            try:
                writer.write(first.SerializeToString())
                writer.flush()
            except OpError:  # a full disk: each event that comes would leave a file behind
                with contextlib.suppress(OpError):
                    writer.close()
                os.remove(local_path(path))
                raise
            self._writer = writer
        return self._writer

    def _path(self, seconds: int) -> str:
        return f"{self._prefix}.out.tfevents.{seconds:010d}.{platform.node()}{self._suffix}"
