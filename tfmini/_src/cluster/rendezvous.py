"""Rendezvous of one step on one task: holds tensors until a local receive or a remote request takes them."""

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
from tfmini._src.devices.numpy.siphash_murmur import murmur_hashes
from tfmini._src.ops.pending_ops import Attempt, DeadTensor


class Item(NamedTuple):
    """Tensor that has been sent, with its dtype; `is_dead` if the sender did not run."""

    value: Any
    dtype: Any
    is_dead: bool = False


_NOTHING = np.zeros(0, np.float32)

Receiver = Callable[[Item | None, BaseException | None], None]
Receivers = Callable[[list[Item] | None, BaseException | None], None]


class Rendezvous:
    """Tensors of one step on one task.

    Args:
      fetch: `fetch(view, key, then)` asks another task for a tensor whose key names it, and returns what withdraws
        that; it returns None for a tensor of this task.
      fetch_many: the same for several tensors of one other task, `then(items, error)`. Without them there are no
        attempts.

    view: the tasks as the step's session names them, once it runs here.
    guests: how many other tasks have asked for tensors, before it runs here; None once it does.
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
        self._sent: set[str] = set()  # by operations that are not done

    def send(self, key: str, value: Any, dtype: Any) -> None:
        """Passes a tensor to its waiting receiver, or stores it."""
        if self._fetch is not None:
            self._sent.add(key)
        self._pass(key, Item(value, dtype))

    def _pass(self, key: str, item: Item) -> None:
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

    def in_frame(self, name: str) -> InFrame:
        """The rendezvous in the frame of a loop."""
        return InFrame(self, f";0;{name}")

    def send_dead(self, sends: Sequence[Any], frame: str = OUTERMOST) -> None:
        """Once operations `sends` are done: marks as dead what they have not sent, in an iteration of a frame."""
        for op in sends:
            key = key_of_op(op)
            if frame is not OUTERMOST:
                key = in_iteration(key, frame)
            if key in self._sent:
                self._sent.remove(key)
            else:
                self._pass(key, Item(_NOTHING, float32, is_dead=True))

    def receive(self, key: str, then: Receiver) -> None:
        """Calls `then(item, error)` once a tensor with this key is here, or with an error."""
        with self._lock:
            items = self._items.get(key)
            if items:
                item, error = items.popleft(), None
                if not items:
                    del self._items[key]
            elif self._error is not None:
                item, error = None, self._error
            else:
                self._waiting.setdefault(key, deque()).append(then)
                return
        then(item, error)

    def receive_many(self, keys: Sequence[str], then: Receivers) -> list[tuple[str, Receiver]]:
        """Calls `then(items, error)` once a tensor with each of the keys is here, or with an error.

        Returns those that wait until then, by key.
        """
        with self._lock:
            found = [self._items.get(key) for key in keys]
            if is_here := all(found):
                items = [each.popleft() for each in found]  # type: ignore[union-attr]
                for key, each in zip(keys, found):
                    if not each:
                        del self._items[key]
        if is_here:
            then(items, None)
            return []
        gathering = Gathering(len(keys), then)
        receivers = [(key, gathering.receiver(number)) for number, key in enumerate(keys)]
        for receiver in receivers:
            self.receive(*receiver)
        return receivers

    def forget(self, key: str, then: Receiver) -> None:
        """Withdraws a receiver that still waits."""
        with self._lock:
            waiting = self._waiting.get(key)
            if waiting and then in waiting:
                waiting.remove(then)

    def abort(self, error: BaseException) -> None:
        """Fails all present and future receivers with an error."""
        with self._lock:
            if self._error is not None:
                return
            self._error = error
            waiting = [then for found in self._waiting.values() for then in found]
            self._waiting.clear()
            self._items.clear()
        for then in waiting:
            then(None, error)

    def is_aborted(self) -> bool:
        """Whether the step has failed, or was cancelled."""
        with self._lock:
            return self._error is not None

    def has_items(self) -> bool:
        """Whether a tensor waits here for its receiver."""
        with self._lock:
            return any(self._items.values())

    def attempt(self, key: str, says_dead: bool = False) -> Attempt:
        """A pending receive of a step, from this task or another one.

        says_dead: it gives the tensor and whether there is one, in place of ending with `DeadTensor`.
        """
        withdrawals: list[Callable[[], None]] = []

        def withdraw(attempt: Attempt) -> None:
            attempt.end(
                error=CancelledError(
                    None, None, "Step was cancelled by an explicit call to `Session::Close()`."
                )
            )
            for each in withdrawals:
                each()

        attempt = Attempt(withdraw, passes_on=True)

        def then(item: Item | None, error: BaseException | None) -> None:
            if item is None:
                attempt.end(error=error)
            elif says_dead:  # a predicate that is dead is not true
                value = np.False_ if item.is_dead else item.value
                attempt.end((value, np.bool_(not item.is_dead)))
            elif item.is_dead:
                attempt.end(error=DeadTensor(key))
            else:
                attempt.end(item.value)

        with self._lock:
            error = self._error
        if error is not None:
            attempt.end(error=error)
            return attempt
        stop = None if self._fetch is None else self._fetch(self.view, key, then)
        if stop is None:
            self.receive(key, then)
            stop = lambda: self.forget(key, then)  # noqa: E731
        withdrawals.append(stop)
        return attempt

    def attempt_many(self, keys: Sequence[str]) -> Attempt:
        """Pending receives of a step from one other task, which complete together."""
        withdrawals: list[Callable[[], None]] = []

        def withdraw(attempt: Attempt) -> None:
            attempt.end(error=CancelledError(None, None, "Step was cancelled"))
            for each in withdrawals:
                each()

        attempt = Attempt(withdraw, passes_on=True)

        def then(items: list[Item] | None, error: BaseException | None) -> None:
            if items is None:
                attempt.end(error=error)
            elif [item for item in items if item.is_dead]:
                attempt.end(
                    error=InternalError(None, None, "A tensor of several has not been sent")
                )
            else:
                attempt.end([item.value for item in items])

        with self._lock:
            error = self._error
        if error is not None or self._fetch_many is None:
            attempt.end(error=error)
        else:
            withdrawals.append(self._fetch_many(self.view, keys, then))
        return attempt


class InFrame:
    """A step's rendezvous as the iterations of a loop use it: their keys say which frame and iteration it is.

    name: the frame's in its outer frames, as TensorFlow's executor makes it.
    """

    def __init__(self, whole: Rendezvous, name: str):
        self._whole = whole
        self._name = name
        self._number = int(murmur_hashes(np.array([name.encode()], object))[0])
        self.iteration = 0

    @property
    def _frame(self) -> str:
        return f"{self._number}:{self.iteration}"

    def in_frame(self, name: str) -> InFrame:
        """The rendezvous in a loop inside of this iteration."""
        return InFrame(self._whole, f"{self._name};{self.iteration};{name}")

    def send(self, key: str, value: Any, dtype: Any) -> None:
        """As `Rendezvous.send`."""
        self._whole.send(in_iteration(key, self._frame), value, dtype)

    def send_dead(self, sends: Sequence[Any]) -> None:
        """As `Rendezvous.send_dead`."""
        self._whole.send_dead(sends, self._frame)

    def attempt(self, key: str, says_dead: bool = False) -> Attempt:
        """As `Rendezvous.attempt`."""
        return self._whole.attempt(in_iteration(key, self._frame), says_dead)


def in_iteration(key: str, frame: str) -> str:
    """The key of a tensor in another frame and iteration."""
    return key[: -len(OUTERMOST)] + frame


_MOST_RECENT = 4096


class RecentSteps:
    """The last numbers of steps added, for what arrives after its step has ended, or before it begins."""

    def __init__(self) -> None:
        self._numbers: dict[int, None] = {}  # in the order in which they came

    def add(self, number: int) -> None:
        self._numbers[number] = None
        if len(self._numbers) > _MOST_RECENT:
            del self._numbers[next(iter(self._numbers))]

    def __contains__(self, number: int) -> bool:
        return number in self._numbers


class Rendezvouses:
    """Rendezvous of all steps that a task runs, or has received requests for.

    A step that has ended leaves none; who asks for its tensors later waits in vain until it gives up.
    """

    def __init__(self) -> None:
        self._lock = make_lock()
        self._of_step: dict[int, Rendezvous] = {}
        self._ended = RecentSteps()

    def of(self, step: int, make: Callable[[], Rendezvous], begins: bool = True) -> Rendezvous:
        """Rendezvous of a step, created at the first use.

        begins: whether the step begins here; else who asks for its tensor calls `leave` when it gives that up.
        """
        with self._lock:
            found = self._of_step.get(step)
            if found is None:
                if step in self._ended:
                    raise CancelledError(None, None, f"Step {step} has ended")
                found = self._of_step[step] = make()
            if begins:
                found.guests = None
            elif found.guests is not None:
                found.guests += 1
            return found

    def leave(self, step: int, found: Rendezvous) -> None:
        """Forgets a step that has not begun here once nobody asks for its tensors any more."""
        with self._lock:
            if found.guests is None:
                return
            found.guests -= 1
            if not found.guests and self._of_step.get(step) is found:
                del self._of_step[step]

    def end(self, step: int, error: BaseException | None = None) -> None:
        """Removes a step; receivers that still wait for its tensors get an error."""
        with self._lock:
            found = self._of_step.pop(step, None)
            self._ended.add(step)
        if found is not None:
            found.abort(error or CancelledError(None, None, f"Step {step} was cancelled"))

    def end_all(self) -> None:
        with self._lock:
            steps = list(self._of_step)
        for step in steps:
            self.end(step)


class Gathering:
    """Several tensors that arrive one by one; calls `then(items, error)` once all have, or one has failed."""

    def __init__(self, count: int, then: Receivers):
        self._lock = make_lock()
        self._items: list[Item | None] = [None] * count
        self._missing = count
        self._then = then

    def receiver(self, number: int) -> Receiver:
        """Callback that receives one of the items."""

        def receive(item: Item | None, error: BaseException | None) -> None:
            with self._lock:
                if item is not None:
                    self._items[number] = item
                    self._missing -= 1
                is_over = self._missing == 0 or item is None
                if self._missing < 0 or not is_over:
                    return
                self._missing = -1
            self._then(None if item is None else list(self._items), error)  # type: ignore[arg-type]

        return receive


class Outcome:
    """A value that one thread waits for and another sets."""

    def __init__(self) -> None:
        self._event = threading.Event()
        self._value: tuple[Any, BaseException | None] = (None, None)

    def put(self, value: Any, error: BaseException | None = None) -> None:
        self._value = (value, error)
        self._event.set()

    def wait(self, seconds: float) -> bool:
        """Waits so long at most; returns whether the value is there."""
        return self._event.wait(seconds)

    def get(self) -> Any:
        self._event.wait()
        value, error = self._value
        if error is not None:
            raise error
        return value
