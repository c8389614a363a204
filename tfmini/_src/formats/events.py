"""TensorBoard event files: record files of Event messages.

Named PREFIX.out.tfevents.SECONDS.HOST plus a suffix; the first event states the format version.
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
    """Writes an event file, created with the first event; after `close`, a new one is created.

    Args:
      prefix: the path up to `.out.tfevents`.
      suffix: suffix of its name.

    Attributes:
      path: path of the file, once created.

    Raises:
      OpError: on writing or flushing, if the file cannot be written.
    """

    def __init__(self, prefix: str, suffix: str = ""):
        self._prefix = prefix
        self._suffix = suffix
        self._writer: RecordWriter | None = None
        self.path = ""
        self._lock = make_lock()

    def open(self) -> None:
        """Creates the file unless it is open."""
        with self._lock:
            self._open()

    def write(self, event: bytes) -> None:
        """Appends an event."""
        with self._lock:
            self._open().write(event)

    def flush(self) -> None:
        """Flushes the file, so that all events can be read from it."""
        with self._lock:
            if self._writer is not None:
                self._writer.flush()

    def close(self) -> None:
        """Closes the file."""
        with self._lock:
            writer, self._writer = self._writer, None
            if writer is not None:
                writer.close()

    def _open(self) -> RecordWriter:
        if self._writer is None:
            seconds = int(time.time())
            writer = None
            while writer is None:
                path = self._path(seconds)
                try:
                    writer = RecordWriter(path, new=True)
                except AlreadyExistsError:  # another writer has created a file in the same second
                    seconds += 1
            self.path = path
            first = proto.Event(wall_time=seconds, file_version=FORMAT)
            try:
                writer.write(first.SerializeToString())
                writer.flush()
            except OpError:  # the disk is full, and each further event would leave a file behind
                with contextlib.suppress(OpError):
                    writer.close()
                os.remove(local_path(path))
                raise
            self._writer = writer
        return self._writer

    def _path(self, seconds: int) -> str:
        return f"{self._prefix}.out.tfevents.{seconds:010d}.{platform.node()}{self._suffix}"
