"""Coordinator, which stops the threads of a program together and propagates exceptions."""

from __future__ import annotations

import contextlib
import sys
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

from tfmini._src.base import logs
from tfmini._src.base.errors import OutOfRangeError
from tfmini._src.base.locks import make_lock
from tfmini._src.base.read_only import read_only


class Coordinator:
    """Coordinates thread termination: any thread can request a stop, all threads poll for it, and one joins them.

    Args:
      clean_stop_exception_types: a tuple of exception classes that count as a clean stop, by default
        `(tf.errors.OutOfRangeError,)`, which queues and readers raise at the end of input.

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

    joined: bool = read_only("Whether the threads have been joined.")

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
        """Requests all threads to stop.

        Args:
          ex: the exception being handled, or a `sys.exc_info()` tuple; `join` re-raises the first exception unless
            it is a clean stop.

        Raises:
          TypeError: for an invalid tuple, or an exception that is not being handled.
          Exception: the exception, if the threads have already been joined.
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
                # Without an exception, `_raised_exception` fails, as `join` will.
                self._failure = TypeError("'NoneType' object is not callable")
                self._failure = _raised_exception(ex if isinstance(ex, tuple) else sys.exc_info())
            self._stop.set()

    def clear_stop(self) -> None:
        """Clears the stop request and its exception, so that threads can be restarted."""
        with self._lock:
            self._joined = False
            self._failure = None
            self._stop.clear()

    def should_stop(self) -> bool:
        """Whether a stop was requested."""
        return self._stop.is_set()

    @contextlib.contextmanager
    def stop_on_exception(self) -> Iterator[None]:
        """Context manager that passes exceptions to `request_stop` and suppresses them."""
        try:
            yield
        except BaseException:  # including SystemExit, which `join` re-raises
            self.request_stop(ex=sys.exc_info())

    def wait_for_stop(self, timeout: float | None = None) -> bool:
        """Waits up to `timeout` seconds for a stop request; returns whether one arrived."""
        return self._stop.wait(timeout)

    def register_thread(self, thread: threading.Thread) -> None:
        """Registers a thread for `join`."""
        with self._lock:
            self._registered_threads.add(thread)

    def join(
        self,
        threads: Iterable[threading.Thread] | None = None,
        stop_grace_period_secs: float = 120,
        ignore_live_threads: bool = False,
    ) -> None:
        """Waits for all threads to end, or for the grace period after a stop request.

        Args:
          threads: threads to join in addition to the registered ones.
          stop_grace_period_secs: seconds that threads may keep running after a stop request.
          ignore_live_threads: whether to ignore threads that are still running, instead of raising.

        Raises:
          RuntimeError: if threads are still running.
          Exception: the exception passed to `request_stop`, with its traceback.
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
        """Re-raises the exception passed to `request_stop`, if any."""
        with self._lock:
            if self._failure is not None:
                raise self._failure


def _raised_exception(ex: tuple) -> BaseException:
    """Returns the exception itself, or the one in a `sys.exc_info()` tuple."""
    if len(ex) != 3 or not ex[0] or not ex[1]:
        raise TypeError(
            "not all arguments converted during string formatting\n"
            f"request_stop is called while an exception is handled, or with a sys.exc_info(), not {ex}"
        )
    if not isinstance(ex[1], BaseException):
        return AttributeError(f"{type(ex[1]).__name__!r} object has no attribute '__traceback__'")
    return ex[1]


class LooperThread(threading.Thread):
    """A thread that calls a function in a loop until its coordinator stops.

    Args:
      coord: the Coordinator that receives exceptions and joins the thread.
      timer_interval_secs: call interval in seconds; None for back-to-back calls.
      target: the function; by default `run_loop`, defined by a subclass.
      args, kwargs: its arguments.

    Raises:
      ValueError: if `coord` is not a Coordinator, or arguments are given without a `target`.

    Example: `tf.train.LooperThread.loop(coordinator, 60, save, args=(session,))`.
    """

    def __init__(
        self,
        coord: Coordinator,
        timer_interval_secs: float | None,
        target: Callable[..., Any] | None = None,
        args: Sequence[Any] | None = None,
        kwargs: Mapping[str, Any] | None = None,
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
        coord: Coordinator,
        timer_interval_secs: float | None,
        target: Callable[..., Any],
        args: Sequence[Any] | None = None,
        kwargs: Mapping[str, Any] | None = None,
    ) -> LooperThread:
        """Creates and starts a LooperThread."""
        thread = LooperThread(coord, timer_interval_secs, target=target, args=args, kwargs=kwargs)
        thread.start()
        return thread

    def run(self) -> None:
        """Runs the thread's main loop; called by `start`."""
        with self._coord.stop_on_exception():
            self.start_loop()
            if self._timer_interval_secs is None:
                while not self._coord.should_stop():
                    self.run_loop()
            else:
                next_time = time.time()
                while not self._coord.wait_for_stop(max(0.0, next_time - time.time())):
                    next_time += self._timer_interval_secs
                    self.run_loop()
            self.stop_loop()

    def start_loop(self) -> None:
        """Hook before the first call, for subclasses."""

    def stop_loop(self) -> None:
        """Hook after the last call, for subclasses."""

    def run_loop(self) -> None:
        """Calls the target once."""
        if self._loop_target is not None:
            self._loop_target(*self._loop_args, **self._loop_kwargs)
