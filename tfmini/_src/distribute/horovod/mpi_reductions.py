"""Sums, gathers and broadcasts across processes started by mpirun, with MPI's own collectives.

MPI requires the same order of collectives everywhere, while graph nodes run in any order. Therefore, one thread per
process calls MPI: the threads periodically exchange the names of started operations, and run those started everywhere
in rank 0's order.
"""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Callable, Sequence
from queue import Empty, SimpleQueue
from typing import Any, NamedTuple

import numpy as np

from tfmini._src.base.errors import UNKNOWN, InvalidArgumentError, UnimplementedError, UnknownError
from tfmini._src.base.locks import make_lock
from tfmini._src.base.package import DISTRIBUTION
from tfmini._src.cluster.rendezvous import Future
from tfmini._src.distribute.horovod.adasum import adasum
from tfmini._src.distribute.horovod.host_reductions import HostReductions
from tfmini._src.distribute.horovod.launchers import Job
from tfmini._src.distribute.horovod.negotiation import (
    Signature,
    differing,
    join_obstacle,
    sum_shape,
)
from tfmini._src.distribute.horovod.ranks import RankInfo
from tfmini._src.distribute.horovod.timeline import note_ready

_CYCLE_SECONDS = 0.005
_JOIN = "tfmini join"


def message_passing(job: Job) -> Any:
    """Returns mpi4py's MPI for the processes of a job; raises UnimplementedError if mpi4py is not installed."""
    try:
        from mpi4py import MPI  # noqa: PLC0415
    except ImportError as error:
        raise UnimplementedError(
            None,
            None,
            f"{job.launcher.name} has started {job.size or 'several'} processes: pip install "
            f"'{DISTRIBUTION}[mpi]', or set their addresses in TFMINI_RANKS ({error})",
        ) from None
    return MPI


class _PendingReduction(NamedTuple):
    signature: Signature
    value: np.ndarray
    outcome: Future


