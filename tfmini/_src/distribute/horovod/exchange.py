"""Exchange of arrays between neighbours in the tree of a job's processes: published by one, pulled by the other."""

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
from tfmini._src.cluster.rendezvous import Item, Outcome, Rendezvous
from tfmini._src.cluster.shared_memory import FilesOfOthers, Inbox
from tfmini._src.cluster.wire import Buffers, fields, five, malformed, size_of, tagged
from tfmini._src.distribute.horovod.elastic_rounds import is_elastic, lost_ranks
from tfmini._src.distribute.horovod.failures import HorovodInternalError
from tfmini._src.distribute.horovod.ranks import Place
from tfmini._src.distribute.horovod.stalls import StallCheck, named
from tfmini._src.distribute.horovod.topology import Tree
from tfmini._src.formats.varints import varint

_PULL = "/tfmini.Ranks/Pull"
_MISSING = "/tfmini.Ranks/Missing"
_MISSING_SECONDS = 5.0
_END_SECONDS = 10.0
_PAUSE_SECONDS = 0.01
_LOOK_SECONDS = 1.0
_START_SECONDS = 600.0  # how long neighbours may take to begin
_ROUND_SECONDS = 60.0  # the same in an elastic job, in which all have asked for the round
_JOIN = "tfmini join"
_KEPT_FAILURES = 1000
_GONE = (UnavailableError, CancelledError, AbortedError)  # of calls of a process that is not there


class Turn(NamedTuple):
    """One of the times that processes run an operation.

    epoch: how often all have joined before.
    number: how often it has been run in this epoch, from 1.
    """

    epoch: int
    number: int
    name: str


_NOTICES = Turn(-1, 0, "tfmini failure")


class Pull:
    """A requested array.

    Args:
      turn: what it belongs to.
      rank: of the neighbour that is to publish it.
    """

    def __init__(self, exchange: Exchange, turn: Turn, rank: int):
        self.turn, self.rank = turn, rank
        self.outcome = Outcome()
        self._exchange = exchange

    @property
    def is_here(self) -> bool:
        """Whether it need not be waited for."""
        return self.outcome.wait(0)

    def wait(self) -> np.ndarray:
        """The array.

        Raises:
          UnknownError: if a process has gone, or does not come to the operation in time.
        """
        return self._exchange.wait(self)


