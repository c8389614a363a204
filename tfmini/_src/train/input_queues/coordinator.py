"""Coordinator: how the threads of a program stop together, and what one of them failed with."""

from __future__ import annotations

import contextlib
import sys
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from tfmini._src.base import logs
from tfmini._src.base.errors import OutOfRangeError
from tfmini._src.base.locks import make_lock
from tfmini._src.base.read_only import read_only


class Coordinator:
    """Lets threads stop together: any may ask for it, all look whether one has, and one joins them.

    Args:
      clean_stop_exception_types: a tuple of exception classes that end the work without being an error; by default
        `(tf.errors.OutOfRangeError,)`, which queues and readers raise at their end.

    Example:
      coordinator = tf.train.Coordinator()
      threads = tf.train.start_queue_runners(session, coordinator)
      try:
          while not coordinator.should_stop():
              session.run(train)
      except Exception as error:
          coordinator.request_stop(error)
      finally:
          coordinator.request_stop()
          coordinator.join(threads)
    """

    joined: bool = read_only("Whether the threads were joined since the last start.")

    def __init__(self, clean_stop_exception_types: Any = None):
        if clean_stop_exception_types is None:
            clean_stop_exception_types = (OutOfRangeError,)
        self._clean = tuple(clean_stop_exception_types)
        self._lock = make_lock()
        self._stop = threading.Event()
        self._failure: BaseException | None = None
        self._joined = False
        self._registered_threads: set[threading.Thread] = set()

    def request_stop(self, ex: Any = None) -> None:
        """Asks all threads to stop.

        Args:
          ex: the exception that is being handled, or a tuple as from `sys.exc_info()`: `join` raises the first, unless
            it is a clean stop.

        Raises:
          TypeError: there is no exception to go on with: `ex` is a tuple of anything else, or given where none is
            being handled.
          Exception: if the threads have been joined already, the one that is being handled, or `ex`.
        """
        with self._lock:
            error = ex[1] if isinstance(ex, tuple) else ex
            if isinstance(error, self._clean):
                ex = error = None
            if self._joined and ex is not None:
                raise error if isinstance(ex, tuple) else sys.exc_info()[1] or error
            if self._stop.is_set():
                return
            if ex and self._failure is None:
                if isinstance(ex, tuple):
                    logs.info("Error reported to Coordinator: %s", error, exc_info=ex)
                else:
                    logs.info("Error reported to Coordinator: %s, %s", type(ex), error)
                # Without an exception the request fails, and `join` will too.
                self._failure = TypeError("'NoneType' object is not callable")
                self._failure = _raised(ex if isinstance(ex, tuple) else sys.exc_info())
            self._stop.set()

    def clear_stop(self) -> None:
        """Forgets that a stop was asked for, and why: threads may be started again."""
        with self._lock:
            self._joined = False
            self._failure = None
            self._stop.clear()

    def should_stop(self) -> bool:
        """Whether a stop was asked for."""
        return self._stop.is_set()

    @contextlib.contextmanager
    def stop_on_exception(self) -> Iterator[None]:
        """A block whose exceptions go to `request_stop`, and no further."""
        try:
            yield
        except BaseException:  # a thread's, also SystemExit: the one that joins raises it
            self.request_stop(ex=sys.exc_info())

    def wait_for_stop(self, timeout: float | None = None) -> bool:
        """Waits until a stop is asked for, at most `timeout` seconds; whether it was."""
        return self._stop.wait(timeout)

    def register_thread(self, thread: threading.Thread) -> None:
        """Has `join` wait for the thread too."""
        with self._lock:
            self._registered_threads.add(thread)

    def join(
        self,
        threads: Iterable[threading.Thread] | None = None,
        stop_grace_period_secs: float = 120,
        ignore_live_threads: bool = False,
    ) -> None:
        """Waits until all threads have ended, or a stop was asked for and the grace period is over.

        Args:
          threads: those to wait for, in addition to those registered.
          stop_grace_period_secs: how long they may go on after the stop, in seconds.
          ignore_live_threads: whether those that still run are let go; else they are an error.

        Raises:
          RuntimeError: threads still run.
          Exception: what a thread has given to `request_stop`, with its own traceback.
        """
        with self._lock:
            waited = list(self._registered_threads.union(threads or ()))
        while any(thread.is_alive() for thread in waited) and not self._stop.wait(0.02):
            pass
        end = time.monotonic() + stop_grace_period_secs
        for thread in waited:
            if thread.ident is not None and thread is not threading.current_thread():
                thread.join(max(0.0, end - time.monotonic()))
        stragglers = " ".join(thread.name for thread in waited if thread.is_alive())
        with self._lock:
            self._joined = True
            self._registered_threads = set()
            if self._failure is not None:
                raise self._failure
        if stragglers:
            text = f"Coordinator stopped with threads still running: {stragglers}"
            if not ignore_live_threads:
                raise RuntimeError(text)
            logs.info("%s", text)

    def raise_requested_exception(self) -> None:
        """Raises what was given to `request_stop`, if anything was."""
        with self._lock:
            if self._failure is not None:
                raise self._failure


