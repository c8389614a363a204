"""Expected processor time of steps, from earlier runs."""

from __future__ import annotations

# Seconds of processor time. A quick step runs on the event loop: a round trip to a thread takes as long.
QUICK_SECONDS = 0.0003
# Short steps run one at a time: they hold the GIL for most of their time, and handing it over at each kernel takes
# longer than waiting.
SHORT_SECONDS = 0.005

_SLOW_FACTOR = 10  # a run is slow after all if it takes this many times the limit
_MAX_MISTAKES = 3


class StepDurationEstimate:
    """Running estimate of whether a step stays within a limit.

    A run within the limit predicts the same for inputs of its size and smaller ones. A slow run discards this estimate,
    the third one for good.

    Args:
      is_straight: whether its time depends on the size of its inputs, rather than on loops, waits, Python or files.
      limit: in seconds of processor time.
    """

    __slots__ = ("_largest", "_limit", "_misprediction_count")

    def __init__(self, is_straight: bool, limit: float):
        self._limit = limit
        self._largest = -1
        self._misprediction_count = 0 if is_straight else _MAX_MISTAKES

    def covers(self, size: int) -> bool:
        """Whether a run with inputs of `size` bytes is expected to stay within the limit."""
        return size <= self._largest

    def note(self, size: int, seconds: float) -> None:
        """Records the processor time of a run."""
        if seconds <= self._limit:
            if size > self._largest and self._misprediction_count < _MAX_MISTAKES:
                self._largest = size
        elif seconds > _SLOW_FACTOR * self._limit and size <= self._largest:
            self._largest = -1
            self._misprediction_count += 1
