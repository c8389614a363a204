"""Exceptions raised by graph execution: one class per TensorFlow error code.

An `OpError` carries the message, the code and the failed operation. Catch by class to distinguish the end
of an epoch (`OutOfRangeError`) from a bad value (`InvalidArgumentError`). `tf.errors` is this module.
"""

from __future__ import annotations

import inspect as _inspect
import traceback as _traceback
import warnings as _warnings
from typing import Any, NoReturn

# Names in `tf.errors`.

OK = 0
CANCELLED = 1
UNKNOWN = 2
INVALID_ARGUMENT = 3
DEADLINE_EXCEEDED = 4
NOT_FOUND = 5
ALREADY_EXISTS = 6
PERMISSION_DENIED = 7
RESOURCE_EXHAUSTED = 8
FAILED_PRECONDITION = 9
ABORTED = 10
OUT_OF_RANGE = 11
UNIMPLEMENTED = 12
INTERNAL = 13
UNAVAILABLE = 14
DATA_LOSS = 15
UNAUTHENTICATED = 16


class InaccessibleTensorError(ValueError):
    """A tensor was used in a graph or function from which it is not accessible."""


class OperatorNotAllowedInGraphError(TypeError):
    """A graph tensor was used where Python needs its value, such as in a condition."""


class OpError(Exception):
    """Base class of the errors that `Session.run` raises when a step fails; subclasses identify the kind of failure.

    Args:
      node_def: `NodeDef` of the failed operation, or None.
      op: the failed operation, or None if it does not belong to the user's graph.
      message: description of the failure.
      error_code: the error code, such as `tf.errors.NOT_FOUND`.
    """

    __module__ = "tfmini"  # the public module

    def __init_subclass__(cls) -> None:
        """Sets the module of this module's subclasses to their public namespace, which tracebacks print."""
        if cls.__module__ == __name__:
            cls.__module__ = "tfmini.errors"

    def __init__(self, node_def: Any, op: Any, message: str, error_code: int | None) -> None:
        super().__init__()
        self._node_def = node_def
        self._op = op
        self._message = message
        self._error_code = error_code

    def __reduce__(self) -> tuple[Any, ...]:
        parameters = list(_inspect.signature(type(self).__init__).parameters)[1:]
        return type(self), tuple(getattr(self, parameter) for parameter in parameters)

    @property
    def message(self) -> str:
        """Description of the failure, without the operation's creation stack."""
        return self._message

    @property
    def op(self) -> Any:
        """The failed operation, or None if it does not belong to the user's graph."""
        return self._op

    @property
    def error_code(self) -> int | None:
        """The error code, an int."""
        return self._error_code

    @property
    def node_def(self) -> Any:
        """`NodeDef` of the failed operation, or None."""
        if self._node_def is None and self._op is not None:
            # Formatted on demand: the step may have ended out of memory.
            self._node_def = self._op.node_def
        return self._node_def

    def __str__(self) -> str:
        if self._op is None:
            return self.message
        lines = _creation_lines(self._op)
        output = [f"{self.message}\n\nOriginal stack trace for {self._op.name!r}:\n", *lines]
        original = getattr(self._op, "_original_op", None)
        while original is not None:
            output.append(
                f"\n...which was originally created as op {original.name!r}, defined at:\n"
            )
            previous, lines = lines, _creation_lines(original)
            output.extend(_elide_repeats(lines, previous))
            original = getattr(original, "_original_op", None)
        return "".join(output)


def _creation_lines(op: Any) -> list[str]:
    """Returns the formatted creation stack of `op`, with absolute paths that terminals and editors can open."""
    return _traceback.format_list([tuple(frame)[:4] for frame in op.traceback])


# Python 3.15 imports modules when it first formats a frame, which fails once file descriptors have run out.
_traceback.format_list([("", 0, "", "")])


def _elide_repeats(lines: list[str], previous: list[str]) -> list[str]:
    """Returns `lines` with runs shared with `previous` elided, except for their first and last line."""
    output: list[str] = []
    run: list[str] = []

    def end_run() -> None:
        if len(run) > 1:
            output.append(f"[elided {len(run) - 2} identical lines from previous traceback]\n")
            output.append(run[-1])
        run.clear()

    for line, other in zip(lines, previous, strict=False):
        if line == other:
            if not run:
                output.append(line)
            run.append(line)
        else:
            end_run()
            output.append(line)
    return output


class CancelledError(OpError):
    """The operation or step was cancelled, for example because its queue or session was closed."""

    def __init__(self, node_def: object, op: object, message: str) -> None:
        super().__init__(node_def, op, message, CANCELLED)


class UnknownError(OpError):
    """A failure of unknown kind, such as an exception in a user's Python function."""

    def __init__(
        self, node_def: object, op: object, message: str, error_code: int | None = UNKNOWN
    ) -> None:
        super().__init__(node_def, op, message, error_code)


class InvalidArgumentError(OpError):
    """An invalid value or shape for an operation, or an invalid feed or fetch."""

    def __init__(self, node_def: object, op: object, message: str) -> None:
        super().__init__(node_def, op, message, INVALID_ARGUMENT)


