"""Events on their way to a file: a queue, and a thread that empties it."""

from __future__ import annotations

import os
import queue
import threading
import time
import weakref
from typing import Any

from tfmini import logs, proto
from tfmini.formats.events import EventFile
from tfmini.formats.schemes import local_path
from tfmini.formats.system_errors import translated

_END = None  # in the queue: the thread's last


class EventFileWriter:
    """Writes Event messages to a file in `logdir`, in a thread of its own.

    The file is flushed with the first event and then whenever `flush_secs` have passed. What fails in the thread is
    raised by the next call. A writer that is not closed is when it is collected, or the process ends.
    """

    def __init__(
        self,
        logdir: Any,
        max_queue: int = 10,
        flush_secs: float = 120,
        filename_suffix: str | None = None,
    ):
        self._logdir = str(logdir)
        if not os.path.isdir(local_path(self._logdir)):
            with translated(self._logdir):
                os.makedirs(local_path(self._logdir), exist_ok=True)
        file = EventFile(os.path.join(self._logdir, "events"), filename_suffix or "")
        if filename_suffix:
            file.open()
        self._state = _State(file, queue.Queue(max_queue), flush_secs)
        self._start()

    def _start(self) -> None:
        thread = threading.Thread(target=self._state.work, name="events", daemon=True)
        thread.start()
        # Of the state alone: the thread must not keep the writer alive.
        self._end = weakref.finalize(self, self._state.abandon, thread)
        self._thread = thread

    def get_logdir(self) -> str:
        """The folder of the file."""
        return self._logdir

    def add_event(self, event: Any) -> None:
        """Puts an event into the queue, waiting while that is full; a closed writer drops it."""
        if not isinstance(event, proto.Event):
            raise TypeError(f"Expected an event_pb2.Event proto,  but got {type(event)}")
        self._state.raise_error()
        if self._end.alive:
            self._state.queue.put(event.SerializeToString())

    def flush(self) -> None:
        """Waits until the file has all events."""
        if self._end.alive:
            self._state.queue.join()
            self._state.file.flush()
        self._state.raise_error()

    def close(self) -> None:
        """Writes what is in the queue, ends the thread and closes the file."""
        if self._end.detach() is not None:
            self._state.end(self._thread)
        self._state.raise_error()

    def reopen(self) -> None:
        """After `close`: the next event goes into a new file."""
        if not self._end.alive:
            self._start()


class _State:
    """The state that the thread shares with the writer."""

    def __init__(self, file: EventFile, events: queue.Queue, flush_secs: float):
        self.file = file
        self.queue = events
        self._flush_secs = flush_secs
        self._error: BaseException | None = None
        self._process = os.getpid()

    def work(self) -> None:
        """Writes events until the last one; after an error it only takes them."""
        due = 0.0  # when to flush
        flushed = True
        while True:
            try:
                event = self._next(None if flushed else due)
            except queue.Empty:
                self._try(self.file.flush)
                flushed = True
                due = time.monotonic() + self._flush_secs
                continue
            if event is not _END and self._error is None:
                self._try(self.file.write, event)
                flushed = time.monotonic() >= due
                if flushed:
                    self._try(self.file.flush)
                    due = time.monotonic() + self._flush_secs
            self.queue.task_done()
            if event is _END:
                return

    def _next(self, due: float | None) -> bytes | None:
        """The next event; raises Empty if none has come when it is `due` to flush."""
        if due is None:
            return self.queue.get()
        try:
            return self.queue.get_nowait()  # which is faster than to wait for a time
        except queue.Empty:
            return self.queue.get(timeout=max(0.0, due - time.monotonic()))

    def _try(self, function: Any, *arguments: Any) -> None:
        try:
            function(*arguments)
        except BaseException as error:
            self._error = error

    def end(self, thread: threading.Thread) -> None:
        """Ends the thread, then the file."""
        self.queue.put(_END)
        thread.join()
        self._try(self.file.close)

    def abandon(self, thread: threading.Thread) -> None:
        """The end of a writer that nobody has closed."""
        if os.getpid() != self._process:  # a child has neither the thread nor the file to itself
            return
        self.end(thread)
        if self._error is not None:
            logs.error("Events were lost: %s", self._error)

    def raise_error(self) -> None:
        """Raises what has failed, once."""
        error, self._error = self._error, None
        if error is not None:
            raise error