class Exchange:
    """This process's connections to its neighbours.

    Args:
      place: of this process.
      relay: `relay(turn)`, called in a thread, does for others what they need of this process in an operation that it
        does not run itself, as it has joined.

    Raises:
      HorovodInternalError: if a process has gone before all neighbours have begun.
      DeadlineExceededError: if neighbours do not begin.
    """

    def __init__(self, place: Place, relay: Callable[[Turn], None]):
        self.rank = place.rank
        self._addresses = place.addresses
        self.tree = Tree(place.rank, place.on_each_host.values())
        self._relay = relay
        self._lock = make_lock()
        self._epoch = 0
        self._has_joined = False  # and others have not
        self._counts: dict[int, Counter[str]] = {
            0: Counter()
        }  # by epoch: how often an operation has begun here
        self._turns: dict[Turn, Rendezvous] = {_NOTICES: Rendezvous()}
        self._running: dict[Turn, list[Pull]] = {}
        self._relayed: set[Turn] = set()
        self._failed: dict[Turn, BaseException] = {}  # the last ones
        self._loss: BaseException | None = None  # of the first process that has gone or failed
        self._end: BaseException | None = None
        self._watchers: list[Callable[[BaseException], None]] = []
        self._stalls = StallCheck()
        self._files = FilesOfOthers()
        self._service = Service(
            place.addresses[place.rank],
            {SHARE_MEMORY: self._share, _MISSING: self._tell_missing},
            {_PULL: self._serve},
        )
        self._service.start()
        self._channels = {rank: Channel(place.addresses[rank]) for rank in self.tree.neighbours}
        self._inboxes = {rank: self._inbox(channel) for rank, channel in self._channels.items()}
        try:
            self._connect(_ROUND_SECONDS if is_elastic() else _START_SECONDS)
        except BaseException as error:
            self._lose(error)
            self.close()
            raise

    def _connect(self, seconds: float) -> None:
        """Waits for the neighbours to begin, and watches those that have."""
        heard: SimpleQueue[tuple[int | None, BaseException | None]] = SimpleQueue()
        self.watch(lambda error: heard.put((None, error)))
        for neighbour, channel in self._channels.items():

            def begun(reply: Any, error: BaseException | None, rank: int = neighbour) -> None:
                heard.put((rank, _of_rank(rank, error)))

            channel.begin(_PULL, b"", begun, seconds, waits=True)
        waiting = set(self.tree.neighbours)
        while waiting:
            try:
                rank, error = heard.get(timeout=_LOOK_SECONDS)
            except Empty:
                for each in waiting:
                    self._channels[each].check()
                if lost := lost_ranks():
                    text = (
                        f"{named(lost).capitalize()} disconnected before all ranks were connected"
                    )
                    raise HorovodInternalError(None, None, text) from None
                continue
            if isinstance(error, DeadlineExceededError):
                where = ", ".join(self._addresses[each] for each in sorted(waiting))
                text = (
                    f"No answer from {named(sorted(waiting))} ({where}) within {seconds:g} seconds"
                )
                raise DeadlineExceededError(None, None, text)
            if error is not None:
                raise error
            assert rank is not None
            waiting.remove(rank)
            self._watch(rank)
            self._channels[rank].ask_for_line()

    def _inbox(self, channel: Channel) -> Inbox:
        def share(request: bytes, then: Any) -> None:
            channel.begin(SHARE_MEMORY, request, then, timeout=60)

        return Inbox(share)

    @contextmanager
    def turn(self, name: str) -> Iterator[Turn]:
        """A block that runs an operation, once more."""
        with self._lock:
            counts = self._counts[self._epoch]
            counts[name] += 1
            turn = Turn(self._epoch, counts[name], name)
            self._running[turn] = []  # at once: what has begun and does not run is forgotten
        with self.part_in(turn):
            yield turn

    @contextmanager
    def part_in(self, turn: Turn) -> Iterator[None]:
        """A block in which this process does its part of an operation; what fails it, fails it for the neighbours."""
        try:
            yield
        except BaseException as error:
            with self._lock:
                self._failed[turn] = error
                if len(self._failed) > _KEPT_FAILURES:
                    del self._failed[next(iter(self._failed))]
                found = self._turns.pop(turn, None)
            if found is not None:
                found.abort(error)
            raise
        finally:
            with self._lock:
                del self._running[turn]
                self._drop_if_done(turn)

    def _drop_if_done(self, turn: Turn) -> None:
        """Forgets an operation in which nothing is to be done here and all has been pulled; the lock is held."""
        found = self._turns.get(turn)
        if found is not None and turn not in self._running and self._has_begun(turn):
            if not found.has_items():
                del self._turns[turn]

    def publish(self, rank: int, turn: Turn, phase: str, value: Any) -> None:
        """Publishes an array for a neighbour; it must not be modified afterwards.

        phase: the part of the operation, the same on both sides.
        """
        with self._lock:
            found = self._turns.setdefault(turn, Rendezvous())
        found.send(f"{rank} {phase}", value, as_dtype(value.dtype))

    def pull(self, rank: int, turn: Turn, phase: str, size: int = 0) -> Pull:
        """Requests an array that a neighbour publishes for this process.

        size: of the array in bytes, if it is known.
        """
        pull = Pull(self, turn, rank)
        self._running[turn].append(pull)
        self._ask(rank, turn, phase, pull.outcome.put, size)
        return pull

    def _ask(
        self,
        rank: int,
        turn: Turn,
        phase: str,
        then: Callable[[Any, BaseException | None], None],
        size: int = 0,
    ) -> None:
        """Calls `then(array, error)` with what a neighbour publishes."""
        inbox = self._inboxes[rank]
        keys = (f"{turn.name} {phase}",)
        place = inbox.place(keys, size)
        request = b"".join(
            (
                tagged(2, phase.encode()),
                varint(6 << 3) + varint(self.rank),
                varint(7 << 3) + varint(turn.epoch + 1),
                varint(8 << 3) + varint(turn.number),
                tagged(9, turn.name.encode()),
                place.region.request if place is not None else b"",
            )
        )

        def received(reply: bytes | None, error: BaseException | None) -> None:
            if reply is None:
                inbox.give_up(place)
                cause = _of_rank(rank, error)
                if isinstance(error, _GONE):
                    self._lose(cause, source=rank)
                then(None, cause)
                return
            try:
                value = inbox.read(place, keys, reply)[0].value
            except OpError as wrong:
                then(None, wrong)
            else:
                then(value, None)

        self._channels[rank].begin(_PULL, request, received)

    def wait(self, pull: Pull) -> Any:
        """The array of a pull."""
        try:
            value = self._stalls.wait(pull.outcome, pull.turn.name, lambda: self._missing_for(pull))
        except (
            HorovodInternalError
        ) as error:  # perhaps of one that has ended since another has gone
            raise self._loss or error from None
        with suppress(KeyError, ValueError):  # of an operation that has ended
            self._running[pull.turn].remove(pull)
        return value

    def _missing_for(self, pull: Pull) -> list[int]:
        """Ranks that have not come to an operation, of which a neighbour is one or knows."""
        request = json.dumps([self.rank, *pull.turn]).encode()
        try:
            reply = self._channels[pull.rank].call(_MISSING, request, _MISSING_SECONDS)
            return json.loads(reply)
        except OpError:
            return [pull.rank]

    def _tell_missing(self, request: bytes, call: Any) -> bytes:
        """Replies with the ranks that are missing in an operation beyond this one, or this one itself."""
        try:
            rank, epoch, count, name = json.loads(request)
        except (ValueError, TypeError):
            raise malformed() from None
        turn = Turn(epoch, count, name)
        with self._lock:
            if not self._has_begun(turn):
                return json.dumps([self.rank]).encode()
            waiting = {
                pull.rank: pull
                for pull in self._running.get(turn, ())
                if pull.rank != rank and not pull.is_here
            }
        missing = {each for pull in waiting.values() for each in self._missing_for(pull)}
        return json.dumps(sorted(missing)).encode()

    def _has_begun(self, turn: Turn) -> bool:
        """Whether this process has begun an operation, for itself or for others; the lock is held."""
        counts = self._counts.get(turn.epoch)
        return turn in self._relayed or (counts is not None and counts[turn.name] >= turn.number)

    def _is_to_relay(self, turn: Turn) -> bool:
        """Whether others need this process in an operation that it has left out; the lock is held."""
        is_left_out = turn.epoch < self._epoch or (turn.epoch == self._epoch and self._has_joined)
        if turn == _NOTICES or not is_left_out or self._has_begun(turn):
            return False
        self._relayed.add(turn)
        self._running[turn] = []
        return True

    def _start_relay(self, turn: Turn) -> None:
        threading.Thread(
            target=self._relay, args=(turn,), name="tfmini horovod", daemon=True
        ).start()

    def join(self, wait: Callable[[Turn], object]) -> None:
        """Returns once all processes have joined; until then this one relays their operations.

        wait: waits for all of them, in an operation.
        """
        with self.turn(_JOIN) as turn:
            with self._lock:
                self._has_joined = True
                known = [each for each in self._turns if self._is_to_relay(each)]
            for each in known:
                self._start_relay(each)
            wait(turn)
        with self._lock:
            before, self._epoch = self._epoch, self._epoch + 1
            self._has_joined = False
            self._counts = {before: self._counts[before], self._epoch: Counter()}
            self._relayed = {each for each in self._relayed if each.epoch >= before}
            self._turns = {
                each: found
                for each, found in self._turns.items()
                if each.epoch >= before or each == _NOTICES
            }

    def watch(self, lost: Callable[[BaseException], None]) -> None:
        """Calls `lost(error)`, in any thread, when another process exits or fails, or this one closes."""

        with self._lock:
            self._watchers.append(lost)
            loss = self._loss
        if loss is not None:
            lost(loss)

    def _watch(self, rank: int) -> None:
        """Hears of a neighbour when it, or a process beyond it, has gone."""

        def ended(message: Any, error: BaseException | None) -> None:
            if error is None:
                error = HorovodInternalError(None, None, message.item().decode())
            self._lose(error, source=rank)

        self._ask(rank, _NOTICES, "told", ended)

    def fail(self) -> None:
        """Tells the other processes that this one can do no more operations with them."""
        self._lose(HorovodInternalError(None, None, f"Rank {self.rank} has failed"))

    def _lose(self, loss: BaseException, source: int | None = None) -> None:
        """Tells watchers, and the neighbours but `source`, of the first process that has gone or failed."""
        with self._lock:
            if self._loss is not None:
                return
            self._loss = loss
            watchers = list(self._watchers)
        for lost in watchers:
            lost(loss)
        message = str(getattr(loss, "message", loss)).encode()
        for rank in self.tree.neighbours:
            if rank != source:
                with suppress(OpError):  # this process has closed
                    self.publish(rank, _NOTICES, "told", np.array([message], object))

    def _serve(
        self,
        request: bytes,
        call: Any,
        then: Callable[[Buffers | None, BaseException | None], None],
    ) -> None:
        """Calls `then(buffers of the reply, error)` once the requested array has been published."""
        texts = {2: b"", 3: b"", 9: b""}  # the phase, the secret of a file, the operation
        numbers = {4: 0, 5: 0, 6: -1, 7: 0, 8: 0}  # place and room in the file, rank, epoch, count
        for field, kind, value in fields(request):
            if field in texts and kind == 2:
                texts[field] = request[value[0] : value[1]]
            elif field in numbers and kind == 0:
                numbers[field] = value
        if not texts[2]:  # who asks wants to know whether this process is there
            then([], None)
            return
        secret, (offset, room, rank, epoch, count) = texts[3], numbers.values()
        turn = Turn(epoch - 1, count, texts[9].decode(errors="replace"))
        key = f"{rank} {texts[2].decode(errors='replace')}"

        def arrived(item: Item | None, error: BaseException | None) -> None:
            if item is None:
                then(None, error)
                return
            found = reply_buffers(item, 6)
            buffers: Buffers = [b"\x0a" + five(size_of(found)), *found]
            elsewhere = self._files.write(secret, offset, room, buffers) if secret else None
            then(buffers if elsewhere is None else [elsewhere], None)

        if rank not in self.tree.neighbours or (
            turn != _NOTICES and abs(turn.epoch - self._epoch) > 1
        ):
            then(None, InvalidArgumentError(None, None, f"No arrays of {turn} for {rank}"))
            return
        with self._lock:
            failure = self._failed.get(turn) or self._end
            published = Rendezvous() if failure else self._turns.setdefault(turn, Rendezvous())
            is_to_relay = not failure and self._is_to_relay(turn)
        if failure is not None:
            then(None, failure)
            return
        if is_to_relay:
            self._start_relay(turn)
        published.receive(key, arrived)
        with self._lock:
            self._drop_if_done(turn)

        def gone() -> None:
            published.forget(key, arrived)
            then(None, CancelledError(None, None, "Cancelled"))

        if not call.add_callback(gone):
            gone()

    def _share(self, request: bytes, call: Any) -> bytes:
        return b"\x08\x01" if self._files.take(request) else b""

    def close(self) -> None:
        """Closes the connections once pending publications are delivered; outstanding pulls end in errors."""
        deadline = monotonic() + _END_SECONDS
        while self._has_items() and monotonic() < deadline:
            sleep(_PAUSE_SECONDS)
        with self._lock:
            published = list(self._turns.values())
            self._end = CancelledError(None, None, "The process shut down Horovod")
        for each in published:
            each.abort(self._end)
        for channel in self._channels.values():
            channel.close()
        self._service.stop(_END_SECONDS)  # which lets replies go out

    def _has_items(self) -> bool:
        with self._lock:
            # Those that have not asked for a notice have gone, or hear of it at the end.
            return any(each.has_items() for turn, each in self._turns.items() if turn != _NOTICES)


def _of_rank(rank: int, error: Any) -> Any:
    """Error that makes the job start again; not UnavailableError, after which sessions try to continue."""
    if isinstance(error, _GONE):
        return HorovodInternalError(None, None, f"Lost rank {rank}: {error.message}")
    if isinstance(error, UnknownError):  # of which the neighbour has heard
        return HorovodInternalError(None, None, error.message)
    return error
