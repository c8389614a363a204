"""Waiting for what another thread does, however long a busy machine takes for it."""

import sys
import threading
import time
from contextlib import contextmanager

SECONDS = 60  # far more than it takes anywhere: for a failure instead of a test that hangs


def until(condition):
    """Returns once the condition holds."""
    end = time.monotonic() + SECONDS
    while not condition():
        assert time.monotonic() < end, "it has not come to that"
        time.sleep(0.005)


def waiting_in(session):
    """How many steps of a session wait for something."""
    return sum(bool(step._waiting) for step in list(session._resources.steps))


def in_plan():
    """Whether the main thread runs the code of a plan."""
    frame = sys._current_frames()[threading.main_thread().ident]
    while frame is not None:
        if frame.f_code.co_filename.startswith("<tfmini plan"):
            return True
        frame = frame.f_back
    return False


@contextmanager
def no_thread_stays():
    """A block whose threads end with it, but for those that compute parts of steps for the whole process."""
    before = set(threading.enumerate())
    yield
    until(lambda: all(t in before or t.name.startswith("tfmini-op") for t in threading.enumerate()))


@contextmanager
def once(condition, act):
    """A block in which another thread calls `act()` as soon as the condition holds."""

    def run():
        until(condition)
        act()

    thread = threading.Thread(target=run)
    thread.start()
    yield
    thread.join(SECONDS)
    assert not thread.is_alive()


def waits_for(lock, call):
    """Whether a call ends while nobody holds a lock, and not before; its result is thrown away."""
    caller = threading.Thread(target=call)
    with lock:
        caller.start()
        caller.join(0.1)
        waits = caller.is_alive()
    caller.join(SECONDS)
    return waits and not caller.is_alive()
