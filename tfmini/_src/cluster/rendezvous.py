"""Rendezvous of one step on one task: holds tensors until a local receive or a remote request."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np

from tfmini._src.base.dtypes import float32
from tfmini._src.base.errors import CancelledError, InternalError
from tfmini._src.base.locks import make_lock
from tfmini._src.cluster.send_recv import OUTERMOST, key_of_op
from tfmini._src.devices.numpy.string_hashes import murmur_hashes
from tfmini._src.ops.pending_ops import DeadTensor, PendingOp


class Item(NamedTuple):
    """A sent tensor with its dtype; `is_dead` if its producer did not run."""

    value: Any
    dtype: Any
    is_dead: bool = False


_EMPTY_ARRAY = np.zeros(0, np.float32)

Receiver = Callable[[Item | None, BaseException | None], None]
Receivers = Callable[[list[Item] | None, BaseException | None], None]


class Rendezvous:
    """The tensors of one step on one task.

    Args:
      fetch: `fetch(view, key, on_done)` requests the tensor of a key from the task that sends it; returns a canceller,
        None for a tensor of this task.
      fetch_many: the same for several tensors of a task, with `on_done(items, error)`. Without either, receives do
        not create pending ops.

    view: the session's view of the tasks, set when the step starts here.
    guests: number of other tasks requesting tensors before the step starts here; None afterwards.
    """

    def __init__(
        self,
        fetch: Callable[[Any, str, Receiver], Callable[[], None] | None] | None = None,
        fetch_many: Callable[[Any, Sequence[str], Receivers], Callable[[], None]] | None = None,
    ):
        self.view: Any = None
        self.guests: int | None = 0
        self._fetch = fetch
        self._fetch_many = fetch_many
        self._lock = make_lock()
        self._items: dict[str, deque[Item]] = {}
        self._waiting: dict[str, deque[Receiver]] = {}
        self._error: BaseException | None = None
        self._sent: set[str] = set()  # by unfinished operations

    def send(self, key: str, value: Any, dtype: Any) -> None:
        """Passes a tensor to its waiting receiver, or stores it."""
        if self._fetch is not None:
            self._sent.add(key)
        self._deliver(key, Item(value, dtype))

    def _deliver(self, key: str, item: Item) -> None:
        with self._lock:
            if self._error is not None:
                raise self._error
            waiting = self._waiting.get(key)
            if not waiting:
                self._items.setdefault(key, deque()).append(item)
                return
            receiver = waiting.popleft()
            if not waiting:
                del self._waiting[key]
        receiver(item, None)

    def frame_rendezvous(self, name: str) -> FrameRendezvous:
        """Returns the rendezvous in a loop's frame."""
        return FrameRendezvous(self, f";0;{name}")

    def send_dead(self, sends: Sequence[Any], frame: str = OUTERMOST) -> None:
        """Marks the unsent tensors of the finished operations `sends` as dead, in an iteration of a frame."""
        for op in sends:
            key = key_of_op(op)
            if frame is not OUTERMOST:
                key = iteration_key(key, frame)
            if key in self._sent:
                self._sent.remove(key)
            else:
                self._deliver(key, Item(_EMPTY_ARRAY, float32, is_dead=True))

    def receive(self, key: str, on_done: Receiver) -> None:
        """Calls `on_done(item, error)` once a tensor with this key has arrived, or with an error."""
        with self._lock:
            items = self._items.get(key)
            if items:
                item, error = items.popleft(), None
                if not items:
                    del self._items[key]
            elif self._error is not None:
                item, error = None, self._error
            else:
                self._waiting.setdefault(key, deque()).append(on_done)
                return
        on_done(item, error)

    def receive_many(self, keys: Sequence[str], on_done: Receivers) -> list[tuple[str, Receiver]]:
        """Calls `on_done(items, error)` once tensors of all the keys have arrived, or with an error.

        Returns the registered receivers, by key.
        """
        with self._lock:
            queues = [self._items.get(key) for key in keys]
            if is_here := all(queues):
                items = [queue.popleft() for queue in queues]  # type: ignore[union-attr]
                for key, queue in zip(keys, queues):
                    if not queue:
                        del self._items[key]
        if is_here:
            on_done(items, None)
            return []
        collector = TensorCollector(len(keys), on_done)
        receivers = [(key, collector.receiver(index)) for index, key in enumerate(keys)]
        for receiver in receivers:
            self.receive(*receiver)
        return receivers

    def forget(self, key: str, on_done: Receiver) -> None:
        """Withdraws a receiver that is still waiting."""
        with self._lock:
            waiting = self._waiting.get(key)
            if waiting and on_done in waiting:
                waiting.remove(on_done)

    def abort(self, error: BaseException) -> None:
        """Fails all present and future receivers with an error."""
        with self._lock:
            if self._error is not None:
                return
            self._error = error
            waiting = [on_done for receivers in self._waiting.values() for on_done in receivers]
            self._waiting.clear()
            self._items.clear()
        for on_done in waiting:
            on_done(None, error)

    def is_aborted(self) -> bool:
        """Whether the step has failed or was cancelled."""
        with self._lock:
            return self._error is not None

    def has_items(self) -> bool:
        """Whether any tensor waits for its receiver."""
        with self._lock:
            return any(self._items.values())

    def begin_receive(self, key: str, says_dead: bool = False) -> PendingOp:
        """Returns the pending receive of a step, from this task or another one.

        says_dead: whether to return the tensor and its liveness instead of raising `DeadTensor`.
        """
        pending_op, withdrawals = _cancellable_receive(
            "Step was cancelled by an explicit call to `Session::Close()`."
        )

        def on_done(item: Item | None, error: BaseException | None) -> None:
            if item is None:
                pending_op.end(error=error)
            elif says_dead:  # a dead predicate counts as false
                value = np.False_ if item.is_dead else item.value
                pending_op.end((value, np.bool_(not item.is_dead)))
            elif item.is_dead:
                pending_op.end(error=DeadTensor(key))
            else:
                pending_op.end(item.value)

        with self._lock:
            error = self._error
        if error is not None:
            pending_op.end(error=error)
            return pending_op
        stop = None if self._fetch is None else self._fetch(self.view, key, on_done)
        if stop is None:
            self.receive(key, on_done)
            stop = lambda: self.forget(key, on_done)  # noqa: E731
        withdrawals.append(stop)
        return pending_op

    def begin_receive_many(self, keys: Sequence[str]) -> PendingOp:
        """Returns the pending receives of a step from one other task, which complete together."""
        pending_op, withdrawals = _cancellable_receive("Step was cancelled")

        def on_done(items: list[Item] | None, error: BaseException | None) -> None:
            if items is None:
                pending_op.end(error=error)
            elif [item for item in items if item.is_dead]:
                pending_op.end(
                    error=InternalError(None, None, "A tensor of a combined receive was not sent")
                )
            else:
                pending_op.end([item.value for item in items])

        with self._lock:
            error = self._error
        if error is not None or self._fetch_many is None:
            pending_op.end(error=error)
        else:
            withdrawals.append(self._fetch_many(self.view, keys, on_done))
        return pending_op


