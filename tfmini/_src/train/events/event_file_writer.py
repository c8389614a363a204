"""The event queue of a file, and its writer thread."""

from __future__ import annotations

import _thread
import os
import threading
import time
import weakref
from collections import deque
from typing import Any

from tfmini._src.base import logs, proto
from tfmini._src.base.locks import make_lock
from tfmini._src.formats.events import EventFile
from tfmini._src.formats.schemes import local_path
from tfmini._src.formats.system_errors import translate_errors

_PAUSE = 0.1  # seconds between polls


class EventFileWriter:
    """Writes Event messages to a file in `logdir`, in a background thread.

    The file is flushed with the first event and then whenever `flush_secs` have passed. Errors of the thread are
    raised by the next call. An open writer is closed on garbage collection or at exit.
    """

    def __init__(
        self,
        logdir: Any,
        max_queue: int = 10,
        flush_secs: float = 120,
        filename_suffix: str | None = None,
    ):
        self._logdir = str(logdir)
        if self._logdir and not os.path.isdir(local_path(self._logdir)):
            with translate_errors(self._logdir):
                os.makedirs(local_path(self._logdir), exist_ok=True)
        file = EventFile(os.path.join(self._logdir, "events"), filename_suffix or "")
        if filename_suffix:
            file.open()
        self._state = _State(file, max_queue, flush_secs)
        self._start()

    def _start(self) -> None:
        self._state.begin()
        thread = threading.Thread(target=self._state.work, name="events", daemon=True)
        thread.start()
        # Bound only to the state, because the thread must not keep the writer alive.
        self._end = weakref.finalize(self, self._state.abandon, thread)
        self._thread = thread

    def get_logdir(self) -> str:
        """Returns the directory of the file."""
        return self._logdir

    def add_event(self, event: Any) -> None:
        """Adds an event, first writing pending events if the queue is full. A closed writer drops the event."""
        if not isinstance(event, proto.Event):
            raise TypeError(f"Expected an event_pb2.Event proto,  but got {type(event)}")
        self._state.raise_error()
        if self._end.alive:
            self._state.add(event.SerializeToString())

    def flush(self) -> None:
        """Blocks until all pending events are written."""
        if self._end.alive:
            self._state.write()
            self._state.file.flush()
        self._state.raise_error()

    def close(self) -> None:
        """Flushes pending events, stops the thread and closes the file."""
        if self._end.detach() is not None:
            self._state.end(self._thread)
        self._state.raise_error()

    def reopen(self) -> None:
        """Reopens the writer after `close`; the next event goes to a new file."""
        if not self._end.alive:
            self._start()


class _State:
    """The state shared by the writer and its thread: queued events and the file.

    The thread polls ten times a second while events arrive, because waking it per event costs more than writing one. If
    it falls behind, the caller that exceeds the capacity of the queue writes the events.
    """

    def __init__(self, file: EventFile, max_queue: int, flush_secs: float):
        self.file = file
        self._limit = max_queue if max_queue > 0 else float("inf")
        self._flush_secs = flush_secs
        self._waiting: deque[bytes] = deque()
        self._lock = make_lock()  # held during writes, to keep events in order
        self._wake = threading.Event()
        self._is_idle = False  # whether the thread is idle
        self._is_over = False
        self._is_flushed = True
        self._error: BaseException | None = None
        self._process = os.getpid()

    def add(self, event: bytes) -> None:
        """Adds an event to the queue."""
        self._waiting.append(event)
        if len(self._waiting) >= self._limit:
            self.write()
        if self._is_idle:
            self._wake.set()

    def write(self) -> bool:
        """Writes queued events, or drops them after an error; returns whether there were any."""
        has_events = False
        with self._lock:
            while self._waiting:
                event = self._waiting.popleft()
                has_events = True
                if self._error is None:
                    self._is_flushed = False
                    self._record_failure(self.file.write, event)
        return has_events

    def work(self) -> None:
        """Runs the main loop of the thread."""
        flush_time = 0.0  # time of the next flush
        while not self._is_over:
            has_events = self.write()
            remaining = flush_time - time.monotonic()
            if not self._is_flushed and remaining <= 0:
                self._is_flushed = True
                self._record_failure(self.file.flush)
                flush_time = time.monotonic() + self._flush_secs
                continue
            self._is_idle = not has_events
            if not self._waiting and not self._is_over:
                self._wake.wait(_PAUSE if has_events else None if self._is_flushed else remaining)
            self._is_idle = False
            self._wake.clear()

    def begin(self) -> None:
        """Resets the state before a thread starts."""
        self._is_over = False
        self._wake.clear()

    def _record_failure(self, function: Any, *arguments: Any) -> None:
        try:
            function(*arguments)
        except Exception as error:
            self._error = error

    def end(self, thread: threading.Thread) -> None:
        """Stops the thread, then closes the file."""
        self._is_over = True
        self._wake.set()
        thread.join()
        self.write()
        self._record_failure(self.file.close)

    def abandon(self, thread: threading.Thread) -> None:
        """Cleans up after an unclosed writer."""
        if os.getpid() != self._process:  # forked: the parent owns the thread and the file
            return
        # Garbage collection runs in the writer thread, possibly while the lock is held.
        if threading.get_ident() == thread.ident:
            _thread.start_new_thread(self._end_and_warn, (thread,))
        else:
            self._end_and_warn(thread)

    def _end_and_warn(self, thread: threading.Thread) -> None:
        self.end(thread)
        if self._error is not None:
            logs.error("Events were lost: %s", self._error)

    def raise_error(self) -> None:
        """Raises the stored error, once."""
        error, self._error = self._error, None
        if error is not None:
            raise error
