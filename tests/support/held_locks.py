"""Checks whether a call holds a lock: races are too rare for tests, but blocking on a held lock is observable."""

import gc
import threading
from concurrent import futures

_EARLY = 0.2  # maximum seconds of a call that does not block


def waits_for(lock, call):
    """Whether a call on another thread blocks until this thread releases a lock; reraises its exceptions."""
    with futures.ThreadPoolExecutor(1) as pool:
        with lock:
            ended = pool.submit(call)
            early, _ = futures.wait([ended], _EARLY)
        ended.result()
    return not early


class CollectingLock:
    """A lock that collects garbage whenever it is acquired, as any allocation may."""

    def __init__(self, lock):
        self._lock = lock

    def __enter__(self):
        self._lock.acquire()
        gc.collect()

    def __exit__(self, *unused):
        self._lock.release()


def ends(call, seconds=20.0):
    """Whether a call on another thread returns, rather than deadlocking on itself."""
    thread = threading.Thread(target=call, daemon=True)
    thread.start()
    thread.join(seconds)
    return not thread.is_alive()
