"""Datasets that compute elements ahead on threads: prefetch and parallel map.

Order is preserved, except by a sloppy map. All waits use pending ops, so that cancellation interrupts them; the
threads stop at the end of the run.
"""

from __future__ import annotations

import os
import sys
import threading
import time
import weakref
from collections import deque
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from tfmini._src.base.errors import CancelledError, invalid
from tfmini._src.base.locks import make_lock, make_rlock
from tfmini._src.graph.opdef import Attr
from tfmini._src.ops.datasets.dataset_function import CapturedFunction, Function, results_or_end
from tfmini._src.ops.datasets.dataset_value import (
    ELEMENTS,
    TYPE_LIST,
    Dataset,
    Element,
    Iterator,
    Run,
    SameSizeDataset,
    dataset_op,
    scalar_argument,
    set_declared_types,
)
from tfmini._src.ops.datasets.function_datasets import map_elements
from tfmini._src.ops.pending_ops import PendingOp, wait

_PREFETCH_SIZE = 8  # default number of prefetched elements


class Signal:
    """Condition variable that is also woken by cancellation."""

    def __init__(self) -> None:
        self._lock = make_rlock()  # because garbage collection may close an iterator
        self._waiting: list[PendingOp] = []

    def wait_until(self, condition: Callable[[], bool]) -> None:
        """Waits until `condition()`, evaluated after each `notify`; raises CancelledError if the step is cancelled."""
        while not condition():
            pending_op = PendingOp(_withdraw)
            with self._lock:
                self._waiting.append(pending_op)
            if condition():
                pending_op.end(())
            wait(pending_op)

    def notify(self) -> None:
        if self._waiting:
            with self._lock:
                waiting, self._waiting = self._waiting, []
            for pending_op in waiting:
                pending_op.end(())


def _withdraw(pending_op: PendingOp) -> None:
    pending_op.end(error=CancelledError(None, None, "Iterator get_next was cancelled"))


class Prefetch(SameSizeDataset):
    """A dataset whose elements are computed ahead."""

    def __init__(self, source: Dataset, size: int):
        super().__init__(source)
        self.size = size

    def iterate(self, run: Run, path: str) -> Iterator:
        inner = self.source.iterate(run, path + "/Prefetch")
        if not self.size:
            return inner
        return PrefetchIterator(inner, _PREFETCH_SIZE if self.size < 0 else self.size, run)


class PrefetchIterator(Iterator):
    def __init__(self, inner: Iterator, size: int, run: Run):
        self._shared = _PrefetchBuffer(inner, size)
        self._run = run
        self._close_token: int | None = None
        self.is_fresh = inner.is_fresh

    def next(self) -> Element | None:
        shared = self._shared
        if self._close_token is None and not shared.is_over:
            self._close_token = self._run.on_close(shared.close)
            shared.start()
        if not shared.ready:
            shared.has_more.wait_until(lambda: bool(shared.ready) or shared.is_closed)
            if shared.is_closed and not shared.ready:
                raise CancelledError(None, None, "Iterator was closed")
        element = shared.ready[0]
        if element is None:
            return None
        shared.ready.popleft()
        shared.has_room.notify()
        if isinstance(element, BaseException):
            raise element
        return element

    def save(self) -> Any:
        return self._shared.save()

    def restore(self, state: Any) -> None:
        self._shared.restore(state)

    def __del__(self) -> None:
        self._shared.close()
        if self._close_token is not None:
            self._run.forget(self._close_token)


