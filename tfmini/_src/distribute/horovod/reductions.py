"""Sums, gathers and broadcasts of arrays across all processes, built on `Exchange`.

What processes do goes up the tree that connects them and comes down again: what each says of its arrays is merged, and
so are small arrays. Then all know whether everything fits, and who takes part. Of large arrays pieces follow, which the
processor's cache holds, and of which several are on their way in both directions: those of sums up to the root and
back, others away from the processes that have them. A sum has the same bits everywhere; its order depends on ranks and
hosts alone, and on one host it is that of the ranks.

A process that has joined does the same for the others, without arrays of its own.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from itertools import pairwise
from math import prod
from time import time
from typing import Any

import numpy as np

from tfmini._src.base.errors import InvalidArgumentError, OpError
from tfmini._src.distribute.horovod.adasum import adasum
from tfmini._src.distribute.horovod.buffer_pool import KeptMemory
from tfmini._src.distribute.horovod.contributions import ALL, Contributions, decoded, merged
from tfmini._src.distribute.horovod.exchange import Exchange, Pull, Turn
from tfmini._src.distribute.horovod.negotiation import Signature, differing, not_with_join
from tfmini._src.distribute.horovod.ranks import Place
from tfmini._src.distribute.horovod.timeline import is_open, note_ready

_SMALL = 64 << 10  # bytes
_PIECE = 2 << 20
_AHEAD = 4

Parts = Mapping[tuple[int, int], np.ndarray]


class Reductions:
    """Collective operations of one process; all processes run them with the same names, equally often.

    Args:
      place: of this process; it connects with its neighbours.

    Raises:
      HorovodInternalError: if a process has gone before all were connected.
      DeadlineExceededError: if neighbours do not begin.
    """

    def __init__(self, place: Place):
        self.memory = KeptMemory()
        self.rank, self.size = place.rank, place.size
        self._exchange = Exchange(place, self._relay)
        self._tree = self._exchange.tree
        try:  # nobody ends, be it well, before all have begun
            with self._exchange.turn("tfmini begin") as turn:
                self._merged(turn, Contributions())
        except BaseException:
            self._exchange.close()
            raise

    def sum(self, name: str, values: np.ndarray) -> np.ndarray:
        """Sum of an array over all processes; `values` must not be modified afterwards.

        Raises:
          InvalidArgumentError: if it has another shape or dtype elsewhere.
        """
        return self._sums(name, [values.reshape(-1)], values.shape)[0].reshape(values.shape)

    def sum_all(
        self, name: str, values: Sequence[np.ndarray], shapes: Sequence[tuple[int, ...]]
    ) -> list[np.ndarray]:
        """Sums of flat arrays of one dtype over all processes; `values` must not be modified afterwards.

        shapes: those of the tensors that are in them.

        Raises:
          InvalidArgumentError: if they have other shapes or another dtype elsewhere.
        """
        return self._sums(name, values, (tuple(shapes), tuple(each.shape for each in values)))

    def _sums(
        self, name: str, values: Sequence[np.ndarray], told: tuple[Any, ...]
    ) -> list[np.ndarray]:
        signature = Signature("", "sum", 0, values[0].dtype.str, told)
        small = {(n, ALL): each for n, each in enumerate(values) if each.nbytes <= _SMALL}
        with self._exchange.turn(name) as turn:
            found = self._agreed(turn, signature, small)
            ranks = found.signatures
            return [
                found.parts[n, ALL].copy()
                if (n, ALL) in small
                else self._large_sum(turn, n, ranks, each.dtype, len(each), each)
                for n, each in enumerate(values)
            ]

    def gather(self, name: str, value: np.ndarray, is_partial: bool = False) -> np.ndarray:
        """Arrays of all processes, concatenated along the first axis.

        is_partial: whether those that have joined may be missing; else an InvalidArgumentError says that they are.
        """
        kind = "tell" if is_partial else "gather"
        signature = Signature("", kind, 0, value.dtype.str, value.shape)
        found = self._gathered(name, signature, value.copy())
        return np.concatenate([found[rank] for rank in sorted(found)])

    def broadcast(self, name: str, value: np.ndarray, root: int) -> np.ndarray:
        """The array of the process `root`.

        Raises:
          InvalidArgumentError: if the arrays differ in shape or dtype.
        """
        signature = Signature("", "broadcast", root, value.dtype.str, value.shape)
        return self._gathered(name, signature, value.copy(), root)[root].copy()

    def _gathered(
        self, name: str, signature: Signature, value: np.ndarray, root: int | None = None
    ) -> dict[int, np.ndarray]:
        """The arrays of all processes, or that of the root alone, by rank."""
        small = value.nbytes <= _SMALL or value.dtype.hasobject
        mine = {(self.rank, ALL): value} if small and root in (None, self.rank) else {}
        with self._exchange.turn(name) as turn:
            found = self._agreed(turn, signature, mine)
            arrays = {rank: part for (rank, _), part in found.parts.items()}
            large = {
                rank: each.shape
                for rank, each in found.signatures.items()
                if rank not in arrays and root in (None, rank)
            }
            return {**arrays, **self._spread(turn, large, value)}

    def all_to_all(self, name: str, parts: Sequence[np.ndarray]) -> np.ndarray:
        """Sends `parts[rank]` to each process; returns what each sent to this one, concatenated.

        Raises:
          InvalidArgumentError: if they differ behind the first axis.
        """
        shape = (sum(map(len, parts)), *parts[0].shape[1:])
        signature = Signature("", "alltoall", 0, parts[0].dtype.str, shape)
        mine = {(self.rank, rank): part for rank, part in enumerate(parts)}
        with self._exchange.turn(name) as turn:
            found = self._agreed(turn, signature, mine).parts
            return np.concatenate([found[rank, self.rank] for rank in range(self.size)])

    def adasum(self, name: str, value: np.ndarray) -> np.ndarray:
        """Adasum of a float array over all processes.

        Raises:
          InvalidArgumentError: if it has another shape or dtype elsewhere.
        """

        def trade(level: int, rank: int, mine: np.ndarray) -> np.ndarray:
            signature = Signature("", "adasum", level, mine.dtype.str, mine.shape)
            with self._exchange.turn(name) as turn:
                found = self._agreed(turn, signature, {(self.rank, rank): mine})
                return found.parts[rank, self.rank]

        return adasum(value, self.rank, self.size, trade)

    def join(self) -> None:
        """Returns once all processes have called it; until then the sums of others go on without this one."""
        self._exchange.join(lambda turn: self._merged(turn, Contributions()))

    def watch(self, lost: Callable[[BaseException], None]) -> None:
        """Calls `lost(error)`, in any thread, when another process exits or fails, or this one closes."""
        self._exchange.watch(lost)

    def fail(self) -> None:
        """Tells the other processes, which watch, that this one can do no more operations with them."""
        self._exchange.fail()

    def close(self) -> None:
        """Closes the connections to the other processes."""
        self._exchange.close()

    def _agreed(self, turn: Turn, own: Signature, parts: Parts) -> Contributions:
        """Contributions of all processes that take part, with the arrays for this one.

        Raises:
          InvalidArgumentError: if it does not fit, or a process has joined and is needed.
        """
        began = {self.rank: int(time() * 1e3)} if is_open() else {}
        found = self._merged(turn, Contributions({own: [self.rank]}, dict(parts), began))
        signatures = list(found.signatures.values())
        for rank in found.signatures:
            note_ready(turn.name, rank, found.began.get(rank))
        problem = differing(turn.name, signatures)
        if problem is None and len(signatures) < self.size:
            problem = not_with_join(own.kind)
        if problem is not None:
            raise InvalidArgumentError(None, None, problem)
        return found

    def _merged(self, turn: Turn, own: Contributions) -> Contributions:
        """The contributions of all processes, with the arrays that this one receives or passes on."""
        tree, exchange = self._tree, self._exchange
        pulls = {child: exchange.pull(child, turn, "up") for child in tree.children}
        answer = None if tree.parent is None else exchange.pull(tree.parent, turn, "down")
        found = merged(
            own if rank == self.rank else decoded(pulls[rank].wait()) for rank in tree.in_order
        )
        if answer is not None and tree.parent is not None:
            exchange.publish(tree.parent, turn, "up", found.encoded(tree.behind[tree.parent]))
            whole = decoded(answer.wait())
            whole.parts = {**found.parts, **whole.parts}
            found = whole
        for child in tree.children:
            exchange.publish(child, turn, "down", found.encoded(tree.behind[child]))
        return found

    def _relay(self, turn: Turn) -> None:
        """Does what others need of this process in an operation that it has left out."""
        with suppress(OpError), self._exchange.part_in(turn):  # which the neighbours hear of
            found = self._merged(turn, Contributions())
            if len(found.ranks) == 1:
                (signature,) = found.ranks
                if signature.kind == "sum":
                    dtype = np.dtype(signature.dtype)
                    for n, length in enumerate(_lengths(signature.shape)):
                        if length * dtype.itemsize > _SMALL:
                            self._large_sum(turn, n, found.signatures, dtype, length)

    def _large_sum(
        self,
        turn: Turn,
        number: int,
        ranks: Mapping[int, Signature],
        dtype: np.dtype,
        length: int,
        values: np.ndarray | None = None,
    ) -> np.ndarray:
        """Sum of flat arrays of some ranks, to which this one may only pass on those of others; then of no meaning."""
        tree, exchange = self._tree, self._exchange
        ways = [each for each, behind in tree.behind.items() if not behind.isdisjoint(ranks)]
        if len(ways) + (values is not None) < 2:
            return np.empty(0, dtype) if values is None else values
        parent = tree.parent if tree.parent in ways else None
        children = [each for each in tree.children if each in ways]
        result = None if values is None else self.memory.empty(length, dtype)
        pieces = _pieces(length, dtype.itemsize)
        asked: deque[dict[int, Pull]] = deque()
        totals: deque[Pull] = deque()
        given = 0  # pieces of the total that have been passed on

        def give(total: np.ndarray) -> None:
            nonlocal given
            if result is not None:
                result[pieces[given]] = total
            for child in children:
                exchange.publish(child, turn, f"total {number} {given}", total)
            given += 1

        def ask_for_totals() -> None:
            first = given + len(totals)
            for n in range(first, min(given + _AHEAD, len(pieces))):
                size = (pieces[n].stop - pieces[n].start) * dtype.itemsize
                totals.append(exchange.pull(parent or 0, turn, f"total {number} {n}", size))

        for n in range(len(pieces) + _AHEAD):  # asked for some rounds before they are needed
            if n < len(pieces):
                size = (pieces[n].stop - pieces[n].start) * dtype.itemsize
                asked.append(
                    {
                        child: exchange.pull(child, turn, f"sum {number} {n}", size)
                        for child in children
                    }
                )
            if n >= _AHEAD:
                pulls, piece = asked.popleft(), pieces[n - _AHEAD]
                total = self._added(
                    [
                        pulls[each].wait() if each != self.rank else values[piece]  # type: ignore[index]
                        for each in tree.in_order
                        if each in pulls or (each == self.rank and values is not None)
                    ]
                )
                if parent is None:
                    give(total)
                else:
                    exchange.publish(parent, turn, f"sum {number} {n - _AHEAD}", total)
            if parent is not None and n >= _AHEAD:
                ask_for_totals()
                while totals and totals[0].is_here:
                    give(totals.popleft().wait())
        while given < len(pieces):
            ask_for_totals()
            give(totals.popleft().wait())
        return np.empty(0, dtype) if result is None else result

    def _added(self, found: Sequence[np.ndarray]) -> np.ndarray:
        """Sum of arrays of one shape."""
        if len(found) == 1:
            return found[0]
        result = np.add(found[0], found[1], out=self.memory.empty(len(found[0]), found[0].dtype))
        for part in found[2:]:
            result += part
        return result

    def _spread(
        self, turn: Turn, shapes: Mapping[int, tuple[int, ...]], own: np.ndarray
    ) -> dict[int, np.ndarray]:
        """Arrays that some processes have, of the dtype of this one's, by rank: each passes its neighbours' on."""
        tree, exchange = self._tree, self._exchange
        found = {
            rank: own.reshape(-1)
            if rank == self.rank
            else self.memory.empty(prod(shape), own.dtype)
            for rank, shape in shapes.items()
        }
        pieces = [
            (rank, piece)
            for rank in sorted(found)
            for piece in _pieces(len(found[rank]), own.itemsize)
        ]
        asked: deque[Pull | None] = deque()
        for n in range(len(pieces) + _AHEAD):
            if n < len(pieces):
                rank, piece = pieces[n]
                size = (piece.stop - piece.start) * own.itemsize
                phase = f"{rank} {piece.start}"
                asked.append(
                    None
                    if rank == self.rank
                    else exchange.pull(tree.towards(rank), turn, phase, size)
                )
            if n >= _AHEAD:
                (rank, piece), pull = pieces[n - _AHEAD], asked.popleft()
                part = found[rank][piece] if pull is None else pull.wait()
                if pull is not None:
                    found[rank][piece] = part
                for each in tree.neighbours:
                    if pull is None or each != pull.rank:
                        exchange.publish(each, turn, f"{rank} {piece.start}", part)
        return {rank: flat.reshape(shapes[rank]) for rank, flat in found.items()}


def _lengths(told: tuple[Any, ...]) -> list[int]:
    """The lengths of the flat arrays of a sum, of its signature's shape."""
    if told and isinstance(told[0], tuple):  # as of `sum_all`
        return [length for (length,) in told[1]]
    return [prod(told)]


def _pieces(length: int, size: int) -> list[slice]:
    """Slices of a flat array of elements of a size."""
    step = max(1, _PIECE // size)
    return [slice(first, last) for first, last in pairwise([*range(0, length, step), length])]


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
