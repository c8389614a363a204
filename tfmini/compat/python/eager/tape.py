"""`tensorflow.python.eager.tape`: the active tapes of a thread."""

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
    """Starts a new tape, which records until it is popped."""
    tape = Tape(persistent, watch_accessed_variables)
    tapes.push(tape)
    return tape


def push_tape(tape: Tape) -> None:
    """Resumes recording on a tape."""
    tapes.push(tape)


def pop_tape(tape: Tape) -> None:
    """Ends recording on a tape."""
    tapes.pop(tape)


def watch(tape: Tape, tensor: Tensor) -> None:
    """Makes a tape record all computations on a tensor."""
    tape.watch(tensor)


def watch_variable(tape: Tape, variable: Any) -> None:
    """Makes a tape record all computations on a variable."""
    tape.watch_variable(variable)


def variables_accessed(variables: Iterable[Any]) -> None:
    """Notifies the tapes that variables are read."""
    for variable in variables:
        variable_accessed(variable)


def should_record(tensors: Sequence[Any]) -> bool:
    """Whether a tape watches one of these tensors or a dependency of it."""
    return tapes.count_watching_tapes([t for t in tensors if isinstance(t, Tensor)]) > 0


def could_possibly_record() -> bool:
    """Whether a tape is active."""
    return tapes.recording()


def record_operation(
    op_type: str,
    output_tensors: Sequence[Tensor],
    input_tensors: Sequence[Tensor],
    backward_function: Callable[..., Any],
) -> None:
    """Notifies the tapes of a computation that has its own gradient, `backward_function(*output gradients)`."""
    rule = _ignoring_op(backward_function)
    op = tapes.EagerOp(registry["IdentityN"], {}, input_tensors, output_tensors, rule)
    tapes.record(op)


def _ignoring_op(backward_function: Callable[..., Any]) -> Callable[..., Any]:
    return lambda op, *grads: backward_function(*grads)
