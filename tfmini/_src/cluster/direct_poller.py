"""The threads that read all lines of this process and run the work that arrives over them.

One thread polls the sockets and runs the received work itself, piece by piece, without handing it to other threads.
Work may be slow or block: a second thread, which wakes every few milliseconds during traffic, then starts another
poller. Thus two threads suffice for any number of peers, plus one per slow piece of work. Pieces of work may therefore
run concurrently; each starts after the earlier ones of its connection.
"""

from __future__ import annotations

import os
import sys
import threading
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from queue import Empty, SimpleQueue
from selectors import EVENT_READ, EVENT_WRITE, DefaultSelector
from time import sleep
from typing import Any, Protocol

from tfmini._src.base.locks import after_fork, make_lock
from tfmini._src.devices.host.threads import raise_division_threshold

_PATIENCE_SECONDS = 0.01  # seconds of work after which another thread starts polling
_QUIET_ROUNDS = 100  # seconds without traffic after which the watching thread stops
_IDLE_SECONDS = 10.0  # seconds that an idle thread is kept for reuse

Work = deque[Callable[[], Any]]


class Pollable(Protocol):
    """An end of a connection, as watched by a poller."""

    def go_on(self, can_send: bool, work: Work) -> None:
        """Reads available data and adds the resulting functions to `work`; sends pending output if possible."""


class Poller:
    """The watched sockets and their threads."""

    def __init__(self) -> None:
        self._selector = DefaultSelector()
        self._work: Work = deque()
        self._lock = make_lock()
        # Turn of the polling thread; a thread with an earlier turn ends after its work.
        self._turn = 1
        self._done = 0  # count of polls and runs
        self._is_polling = False
        self._has_traffic = threading.Event()
        self._not_started: list[Callable[[], Any]] = [self._watch_progress, partial(self._poll, 1)]
        self._idle_threads: list[SimpleQueue[int]] = []  # idle threads, woken by a turn
        self._thread_state = threading.local()
        self._woken, self._wakes = os.pipe()
        for descriptor in (self._woken, self._wakes):
            os.set_blocking(descriptor, False)
        self._selector.register(self._woken, EVENT_READ)

    def watch(self, descriptor: int, polled: Pollable, sends: bool) -> None:
        """Watches a socket for input and, if `sends`, for output; raises OSError if out of threads or watches."""
        events = EVENT_READ | (EVENT_WRITE if sends else 0)
        with self._lock:
            while self._not_started:
                try:
                    _start_daemon(self._not_started[-1])
                except RuntimeError as error:
                    raise OSError(str(error)) from None
                self._not_started.pop()
            registered = self._selector.get_map().get(descriptor)
            if registered is not None and registered.data is polled:
                self._selector.modify(descriptor, events, polled)
                return
            if registered is not None:  # closed elsewhere, so the system no longer watches it
                self._selector.unregister(descriptor)
            self._selector.register(descriptor, events, polled)

    def forget(self, descriptor: int) -> None:
        """Stops watching a socket; called before it is closed."""
        with self._lock, suppress(KeyError):  # it was not watched
            self._selector.unregister(descriptor)

    def call_soon(self, function: Callable[[], Any]) -> None:
        """Calls a function on the polling thread, after the work queued before it."""
        self._work.append(function)
        if self._is_polling and getattr(self._thread_state, "turn", 0) != self._turn:
            with suppress(BlockingIOError):  # enough wake-ups are already pending
                os.write(self._wakes, b"\0")

    def _poll(self, turn: int) -> None:
        self._thread_state.turn = turn
        raise_division_threshold()
        while True:
            self._do_work()
            if self._turn == turn:
                self._wait_for_work()
                continue
            turn = self._thread_state.turn = self._next_turn()
            if not turn:
                return

    def _do_work(self) -> None:
        work = self._work
        while work:
            try:
                piece = work.popleft()
            except IndexError:  # another thread was faster
                return
            try:
                piece()
            except Exception:
                thread = threading.current_thread()
                threading.excepthook(threading.ExceptHookArgs((*sys.exc_info(), thread)))
            del piece  # drops the references of the received work too
            self._done += 1

    def _wait_for_work(self) -> None:
        self._is_polling = True
        # Functions added from here on wake this thread.
        ready = [] if self._work else self._selector.select()
        self._is_polling = False
        self._done += 1
        if not self._has_traffic.is_set():
            self._has_traffic.set()
        for key, events in ready:
            if key.data is not None:
                key.data.go_on(events & EVENT_WRITE != 0, self._work)
            else:
                with suppress(BlockingIOError):  # another thread has read it already
                    os.read(self._woken, 4096)

    def _next_turn(self) -> int:
        """Waits for this thread's next turn to poll; returns 0 if the thread was idle for too long."""
        handoffs: SimpleQueue[int] = SimpleQueue()
        with self._lock:
            self._idle_threads.append(handoffs)
        try:
            return handoffs.get(timeout=_IDLE_SECONDS)
        except Empty:
            pass
        with self._lock:
            if handoffs in self._idle_threads:
                self._idle_threads.remove(handoffs)
                return 0
        return handoffs.get()  # a turn is on its way

    def _watch_progress(self) -> None:
        """Starts another polling thread whenever the current one has been busy for long."""
        last_done, quiet = -1, 0
        while True:
            sleep(_PATIENCE_SECONDS)
            done_event = self._done
            if done_event != last_done:
                quiet = 0
            elif self._work or not self._is_polling:
                self._promote()
            else:
                quiet += 1
            if quiet > _QUIET_ROUNDS:
                self._has_traffic.clear()
                if self._done == done_event and self._is_polling:
                    self._has_traffic.wait()
                quiet = 0
            last_done = done_event

    def _promote(self) -> None:
        with self._lock:
            self._turn = turn = self._turn + 1
            spare = self._idle_threads.pop() if self._idle_threads else None
        if spare is not None:
            spare.put(turn)
            return
        with suppress(RuntimeError):  # out of threads: retried
            _start_daemon(partial(self._poll, turn))


def _start_daemon(function: Callable[[], Any]) -> None:
    threading.Thread(target=function, name="tfmini connections", daemon=True).start()


_process_pollers: list[Poller] = []
_making = make_lock()


def poller() -> Poller:
    """Returns the poller of this process."""
    if not _process_pollers:
        with _making:
            if not _process_pollers:
                _process_pollers.append(Poller())
    return _process_pollers[0]


# A forked child has none of the threads, and the sockets belong to its parent.
after_fork(_process_pollers.clear)
