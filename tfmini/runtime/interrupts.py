"""Ctrl-C while a plan changes state: it is raised once the plan has ended, so that no update stops half-way.

A second Ctrl-C is raised at once.
"""

from __future__ import annotations

import signal
import threading
from types import FrameType
from typing import Any


class DeferredInterrupts:
    """A block in which the first Ctrl-C waits for the end; it does nothing outside of the main thread."""

    def __enter__(self) -> None:
        self._handler: Any = None
        self._came: FrameType | None = None
        self._noted = False
        if threading.current_thread() is threading.main_thread():
            handler = signal.getsignal(signal.SIGINT)
            if callable(handler):
                self._handler = handler
                signal.signal(signal.SIGINT, self._note)

    def __exit__(self, *unused: Any) -> None:
        if self._handler is not None:
            signal.signal(signal.SIGINT, self._handler)
            if self._noted:
                self._handler(signal.SIGINT, self._came)

    def _note(self, number: int, frame: FrameType | None) -> None:
        if self._noted:
            self._handler(number, frame)
        self._noted = True
        self._came = frame