def _cancellable_receive(text: str) -> tuple[PendingOp, list[Callable[[], None]]]:
    """Returns a receive that ends with CancelledError when withdrawn, and a list of functions to call in that case."""
    withdrawals: list[Callable[[], None]] = []

    def withdraw(pending_op: PendingOp) -> None:
        pending_op.end(error=CancelledError(None, None, text))
        for function in withdrawals:
            function()

    return PendingOp(withdraw, passes_on=True), withdrawals


class FrameRendezvous:
    """A step's rendezvous for the iterations of a loop: adds the frame and iteration to keys.

    name: the frame's name within its outer frames, as composed by TensorFlow's executor.
    """

    def __init__(self, shared: Rendezvous, name: str):
        self._step_rendezvous = shared
        self._name = name
        self._hash = int(murmur_hashes(np.array([name.encode()], object))[0])
        self.iteration = 0

    @property
    def _frame(self) -> str:
        return f"{self._hash}:{self.iteration}"

    def frame_rendezvous(self, name: str) -> FrameRendezvous:
        """Returns the rendezvous of a loop nested in this iteration."""
        return FrameRendezvous(self._step_rendezvous, f"{self._name};{self.iteration};{name}")

    def send(self, key: str, value: Any, dtype: Any) -> None:
        """Same as `Rendezvous.send`."""
        self._step_rendezvous.send(iteration_key(key, self._frame), value, dtype)

    def send_dead(self, sends: Sequence[Any]) -> None:
        """Same as `Rendezvous.send_dead`."""
        self._step_rendezvous.send_dead(sends, self._frame)

    def begin_receive(self, key: str, says_dead: bool = False) -> PendingOp:
        """Same as `Rendezvous.begin_receive`."""
        return self._step_rendezvous.begin_receive(iteration_key(key, self._frame), says_dead)