def invalid(text: str) -> NoReturn:
    """Raises InvalidArgumentError from a kernel or check; the executor adds the node."""
    raise InvalidArgumentError(None, None, text)


class DeadlineExceededError(OpError):
    """A step did not finish within `timeout_in_ms`."""

    def __init__(self, node_def: object, op: object, message: str) -> None:
        super().__init__(node_def, op, message, DEADLINE_EXCEEDED)


class NotFoundError(OpError):
    """A requested entity does not exist: a file, a checkpoint key, a resource."""

    def __init__(self, node_def: object, op: object, message: str) -> None:
        super().__init__(node_def, op, message, NOT_FOUND)


class AlreadyExistsError(OpError):
    """An entity to be created already exists."""

    def __init__(self, node_def: object, op: object, message: str) -> None:
        super().__init__(node_def, op, message, ALREADY_EXISTS)


class PermissionDeniedError(OpError):
    """The process lacks permission for the operation, such as reading a file."""

    def __init__(self, node_def: object, op: object, message: str) -> None:
        super().__init__(node_def, op, message, PERMISSION_DENIED)


class UnauthenticatedError(OpError):
    """The caller is not authenticated."""

    def __init__(self, node_def: object, op: object, message: str) -> None:
        super().__init__(node_def, op, message, UNAUTHENTICATED)


class ResourceExhaustedError(OpError):
    """Memory, disk or a quota ran out."""

    def __init__(self, node_def: object, op: object, message: str) -> None:
        super().__init__(node_def, op, message, RESOURCE_EXHAUSTED)


class FailedPreconditionError(OpError):
    """The system is not in the state that the operation requires; most often, a variable is uninitialized."""

    def __init__(self, node_def: object, op: object, message: str) -> None:
        super().__init__(node_def, op, message, FAILED_PRECONDITION)


class AbortedError(OpError):
    """The operation was aborted because of another one, such as a server restart."""

    def __init__(self, node_def: object, op: object, message: str) -> None:
        super().__init__(node_def, op, message, ABORTED)


class OutOfRangeError(OpError):
    """End of input: of an iterator, a file, or a closed queue."""

    def __init__(self, node_def: object, op: object, message: str) -> None:
        super().__init__(node_def, op, message, OUT_OF_RANGE)


class UnimplementedError(OpError):
    """The operation does not support these arguments, although they are valid."""

    def __init__(self, node_def: object, op: object, message: str) -> None:
        super().__init__(node_def, op, message, UNIMPLEMENTED)


class InternalError(OpError):
    """An internal invariant was violated: a bug."""

    def __init__(self, node_def: object, op: object, message: str) -> None:
        super().__init__(node_def, op, message, INTERNAL)


class UnavailableError(OpError):
    """A server is currently unreachable."""

    def __init__(self, node_def: object, op: object, message: str) -> None:
        super().__init__(node_def, op, message, UNAVAILABLE)


class DataLossError(OpError):
    """Data is truncated or does not match its checksum."""

    def __init__(self, node_def: object, op: object, message: str) -> None:
        super().__init__(node_def, op, message, DATA_LOSS)


_CLASS_OF_CODE: dict[int, type[Any]] = {
    CANCELLED: CancelledError,
    UNKNOWN: UnknownError,
    INVALID_ARGUMENT: InvalidArgumentError,
    DEADLINE_EXCEEDED: DeadlineExceededError,
    NOT_FOUND: NotFoundError,
    ALREADY_EXISTS: AlreadyExistsError,
    PERMISSION_DENIED: PermissionDeniedError,
    UNAUTHENTICATED: UnauthenticatedError,
    RESOURCE_EXHAUSTED: ResourceExhaustedError,
    FAILED_PRECONDITION: FailedPreconditionError,
    ABORTED: AbortedError,
    OUT_OF_RANGE: OutOfRangeError,
    UNIMPLEMENTED: UnimplementedError,
    INTERNAL: InternalError,
    UNAVAILABLE: UnavailableError,
    DATA_LOSS: DataLossError,
}
_CODE_OF_CLASS = {error_class: code for code, error_class in _CLASS_OF_CODE.items()}


def exception_type_from_error_code(error_code: int) -> type[Any]:
    """Returns the subclass of `OpError` for a code: `exception_type_from_error_code(5)` is `NotFoundError`.

    Raises:
      KeyError: if the code has no class (such as `OK`).
    """
    return _CLASS_OF_CODE[error_code]


def error_code_from_exception_type(cls: type[Any]) -> Any:
    """Returns the code of a subclass of `OpError`; for other classes, an `UnknownError`, with a warning."""
    try:
        return _CODE_OF_CLASS[cls]
    except KeyError:
        _warnings.warn("Unknown class exception", stacklevel=2)
        return UnknownError(None, None, "Unknown class exception", None)


def make_error(node_def: Any, op: Any, message: str, error_code: int) -> OpError:
    """Creates the exception for a numeric error code; `UnknownError` if the code is unknown."""
    if error_code in _CLASS_OF_CODE:
        return _CLASS_OF_CODE[error_code](node_def, op, message)
    return UnknownError(node_def, op, message, error_code)
