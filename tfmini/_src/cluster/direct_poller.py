"""The threads that read all lines of this process, and run what comes over them.

One thread polls the sockets and runs what has come, one piece after the other: nothing is handed from thread to
thread. What comes may take long, or wait: a second thread, which looks every few milliseconds while there is traffic,
then has another one poll. So there are two threads however many the peers, and one more for each piece of work that
takes long.
"""

from __future__ import annotations

import os
import select
import sys
import threading
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from time import sleep
from typing import Any, Protocol

from tfmini._src.base.locks import after_fork, make_lock

_PATIENCE_SECONDS = 0.01  # that a piece of work takes before another thread polls
_QUIET_ROUNDS = 100  # without traffic, until nobody looks any more
_IDLE_SECONDS = 10.0  # that a thread stays which may poll again


class Polled(Protocol):
    """An end of a line, as a poller watches it."""

    def go_on(self, can_send: bool, work: deque[Callable[[], Any]]) -> None:
        """Reads what there is, and adds to `work` what is to be done with it; sends what waits if that is possible."""


class Poller:
    """The watched sockets, and the threads for them.

    turn: the number of the thread that polls; one with a smaller number ends when its work is done.
    done: how many times it has polled or worked.
    """

    def __init__(self) -> None:
        self._epoll = select.epoll()
        self._polled: dict[int, Polled] = {}
        self._work: deque[Callable[[], Any]] = deque()
        self._lock = make_lock()
        self._turn = 0
        self._done = 0
        self._is_polling = False
        self._has_traffic = threading.Event()
        self._spare: list[threading.Event] = []  # of threads that may poll again
        self._of_thread = threading.local()
        self._woken, self._wakes = os.pipe()
        for descriptor in (self._woken, self._wakes):
            os.set_blocking(descriptor, False)
        self._epoll.register(self._woken, select.EPOLLIN)

    def watch(self, descriptor: int, polled: Polled, sends: bool) -> None:
        """Watches a socket from now on, for room to send as well if it `sends`.

        Raises:
          RuntimeError: if this process can have no more threads.
        """
        events = select.EPOLLIN | (select.EPOLLOUT if sends else 0)
        with self._lock:
            if not self._turn:
                self._turn = 1
                try:
                    _start(self._poll, 1)
                    _start(self._look)
                except RuntimeError:
                    self._turn = 0
                    raise
            if descriptor in self._polled:
                self._epoll.modify(descriptor, events)
            else:
                self._polled[descriptor] = polled
                self._epoll.register(descriptor, events)

    def forget(self, descriptor: int) -> None:
        """Watches a socket no more, before it is closed."""
        with self._lock:
            if self._polled.pop(descriptor, None) is not None:
                self._epoll.unregister(descriptor)

    def soon(self, function: Callable[[], Any]) -> None:
        """Has the thread that polls call a function, once the work before it is done."""
        self._work.append(function)
        if getattr(self._of_thread, "turn", 0) != self._turn:
            with suppress(BlockingIOError):  # it has been woken often enough
                os.write(self._wakes, b"\0")

    def _poll(self, turn: int) -> None:
        self._of_thread.turn = turn
        while True:
            self._do_work()
            if self._turn == turn:
                self._wait_for_work()
            elif self._is_promoted():
                self._of_thread.turn = turn = self._turn
            else:
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
            del piece  # with what has come
            self._done += 1

    def _wait_for_work(self) -> None:
        self._is_polling = True
        events = self._epoll.poll()
        self._is_polling = False
        self._done += 1
        if not self._has_traffic.is_set():
            self._has_traffic.set()
        for descriptor, event in events:
            found = self._polled.get(descriptor)
            if found is not None:
                found.go_on(event & select.EPOLLOUT != 0, self._work)
            elif descriptor == self._woken:
                with suppress(BlockingIOError):  # another thread has read it
                    os.read(descriptor, 4096)

    def _is_promoted(self) -> bool:
        """Waits until this thread has to poll again; False if it was not needed for long."""
        promoted = threading.Event()
        with self._lock:
            self._spare.append(promoted)
        if promoted.wait(_IDLE_SECONDS):
            return True
        with self._lock:
            if promoted in self._spare:
                self._spare.remove(promoted)
                return False
        return True

    def _look(self) -> None:
        """Has another thread poll whenever the one that does is long at one piece of work."""
        seen, quiet = -1, 0
        while True:
            sleep(_PATIENCE_SECONDS)
            done = self._done
            if done != seen:
                quiet = 0
            elif self._work or not self._is_polling:
                self._promote()
            else:
                quiet += 1
            if quiet > _QUIET_ROUNDS:
                self._has_traffic.clear()
                if self._done == done and self._is_polling:
                    self._has_traffic.wait()
                quiet = 0
            seen = done

    def _promote(self) -> None:
        with self._lock:
            self._turn += 1
            spare = self._spare.pop() if self._spare else None
        if spare is not None:
            spare.set()
            return
        with suppress(RuntimeError):  # this process may have no more: it is tried again
            _start(self._poll, self._turn)


def _start(function: Callable[..., Any], *arguments: Any) -> None:
    threading.Thread(target=function, args=arguments, name="tfmini lines", daemon=True).start()


_of_process: list[Poller] = []
_making = make_lock()


def poller() -> Poller:
    """The poller of this process."""
    if not _of_process:
        with _making:
            if not _of_process:
                _of_process.append(Poller())
    return _of_process[0]


# A child has none of the threads, and the sockets are its parent's.
after_fork(_of_process.clear)
