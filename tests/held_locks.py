"""Whether a call holds a lock: no race that a lock prevents shows often enough for a test, its waiting does."""

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
