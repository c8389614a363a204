"""The seeds of random ops in eager mode: the global one, and the sequence for ops that have none of their own."""

from __future__ import annotations

import random
from collections.abc import Callable


class OperationSeeds:
    """The seeds of a process.

    Attributes:
      seed: the global seed, None if none was set.
      starts_anew: called when a global seed is set, for random ops that have run to start their streams anew.
    """

    def __init__(self) -> None:
        self.seed: int | None = None
        self.starts_anew: Callable[[], None] = _nothing_has_run
        self._random = random.Random()

    def set(self, seed: int | None) -> None:
        """Sets the global seed, and starts the sequence of the seeds of ops anew."""
        self.seed = seed
        self._random = random.Random(seed)
        self.starts_anew()

    def next(self) -> int:
        """The seed of the next random op that has none of its own, after a global seed was set."""
        return self._random.randint(0, 2**31 - 1)


def _nothing_has_run() -> None:
    pass


seeds = OperationSeeds()
