"""A thread's open gradient tapes, which record each op executed or added to a graph."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Protocol

from tfmini._src.base.read_only import read_only
from tfmini._src.graph import nodedef
from tfmini._src.graph.attributes import Attrs
from tfmini._src.graph.tensor import Tensor

if TYPE_CHECKING:
    from tfmini._src.graph.opdef import OpDef


class RecordingTape(Protocol):
    """A tape that is recording. A persistent tape can compute gradients more than once."""

    persistent: bool

    def record(self, op: Any) -> None: ...

    def is_watching(self, tensor: Tensor) -> bool: ...

    def variable_accessed(self, variable: Any) -> None: ...


class _OpenTapes(threading.local):
    """This thread's recording tapes, in the order in which they were opened."""

    def __init__(self) -> None:
        self.tapes: list[RecordingTape] = []


_open_tapes = _OpenTapes()
# Whether a tape was ever opened; until then, the tapes of threads are not checked.
is_in_use = False


class EagerOp:
    """An executed op as seen by gradient rules, in place of a graph node.

    rule: overrides the op's gradient, if not None.
    skip_input_indices: inputs whose gradients are not needed.
    """

    __slots__ = ("attrs", "inputs", "opdef", "outputs", "rule", "skip_input_indices")
    type: str = read_only(attribute="opdef.name")
    name: str = read_only(attribute="opdef.name")

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
    def device(self) -> str:
        return ""

    def get_attr(self, name: str) -> Any:
        """Returns the value of an attr, as TensorFlow returns it; raises ValueError if missing."""
        if name not in self.attrs:
            raise ValueError(f"Operation '{self.name}' has no attr named '{name}'.")
        return nodedef.public_value(self.attrs[name], self.opdef.attrs.get(name))


def recording() -> bool:
    """Whether a tape is recording in this thread."""
    return is_in_use and bool(_open_tapes.tapes)


def record(op: Any) -> None:
    """Records an op, executed or added to a graph, on this thread's tapes."""
    for tape in _open_tapes.tapes:
        tape.record(op)


def record_more_outputs(op: Any) -> None:
    """Records outputs added to an op after it was recorded, on the tapes that watch it."""
    for tape in _open_tapes.tapes:
        if any(map(tape.is_watching, op.outputs)):
            tape.record(op)


def count_watching_tapes(tensors: Iterable[Tensor]) -> int:
    """Returns the number of this thread's tapes that are watching any of these tensors."""
    if not recording():
        return 0
    listed = list(tensors)
    return sum(any(map(tape.is_watching, listed)) for tape in _open_tapes.tapes)


def is_watched_by_persistent_tape(tensors: Iterable[Tensor]) -> bool:
    """Whether a persistent tape of this thread is watching any of these tensors."""
    listed = list(tensors)
    return any(tape.persistent and any(map(tape.is_watching, listed)) for tape in _open_tapes.tapes)


def variable_accessed(variable: Any) -> None:
    """Notifies this thread's tapes that a variable is read."""
    if recording():
        for tape in _open_tapes.tapes:
            tape.variable_accessed(variable)


def push(tape: RecordingTape) -> None:
    """Starts recording on a tape in this thread."""
    global is_in_use
    is_in_use = True
    _open_tapes.tapes.append(tape)


def pop(tape: RecordingTape) -> None:
    """Stops recording on a tape."""
    _open_tapes.tapes.remove(tape)


def count_since(tape: RecordingTape) -> int:
    """Returns the number of this thread's tapes opened since this one, inclusive."""
    return len(_open_tapes.tapes) - _open_tapes.tapes.index(tape)


@contextmanager
def record_on_outer_tapes(tape: RecordingTape) -> Iterator[None]:
    """Context manager that restricts recording to the tapes opened before this one."""
    open_tapes = _open_tapes.tapes
    _open_tapes.tapes = open_tapes[: open_tapes.index(tape)]
    try:
        yield
    finally:
        _open_tapes.tapes = open_tapes


@contextmanager
def stop_recording() -> Iterator[None]:
    """Context manager that pauses all of this thread's tapes."""
    tapes, _open_tapes.tapes = _open_tapes.tapes, []
    try:
        yield
    finally:
        _open_tapes.tapes = tapes
