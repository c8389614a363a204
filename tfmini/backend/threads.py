"""The process's threads for one op: how many there are, and running the parts of one piece of work on them.

As in TensorFlow the first Session decides for the process: `intra_op_parallelism_threads` of its ConfigProto, or one a
core. The linear algebra library gets the same number.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor

import numpy as np
from threadpoolctl import threadpool_limits


class _Threads:
    def __init__(self) -> None:
        self.lock = threading.Lock()
        self.count = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
        self.decided = False
        self.pool: ThreadPoolExecutor | None = None


_threads = _Threads()


def configure(count: int) -> None:
    """Fixes the number of threads for the process, at the first call; 0 leaves one a core."""
    with _threads.lock:
        if _threads.decided:
            return
        _threads.decided = True
        if count > 0:
            _threads.count = count
            threadpool_limits(limits=count, user_api="blas")


def thread_count() -> int:
    """How many threads one op may use."""
    return _threads.count


def run_parts(work: Callable[[int], None], parts: int) -> None:
    """Calls `work(0)` ... `work(parts - 1)`, each in a thread of its own, the last in this one; waits for all.

    The first exception is raised once all have ended.
    """
    if parts == 1:
        work(0)
        return
    with _threads.lock:
        if _threads.pool is None:
            _threads.pool = ThreadPoolExecutor(max(1, _threads.count - 1), "tfmini-op")
    futures = [_threads.pool.submit(_quietly, work, part) for part in range(parts - 1)]
    try:
        work(parts - 1)
    finally:
        failures = [e for e in map(Future.exception, futures) if e is not None]
    if failures:
        raise failures[0]


def _quietly(work: Callable[[int], None], part: int) -> None:
    """Numpy's warnings are off in a run; that setting is each thread's own."""
    with np.errstate(all="ignore"):
        work(part)
