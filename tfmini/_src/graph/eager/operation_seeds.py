"""Random seeds in eager mode: the global seed, and the seed sequence of ops without an op-level seed."""

from __future__ import annotations

import random
from collections.abc import Callable


class OperationSeeds:
    """A process's random seeds.

    Attributes:
      seed: the global seed, or None.
      on_reset: called when the global seed is set, to restart the streams of random ops that have already run.
    """

    def __init__(self) -> None:
        self.seed: int | None = None
        self.on_reset: Callable[[], None] = _nothing_has_run
        self._random = random.Random()

    def set(self, seed: int | None) -> None:
        """Sets the global seed and restarts the sequence of op seeds."""
        self.seed = seed
        self._random = random.Random(seed)
        self.on_reset()

    def next(self) -> int:
        """Returns the seed of the next random op without an op-level seed; requires a global seed."""
        return self._random.randint(0, 2**31 - 1)


def _nothing_has_run() -> None:
    pass


seeds = OperationSeeds()
