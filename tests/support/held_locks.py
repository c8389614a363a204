"""Whether a call holds a lock: no race that a lock prevents shows often enough for a test, its waiting does."""

import gc
import threading
from concurrent import futures

_EARLY = 0.2  # seconds in which a call that does not wait ends


def waits_for(lock, call):
    """Whether a call in another thread ends only once this one has released a lock; raises what it raises."""
    with futures.ThreadPoolExecutor(1) as pool:
        with lock:
            ended = pool.submit(call)
            early, _ = futures.wait([ended], _EARLY)
        ended.result()
    return not early


class CollectingLock:
    """A lock whose holder collects garbage at once, as it may wherever something is allocated."""

    def __init__(self, lock):
        self._lock = lock

    def __enter__(self):
        self._lock.acquire()
        gc.collect()

    def __exit__(self, *unused):
        self._lock.release()


def ends(call, seconds=20.0):
    """Whether a call in another thread ends: one that waits for itself does not."""
    thread = threading.Thread(target=call, daemon=True)
    thread.start()
    thread.join(seconds)
    return not thread.is_alive()
