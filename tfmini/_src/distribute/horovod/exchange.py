"""Exchange of arrays between the processes of a job: published under a key, pulled by the consumer."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from time import monotonic, sleep
from typing import Any

import numpy as np

from tfmini._src.base.dtypes import as_dtype, float64
from tfmini._src.base.errors import (
    UNKNOWN,
    AbortedError,
    CancelledError,
    InvalidArgumentError,
    OpError,
    OutOfRangeError,
    UnavailableError,
    UnknownError,
)
from tfmini._src.base.locks import make_lock
from tfmini._src.cluster.grpc_channel import SHARE_MEMORY, Channel
from tfmini._src.cluster.grpc_server import Service
from tfmini._src.cluster.recv_tensor import reply_buffers
from tfmini._src.cluster.rendezvous import Item, Outcome, Rendezvous
from tfmini._src.cluster.shared_memory import FilesOfOthers, Inbox
from tfmini._src.cluster.wire import Buffers, fields, five, size_of, tagged
from tfmini._src.distribute.horovod.ranks import Place
from tfmini._src.distribute.horovod.stalls import StallCheck
from tfmini._src.distribute.horovod.timeline import note_ready
from tfmini._src.formats.varints import varint

_PULL = "/tfmini.Ranks/Pull"
_END_SECONDS = 10.0
_PAUSE_SECONDS = 0.01
_FAILURE = "tfmini failure"  # asked for to hear of a process's end
_START_SECONDS = 600.0  # how long all processes may take to begin


class Exchange:
    """This process's connections to all other processes.

    Args:
      place: of this process.

    Raises:
      UnavailableError, DeadlineExceededError: if others do not begin.
    """

    def __init__(self, place: Place):
        self.rank, self.size = place.rank, place.size
        self._lock = make_lock()
        self._epoch = 0  # how often all have joined
        self._published: dict[tuple[int, int], Rendezvous] = {}  # by epochs and who pulls it
        self._notices = Rendezvous()  # failures and joins
        self._joined: set[int] = set()  # other ranks of which it is known in this epoch
        self._stalls = StallCheck()
        self._files = FilesOfOthers()
        self._service = Service(
            place.addresses[place.rank],
            {SHARE_MEMORY: self._share},
            {_PULL: self._serve},
        )
        self._service.start()
        self._channels = [Channel(address) for address in place.addresses]
        self._inboxes = [self._inbox(channel) for channel in self._channels]
        for rank in self.others:
            self._channels[rank].call(_PULL, b"", _START_SECONDS, waits=True)
            self._channels[rank].ask_for_line()

    @property
    def others(self) -> list[int]:
        """The ranks of all other processes."""
        return [rank for rank in range(self.size) if rank != self.rank]

    def _inbox(self, channel: Channel) -> Inbox:
        def share(request: bytes, then: Any) -> None:
            channel.begin(SHARE_MEMORY, request, then, timeout=60)

        return Inbox(share)

    def publish(self, rank: int, name: str, count: int, value: Any) -> None:
        """Publishes an array for a process; it must not be modified afterwards.

        name, count: of what it belongs to, and how often that has been.
        """
        if rank not in self._joined:
            published = self._publications(self._epoch, rank)
            published.send(f"{name} {count}", value, as_dtype(value.dtype))

    def pull(self, rank: int, name: str, count: int, size: int = 0) -> Callable[[], Any]:
        """Requests an array that a process publishes for this one; returns a function that waits for it.

        size: of the array in bytes, if it is known.

        Returns (when it waits):
          The array; None if the process has joined: it publishes nothing more in this epoch.

        Raises (when it waits):
          UnknownError: if the process has gone, or does not publish it in time.
        """
        outcome = self._ask(rank, name, f"{name} {count}", size, self._epoch)

        def wait() -> Any:
            value = self._stalls.wait(outcome, rank, name)
            note_ready(name, rank)
            return value

        return wait

    def _ask(self, rank: int, name: str, key: str, size: int = 0, epoch: int = -1) -> Outcome:
        """Requests what a process publishes under a key in an epoch, or a notice."""
        inbox = self._inboxes[rank]
        place = inbox.place([name], size)
        request = tagged(2, key.encode()) + varint(6 << 3) + varint(self.rank)
        if epoch >= 0:
            request += varint(7 << 3) + varint(epoch)
        if place is not None:
            request += place.request()
        outcome = Outcome()

        def received(reply: bytes | None, error: BaseException | None) -> None:
            if reply is None:
                inbox.give_up(place)
                if isinstance(error, OutOfRangeError):
                    self._joined.add(rank)
                    outcome.put(None)
                else:
                    outcome.put(None, _of_rank(rank, error))
                return
            try:
                outcome.put(inbox.read(place, [name], reply)[0].value)
            except OpError as wrong:
                outcome.put(None, wrong)

        self._channels[rank].begin(_PULL, request, received)
        return outcome

    def _publications(self, epoch: int, rank: int) -> Rendezvous:
        """Arrays that are published in an epoch for a process."""
        with self._lock:
            found = self._published.get((epoch, rank))
            if found is None:
                found = self._published[epoch, rank] = Rendezvous()
                if epoch < self._epoch:
                    found.abort(_joined_error())
            return found

    def join(self) -> None:
        """Returns once all processes have joined; until then the others' pulls give None.

        An array that is published before is still given to those that pull it.
        """
        epoch, key = self._epoch, f"joined {self._epoch}"
        for rank in self.others:
            self._notices.send(f"{rank} {key}", np.zeros(0), float64)
        waiting = {rank: self._ask(rank, key, f"{self.rank} {key}") for rank in self.others}
        while waiting:
            for rank, outcome in list(waiting.items()):
                published = self._publications(epoch, rank)
                if outcome.wait(_PAUSE_SECONDS):
                    outcome.get()
                    del waiting[rank]
                    published.abort(_joined_error())
                elif not published.has_items():
                    published.abort(_joined_error())
        with self._lock:
            self._epoch += 1
            self._published = {
                (number, rank): found
                for (number, rank), found in self._published.items()
                if number >= epoch
            }
        self._joined.clear()

    def watch(self, lost: Callable[[BaseException], None]) -> None:
        """Calls `lost(error)`, in any thread, when another process exits or fails, or this one closes."""

        def watched(rank: int) -> None:
            def ended(reply: bytes | None, error: BaseException | None) -> None:
                lost(_of_rank(rank, error) or UnknownError(None, None, f"Rank {rank} has failed"))

            request = tagged(2, f"{self.rank} {_FAILURE}".encode())
            self._channels[rank].begin(_PULL, request, ended)

        for rank in self.others:
            watched(rank)

    def fail(self) -> None:
        """Tells the other processes, which watch, that this one can do no more operations with them."""
        with suppress(OpError):  # it has ended
            for rank in self.others:
                self._notices.send(f"{rank} {_FAILURE}", np.zeros(0), float64)

    def _serve(
        self,
        request: bytes,
        call: Any,
        then: Callable[[Buffers | None, BaseException | None], None],
    ) -> None:
        """Calls `then(buffers of the reply, error)` once the requested array has been published."""
        key, secret, offset, room, rank, epoch = "", b"", 0, 0, -1, -1
        for field, kind, value in fields(request):
            if field == 2 and kind == 2:
                key = request[value[0] : value[1]].decode(errors="replace")
            elif field == 3 and kind == 2:
                secret = request[value[0] : value[1]]
            elif field == 4 and kind == 0:
                offset = value
            elif field == 5 and kind == 0:
                room = value
            elif field == 6 and kind == 0:
                rank = value
            elif field == 7 and kind == 0:
                epoch = value
        if not key:  # who asks wants to know whether this process is there
            then([], None)
            return

        def arrived(item: Item | None, error: BaseException | None) -> None:
            if item is None:
                then(None, error)
                return
            found = reply_buffers(item, 6)
            buffers: Buffers = [b"\x0a" + five(size_of(found)), *found]
            elsewhere = self._files.write(secret, offset, room, buffers) if secret else None
            then(buffers if elsewhere is None else [elsewhere], None)

        published = self._notices
        if epoch >= 0:
            if rank not in self.others or abs(epoch - self._epoch) > 1:
                then(None, InvalidArgumentError(None, None, f"No arrays of {epoch} for {rank}"))
                return
            published = self._publications(epoch, rank)
        published.receive(key, arrived)

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
        published = [self._notices, *self._published.values()]
        while any(each.has_items() for each in published) and monotonic() < deadline:
            sleep(_PAUSE_SECONDS)
        for each in published:
            each.abort(CancelledError(None, None, "The process has shut Horovod down"))
        for channel in self._channels:
            channel.close()
        self._service.stop(_END_SECONDS)  # which lets replies go out


def _joined_error() -> OutOfRangeError:
    return OutOfRangeError(None, None, "The rank has joined")


def _of_rank(rank: int, error: BaseException | None) -> BaseException | None:
    """Error that makes the job start again; not UnavailableError, after which sessions try to continue."""
    if isinstance(error, UnavailableError | CancelledError | AbortedError):
        return UnknownError(None, None, f"Rank {rank} has gone: {error.message}", UNKNOWN)
    return error
