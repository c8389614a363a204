"""The process's threads for a single op: their number, and parallel execution of the parts of a job.

As in TensorFlow, the first Session determines their number: `intra_op_parallelism_threads` of its ConfigProto, or one
per core. numpy's BLAS is limited to a single thread, and large products are divided here (`products`), since BLAS
threads busy-wait, which on a loaded machine costs many times the product.

The calling thread also executes parts and never waits for a thread that has not started, so on a loaded machine it
does all the work itself.
"""

from __future__ import annotations

import contextlib
import itertools
import math
import os
import threading
from collections.abc import Callable, Iterator, Sequence
from queue import SimpleQueue
from typing import Any

import numpy as np
from threadpoolctl import threadpool_limits

from tfmini._src.base.locks import after_fork, make_lock
from tfmini._src.devices.host.denormals import flush_denormals

# NumPy's slow unary functions, and the minimum number of elements at which they are divided among threads.
_SLOW_UFUNCS = frozenset(
    {"exp", "log", "sqrt", "sin", "cos", "tan", "arcsin", "arccos", "arctan", "tanh"}
)
_SLOW_UFUNCS |= {"sinh", "cosh", "arcsinh", "arccosh", "arctanh", "expm1", "log1p"}
_MIN_PARALLEL_ELEMENTS, _HEAD_START = 1 << 17, 1 << 14  # elements


class _Job:
    """A job whose parts threads execute in turn; each token admits one more thread."""

    def __init__(self, work: Callable[[int], None], parts: int, helpers: int):
        self.work = work
        self.parts = parts
        self.next_part: Iterator[int] = itertools.count()
        self.tokens = [None] * helpers
        self.left: SimpleQueue[None] = SimpleQueue()
        self.failures: list[BaseException] = []

    def take_parts(self) -> None:
        for part in self.next_part:
            if part >= self.parts or self.failures:
                return
            try:
                self.work(part)
            except BaseException as error:  # re-raised in the waiting thread
                self.failures.append(error)


class _Threads:
    def __init__(self) -> None:
        self.lock = make_lock()
        self.jobs: SimpleQueue[_Job] = SimpleQueue()
        self.started = 0
        self.decided = False
        self.count = os.cpu_count() or 1
        if hasattr(os, "sched_getaffinity"):
            self.count = len(os.sched_getaffinity(0))

    def reset_after_fork(self) -> None:
        """Resets the state in a forked process, which has no helper threads."""
        self.jobs = SimpleQueue()
        self.started = 0

    def start(self) -> None:
        """Starts the missing helper threads."""
        with self.lock:
            while self.started < self.count - 1:
                self.started += 1
                name = f"tfmini-op-{self.started}"
                threading.Thread(
                    target=_run_helper, args=(self.jobs,), name=name, daemon=True
                ).start()


def _run_helper(jobs: SimpleQueue[_Job]) -> None:
    """A helper thread's main loop, with a run's thread-local settings, such as disabled NumPy warnings."""
    with np.errstate(all="ignore"), flush_denormals():
        while True:
            job = jobs.get()
            try:
                job.tokens.pop()
            except IndexError:  # the job is done
                continue
            job.take_parts()
            job.left.put(None)


_threads = _Threads()
after_fork(_threads.reset_after_fork)


def configure(count: int) -> None:
    """Sets the number of threads for the process in the first call; 0 means one per core."""
    with _threads.lock:
        if _threads.decided:
            return
        _threads.decided = True
        if count > 0:
            _threads.count = count
    limit_blas()


def limit_blas() -> None:
    """Limits each loaded BLAS library to one thread, if the process has a Session."""
    if _threads.decided:
        with contextlib.suppress(FileNotFoundError):  # Linux without /proc
            threadpool_limits(limits=1, user_api="blas")


def thread_count() -> int:
    """Returns the number of threads available to one op."""
    return _threads.count


class _ThreadState(threading.local):
    least = 1  # factor applied to the minimum size of parallel work


_thread_settings = _ThreadState()


def raise_division_threshold() -> None:
    """Makes this thread divide updates only if they take about a millisecond.

    For threads that sporadically serve other processes: waking helpers costs more processor time than it saves, and
    waiting processes have other work for the cores.
    """
    _thread_settings.least = 32


def threads_for(size: int, min_size: int) -> int:
    """Returns the number of threads for an update of `size` elements, which is one below `min_size` elements."""
    return _threads.count if size >= min_size * _thread_settings.least else 1


def part_bounds(size: int, parts: int, head_start: int) -> list[int]:
    """Returns the bounds of parts of `size`; with many elements, the first part is a multiple of 8.

    The first part is larger by `head_start`, the work that the calling thread does before another thread wakes up.
    """
    if parts == 1:
        return [0, size]
    even_share = (size + head_start * (parts - 1)) / parts
    unit = 8 if size >= 32 * parts else 1
    first = min(size, max(1, round(even_share / unit)) * unit)
    remaining = size - first
    return [0, *(first + remaining * part // (parts - 1) for part in range(parts))]


def run_slices(work: Callable[[slice], None], size: int, head_start: int) -> None:
    """Calls `work` with slices that together cover 0 ... `size` - 1, one per thread; see `part_bounds`, `run_parts`."""
    parts = thread_count()
    bounds = part_bounds(size, parts, head_start)
    run_parts(lambda part: work(slice(bounds[part], bounds[part + 1])), parts)


def run_parts(work: Callable[[int], None], parts: int) -> None:
    """Calls `work(0)` ... `work(parts - 1)` in this thread and others; returns when all have finished.

    The first exception is raised; parts that have not begun are skipped.
    """
    if parts == 1:
        work(0)
        return
    helpers = min(parts, _threads.count) - 1
    job = _Job(work, parts, max(helpers, 0))
    if helpers > 0:
        if _threads.started < _threads.count - 1:
            _threads.start()
        for _ in range(helpers):
            _threads.jobs.put(job)
    job.take_parts()
    waiting = helpers
    while waiting > 0:
        try:
            job.tokens.pop()  # not started by a helper: no wait
        except IndexError:
            job.left.get()
        waiting -= 1
    del job.work  # helpers refer to the job until their next one; frees its arrays
    if job.failures:
        raise job.failures[0]


def parallel_function(name: str, dims: Sequence[int | None] | None) -> Callable[..., np.ndarray]:
    """Returns NumPy's function `name`, or for large arrays a version that divides slow functions among threads."""
    function: Callable[..., Any] = getattr(np, name)
    known_sizes = [size for size in dims or () if size is not None]
    is_small = (
        dims is None
        or len(known_sizes) < len(dims)
        or math.prod(known_sizes) < _MIN_PARALLEL_ELEMENTS
    )
    if name not in _SLOW_UFUNCS or is_small:
        return function

    def on_threads(x: np.ndarray) -> np.ndarray:
        if not x.flags.c_contiguous:
            return function(x)
        flat, result = x.reshape(-1), np.empty(x.size, x.dtype)

        def work(part: slice) -> None:
            function(flat[part], out=result[part])

        run_slices(work, x.size, _HEAD_START)
        return result.reshape(x.shape)

    return on_threads