class _PrefetchBuffer:
    """Buffer shared by a prefetching thread and its reader; contains elements, errors and a final None."""

    _MOMENT = 1.0  # seconds allowed for an idle thread to end

    def __init__(self, inner: Iterator, size: int):
        self._inner = inner
        self._size = size
        self._working = make_lock()  # held while computing an element
        self._thread: threading.Thread | None = None
        self.ready: deque[Any] = deque()
        self.is_closed = False
        self.has_more = Signal()
        self.has_room = Signal()

    def start(self) -> None:
        thread = threading.Thread(target=self._work, name="tfmini prefetch", daemon=True)
        thread.start()
        self._thread = thread  # assigned last: `close` joins it

    def _work(self) -> None:
        ready, size = self.ready, self._size
        while not self.is_closed:
            if len(ready) >= size:
                self.has_room.wait_until(lambda: len(ready) < size or self.is_closed)
                continue
            with self._working:
                try:
                    element: Any = self._inner.next()
                except BaseException as error:
                    element = error
                # An abandoned buffer: an error would keep files open until garbage collection.
                if self.is_closed:
                    element = None
                ready.append(element)
            self.has_more.notify()
            if element is None:
                break

    @property
    def is_over(self) -> bool:
        """Whether the last element has been produced."""
        return bool(self.ready) and self.ready[-1] is None

    def save(self) -> Any:
        """Returns the buffered elements and the position of the inner iterator."""
        with self._working:
            ready = list(self.ready)
            return ready, None if self.is_over else self._inner.save()

    def restore(self, state: Any) -> None:
        """Restores a saved position before the thread starts."""
        ready, inner = state
        self.ready.extend(ready)
        if inner is not None:
            self._inner.restore(inner)

    def close(self, _is_finalizing: Callable[[], bool] = sys.is_finalizing) -> None:
        """Stops the thread, and waits for it if it is idle; at exit, modules may be gone already."""
        self.is_closed = True
        self.has_room.notify()
        self.has_more.notify()
        thread = self._thread
        if thread is None or _is_finalizing() or thread is threading.current_thread():
            return
        if not self._working.locked():
            thread.join(self._MOMENT)


class ParallelMap(SameSizeDataset):
    """The results of a function for each element, computed in parallel.

    calls: the maximum number of parallel calls; -1 for the number of processors.
    is_sloppy: whether to return results in completion order.
    """

    keeps_types = False

    token = "/ParallelMap"  # prefix in the paths of its sources

    def __init__(self, source: Dataset, function: Function, calls: int, is_sloppy: bool = False):
        super().__init__(source)
        self.functions = (function,)
        self.calls = calls
        self.is_sloppy = is_sloppy
        self._threading_decision = ThreadingDecision()

    def iterate(self, run: Run, path: str) -> Iterator:
        inner = self.source.iterate(run, path + self.token)
        if self.functions[0].batched_call() is not None:
            return map_elements(inner, self.functions[0], run)
        calls = os.cpu_count() or 1 if self.calls < 0 else self.calls
        pace = None if self.functions[0].stateful_ops else self._threading_decision
        function = self.functions[0].bind(run)
        return _ParallelMapIterator(inner, function, calls, self.is_sloppy, pace, run)


class ThreadingDecision:
    """Decides whether calls are too short to benefit from threads.

    The first calls run on threads. If one of them is short, later calls run in the requesting thread until too much
    time has been spent on long calls; from then on, all calls run on threads.
    """

    SHORT = 5e-5  # seconds
    TRIED = 16  # calls
    PATIENCE = 0.05  # seconds

    def __init__(self) -> None:
        self.runs_in_place = False
        self._tries_left = self.TRIED
        self._excess = 0.0

    def in_thread(self, seconds: float) -> None:
        """Records a call that ran on a thread."""
        self._tries_left -= 1
        if self._tries_left >= 0 and seconds < self.SHORT:
            self.runs_in_place = True

    def in_place(self, seconds: float) -> None:
        """Records a call that ran in the requesting thread."""
        self._excess = max(0.0, self._excess + seconds - self.SHORT)
        if self._excess > self.PATIENCE:
            self.runs_in_place = False
            self._tries_left = 0


