"""Sums, gathers and broadcasts of arrays across all processes, built on `Exchange`.

Data travels up the process tree and back down: signatures and small arrays are merged on the way. Then all processes
know whether all signatures match and which processes take part. Large arrays follow in cache-sized pieces, several in
flight in both directions: sums up to the root and back, other arrays from senders to receivers. A sum is bitwise
equal everywhere; its order depends only on ranks and hosts, and on one host it is the rank order.

A process that has joined relays for the others, without its own arrays.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from itertools import pairwise
from math import prod
from time import time
from typing import NamedTuple

import numpy as np

from tfmini._src.base.errors import OpError, invalid
from tfmini._src.distribute.horovod.adasum import adasum
from tfmini._src.distribute.horovod.contributions import ALL_RANKS, Contributions, decode, merge
from tfmini._src.distribute.horovod.exchange import Exchange, Execution, Pull
from tfmini._src.distribute.horovod.host_reductions import HostReductions
from tfmini._src.distribute.horovod.negotiation import (
    Signature,
    differing,
    join_obstacle,
    sum_lengths,
    sum_shape,
)
from tfmini._src.distribute.horovod.ranks import RankInfo
from tfmini._src.distribute.horovod.timeline import is_open, note_ready

_MAX_SMALL_BYTES = 64 << 10
_PIECE_BYTES = 2 << 20
_MAX_PENDING_REQUESTS = 4

Route = tuple[int, int]  # from one rank to another, or to ALL


class Reductions(HostReductions):
    """Collective operations over direct connections between the processes.

    Args:
      rank_info: this process's rank; the constructor connects to its neighbors.

    Raises:
      HorovodInternalError: if a process ended before all were connected.
      DeadlineExceededError: if neighbors do not start.
    """

    def __init__(self, rank_info: RankInfo):
        super().__init__()
        self.rank, self.size = rank_info.rank, rank_info.size
        self._exchange = Exchange(rank_info, self._relay)
        self._tree = self._exchange.tree
        try:  # no process may end, even successfully, before all have started
            with self._exchange.turn("tfmini begin") as turn:
                self._merge(turn, Contributions())
        except BaseException:
            self._exchange.close()
            raise

    def sum_all(
        self, name: str, values: Sequence[np.ndarray], shapes: Sequence[tuple[int, ...]]
    ) -> list[np.ndarray]:
        shape = sum_shape(values, shapes)
        signature = Signature("", "sum", 0, values[0].dtype.str, shape)
        small = {
            (n, ALL_RANKS): value
            for n, value in enumerate(values)
            if _is_small(value.size, value.dtype)
        }
        with self._exchange.turn(name) as turn:
            agreement = self._exchange_signatures(turn, signature, small)
            ranks = agreement.signatures
            return [
                agreement.parts[n, ALL_RANKS].copy()
                if (n, ALL_RANKS) in small
                else self._large_sum(turn, n, ranks, value.dtype, len(value), value)
                for n, value in enumerate(values)
            ]

    def gather(self, name: str, value: np.ndarray) -> np.ndarray:
        return np.concatenate(self._gather(name, "gather", value))

    def tell(self, name: str, text: bytes) -> list[bytes]:
        return [answer.item() for answer in self._gather(name, "tell", np.array([text], object))]

    def _gather(self, name: str, kind: str, value: np.ndarray) -> list[np.ndarray]:
        signature = Signature("", kind, 0, value.dtype.str, value.shape)
        exchanged = self._exchange_arrays(name, signature, {(self.rank, ALL_RANKS): value.copy()})
        return [exchanged[flow] for flow in sorted(exchanged)]

    def broadcast(self, name: str, value: np.ndarray, root: int) -> np.ndarray:
        signature = Signature("", "broadcast", root, value.dtype.str, value.shape)
        own_parts = {(root, ALL_RANKS): value.copy()} if root == self.rank else {}
        return self._exchange_arrays(name, signature, own_parts)[root, ALL_RANKS].copy()

    def all_to_all(self, name: str, parts: Sequence[np.ndarray]) -> np.ndarray:
        shape = (tuple(map(len, parts)), *parts[0].shape[1:])
        signature = Signature("", "alltoall", 0, parts[0].dtype.str, shape)
        own_parts = {(self.rank, rank): part for rank, part in enumerate(parts)}
        exchanged = self._exchange_arrays(name, signature, own_parts)
        return np.concatenate([exchanged[rank, self.rank] for rank in range(self.size)])

    def adasum(self, name: str, value: np.ndarray) -> np.ndarray:
        def trade(level: int, rank: int, own_values: np.ndarray) -> np.ndarray:
            signature = Signature("", "adasum", level, own_values.dtype.str, own_values.shape)
            return self._exchange_arrays(name, signature, {(self.rank, rank): own_values})[
                rank, self.rank
            ]

        return adasum(value, self.rank, self.size, trade)

    def _exchange_arrays(
        self, name: str, signature: Signature, own_parts: Mapping[Route, np.ndarray]
    ) -> dict[Route, np.ndarray]:
        """Returns all processes' arrays for this one, and its own, by sender and receiver."""
        dtype = np.dtype(signature.dtype)
        small = {flow: value for flow, value in own_parts.items() if _is_small(value.size, dtype)}
        with self._exchange.turn(name) as turn:
            agreement = self._exchange_signatures(turn, signature, small)
            large = {
                flow: shape
                for flow, shape in _flows(agreement.signatures).items()
                if not _is_small(prod(shape), dtype)
            }
            return {**agreement.parts, **self._broadcast_large(turn, large, own_parts, dtype)}

    def join(self) -> None:
        self._exchange.join(lambda turn: self._merge(turn, Contributions()))

    def watch(self, on_lost: Callable[[BaseException], None]) -> None:
        self._exchange.watch(on_lost)

    def fail(self) -> None:
        self._exchange.fail()

    def close(self) -> None:
        self._exchange.close()

    def _exchange_signatures(
        self, turn: Execution, own_signature: Signature, parts: Mapping[Route, np.ndarray]
    ) -> Contributions:
        """Returns the contributions of all participating processes, with the arrays for this one.

        Raises:
          InvalidArgumentError: for a mismatch, or if a joined process is needed.
        """
        start_times = {self.rank: int(time() * 1e3)} if is_open() else {}
        contributions = self._merge(
            turn, Contributions({own_signature: [self.rank]}, dict(parts), start_times)
        )
        signatures = list(contributions.signatures.values())
        for rank in contributions.signatures:
            note_ready(turn.name, rank, contributions.start_times.get(rank))
        problem = differing(turn.name, signatures)
        if problem is None and len(signatures) < self.size:
            problem = join_obstacle(own_signature.kind)
        if problem is not None:
            invalid(problem)
        return contributions

    def _merge(self, turn: Execution, local: Contributions) -> Contributions:
        """Returns the contributions of all processes, with the arrays that this one receives or forwards."""
        tree, exchange = self._tree, self._exchange
        pulls = {child: exchange.pull(child, turn, "up") for child in tree.children}
        answer = None if tree.parent is None else exchange.pull(tree.parent, turn, "down")
        total = merge(
            local if rank == self.rank else decode(pulls[rank].wait())
            for rank in tree.summation_order
        )
        if answer is not None and tree.parent is not None:
            exchange.publish(tree.parent, turn, "up", total.encode(tree.ranks_behind[tree.parent]))
            complete = decode(answer.wait())
            complete.parts = {**total.parts, **complete.parts}
            total = complete
        for child in tree.children:
            exchange.publish(child, turn, "down", total.encode(tree.ranks_behind[child]))
        return total

    def _relay(self, turn: Execution) -> None:
        """Performs this process's part, on behalf of the others, in an operation that it has skipped."""
        with suppress(OpError), self._exchange.part_in(turn):  # neighbors are notified
            contributions = self._merge(turn, Contributions())
            if len(contributions.ranks) == 1:
                (signature,) = contributions.ranks
                if signature.kind == "sum":
                    dtype = np.dtype(signature.dtype)
                    for n, length in enumerate(sum_lengths(signature.shape)):
                        if not _is_small(length, dtype):
                            self._large_sum(turn, n, contributions.signatures, dtype, length)

    def _large_sum(
        self,
        turn: Execution,
        bucket: int,
        ranks: Mapping[int, Signature],
        dtype: np.dtype,
        length: int,
        values: np.ndarray | None = None,
    ) -> np.ndarray:
        """Returns the sum of flat arrays over some ranks; meaningless if this process only forwards others' arrays."""
        tree, exchange = self._tree, self._exchange
        ways = [
            rank
            for rank, ranks_behind in tree.ranks_behind.items()
            if not ranks_behind.isdisjoint(ranks)
        ]
        if len(ways) + (values is not None) < 2:
            return np.empty(0, dtype) if values is None else values
        parent = tree.parent if tree.parent in ways else None
        children = [neighbor for neighbor in tree.children if neighbor in ways]
        result = None if values is None else self.memory.empty(length, dtype)
        pieces = _reduction_slices(length, dtype.itemsize)
        requests: deque[dict[int, Pull]] = deque()
        totals: deque[Pull] = deque()
        sent = 0  # pieces of the total already forwarded

        def give(total: np.ndarray) -> None:
            nonlocal sent
            if result is not None:
                result[pieces[sent]] = total
            for child in children:
                exchange.publish(child, turn, f"total {bucket} {sent}", total)
            sent += 1

        def request_totals() -> None:
            first = sent + len(totals)
            for n in range(first, min(sent + _MAX_PENDING_REQUESTS, len(pieces))):
                size = (pieces[n].stop - pieces[n].start) * dtype.itemsize
                totals.append(exchange.pull(parent or 0, turn, f"total {bucket} {n}", size))

        for n in range(len(pieces) + _MAX_PENDING_REQUESTS):  # requested some rounds ahead
            if n < len(pieces):
                size = (pieces[n].stop - pieces[n].start) * dtype.itemsize
                requests.append(
                    {
                        child: exchange.pull(child, turn, f"sum {bucket} {n}", size)
                        for child in children
                    }
                )
            if n >= _MAX_PENDING_REQUESTS:
                pulls, piece = requests.popleft(), pieces[n - _MAX_PENDING_REQUESTS]
                total = self._sum(
                    [
                        pulls[neighbor].wait() if neighbor != self.rank else values[piece]  # type: ignore[index]
                        for neighbor in tree.summation_order
                        if neighbor in pulls or (neighbor == self.rank and values is not None)
                    ]
                )
                if parent is None:
                    give(total)
                else:
                    exchange.publish(
                        parent, turn, f"sum {bucket} {n - _MAX_PENDING_REQUESTS}", total
                    )
            if parent is not None and n >= _MAX_PENDING_REQUESTS:
                request_totals()
                while totals and totals[0].is_here:
                    give(totals.popleft().wait())
        while sent < len(pieces):
            request_totals()
            give(totals.popleft().wait())
        return np.empty(0, dtype) if result is None else result

    def _sum(self, parts: Sequence[np.ndarray]) -> np.ndarray:
        """Returns the sum of arrays of one shape."""
        if len(parts) == 1:
            return parts[0]
        result = np.add(parts[0], parts[1], out=self.memory.empty(len(parts[0]), parts[0].dtype))
        for part in parts[2:]:
            result += part
        return result

    def _broadcast_large(
        self,
        turn: Execution,
        shapes: Mapping[Route, tuple[int, ...]],
        own_parts: Mapping[Route, np.ndarray],
        dtype: np.dtype,
    ) -> dict[Route, np.ndarray]:
        """Returns the large arrays for this process, including its own; forwards arrays for others."""
        tree, exchange = self._tree, self._exchange
        arrays: dict[Route, np.ndarray] = {}
        pieces: list[_Piece] = []
        for flow, shape in sorted(shapes.items()):
            source, target = flow
            origin = None if source == self.rank else tree.neighbor_towards(source)
            if target == ALL_RANKS:
                next_neighbors = [neighbor for neighbor in tree.neighbors if neighbor != origin]
            else:
                next_neighbors = [] if target == self.rank else [tree.neighbor_towards(target)]
                if next_neighbors == [origin]:
                    continue  # the array takes another path
            if origin is None:
                arrays[flow] = own_parts[flow].reshape(-1)
            elif target in (ALL_RANKS, self.rank):
                arrays[flow] = self.memory.empty(prod(shape), dtype)
            if origin is not None or next_neighbors:
                parts = _reduction_slices(prod(shape), dtype.itemsize)
                pieces += [_Piece(flow, part, origin, next_neighbors) for part in parts]
        requests: deque[Pull | None] = deque()
        for n in range(len(pieces) + _MAX_PENDING_REQUESTS):
            if n < len(pieces):
                origin, part = pieces[n].origin, pieces[n].part
                size = (part.stop - part.start) * dtype.itemsize
                requests.append(
                    None if origin is None else exchange.pull(origin, turn, pieces[n].phase, size)
                )
            if n >= _MAX_PENDING_REQUESTS:
                piece, pull = pieces[n - _MAX_PENDING_REQUESTS], requests.popleft()
                values = arrays[piece.flow][piece.part] if pull is None else pull.wait()
                if pull is not None and piece.flow in arrays:
                    arrays[piece.flow][piece.part] = values
                for neighbor in piece.onward:
                    exchange.publish(neighbor, turn, piece.phase, values)
        return {flow: flat.reshape(shapes[flow]) for flow, flat in arrays.items()}


