"""Waiting for other threads, without timing assumptions on a busy machine."""

import sys
import threading
import time
from contextlib import contextmanager

SECONDS = 60  # far longer than needed anywhere: yields a failure instead of a hanging test


def until(condition):
    """Returns once the condition holds."""
    end = time.monotonic() + SECONDS
    while not condition():
        assert time.monotonic() < end, "it has not come to that"
        time.sleep(0.005)


def waiting_in(session):
    """The number of blocked steps of a session."""
    return sum(bool(step._waiting) for step in list(session._resources.steps))


def in_plan():
    """Whether the main thread is executing plan code."""
    frame = sys._current_frames()[threading.main_thread().ident]
    while frame is not None:
        if frame.f_code.co_filename.startswith("<tfmini plan"):
            return True
        frame = frame.f_back
    return False


@contextmanager
def no_thread_stays():
    """Context in which no started thread may outlive the block, except the process-wide compute threads."""
    before = set(threading.enumerate())
    yield
    until(lambda: all(t in before or t.name.startswith("tfmini-op") for t in threading.enumerate()))


@contextmanager
def once(condition, act):
    """Context in which another thread calls `act()` as soon as the condition holds."""

    def run():
        until(condition)
        act()

    thread = threading.Thread(target=run)
    thread.start()
    yield
    thread.join(SECONDS)
    assert not thread.is_alive()


def waits_for(lock, call):
    """Whether a call blocks while a lock is held, and returns once it is released; the result is discarded."""
    caller = threading.Thread(target=call)
    with lock:
        caller.start()
        caller.join(0.1)
        waits = caller.is_alive()
    caller.join(SECONDS)
    return waits and not caller.is_alive()
