"""Sums, gathers and broadcasts of arrays across all processes, built on `Exchange`.

A sum has the same bits everywhere: each element is added up in the order of the ranks, once. Small arrays go from each
to each; of large ones each process adds up one part, and gives it to all, in pieces that the processor's cache holds:
while one is added up others are on their way, in both directions.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable, Sequence
from itertools import islice
from typing import Any

import numpy as np

from tfmini._src.base.dtypes import as_dtype
from tfmini._src.base.errors import InvalidArgumentError
from tfmini._src.base.locks import make_lock
from tfmini._src.distribute.horovod.adasum import adasum
from tfmini._src.distribute.horovod.buffer_pool import KeptMemory
from tfmini._src.distribute.horovod.exchange import Exchange

_SMALL = 64 << 10  # bytes
_PIECE = 2 << 20
_AHEAD = 4


class Reductions:
    """Collective operations of one process; all processes run them with the same names, equally often."""

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
        """Sum of an array over all processes; `values` must not be modified afterwards.

        Raises:
          InvalidArgumentError: if it has another shape or dtype elsewhere.
        """
        count = self._count(name)
        if values.nbytes <= _SMALL:
            return self._total(_present(self._from_all(name, count, [values] * self.size)))
        # Under the name of a small array, as it may be one elsewhere.
        told = self._from_all(name, count, [_description(values.dtype, [values.shape])] * self.size)
        ranks = self._alike(told)
        return self._large_sum(name, count, values.reshape(-1), ranks).reshape(values.shape)

    def sum_all(
        self, name: str, values: Sequence[np.ndarray], shapes: Sequence[tuple[int, ...]]
    ) -> list[np.ndarray]:
        """Sums of flat arrays of one dtype over all processes; `values` must not be modified afterwards.

        shapes: those of the tensors that are in them.

        Raises:
          InvalidArgumentError: if they have other shapes or another dtype elsewhere.
        """
        lengths = [each.shape for each in values]
        described = _description(values[0].dtype, [*shapes, *lengths])
        if len(values) == 1 and values[0].nbytes <= _SMALL:
            return [self._small_sum(name, described, values[0])]
        ranks = self._alike(self._from_all(name, self._count(name), [described] * self.size))
        return [self._told_sum(f"{name} bucket {n}", each, ranks) for n, each in enumerate(values)]

    def _told_sum(self, name: str, values: np.ndarray, ranks: Sequence[int]) -> np.ndarray:
        """Sum of a flat array whose dtype and shape are known to match on all ranks that have not joined."""
        count = self._count(name)
        if values.nbytes <= _SMALL:
            return self._total(_present(self._from_all(name, count, [values] * self.size)))
        return self._large_sum(name, count, values, ranks)

    def _alike(self, told: Sequence[np.ndarray | None]) -> list[int]:
        """The ranks that have sent headers; raises InvalidArgumentError if these differ."""
        _check_alike(_present(told))
        return [rank for rank, header in enumerate(told) if header is not None]

    def _small_sum(self, name: str, described: np.ndarray, values: np.ndarray) -> np.ndarray:
        """Sum of a small array, sent in one message with its header; large arrays send the header first."""
        given = np.concatenate([described, _padded(values)])
        told = _present(self._from_all(name, self._count(name), [given] * self.size))
        _check_alike(told)
        start = len(described)
        return self._total([_unpadded(part[start:], values) for part in told])

    def _large_sum(
        self, name: str, count: int, values: np.ndarray, ranks: Sequence[int]
    ) -> np.ndarray:
        """Sum over `ranks`, of which each adds up one part."""
        exchange = self._exchange
        own, others = exchange.rank, [rank for rank in ranks if rank != exchange.rank]
        if not others:
            return values
        pieces = dict(zip(ranks, _pieces(values, len(ranks))))
        for rank in others:
            for number, piece in enumerate(pieces[rank]):
                exchange.publish(rank, f"{name} part {number}", count, values[piece])
        result = self.memory.empty(len(values), values.dtype)
        totals = self.memory.empty(-(-len(values) // len(ranks)), values.dtype)
        start = len(values) * ranks.index(own) // len(ranks)
        parts: deque[dict[int, Callable[[], Any]]] = deque()
        wholes: deque[tuple[slice, Callable[[], Any]]] = deque()
        rounds = max(map(len, pieces.values()))
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
                found = [values[piece] if r == own else pulls[r]() for r in ranks]
                total = totals[piece.start - start : piece.stop - start]
                self._total(found, total)
                for rank in others:
                    exchange.publish(rank, f"{name} whole {number - _AHEAD}", count, total)
                result[piece] = total
            while len(wholes) > _AHEAD * len(others) or (number + 1 == rounds + _AHEAD and wholes):
                piece, pulled = wholes.popleft()
                result[piece] = pulled()
        return result

    def gather(self, name: str, value: np.ndarray, is_partial: bool = False) -> np.ndarray:
        """Arrays of all processes, concatenated along the first axis.

        is_partial: whether those that have joined may be missing; else an InvalidArgumentError says that they are.
        """
        told = self._from_all(name, self._count(name), [value.copy()] * self.size)
        found = _present(told) if is_partial else _all_present("Allgather", told)
        return _concatenated(found)

    def broadcast(self, name: str, value: np.ndarray, root: int) -> np.ndarray:
        """The array of the process `root`."""
        count = self._count(name)
        exchange = self._exchange
        if exchange.rank == root:
            given = value.copy()
            for rank in exchange.others:
                exchange.publish(rank, name, count, given)
            return given
        (found,) = _all_present("Broadcast", [exchange.pull(root, name, count)()])
        if found.shape != value.shape or found.dtype != value.dtype:
            raise InvalidArgumentError(
                None,
                None,
                f"{name}: rank {root} has {as_dtype(found.dtype).name}{found.shape}, "
                f"rank {exchange.rank} {as_dtype(value.dtype).name}{value.shape}",
            )
        return found.copy()

    def all_to_all(self, name: str, parts: Sequence[np.ndarray]) -> np.ndarray:
        """Sends `parts[rank]` to each process; returns what each sent to this one, concatenated.

        Raises:
          InvalidArgumentError: if they differ behind the first axis.
        """
        told = self._from_all(name, self._count(name), [part.copy() for part in parts])
        return _concatenated(_all_present("Alltoall", told))

    def adasum(self, name: str, value: np.ndarray) -> np.ndarray:
        """Adasum of a float array over all processes.

        Raises:
          InvalidArgumentError: if it has another shape or dtype elsewhere.
        """
        count, exchange = self._count(name), self._exchange

        def trade(level: int, rank: int, mine: np.ndarray) -> np.ndarray:
            exchange.publish(rank, f"{name} level {level}", count, mine)
            theirs = exchange.pull(rank, f"{name} level {level}", count)()
            _check_alike(_all_present("Adasum", [mine, theirs]))
            return theirs

        return adasum(value, self.rank, self.size, trade)

    def join(self) -> None:
        """Returns once all processes have called it; until then the sums of others go on without this one."""
        self._exchange.join()
        with self._lock:
            self._counts.clear()

    @property
    def size(self) -> int:
        """Number of processes."""
        return self._exchange.size

    @property
    def rank(self) -> int:
        """Index of this process."""
        return self._exchange.rank

    def watch(self, lost: Callable[[BaseException], None]) -> None:
        """Calls `lost(error)`, in any thread, when another process exits or fails, or this one closes."""
        self._exchange.watch(lost)

    def fail(self) -> None:
        """Tells the other processes, which watch, that this one can do no more operations with them."""
        self._exchange.fail()

    def close(self) -> None:
        """Closes the connections to the other processes."""
        self._exchange.close()

    def _from_all(
        self, name: str, count: int, given: Sequence[np.ndarray]
    ) -> list[np.ndarray | None]:
        """All-to-all: sends `given[rank]` to each process; returns what each sent to this one, by rank.

        It is None of those that have joined.
        """
        exchange = self._exchange
        for rank in exchange.others:
            exchange.publish(rank, name, count, given[rank])
        pulls = {rank: exchange.pull(rank, name, count) for rank in exchange.others}
        return [
            given[rank] if rank == exchange.rank else pulls[rank]() for rank in range(self.size)
        ]

    def _total(self, found: Sequence[Any], result: np.ndarray | None = None) -> np.ndarray:
        """Sum of arrays, written to `result` if it is given."""
        _check_alike(found)
        if result is None:
            result = np.empty(found[0].shape, found[0].dtype)
        if len(found) == 1:
            result[...] = found[0]
            return result
        np.add(found[0], found[1], out=result)
        for part in found[2:]:
            result += part
        return result


def _present(found: Sequence[np.ndarray | None]) -> list[np.ndarray]:
    """Arrays of the processes that have not joined."""
    return [part for part in found if part is not None]


def _all_present(operation: str, found: Sequence[np.ndarray | None]) -> list[np.ndarray]:
    """The arrays; raises InvalidArgumentError if a process has joined and gives none."""
    present = _present(found)
    if len(present) < len(found):
        raise InvalidArgumentError(None, None, not_with_join(operation))
    return present


def not_with_join(operation: str) -> str:
    """Message of an operation that a process which has joined cannot take part in."""
    return f"{operation} is not supported with Join at this time."


def _concatenated(found: Sequence[np.ndarray]) -> np.ndarray:
    if len({(part.shape[1:], part.dtype) for part in found}) > 1:
        shapes = ", ".join(f"{as_dtype(part.dtype).name}{part.shape}" for part in found)
        raise InvalidArgumentError(
            None, None, f"Arrays to gather differ behind their first axis: {shapes}"
        )
    return np.concatenate(found)


def _description(dtype: np.dtype, shapes: Sequence[tuple[int, ...]]) -> np.ndarray:
    """Header with the dtype and shapes of the arrays, as uint64, a dtype that no sum has."""
    told = [as_dtype(dtype).as_datatype_enum, len(shapes)]
    for shape in shapes:
        told += (len(shape), *shape)
    return np.array(told, np.uint64)


def _described(told: np.ndarray) -> str:
    """The dtype and the shapes in a header, as text."""
    numbers = iter(map(int, told))
    name, count = as_dtype(next(numbers)).name, next(numbers)
    shapes = [tuple(islice(numbers, next(numbers))) for _ in range(count)]
    return f"{name}{shapes[0] if count == 1 else shapes}"


def _check_alike(found: Sequence[np.ndarray]) -> None:
    """Raises InvalidArgumentError if arrays, or their headers, differ in dtype or shape."""
    shown = [
        _described(part) if part.dtype == np.uint64 else f"{as_dtype(part.dtype).name}{part.shape}"
        for part in found
    ]
    if len(set(shown)) > 1:
        raise InvalidArgumentError(None, None, f"Arrays to reduce differ: {', '.join(shown)}")


def _padded(values: np.ndarray) -> np.ndarray:
    """The bytes of a flat array, padded to a multiple of 8, as uint64."""
    result = np.zeros(-(-values.nbytes // 8), np.uint64)
    result.view(np.uint8)[: values.nbytes] = values.view(np.uint8)
    return result


def _unpadded(padded: np.ndarray, like: np.ndarray) -> np.ndarray:
    """Inverse of `_padded`: a flat array with the dtype and length of `like`."""
    return padded.view(np.uint8)[: like.nbytes].view(like.dtype)


def _pieces(values: np.ndarray, size: int) -> list[list[slice]]:
    """Slices of a flat array that each of `size` processes sums, by rank."""
    bounds = [len(values) * rank // size for rank in range(size + 1)]
    step = max(1, _PIECE // values.itemsize)
    return [
        [slice(n, min(n + step, last)) for n in range(first, last, step)]
        for first, last in zip(bounds, bounds[1:])
    ]


def buckets(sizes: Sequence[int], threshold: int) -> list[list[int]]:
    """Groups arrays of these sizes, by index, into buckets of at most `threshold` bytes or of one array."""
    found: list[list[int]] = []
    room = -1
    for number, size in enumerate(sizes):
        if size > room:
            found.append([])
            room = threshold
        found[-1].append(number)
        room -= size
    return found
