"""Sums, gathers and broadcasts of arrays over all processes, of what an `Exchange` brings from one to another.

A sum has the same bits everywhere: each element is added up in the order of the ranks, once. Small arrays go from each
to each; of large ones each process adds up one part, and gives it to all, in pieces that the processor's cache holds:
while one is added up others are on their way, in both directions.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from tfmini.dtypes import as_dtype
from tfmini.errors import InvalidArgumentError
from tfmini.horovod.exchange import Exchange
from tfmini.horovod.kept_memory import KeptMemory
from tfmini.locks import make_lock

_SMALL = 64 << 10  # bytes
_PIECE = 2 << 20
_AHEAD = 4


class Reductions:
    """The operations of one process, which all processes do by the same names, each as often."""

    def __init__(self, exchange: Exchange):
        self._exchange = exchange
        self._lock = make_lock()
        self._counts: Counter[str] = Counter()
        self.memory = KeptMemory()

    def _count(self, name: str) -> int:
        with self._lock:
            self._counts[name] += 1
            return self._counts[name]

    def sum(self, name: str, values: np.ndarray) -> np.ndarray:
        """The sum of an array over all processes; `values` is not written to any more.

        Raises:
          InvalidArgumentError: if it has another shape or dtype elsewhere.
        """
        if values.nbytes <= _SMALL:
            return self._total(self._from_all(name, self._count(name), [values] * self.size))
        count = self._count(name)
        # Under the name of a small array, as it may be one elsewhere.
        told = self._from_all(name, count, [_description(values)] * self.size)
        _check_alike(told)
        return self._large_sum(name, count, values.reshape(-1)).reshape(values.shape)

    def _large_sum(self, name: str, count: int, values: np.ndarray) -> np.ndarray:
        exchange = self._exchange
        own, others = exchange.rank, exchange.others
        pieces = _pieces(values, self.size)
        for rank in others:
            for number, piece in enumerate(pieces[rank]):
                exchange.publish(rank, f"{name} part {number}", count, values[piece])
        result = self.memory.empty(len(values), values.dtype)
        totals = self.memory.empty(-(-len(values) // self.size), values.dtype)
        start = len(values) * own // self.size
        parts: deque[dict[int, Callable[[], Any]]] = deque()
        wholes: deque[tuple[slice, Callable[[], Any]]] = deque()
        rounds = max(map(len, pieces))
        for number in range(
            rounds + _AHEAD
        ):  # pieces are asked for some rounds before they are needed
            if number < len(pieces[own]):
                key = f"{name} part {number}"
                size = values[pieces[own][number]].nbytes
                parts.append({rank: exchange.pull(rank, key, count, size) for rank in others})
            for rank in others:
                if number < len(pieces[rank]):
                    piece, key = pieces[rank][number], f"{name} whole {number}"
                    wholes.append((piece, exchange.pull(rank, key, count, values[piece].nbytes)))
            if _AHEAD <= number < _AHEAD + len(pieces[own]):
                piece, pulls = pieces[own][number - _AHEAD], parts.popleft()
                found = [values[piece] if r == own else pulls[r]() for r in range(self.size)]
                total = totals[piece.start - start : piece.stop - start]
                self._total(found, total)
                for rank in others:
                    exchange.publish(rank, f"{name} whole {number - _AHEAD}", count, total)
                result[piece] = total
            while len(wholes) > _AHEAD * len(others) or (number + 1 == rounds + _AHEAD and wholes):
                piece, pulled = wholes.popleft()
                result[piece] = pulled()
        return result

    def gather(self, name: str, value: np.ndarray) -> np.ndarray:
        """The arrays of all processes, one behind the other along their first axis."""
        found = self._from_all(name, self._count(name), [value.copy()] * self.size)
        if len({(part.shape[1:], part.dtype) for part in found}) > 1:
            shapes = ", ".join(f"{as_dtype(part.dtype).name}{part.shape}" for part in found)
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
                f"{name}: rank {root} has {as_dtype(found.dtype).name}{found.shape}, "
                f"rank {exchange.rank} {as_dtype(value.dtype).name}{value.shape}",
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

    def _total(self, found: Sequence[Any], result: np.ndarray | None = None) -> np.ndarray:
        """The sum of arrays, in `result` if it is given."""
        _check_alike(found)
        if result is None:
            result = np.empty(found[0].shape, found[0].dtype)
        np.add(found[0], found[1], out=result)
        for part in found[2:]:
            result += part
        return result


def _description(values: np.ndarray) -> np.ndarray:
    """What goes to all before a large array: its dtype and shape, by a dtype that no sum has."""
    return np.array([as_dtype(values.dtype).as_datatype_enum, *values.shape], np.uint64)


def _check_alike(found: Sequence[np.ndarray]) -> None:
    """Raises InvalidArgumentError where arrays, or their descriptions, differ in dtype or shape."""
    shown = []
    for part in found:
        name, shape = as_dtype(part.dtype).name, part.shape
        if part.dtype == np.uint64:
            name, shape = as_dtype(int(part[0])).name, tuple(map(int, part[1:]))
        shown.append(f"{name}{shape}")
    if len(set(shown)) > 1:
        raise InvalidArgumentError(None, None, f"Arrays to reduce differ: {', '.join(shown)}")


def _pieces(values: np.ndarray, size: int) -> list[list[slice]]:
    """By rank, the pieces of a flat array that each of so many processes adds up."""
    bounds = [len(values) * rank // size for rank in range(size + 1)]
    step = max(1, _PIECE // values.itemsize)
    return [
        [slice(n, min(n + step, last)) for n in range(first, last, step)]
        for first, last in zip(bounds, bounds[1:])
    ]


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
