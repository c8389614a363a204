"""Nondeterministic seeds for random ops without a seed, from the operating system."""

from __future__ import annotations

import random

generator: random.Random = random.SystemRandom()


def fresh_seed() -> int:
    """Returns a random 64-bit seed."""
    return generator.getrandbits(64)


def fresh_if_zero(seed: int, seed2: int) -> tuple[int, int]:
    """Returns the seeds of an op, or fresh seeds if both are 0, which means unset in a graph."""
    return (seed, seed2) if seed or seed2 else (fresh_seed(), fresh_seed())
