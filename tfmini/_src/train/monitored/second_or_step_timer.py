"""Timers for hooks, which trigger every n steps or seconds."""

from __future__ import annotations

import time


class NeverTriggerTimer:
    """A timer that never triggers, for actions only at the end."""

    def reset(self) -> None:
        """Resets the last trigger."""

    def should_trigger_for_step(self, step: int) -> bool:
        """Returns False."""
        return False

    def update_last_triggered_step(self, step: int) -> tuple[float | None, int | None]:
        """Returns (None, None)."""
        return None, None

    def last_triggered_step(self) -> int | None:
        """Returns None."""
        return None


class SecondOrStepTimer(NeverTriggerTimer):
    """Triggers every n steps or seconds; always on first use, and never twice at the same step.

    Args:
      every_secs: interval in seconds.
      every_steps: interval in steps, instead of seconds.

    Raises:
      ValueError: if both or neither of the intervals are given.

    Example:
      timer = tf.train.SecondOrStepTimer(every_steps=100)
      if timer.should_trigger_for_step(step):
          timer.update_last_triggered_step(step)
    """

    def __init__(self, every_secs: float | None = None, every_steps: int | None = None):
        self.reset()
        self._every_secs = every_secs
        self._every_steps = every_steps
        if every_secs is None and every_steps is None:
            raise ValueError("Either every_secs or every_steps should be provided.")
        if every_secs is not None and every_steps is not None:
            raise ValueError("Can not provide both every_secs and every_steps.")

    def reset(self) -> None:
        """Forgets the last trigger."""
        self._last_triggered_step: int | None = None
        self._last_triggered_time: float | None = None

    def should_trigger_for_step(self, step: int) -> bool:
        """Whether to trigger at this step."""
        last = self._last_triggered_step
        if last is None:
            return True
        if last == step:
            return False
        if self._every_secs is not None:
            return time.time() >= (self._last_triggered_time or 0.0) + self._every_secs
        return step >= last + (self._every_steps or 0)

    def update_last_triggered_step(self, step: int) -> tuple[float | None, int | None]:
        """Records a trigger at this step.

        Returns:
          (seconds, steps) since the previous trigger; (None, None) for the first.
        """
        now = time.time()
        elapsed_secs, elapsed_steps = None, None
        if self._last_triggered_step is not None and self._last_triggered_time is not None:
            elapsed_secs = now - self._last_triggered_time
            elapsed_steps = step - self._last_triggered_step
        self._last_triggered_time = now
        self._last_triggered_step = step
        return elapsed_secs, elapsed_steps

    def last_triggered_step(self) -> int | None:
        """Returns the step of the last trigger; None before the first."""
        return self._last_triggered_step
