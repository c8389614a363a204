"""Array exchange between neighbors in the process tree: one publishes, the other pulls."""

from __future__ import annotations

import json
import threading
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from queue import Empty, SimpleQueue
from time import monotonic, sleep
from typing import Any, NamedTuple

import numpy as np

from tfmini._src.base.dtypes import as_dtype
from tfmini._src.base.errors import (
    AbortedError,
    CancelledError,
    DeadlineExceededError,
    InvalidArgumentError,
    OpError,
    UnavailableError,
    UnknownError,
)
from tfmini._src.base.locks import make_lock
from tfmini._src.cluster.grpc_channel import SHARE_MEMORY, Channel
from tfmini._src.cluster.grpc_server import Service
from tfmini._src.cluster.recv_tensor import reply_buffers
from tfmini._src.cluster.rendezvous import Future, Item, Rendezvous
from tfmini._src.cluster.shared_memory import Inbox, PeerFiles
from tfmini._src.cluster.wire import (
    Buffers,
    fields,
    five_byte_varint,
    malformed_message,
    tagged_field,
    total_size,
)
from tfmini._src.distribute.horovod.elastic_rounds import is_elastic, lost_ranks
from tfmini._src.distribute.horovod.failures import HorovodInternalError
from tfmini._src.distribute.horovod.ranks import RankInfo
from tfmini._src.distribute.horovod.stalls import StallCheck, ranks_text
from tfmini._src.distribute.horovod.topology import Tree
from tfmini._src.formats.varints import varint

_PULL_METHOD = "/tfmini.Ranks/Pull"
_MISSING_METHOD = "/tfmini.Ranks/Missing"
_MISSING_SECONDS = 5.0
_END_SECONDS = 10.0
_PAUSE_SECONDS = 0.01
_CHECK_SECONDS = 1.0
_START_SECONDS = 600.0  # timeout for neighbors to start
_ROUND_SECONDS = 60.0  # timeout in an elastic job, where all have requested the round
_JOIN = "tfmini join"
_KEPT_FAILURES = 1000
_LOST_PROCESS_ERRORS = (UnavailableError, CancelledError, AbortedError)


class Execution(NamedTuple):
    """One execution of an operation by the processes.

    epoch: number of earlier joins by all processes.
    ordinal: execution count in this epoch, from 1.
    """

    epoch: int
    ordinal: int
    name: str


_NOTICES = Execution(-1, 0, "tfmini failure")


class Pull:
    """A requested array.

    Args:
      turn: the operation's execution.
      rank: the publishing neighbor's rank.
    """

    def __init__(self, exchange: Exchange, turn: Execution, rank: int):
        self.turn, self.rank = turn, rank
        self.outcome = Future()
        self._exchange = exchange

    @property
    def is_here(self) -> bool:
        """Whether the array has arrived."""
        return self.outcome.wait(0)

    def wait(self) -> np.ndarray:
        """Waits for the array and returns it.

        Raises:
          UnknownError: if a process has ended, or does not reach the operation in time.
        """
        return self._exchange.wait(self)


