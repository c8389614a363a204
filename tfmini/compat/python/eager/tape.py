"""`tensorflow.python.eager.tape`: the tapes that are open in a thread."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from tfmini._src.autodiff.tape import Tape
from tfmini._src.graph.eager import tapes
from tfmini._src.graph.eager.tapes import stop_recording, variable_accessed
from tfmini._src.graph.opdef import registry
from tfmini._src.graph.tensor import Tensor

__all__ = [
    "Tape",
    "could_possibly_record",
    "pop_tape",
    "push_new_tape",
    "push_tape",
    "record_operation",
    "should_record",
    "stop_recording",
    "variable_accessed",
    "variables_accessed",
    "watch",
    "watch_variable",
]


def push_new_tape(persistent: bool = False, watch_accessed_variables: bool = True) -> Tape:
    """A tape that records from now on."""
    tape = Tape(persistent, watch_accessed_variables)
    tapes.push(tape)
    return tape


def push_tape(tape: Tape) -> None:
    """Lets a tape record from now on."""
    tapes.push(tape)


def pop_tape(tape: Tape) -> None:
    """Ends the recording of a tape."""
    tapes.pop(tape)


def watch(tape: Tape, tensor: Tensor) -> None:
    """Makes a tape record all computations on a tensor."""
    tape.watch(tensor)


def watch_variable(tape: Tape, variable: Any) -> None:
    """Makes a tape record all computations on a variable."""
    tape.watch_variable(variable)


def variables_accessed(variables: Iterable[Any]) -> None:
    """Tells the tapes that variables are read."""
    for variable in variables:
        variable_accessed(variable)


def should_record(tensors: Sequence[Any]) -> bool:
    """Whether a tape follows one of these tensors."""
    return tapes.count_following([t for t in tensors if isinstance(t, Tensor)]) > 0


def could_possibly_record() -> bool:
    """Whether a tape is open."""
    return tapes.recording()


def record_operation(
    op_type: str,
    output_tensors: Sequence[Tensor],
    input_tensors: Sequence[Tensor],
    backward_function: Callable[..., Any],
) -> None:
    """Tells the tapes of a computation with a gradient of its own, `backward_function(*gradients of the outputs)`."""
    rule = _ignoring_op(backward_function)
    op = tapes.Executed(registry["IdentityN"], {}, input_tensors, output_tensors, rule)
    tapes.record(op)


def _ignoring_op(backward_function: Callable[..., Any]) -> Callable[..., Any]:
    return lambda op, *grads: backward_function(*grads)