def _raised(ex: tuple) -> BaseException:
    """The exception of a `sys.exc_info()`."""
    if len(ex) != 3 or not ex[0] or not ex[1]:
        raise TypeError(
            "not all arguments converted during string formatting\n"
            f"request_stop is called while an exception is handled, or with a sys.exc_info(), not {ex}"
        )
    if not isinstance(ex[1], BaseException):
        return AttributeError(f"{type(ex[1]).__name__!r} object has no attribute '__traceback__'")
    return ex[1]


class LooperThread(threading.Thread):
    """A thread that calls a function again and again until its coordinator stops.

    Args:
      coord: the Coordinator: exceptions go to it, and it joins the thread.
      timer_interval_secs: the seconds between two calls, or None: one right after the other.
      target: the function; without it a subclass gives `run_loop`.
      args, kwargs: what it is called with.

    Raises:
      ValueError: `coord` is no Coordinator; there are arguments and no `target`.

    Example: `tf.train.LooperThread.loop(coordinator, 60, save, args=(session,))`.
    """

    def __init__(
        self,
        coord: Any,
        timer_interval_secs: float | None,
        target: Callable | None = None,
        args: Any = None,
        kwargs: Any = None,
    ):
        if not isinstance(coord, Coordinator):
            raise ValueError(f"'coord' argument must be a Coordinator: {coord}")
        super().__init__()
        self.daemon = True
        self._coord = coord
        self._timer_interval_secs = timer_interval_secs
        self._loop_target = target
        if target is None and (args or kwargs):
            raise ValueError("'args' and 'kwargs' argument require that you also pass 'target'")
        self._loop_args, self._loop_kwargs = args or (), kwargs or {}
        coord.register_thread(self)

    @staticmethod
    def loop(
        coord: Any,
        timer_interval_secs: float | None,
        target: Callable,
        args: Any = None,
        kwargs: Any = None,
    ) -> LooperThread:
        """Makes such a thread and starts it."""
        thread = LooperThread(coord, timer_interval_secs, target=target, args=args, kwargs=kwargs)
        thread.start()
        return thread

    def run(self) -> None:
        """Body of the thread; `start` calls it."""
        with self._coord.stop_on_exception():
            self.start_loop()
            if self._timer_interval_secs is None:
                while not self._coord.should_stop():
                    self.run_loop()
            else:
                following = time.time()
                while not self._coord.wait_for_stop(max(0.0, following - time.time())):
                    following += self._timer_interval_secs
                    self.run_loop()
            self.stop_loop()

    def start_loop(self) -> None:
        """Called before the first round, for subclasses."""

    def stop_loop(self) -> None:
        """Called after the last round, for subclasses."""

    def run_loop(self) -> None:
        """One round."""
        if self._loop_target is not None:
            self._loop_target(*self._loop_args, **self._loop_kwargs)
