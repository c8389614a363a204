"""The gradient tapes that are open in a thread, which are told of each op that runs or is added to a graph."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Protocol

from tfmini._src.graph import nodedef
from tfmini._src.graph.attributes import Attrs
from tfmini._src.graph.tensor import Tensor

if TYPE_CHECKING:
    from tfmini._src.graph.opdef import OpDef


class Recorder(Protocol):
    """A tape that is open; one that is persistent gives gradients more than once."""

    persistent: bool

    def record(self, op: Any) -> None: ...

    def follows(self, tensor: Tensor) -> bool: ...

    def variable_accessed(self, variable: Any) -> None: ...


class _Open(threading.local):
    """The tapes that record in this thread, in the order in which they were opened."""

    def __init__(self) -> None:
        self.tapes: list[Recorder] = []


_open = _Open()
# Whether a tape was ever opened: until then nothing asks for those of the thread.
in_use = False


class Executed:
    """An op that has run, as gradient rules see it: in the place of the node of a graph.

    rule: its gradient where it is not that of the op.
    skip_input_indices: the inputs whose gradients nobody wants.
    """

    __slots__ = ("attrs", "inputs", "opdef", "outputs", "rule", "skip_input_indices")

    def __init__(
        self,
        opdef: OpDef,
        attrs: Attrs,
        inputs: Sequence[Tensor],
        outputs: Sequence[Tensor],
        rule: Callable[..., Any] | None = None,
    ) -> None:
        self.opdef = opdef
        self.attrs = attrs
        self.inputs = inputs
        self.outputs = outputs
        self.rule = rule
        self.skip_input_indices: Sequence[int] = ()

    @property
    def type(self) -> str:
        return self.opdef.name

    @property
    def name(self) -> str:
        return self.opdef.name

    @property
    def device(self) -> str:
        return ""

    def get_attr(self, name: str) -> Any:
        """The value of an attr as TensorFlow gives it; raises ValueError if there is none."""
        if name not in self.attrs:
            raise ValueError(f"Operation '{self.name}' has no attr named '{name}'.")
        return nodedef.public_value(self.attrs[name], self.opdef.attrs.get(name))


def recording() -> bool:
    """Whether a tape of this thread records."""
    return in_use and bool(_open.tapes)


def record(op: Any) -> None:
    """Tells the tapes of this thread of an op, executed or added to a graph."""
    for tape in _open.tapes:
        tape.record(op)


def record_more_outputs(op: Any) -> None:
    """Tells the tapes that have recorded an operation of outputs that it has got since."""
    for tape in _open.tapes:
        if any(map(tape.follows, op.outputs)):
            tape.record(op)


def count_following(tensors: Iterable[Tensor]) -> int:
    """The number of tapes of this thread that one of these tensors matters to."""
    if not recording():
        return 0
    given = list(tensors)
    return sum(any(map(tape.follows, given)) for tape in _open.tapes)


def is_persistent_following(tensors: Iterable[Tensor]) -> bool:
    """Whether one of these tensors matters to a persistent tape of this thread."""
    given = list(tensors)
    return any(tape.persistent and any(map(tape.follows, given)) for tape in _open.tapes)


def variable_accessed(variable: Any) -> None:
    """Tells the tapes of this thread that a variable is read."""
    if recording():
        for tape in _open.tapes:
            tape.variable_accessed(variable)


def push(tape: Recorder) -> None:
    """Lets a tape record what this thread does from now on."""
    global in_use
    in_use = True
    _open.tapes.append(tape)


def pop(tape: Recorder) -> None:
    """Ends the recording of a tape."""
    _open.tapes.remove(tape)


def count_since(tape: Recorder) -> int:
    """The number of tapes of this thread from this one on."""
    return len(_open.tapes) - _open.tapes.index(tape)


@contextmanager
def those_before(tape: Recorder) -> Iterator[None]:
    """A block that only the tapes record which were opened before this one."""
    every = _open.tapes
    _open.tapes = every[: every.index(tape)]
    try:
        yield
    finally:
        _open.tapes = every


@contextmanager
def stop_recording() -> Iterator[None]:
    """A block that no tape of this thread records."""
    tapes, _open.tapes = _open.tapes, []
    try:
        yield
    finally:
        _open.tapes = tapes
