"""Sequences of seeds derived from an initial seed."""

from __future__ import annotations

import hashlib
from typing import Any

from tfmini._src.base.read_only import read_only


class SeedStream:
    """Callable that returns the seed of the next random op, or None if the initial seed is None.

    Args:
      seed: an int, None, or another SeedStream, whose initial seed is used.
      salt: a string; streams with the same seed and different salts are independent.

    Example:
      seeds = tf.contrib.distributions.SeedStream(7, salt="my sampler")
      x, y = tf.random_normal([3], seed=seeds()), tf.random_normal([3], seed=seeds())
    """

    original_seed: Any = read_only("The first seed.", "_seed")
    salt: str = read_only("Text that distinguishes it from other streams of the same seed.")

    def __init__(self, seed: int, salt: str):
        self._seed = seed.original_seed if isinstance(seed, SeedStream) else seed
        self._salt = salt
        self._counter = 0

    def __call__(self) -> int | None:
        """Returns the next seed, a 512-bit int: SHA-512 of the initial seed, the count and the salt."""
        self._counter += 1
        if self._seed is None:
            return None
        text = str((self._seed, self._counter, self._salt)).encode("utf-8")
        return int(hashlib.sha512(text).hexdigest(), 16)