class Exchange:
    """This process's connections to its neighbors.

    Args:
      rank_info: this process's rank.
      relay: `relay(turn)`, called in a thread, does this process's part for others in an operation that it skips after
        joining.

    Raises:
      HorovodInternalError: if a process ended before all neighbors started.
      DeadlineExceededError: if neighbors do not start.
    """

    def __init__(self, rank_info: RankInfo, relay: Callable[[Execution], None]):
        self.rank = rank_info.rank
        self._addresses = rank_info.addresses
        self.tree = Tree(rank_info.rank, rank_info.on_each_host.values())
        self._relay = relay
        self._lock = make_lock()
        self._epoch = 0
        self._has_joined_early = False  # whether this process has joined before the others
        # By epoch: execution counts of operations.
        self._counts: dict[int, Counter[str]] = {0: Counter()}
        self._turns: dict[Execution, Rendezvous] = {_NOTICES: Rendezvous()}
        self._running: dict[Execution, list[Pull]] = {}
        self._relayed: set[Execution] = set()
        self._failed: dict[Execution, BaseException] = {}  # recent ones
        self._loss: BaseException | None = None  # of the first process that ended or failed
        self._end: BaseException | None = None
        self._watchers: list[Callable[[BaseException], None]] = []
        self._stalls = StallCheck()
        self._files = PeerFiles()
        self._service = Service(
            rank_info.addresses[rank_info.rank],
            {SHARE_MEMORY: self._share, _MISSING_METHOD: self._reply_missing},
            {_PULL_METHOD: self._serve},
        )
        self._service.start()
        self._channels = {rank: Channel(rank_info.addresses[rank]) for rank in self.tree.neighbors}
        self._inboxes = {rank: self._inbox(channel) for rank, channel in self._channels.items()}
        try:
            self._connect(_ROUND_SECONDS if is_elastic() else _START_SECONDS)
        except BaseException as error:
            self._report_loss(error)
            self.close()
            raise

    def _connect(self, seconds: float) -> None:
        """Waits for the neighbors to start, and watches those already running."""
        connections: SimpleQueue[tuple[int | None, BaseException | None]] = SimpleQueue()
        self.watch(lambda error: connections.put((None, error)))
        for neighbor, channel in self._channels.items():

            def on_begin(reply: Any, error: BaseException | None, rank: int = neighbor) -> None:
                connections.put((rank, _rank_error(rank, error)))

            channel.begin(_PULL_METHOD, b"", on_begin, seconds, waits=True)
        waiting = set(self.tree.neighbors)
        while waiting:
            try:
                rank, error = connections.get(timeout=_CHECK_SECONDS)
            except Empty:
                for peer in waiting:
                    self._channels[peer].check()
                if missing_ranks := lost_ranks():
                    text = f"{ranks_text(missing_ranks).capitalize()} disconnected before all ranks were connected"
                    raise HorovodInternalError(None, None, text) from None
                continue
            if isinstance(error, DeadlineExceededError):
                where = ", ".join(self._addresses[rank] for rank in sorted(waiting))
                text = f"No answer from {ranks_text(sorted(waiting))} ({where}) within {seconds:g} seconds"
                raise DeadlineExceededError(None, None, text)
            if error is not None:
                raise error
            assert rank is not None
            waiting.remove(rank)
            self._watch(rank)
            self._channels[rank].request_connection()

    def _inbox(self, channel: Channel) -> Inbox:
        def share(request: bytes, on_done: Any) -> None:
            channel.begin(SHARE_MEMORY, request, on_done, timeout=60)

        return Inbox(share)

    @contextmanager
    def turn(self, name: str) -> Iterator[Execution]:
        """Context manager around the next execution of an operation."""
        with self._lock:
            counts = self._counts[self._epoch]
            counts[name] += 1
            turn = Execution(self._epoch, counts[name], name)
            self._running[turn] = []  # immediately, because finished executions are dropped
        with self.part_in(turn):
            yield turn

    @contextmanager
    def part_in(self, turn: Execution) -> Iterator[None]:
        """Context manager for this process's part of an operation; forwards its failure to the neighbors."""
        try:
            yield
        except BaseException as error:
            with self._lock:
                self._failed[turn] = error
                if len(self._failed) > _KEPT_FAILURES:
                    del self._failed[next(iter(self._failed))]
                rendezvous = self._turns.pop(turn, None)
            if rendezvous is not None:
                rendezvous.abort(error)
            raise
        finally:
            with self._lock:
                del self._running[turn]
                self._drop_if_done(turn)

    def _drop_if_done(self, turn: Execution) -> None:
        """Forgets an execution that has finished here and is fully pulled; the caller holds the lock."""
        rendezvous = self._turns.get(turn)
        if rendezvous is not None and turn not in self._running and self._has_begun(turn):
            if not rendezvous.has_items():
                del self._turns[turn]

    def publish(self, rank: int, turn: Execution, phase: str, value: Any) -> None:
        """Publishes an array for a neighbor; it must not be modified afterwards.

        phase: name of the operation's phase, the same on both sides.
        """
        with self._lock:
            rendezvous = self._turns.setdefault(turn, Rendezvous())
        rendezvous.send(f"{rank} {phase}", value, as_dtype(value.dtype))

    def pull(self, rank: int, turn: Execution, phase: str, size: int = 0) -> Pull:
        """Requests an array published by a neighbor for this process.

        size: in bytes, if known.
        """
        pull = Pull(self, turn, rank)
        self._running[turn].append(pull)
        self._pull_from(rank, turn, phase, pull.outcome.put, size)
        return pull

    def _pull_from(
        self,
        rank: int,
        turn: Execution,
        phase: str,
        on_done: Callable[[Any, BaseException | None], None],
        size: int = 0,
    ) -> None:
        """Calls `on_done(array, error)` with a neighbor's published array."""
        inbox = self._inboxes[rank]
        keys = (f"{turn.name} {phase}",)
        rank_info = inbox.reserve(keys, size)
        request = b"".join(
            (
                tagged_field(2, phase.encode()),
                varint(6 << 3) + varint(self.rank),
                varint(7 << 3) + varint(turn.epoch + 1),
                varint(8 << 3) + varint(turn.ordinal),
                tagged_field(9, turn.name.encode()),
                rank_info.region.request if rank_info is not None else b"",
            )
        )

        def on_reply(reply: bytes | None, error: BaseException | None) -> None:
            if reply is None:
                inbox.give_up(rank_info)
                cause = _rank_error(rank, error)
                if isinstance(error, _LOST_PROCESS_ERRORS):
                    self._report_loss(cause, source=rank)
                on_done(None, cause)
                return
            try:
                value = inbox.read(rank_info, keys, reply)[0].value
            except OpError as wrong:
                on_done(None, wrong)
            else:
                on_done(value, None)

        self._channels[rank].begin(_PULL_METHOD, request, on_reply)

    def wait(self, pull: Pull) -> Any:
        """Waits for the array of a pull."""
        try:
            value = self._stalls.wait(
                pull.outcome, pull.turn.name, lambda: self._missing_ranks(pull)
            )
        except (
            HorovodInternalError
        ) as error:  # possibly for an execution that ended because another process ended
            raise self._loss or error from None
        with suppress(KeyError, ValueError):  # the execution has finished
            self._running[pull.turn].remove(pull)
        return value

    def _missing_ranks(self, pull: Pull) -> list[int]:
        """Returns the ranks missing from an operation: a neighbor, or ranks that it reports."""
        request = json.dumps([self.rank, *pull.turn]).encode()
        try:
            reply = self._channels[pull.rank].call(_MISSING_METHOD, request, _MISSING_SECONDS)
            return json.loads(reply)
        except OpError:
            return [pull.rank]

    def _reply_missing(self, request: bytes, call: Any) -> bytes:
        """Replies with the ranks beyond this one that are missing from an operation, or with this rank itself."""
        try:
            rank, epoch, count, name = json.loads(request)
        except (ValueError, TypeError):
            raise malformed_message() from None
        turn = Execution(epoch, count, name)
        with self._lock:
            if not self._has_begun(turn):
                return json.dumps([self.rank]).encode()
            waiting = {
                pull.rank: pull
                for pull in self._running.get(turn, ())
                if pull.rank != rank and not pull.is_here
            }
        missing = {rank for pull in waiting.values() for rank in self._missing_ranks(pull)}
        return json.dumps(sorted(missing)).encode()

    def _has_begun(self, turn: Execution) -> bool:
        """Whether this process has started an execution, for itself or for others; the caller holds the lock."""
        counts = self._counts.get(turn.epoch)
        return turn in self._relayed or (counts is not None and counts[turn.name] >= turn.ordinal)

    def _is_to_relay(self, turn: Execution) -> bool:
        """Whether others need this process in an operation it skipped; the caller holds the lock."""
        is_left_out = turn.epoch < self._epoch or (
            turn.epoch == self._epoch and self._has_joined_early
        )
        if turn == _NOTICES or not is_left_out or self._has_begun(turn):
            return False
        self._relayed.add(turn)
        self._running[turn] = []
        return True

    def _start_relay(self, turn: Execution) -> None:
        threading.Thread(
            target=self._relay, args=(turn,), name="tfmini horovod", daemon=True
        ).start()

    def join(self, wait: Callable[[Execution], object]) -> None:
        """Returns once all processes have joined; until then, relays their operations.

        wait: waits for all processes, in an operation.
        """
        with self.turn(_JOIN) as turn:
            with self._lock:
                self._has_joined_early = True
                relayed = [turn for turn in self._turns if self._is_to_relay(turn)]
            for other in relayed:
                self._start_relay(other)
            wait(turn)
        with self._lock:
            epoch, self._epoch = self._epoch, self._epoch + 1
            self._has_joined_early = False
            self._counts = {epoch: self._counts[epoch], self._epoch: Counter()}
            self._relayed = {turn for turn in self._relayed if turn.epoch >= epoch}
            self._turns = {
                turn: rendezvous
                for turn, rendezvous in self._turns.items()
                if turn.epoch >= epoch or turn == _NOTICES
            }

    def watch(self, on_lost: Callable[[BaseException], None]) -> None:
        """Calls `on_lost(error)`, on any thread, when another process exits or fails, or this one closes."""

        with self._lock:
            self._watchers.append(on_lost)
            loss = self._loss
        if loss is not None:
            on_lost(loss)

    def _watch(self, rank: int) -> None:
        """Waits for a notice from a neighbor that it, or a process beyond it, has ended."""

        def on_end(message: Any, error: BaseException | None) -> None:
            if error is None:
                error = HorovodInternalError(None, None, message.item().decode())
            self._report_loss(error, source=rank)

        self._pull_from(rank, _NOTICES, "told", on_end)

    def fail(self) -> None:
        """Notifies the other processes that this one can run no further operations."""
        self._report_loss(HorovodInternalError(None, None, f"Rank {self.rank} has failed"))

    def _report_loss(self, loss: BaseException, source: int | None = None) -> None:
        """Notifies watchers, and all neighbors but `source`, of the first process that ended or failed."""
        with self._lock:
            if self._loss is not None:
                return
            self._loss = loss
            watchers = list(self._watchers)
        for on_lost in watchers:
            on_lost(loss)
        message = str(getattr(loss, "message", loss)).encode()
        for rank in self.tree.neighbors:
            if rank != source:
                with suppress(OpError):  # this process has closed
                    self.publish(rank, _NOTICES, "told", np.array([message], object))

    def _serve(
        self,
        request: bytes,
        call: Any,
        on_done: Callable[[Buffers | None, BaseException | None], None],
    ) -> None:
        """Calls `on_done(reply buffers, error)` once the requested array has been published."""
        texts = {2: b"", 3: b"", 9: b""}  # the phase, the file's secret, the operation
        # Offset and size in the file, rank, epoch, count.
        integers = {
            4: 0,
            5: 0,
            6: -1,
            7: 0,
            8: 0,
        }
        for field, wire_type, value in fields(request):
            if field in texts and wire_type == 2:
                texts[field] = request[value[0] : value[1]]
            elif field in integers and wire_type == 0:
                integers[field] = value
        if not texts[2]:  # a probe for whether this process is up
            on_done([], None)
            return
        secret, (offset, capacity, rank, epoch, count) = texts[3], integers.values()
        turn = Execution(epoch - 1, count, texts[9].decode(errors="replace"))
        key = f"{rank} {texts[2].decode(errors='replace')}"

        def on_arrival(item: Item | None, error: BaseException | None) -> None:
            if item is None:
                on_done(None, error)
                return
            reply = reply_buffers(item, 6)
            buffers: Buffers = [b"\x0a" + five_byte_varint(total_size(reply)), *reply]
            peer_file = self._files.write(secret, offset, capacity, buffers) if secret else None
            on_done(buffers if peer_file is None else [peer_file], None)

        if rank not in self.tree.neighbors or (
            turn != _NOTICES and abs(turn.epoch - self._epoch) > 1
        ):
            on_done(None, InvalidArgumentError(None, None, f"No arrays of {turn} for {rank}"))
            return
        with self._lock:
            failure = self._failed.get(turn) or self._end
            published = Rendezvous() if failure else self._turns.setdefault(turn, Rendezvous())
            is_to_relay = not failure and self._is_to_relay(turn)
        if failure is not None:
            on_done(None, failure)
            return
        if is_to_relay:
            self._start_relay(turn)
        published.receive(key, on_arrival)
        with self._lock:
            self._drop_if_done(turn)

        def cancel() -> None:
            published.forget(key, on_arrival)
            on_done(None, CancelledError(None, None, "Cancelled"))

        if not call.add_callback(cancel):
            cancel()

    def _share(self, request: bytes, call: Any) -> bytes:
        return b"\x08\x01" if self._files.take(request) else b""

    def close(self) -> None:
        """Closes the connections once pending publications are delivered; outstanding pulls fail."""
        deadline = monotonic() + _END_SECONDS
        while self._has_items() and monotonic() < deadline:
            sleep(_PAUSE_SECONDS)
        with self._lock:
            published = list(self._turns.values())
            self._end = CancelledError(None, None, "The process shut down Horovod")
        for rendezvous in published:
            rendezvous.abort(self._end)
        for channel in self._channels.values():
            channel.close()
        self._service.stop(_END_SECONDS)  # lets replies be sent

    def _has_items(self) -> bool:
        with self._lock:
            # Processes that have not requested a notice have ended or are notified at the end.
            return any(each.has_items() for turn, each in self._turns.items() if turn != _NOTICES)


def _rank_error(rank: int, error: Any) -> Any:
    """Returns an error that restarts the job; not UnavailableError, which makes sessions retry."""
    if isinstance(error, _LOST_PROCESS_ERRORS):
        return HorovodInternalError(None, None, f"Lost rank {rank}: {error.message}")
    if isinstance(error, UnknownError):  # already known to the neighbor
        return HorovodInternalError(None, None, error.message)
    return error