class MpiReductions(HostReductions):
    """Collective operations over MPI.

    Args:
      library: mpi4py's MPI.
    """

    def __init__(self, library: Any):
        super().__init__()
        self._mpi = library
        self._comm = library.COMM_WORLD.Dup()
        self.rank, self.size = self._comm.Get_rank(), self._comm.Get_size()
        hosts = self._comm.allgather(library.Get_processor_name())
        self.rank_info = RankInfo(
            self.rank, tuple(f"{host}:{rank}" for rank, host in enumerate(hosts))
        )
        self.has_threads = library.Query_thread() == library.THREAD_MULTIPLE
        self._lock = make_lock()
        self._counts: Counter[str] = Counter()
        self._submitted: SimpleQueue[_PendingReduction | None] = SimpleQueue()
        self._pending: dict[str, _PendingReduction] = {}
        self._failure: UnknownError | None = None
        self._signatures_by_rank: list[dict[str, Signature]] = [{} for _ in range(self.size)]
        self._thread = threading.Thread(target=self._serve, name="tfmini mpi", daemon=True)
        self._thread.start()

    def sum_all(
        self, name: str, values: Sequence[np.ndarray], shapes: Sequence[tuple[int, ...]]
    ) -> list[np.ndarray]:
        shape = sum_shape(values, shapes)
        names = [f"{name} bucket {bucket}" if bucket else name for bucket in range(len(values))]
        return [
            self._reduce("sum", bucket_name, value, logical_shape=shape)
            for bucket_name, value in zip(names, values)
        ]

    def gather(self, name: str, value: np.ndarray) -> np.ndarray:
        return self._reduce("gather", name, value)

    def tell(self, name: str, text: bytes) -> list[bytes]:
        return self._reduce("tell", name, np.array([text], object)).tolist()

    def broadcast(self, name: str, value: np.ndarray, root: int) -> np.ndarray:
        return self._reduce("broadcast", name, value, root)

    def all_to_all(self, name: str, parts: Sequence[np.ndarray]) -> np.ndarray:
        value = np.concatenate(parts)
        return self._reduce(
            "alltoall", name, value, logical_shape=(tuple(map(len, parts)), *value.shape[1:])
        )

    def adasum(self, name: str, value: np.ndarray) -> np.ndarray:
        return self._reduce("adasum", name, value)

    def join(self) -> None:
        self._begin(Signature(_JOIN, "join", 0, "", ()), np.zeros(0)).get()

    def watch(self, on_lost: Callable[[BaseException], None]) -> None:
        """Does nothing: mpirun ends all processes when one ends."""

    def fail(self) -> None:
        """Does nothing, since no process watches."""

    def close(self) -> None:
        """Shuts down once all processes have called it."""
        self._submitted.put(None)
        self._thread.join()
        self._comm.Free()

    def _reduce(
        self,
        kind: str,
        name: str,
        value: np.ndarray,
        root: int = 0,
        logical_shape: tuple[Any, ...] | None = None,
    ) -> np.ndarray:
        shape = value.shape if logical_shape is None else logical_shape
        signature = Signature(name, kind, root, value.dtype.str, shape, elements=value.size)
        return self._begin(signature, value).get()

    def _begin(self, signature: Signature, value: np.ndarray) -> Future:
        outcome = Future()
        with self._lock:
            if self._failure is not None:
                raise self._failure
            if signature.kind != "join":
                self._counts[signature.name] += 1
                signature = signature._replace(
                    name=f"{signature.name} {self._counts[signature.name]}"
                )
            self._submitted.put(_PendingReduction(signature, value, outcome))
        return outcome

    # The thread that calls MPI -------------------------------------------------------------------

    def _serve(self) -> None:
        is_ending = False
        try:
            while True:
                begun = self._started_operations()
                is_ending = is_ending or None in begun
                own_operations = [pending for pending in begun if pending is not None]
                self._pending.update(
                    (pending.signature.name, pending) for pending in own_operations
                )
                announcements = self._comm.allgather(
                    (is_ending, [pending.signature for pending in own_operations])
                )
                for rank, (_, signatures) in enumerate(announcements):
                    for signature in signatures:
                        self._signatures_by_rank[rank][signature.name] = signature
                        note_ready(signature.name, rank)
                self._run_common()
                if all(is_last for is_last, _ in announcements):
                    return
        except Exception as error:  # an MPI error: unrecoverable
            with self._lock:
                self._failure = UnknownError(None, None, f"MPI: {error}", UNKNOWN)
                waiting = [*self._pending.values(), *_drain(self._submitted)]
            for signature in waiting:
                if signature is not None:
                    signature.outcome.put(None, self._failure)

    def _started_operations(self) -> list[_PendingReduction | None]:
        """Returns the operations started here since the last call; waits briefly for the first."""
        started: list[_PendingReduction | None] = []
        try:
            started.append(self._submitted.get(timeout=_CYCLE_SECONDS))
        except Empty:
            return started
        return [*started, *_drain(self._submitted)]

    def _run_common(self) -> None:
        """Runs the operations started by all processes that have not joined, and completes a join by all."""
        live = [pending for pending in self._signatures_by_rank if _JOIN not in pending]
        if not live:
            with self._lock:
                self._counts.clear()
            for pending in self._signatures_by_rank:
                pending.clear()
            self._pending.pop(_JOIN).outcome.put(None)
            return
        for name in list(live[0]):
            if all(name in pending for pending in live):
                self._run(name, [pending.pop(name, None) for pending in self._signatures_by_rank])

    def _run(self, name: str, gathered: Sequence[Signature | None]) -> None:
        signatures = [signature for signature in gathered if signature is not None]
        first = signatures[0]
        pending = self._pending.pop(name, None) or _PendingReduction(
            first, np.zeros(first.elements if first.kind == "sum" else 0, first.dtype), Future()
        )
        problem = differing(name.rpartition(" ")[0], signatures)
        if len(signatures) < self.size:
            problem = problem or join_obstacle(first.kind)
        if problem is not None:
            pending.outcome.put(None, InvalidArgumentError(None, None, problem))
            return
        work: Callable[..., np.ndarray] = getattr(self, f"_{first.kind}")
        try:
            pending.outcome.put(work(pending.value, signatures))
        except Exception as error:
            pending.outcome.put(None, UnknownError(None, None, f"MPI: {error}", UNKNOWN))
            raise

    def _sum(self, value: np.ndarray, signatures: list[Signature]) -> np.ndarray:
        if value.dtype == np.float16:  # unknown to MPI
            float32_value = value.astype(np.float32)
            return self._sum(float32_value, signatures).astype(np.float16)
        result = self.memory.empty(value.size, value.dtype)
        self._comm.Allreduce(np.ravel(value), result, op=self._mpi.SUM)
        return result.reshape(value.shape)

    def _adasum(self, value: np.ndarray, signatures: list[Signature]) -> np.ndarray:
        def trade(level: int, rank: int, own_values: np.ndarray) -> np.ndarray:
            other_values = np.empty_like(own_values)
            received = [_view_as_bytes(other_values), self._mpi.BYTE]
            self._comm.Sendrecv(
                [_view_as_bytes(own_values), self._mpi.BYTE], rank, recvbuf=received, source=rank
            )
            return other_values

        return adasum(np.ascontiguousarray(value), self.rank, self.size, trade)

    def _tell(self, value: np.ndarray, signatures: list[Signature]) -> np.ndarray:
        return np.concatenate(self._comm.allgather(value))

    def _alltoall(self, value: np.ndarray, signatures: list[Signature]) -> np.ndarray:
        sent = signatures[self.rank].shape[0]
        if value.dtype.hasobject:
            return np.concatenate(self._comm.alltoall(np.split(value, np.cumsum(sent)[:-1])))
        result, counts = _gathered_rows(
            value, [signature.shape[0][self.rank] for signature in signatures]
        )
        _, sent_counts = _gathered_rows(value, sent)
        target = [_view_as_bytes(result), counts, self._mpi.BYTE]
        self._comm.Alltoallv([_view_as_bytes(value), sent_counts, self._mpi.BYTE], target)
        return result

    def _gather(self, value: np.ndarray, signatures: list[Signature]) -> np.ndarray:
        if value.dtype.hasobject:
            return self._tell(value, signatures)
        result, counts = _gathered_rows(value, [signature.shape[0] for signature in signatures])
        target = [_view_as_bytes(result), counts, self._mpi.BYTE]
        self._comm.Allgatherv([_view_as_bytes(np.ascontiguousarray(value)), self._mpi.BYTE], target)
        return result

    def _broadcast(self, value: np.ndarray, signatures: list[Signature]) -> np.ndarray:
        root = signatures[0].root
        if value.dtype.hasobject:
            return self._comm.bcast(value, root)
        result = np.array(value)
        self._comm.Bcast([_view_as_bytes(result), self._mpi.BYTE], root)
        return result


def _view_as_bytes(array: np.ndarray) -> np.ndarray:
    """Returns a view of a contiguous array as bytes."""
    return array.reshape(-1).view(np.uint8)


def _gathered_rows(template: np.ndarray, counts: Sequence[int]) -> tuple[np.ndarray, list[int]]:
    """Returns a new array for the rows of several processes, and each process's byte count."""
    result = np.empty((sum(counts), *template.shape[1:]), template.dtype)
    size = int(np.prod(template.shape[1:])) * template.dtype.itemsize
    return result, [count * size for count in counts]


def _drain(queue: SimpleQueue[Any]) -> list[Any]:
    """Removes and returns all items of a queue."""
    items = []
    try:
        while True:
            items.append(queue.get_nowait())
    except Empty:
        return items