class _ParallelMapIterator(Iterator):
    """Iterator that starts calls up to the parallelism limit whenever an element is requested.

    pace: None for stateful functions, whose calls may block on each other.
    """

    def __init__(
        self,
        inner: Iterator,
        function: Any,
        calls: int,
        is_sloppy: bool,
        pace: ThreadingDecision | None,
        run: Run,
    ):
        self._inner: Iterator | None = inner
        self._function = function
        self._calls = calls
        self._is_sloppy = is_sloppy
        self._threading_decision = pace
        self._shared = run.threads
        self._run = run
        self._started: deque[PendingOp] = deque()
        self._pool: ThreadPoolExecutor | None = None
        self._close_token = 0

    def next(self) -> Element | None:
        pace = self._threading_decision
        if pace is not None and pace.runs_in_place:
            return self._next_in_place(pace)
        pool = self._pool
        if pool is None:
            # The run must not reference this iterator: the end of an epoch stops its threads.
            close = weakref.WeakMethod(self._close)
            self._close_token = self._run.on_close(lambda: (close() or _nothing)())
            pool = self._pool = self._shared or ThreadPoolExecutor(self._calls, "tfmini map")
        started = self._started
        while self._inner is not None and len(started) < self._calls:
            try:
                element = self._inner.next()
            except Exception as error:
                failed = PendingOp(_withdraw)
                failed.end(error=error)
                started.append(failed)
                break
            if element is None:
                self._inner = None
                break
            pending_op = PendingOp(_ignore_withdrawal)
            try:
                pool.submit(_call_on_thread, self._function, element, pending_op, pace)
            except RuntimeError:  # already shut down
                raise CancelledError(None, None, "Iterator was closed") from None
            started.append(pending_op)
        if not started:
            self._end()
            return None
        return self._next_begun()

    def _next_begun(self) -> Element | None:
        started = self._started
        _wait_for(started if self._is_sloppy else (started[0],))
        first = next(pending_op for pending_op in started if pending_op.is_ended)
        started.remove(first)
        return first.outcome()

    def _next_in_place(self, pace: ThreadingDecision) -> Element | None:
        """Returns the next result of a call in this thread, after the results of calls on threads."""
        if self._started:
            return self._next_begun()
        element = None if self._inner is None else self._inner.next()
        if element is None:
            self._inner = None
            self._end()
            return None
        start_time = time.perf_counter()
        results = results_or_end(self._function, element)
        pace.in_place(time.perf_counter() - start_time)
        return results

    def save(self) -> Any:
        for pending_op in self._started:
            _wait_for((pending_op,))
        results = [pending_op.outcome() for pending_op in self._started]
        return results, None if self._inner is None else self._inner.save()

    def restore(self, state: Any) -> None:
        results, inner = state
        for result in results:
            pending_op = PendingOp(_ignore_withdrawal)
            pending_op.end(result)
            self._started.append(pending_op)
        if inner is None or self._inner is None:
            self._inner = None
        else:
            self._inner.restore(inner)

    def _close(self) -> None:
        for pending_op in list(self._started):
            _withdraw(pending_op)
        if self._pool is not None and self._shared is None:
            self._pool.shutdown(wait=False, cancel_futures=True)

    def _end(self) -> None:
        if self._pool is not None:
            self._run.forget(self._close_token)
            self._close()

    __del__ = _end


def _wait_for(pending_ops: Sequence[PendingOp]) -> None:
    """Waits for any of several calls; they continue if the step is cancelled."""
    if any(pending_op.is_ended for pending_op in pending_ops):
        return
    done = PendingOp(_withdraw)

    def end() -> None:
        done.end(())

    for pending_op in pending_ops:
        pending_op.add_callback(end)
    wait(done)


def _nothing() -> None:
    """Does nothing, in place of the `_close` of a garbage-collected iterator."""


def _ignore_withdrawal(pending_op: PendingOp) -> None:
    """Does nothing on withdrawal, because a call in flight continues."""


def _call_on_thread(
    function: Any, element: Element, pending_op: PendingOp, pace: ThreadingDecision | None
) -> None:
    if pending_op.is_ended:  # its iterator has been closed
        return
    start_time = time.perf_counter()
    try:
        results = results_or_end(function, element)
    except BaseException as error:
        pending_op.end(error=error)
        return
    if pace is not None:
        pace.in_thread(time.perf_counter() - start_time)
    pending_op.end(results)


@dataset_op(
    "PrefetchDataset",
    "input_dataset: variant, buffer_size: int64 -> handle: variant",
    **ELEMENTS,
    slack_period=0,
    legacy_autotune=True,
)
def prefetch_dataset_op(ctx, input_dataset, buffer_size):
    size = scalar_argument(buffer_size, "buffer_size")
    if size < -1:
        invalid("buffer_size must be >= 0 or set buffer_size to be -1 for auto-tuning")
    return set_declared_types(Prefetch(input_dataset, size), ctx)


@dataset_op(
    "ParallelMapDataset",
    "input_dataset: variant, other_arguments: Targuments, num_parallel_calls: int32 -> handle: variant",
    f=Attr("func"),
    Targuments=TYPE_LIST,
    **ELEMENTS,
    use_inter_op_parallelism=True,
    sloppy=False,
    preserve_cardinality=False,
)
def parallel_map_dataset_op(ctx, input_dataset, other_arguments, num_parallel_calls):
    calls = scalar_argument(num_parallel_calls, "num_parallel_calls")
    if calls < 1 and calls != -1:
        invalid("num_parallel_calls must be greater than zero.")
    function = CapturedFunction(ctx, "f", other_arguments)
    return set_declared_types(ParallelMap(input_dataset, function, calls, ctx.attrs["sloppy"]), ctx)
