"""Pauses of long loops: a step that loops in Python holds the GIL, which each request acquires several times."""

from __future__ import annotations

import time
from collections.abc import Callable

from tfmini._src.base.locks import make_lock

_MIN_LONG_SECONDS = 0.005  # seconds after which a loop is long
_SLICE_SECONDS = 0.0003  # seconds of running between pauses
_PAUSE_SECONDS = 0.001
_RECENT_SECONDS = 0.1  # seconds for which loops pause after a step has started


class Pauses:
    """Pauses long loops while other steps begin, one loop at a time, so that another one can run meanwhile."""

    def __init__(self) -> None:
        self._latest = time.perf_counter()  # when the latest step began
        self._pausing = make_lock()

    def note_step(self) -> None:
        """Records that a step begins."""
        self._latest = time.perf_counter()

    def hook(self) -> Callable[[], None]:
        """Returns a loop hook for one step (`LOOP_HOOKS`)."""
        previous_time = self._latest
        due_time = time.perf_counter() + _MIN_LONG_SECONDS

        def pause() -> None:
            nonlocal due_time
            now = time.perf_counter()
            if now < due_time:
                return
            if previous_time < self._latest > now - _RECENT_SECONDS:
                with self._pausing:
                    time.sleep(_PAUSE_SECONDS)
            due_time = time.perf_counter() + _SLICE_SECONDS

        return pause
