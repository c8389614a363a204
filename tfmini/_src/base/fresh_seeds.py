"""Seeds of random ops that are given none: the operating system's, other ones in each run of a program."""

from __future__ import annotations

import random

generator: random.Random = random.SystemRandom()


def fresh_seed() -> int:
    """A seed of 64 random bits."""
    return generator.getrandbits(64)


def fresh_if_zero(seed: int, seed2: int) -> tuple[int, int]:
    """The seeds of an op; fresh ones if both are 0, which is how a graph says that it was given none."""
    return (seed, seed2) if seed or seed2 else (fresh_seed(), fresh_seed())