def iteration_key(key: str, frame: str) -> str:
    """Returns the key of a tensor in another frame and iteration."""
    return key[: -len(OUTERMOST)] + frame


_MAX_RECENT = 4096


class RecentSteps:
    """The most recent step ids, for requests that arrive after their step has ended or before it begins."""

    def __init__(self) -> None:
        self._ids: dict[int, None] = {}  # in order of arrival

    def add(self, step_id: int) -> None:
        self._ids[step_id] = None
        if len(self._ids) > _MAX_RECENT:
            del self._ids[next(iter(self._ids))]

    def __contains__(self, step_id: int) -> bool:
        return step_id in self._ids


class Rendezvouses:
    """Rendezvous of all steps that run on a task or are the target of pending requests.

    Ended steps have none; a later request for their tensors waits until its caller cancels it.
    """

    def __init__(self) -> None:
        self._lock = make_lock()
        self._rendezvous_by_step: dict[int, Rendezvous] = {}
        self._ended = RecentSteps()

    def get_or_create(
        self, step: int, make: Callable[[], Rendezvous], begins: bool = True
    ) -> Rendezvous:
        """Returns the rendezvous of a step, created at the first use.

        begins: whether the step begins here; otherwise the requester calls `leave` when it gives up.
        """
        with self._lock:
            rendezvous = self._rendezvous_by_step.get(step)
            if rendezvous is None:
                if step in self._ended:
                    raise CancelledError(None, None, f"Step {step} has ended")
                rendezvous = self._rendezvous_by_step[step] = make()
            if begins:
                rendezvous.guests = None
            elif rendezvous.guests is not None:
                rendezvous.guests += 1
            return rendezvous

    def leave(self, step: int, rendezvous: Rendezvous) -> None:
        """Drops a step that has not begun here once its last requester has left."""
        with self._lock:
            if rendezvous.guests is None:
                return
            rendezvous.guests -= 1
            if not rendezvous.guests and self._rendezvous_by_step.get(step) is rendezvous:
                del self._rendezvous_by_step[step]

    def end(self, step: int, error: BaseException | None = None) -> None:
        """Removes a step; its waiting receivers get an error."""
        with self._lock:
            rendezvous = self._rendezvous_by_step.pop(step, None)
            self._ended.add(step)
        if rendezvous is not None:
            rendezvous.abort(error or CancelledError(None, None, f"Step {step} was cancelled"))

    def end_all(self) -> None:
        with self._lock:
            steps = list(self._rendezvous_by_step)
        for step in steps:
            self.end(step)


class TensorCollector:
    """Collects several tensors; calls `on_done(items, error)` once all have arrived, or one has failed."""

    def __init__(self, count: int, on_done: Receivers):
        self._lock = make_lock()
        self._items: list[Item | None] = [None] * count
        self._missing = count
        self._then = on_done

    def receiver(self, index: int) -> Receiver:
        """Returns a callback that receives the item of this index."""

        def receive(item: Item | None, error: BaseException | None) -> None:
            with self._lock:
                if item is not None:
                    self._items[index] = item
                    self._missing -= 1
                is_over = self._missing == 0 or item is None
                if self._missing < 0 or not is_over:
                    return
                self._missing = -1
            self._then(None if item is None else list(self._items), error)  # type: ignore[arg-type]

        return receive


class Future:
    """A value set by one thread and awaited by another."""

    def __init__(self) -> None:
        self._event = threading.Event()
        self._value: tuple[Any, BaseException | None] = (None, None)

    def put(self, value: Any, error: BaseException | None = None) -> None:
        self._value = (value, error)
        self._event.set()

    def wait(self, seconds: float) -> bool:
        """Waits for at most `seconds`; returns whether the value is set."""
        return self._event.wait(seconds)

    def get(self) -> Any:
        self._event.wait()
        value, error = self._value
        if error is not None:
            raise error
        return value
