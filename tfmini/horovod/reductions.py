"""Sums, gathers and broadcasts of arrays over all processes, of what an `Exchange` brings from one to another.

A sum has the same bits everywhere: each element is added up in the order of the ranks, once. Small arrays go from each
to each; of large ones each process adds up one part, and gives it to all.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

import numpy as np

from tfmini.errors import InvalidArgumentError
from tfmini.horovod.exchange import Exchange
from tfmini.locks import make_lock

_SMALL = 64 << 10  # bytes


class Reductions:
    """The operations of one process, which all processes do by the same names, each as often."""

    def __init__(self, exchange: Exchange):
        self._exchange = exchange
        self._lock = make_lock()
        self._counts: Counter[str] = Counter()

    def _count(self, name: str) -> int:
        with self._lock:
            self._counts[name] += 1
            return self._counts[name]

    def sum(self, name: str, values: np.ndarray) -> np.ndarray:
        """The sum of a flat array over all processes; `values` is not written to any more.

        Raises:
          InvalidArgumentError: if it has another size or dtype elsewhere.
        """
        if values.nbytes <= _SMALL:
            return self._total(self._from_all(name, self._count(name), [values] * self.size))
        count = self._count(name)
        exchange = self._exchange
        bounds = [len(values) * rank // self.size for rank in range(self.size + 1)]
        parts = [values[first:last] for first, last in zip(bounds, bounds[1:])]
        mine = self._total(self._from_all(f"{name} part", count, parts))
        result = np.empty_like(values)
        whole = self._from_all(f"{name} whole", count, [mine] * self.size)
        for rank, part in enumerate(whole):
            result[bounds[rank] : bounds[rank + 1]] = mine if rank == exchange.rank else part
        return result

    def gather(self, name: str, value: np.ndarray) -> np.ndarray:
        """The arrays of all processes, one behind the other along their first axis."""
        found = self._from_all(name, self._count(name), [value.copy()] * self.size)
        if len({(part.shape[1:], part.dtype) for part in found}) > 1:
            shapes = ", ".join(str(part.shape) for part in found)
            raise InvalidArgumentError(
                None, None, f"Arrays to gather differ behind their first axis: {shapes}"
            )
        return np.concatenate(found)

    def broadcast(self, name: str, value: np.ndarray, root: int) -> np.ndarray:
        """The array of the process `root`."""
        count = self._count(name)
        exchange = self._exchange
        if exchange.rank == root:
            given = value.copy()
            for rank in exchange.others:
                exchange.publish(rank, name, count, given)
            return given
        found = exchange.pull(root, name, count)()
        if found.shape != value.shape or found.dtype != value.dtype:
            raise InvalidArgumentError(
                None,
                None,
                f"{name}: rank {root} has shape {found.shape}, rank {exchange.rank} {value.shape}",
            )
        return found.copy()

    @property
    def size(self) -> int:
        """How many processes there are."""
        return self._exchange.size

    @property
    def rank(self) -> int:
        """The number of this one."""
        return self._exchange.rank

    def close(self) -> None:
        """Ends the connections to the others."""
        self._exchange.close()

    def _from_all(self, name: str, count: int, given: Sequence[np.ndarray]) -> list[np.ndarray]:
        """What each process has given to this one, by rank, and this one gives `given[rank]` to each."""
        exchange = self._exchange
        for rank in exchange.others:
            exchange.publish(rank, name, count, given[rank])
        pulls = {rank: exchange.pull(rank, name, count) for rank in exchange.others}
        return [
            given[rank] if rank == exchange.rank else pulls[rank]() for rank in range(self.size)
        ]

    def _total(self, found: Sequence[Any]) -> np.ndarray:
        if len({(part.shape, part.dtype) for part in found}) > 1:
            shapes = ", ".join(f"{part.dtype}{part.shape}" for part in found)
            raise InvalidArgumentError(None, None, f"Arrays to reduce differ: {shapes}")
        result = found[0] + found[1]
        for part in found[2:]:
            result += part
        return result


def buckets(sizes: Sequence[int], threshold: int) -> list[list[int]]:
    """The numbers of arrays of so many bytes, in buckets of at most `threshold` bytes, or of one array."""
    found: list[list[int]] = []
    room = -1
    for number, size in enumerate(sizes):
        if size > room:
            found.append([])
            room = threshold
        found[-1].append(number)
        room -= size
    return found