class _Piece(NamedTuple):
    """Part of a large array that passes through this process.

    origin, onward: its source (None for this process's own) and its destination, both neighbors.
    """

    flow: Route
    part: slice
    origin: int | None
    onward: list[int]

    @property
    def phase(self) -> str:
        """Name of the piece, equal on all processes."""
        return f"{self.flow[0]} {self.flow[1]} {self.part.start}"


def _flows(signatures: Mapping[int, Signature]) -> dict[Route, tuple[int, ...]]:
    """Returns the shapes of the arrays sent from rank to rank by an operation with these signatures, by rank."""
    flows: dict[Route, tuple[int, ...]] = {}
    for rank, signature in signatures.items():
        if signature.kind == "alltoall":
            rows, *rest = signature.shape
            flows.update({(rank, to): (count, *rest) for to, count in enumerate(rows)})
        elif signature.kind == "adasum":
            flows[rank, rank ^ signature.root] = signature.shape
        elif signature.kind != "broadcast" or rank == signature.root:
            flows[rank, ALL_RANKS] = signature.shape
    return flows


def _is_small(count: int, dtype: np.dtype) -> bool:
    """Whether an array of this many elements is sent with the signatures."""
    return count * dtype.itemsize <= _MAX_SMALL_BYTES or dtype.hasobject


def _reduction_slices(length: int, size: int) -> list[slice]:
    """Returns the slices of a flat array, given its length and element size."""
    step = max(1, _PIECE_BYTES // size)
    return [slice(first, last) for first, last in pairwise([*range(0, length, step), length])]


def buckets(sizes: Sequence[int], threshold: int) -> list[list[int]]:
    """Groups arrays of these sizes, by index, into buckets of at most `threshold` bytes or a single array."""
    groups: list[list[int]] = []
    capacity = -1
    for index, size in enumerate(sizes):
        if size > capacity:
            groups.append([])
            capacity = threshold
        groups[-1].append(index)
        capacity -= size
    return groups
