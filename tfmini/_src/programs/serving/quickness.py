"""Selects steps to run on the event loop: those no slower than a round trip to a thread."""

from __future__ import annotations

_QUICK = 0.0003  # maximum seconds of processor time of a quick step
_SLOW = 0.003  # seconds above which a step counts as slow after all
_MOST_MISTAKES = 3


class Quickness:
    """Running estimate of whether a step is quick.

    A step is expected to be quick with inputs no larger than those of a quick run. After a slow run it uses threads
    until it is quick there, after the third slow run forever.

    Args:
      is_straight: whether its time depends on the size of its inputs, rather than on loops, waits, Python or files.
    """

    __slots__ = ("_largest", "_mistakes")

    def __init__(self, is_straight: bool):
        self._largest = -1
        self._mistakes = 0 if is_straight else _MOST_MISTAKES

    def covers(self, size: int) -> bool:
        """Whether a run with inputs of `size` bytes is expected to be quick."""
        return size <= self._largest

    def note(self, size: int, seconds: float) -> None:
        """Records the processor time of a run."""
        if seconds <= _QUICK:
            if size > self._largest and self._mistakes < _MOST_MISTAKES:
                self._largest = size
        elif seconds > _SLOW and size <= self._largest:
            self._largest = -1
            self._mistakes += 1
