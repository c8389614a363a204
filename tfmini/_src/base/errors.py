"""The exceptions of a failing graph: one class for each of TensorFlow's error codes.

An `OpError` carries the message, the code, and the operation that failed. Catching by class is the way to tell the end
of an epoch (`OutOfRangeError`) from a bad value (`InvalidArgumentError`). `tf.errors` is this module.
"""

import inspect as _inspect
import traceback as _traceback
import warnings as _warnings
from typing import Any, NoReturn

# What `tf.errors` offers.

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
    """A tensor was used in a graph or function it cannot be reached from."""


class OperatorNotAllowedInGraphError(TypeError):
    """Python asked a tensor for something that only a value has, such as its truth."""


class OpError(Exception):
    """The error that `Session.run` raises when a step fails; the subclasses say what kind of failure it was.

    Args:
      node_def: the `NodeDef` of the operation that failed, or None.
      op: the operation that failed, or None where it is not one of the user's graph.
      message: what went wrong.
      error_code: the number of the kind of failure, such as `tf.errors.NOT_FOUND`.
    """

    __module__ = "tfmini"  # where it is exported

    def __init_subclass__(cls) -> None:
        """Sets the module of the classes below to the namespace that exports them, which tracebacks print."""
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
        """The description of the failure, without the line where the operation was made."""
        return self._message

    @property
    def op(self) -> Any:
        """The operation that failed, or None where it is not one of the user's graph."""
        return self._op

    @property
    def error_code(self) -> int | None:
        """The number of the kind of failure."""
        return self._error_code

    @property
    def node_def(self) -> Any:
        """The `NodeDef` of the operation that failed, or None."""
        if self._node_def is None and self._op is not None:
            self._node_def = (
                self._op.node_def
            )  # when asked for: a step may have ended for want of memory
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
            output.extend(_without_repeats(lines, previous))
            original = getattr(original, "_original_op", None)
        return "".join(output)


def _creation_lines(op: Any) -> list[str]:
    """The formatted stack at the moment `op` was made, with whole paths, which terminals and editors open."""
    return _traceback.format_list([tuple(frame)[:4] for frame in op.traceback])


def _without_repeats(lines: list[str], previous: list[str]) -> list[str]:
    """`lines`, with runs that are at the same place in `previous` cut to their first and last line."""
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
    """The operation or step was cancelled, for instance by closing its queue or session."""

    def __init__(self, node_def: Any, op: Any, message: str) -> None:
        super().__init__(node_def, op, message, CANCELLED)


class UnknownError(OpError):
    """A failure of no known kind, such as an exception in a user's Python function."""

    def __init__(
        self, node_def: Any, op: Any, message: str, error_code: int | None = UNKNOWN
    ) -> None:
        super().__init__(node_def, op, message, error_code)


class InvalidArgumentError(OpError):
    """A value or shape an operation cannot work with, or a feed or fetch that is not possible."""

    def __init__(self, node_def: Any, op: Any, message: str) -> None:
        super().__init__(node_def, op, message, INVALID_ARGUMENT)


def invalid(text: str) -> NoReturn:
    """Raises the InvalidArgumentError of a kernel or a check; whoever runs the node adds which one it was."""
    raise InvalidArgumentError(None, None, text)


class DeadlineExceededError(OpError):
    """A step did not end within `timeout_in_ms`."""

    def __init__(self, node_def: Any, op: Any, message: str) -> None:
        super().__init__(node_def, op, message, DEADLINE_EXCEEDED)


class NotFoundError(OpError):
    """Something asked for does not exist: a file, a key of a checkpoint, a resource."""

    def __init__(self, node_def: Any, op: Any, message: str) -> None:
        super().__init__(node_def, op, message, NOT_FOUND)


class AlreadyExistsError(OpError):
    """Something to be made exists already."""

    def __init__(self, node_def: Any, op: Any, message: str) -> None:
        super().__init__(node_def, op, message, ALREADY_EXISTS)


class PermissionDeniedError(OpError):
    """The process may not do what was asked, such as read a file."""

    def __init__(self, node_def: Any, op: Any, message: str) -> None:
        super().__init__(node_def, op, message, PERMISSION_DENIED)


class UnauthenticatedError(OpError):
    """The caller did not show who it is."""

    def __init__(self, node_def: Any, op: Any, message: str) -> None:
        super().__init__(node_def, op, message, UNAUTHENTICATED)


class ResourceExhaustedError(OpError):
    """Memory, disk or a quota ran out."""

    def __init__(self, node_def: Any, op: Any, message: str) -> None:
        super().__init__(node_def, op, message, RESOURCE_EXHAUSTED)


class FailedPreconditionError(OpError):
    """The state the operation needs is not there: most often, a variable not initialized."""

    def __init__(self, node_def: Any, op: Any, message: str) -> None:
        super().__init__(node_def, op, message, FAILED_PRECONDITION)


class AbortedError(OpError):
    """The operation was given up because of another one, such as a restarted server."""

    def __init__(self, node_def: Any, op: Any, message: str) -> None:
        super().__init__(node_def, op, message, ABORTED)


class OutOfRangeError(OpError):
    """The end of the input: of an iterator, of a file, or of a queue that was closed."""

    def __init__(self, node_def: Any, op: Any, message: str) -> None:
        super().__init__(node_def, op, message, OUT_OF_RANGE)


class UnimplementedError(OpError):
    """The operation does not support these arguments, though they are valid."""

    def __init__(self, node_def: Any, op: Any, message: str) -> None:
        super().__init__(node_def, op, message, UNIMPLEMENTED)


class InternalError(OpError):
    """Something the runtime relies on does not hold: a defect."""

    def __init__(self, node_def: Any, op: Any, message: str) -> None:
        super().__init__(node_def, op, message, INTERNAL)


class UnavailableError(OpError):
    """A server cannot be reached at the moment."""

    def __init__(self, node_def: Any, op: Any, message: str) -> None:
        super().__init__(node_def, op, message, UNAVAILABLE)


class DataLossError(OpError):
    """Data is cut off or does not match its checksum."""

    def __init__(self, node_def: Any, op: Any, message: str) -> None:
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
    """The subclass of `OpError` for a code: `exception_type_from_error_code(5)` is `NotFoundError`.

    Raises:
      KeyError: no class stands for the code (`OK` has none).
    """
    return _CLASS_OF_CODE[error_code]


def error_code_from_exception_type(cls: type[Any]) -> Any:
    """The code of a subclass of `OpError`; for another class, an `UnknownError` and a warning."""
    try:
        return _CODE_OF_CLASS[cls]
    except KeyError:
        _warnings.warn("Unknown class exception", stacklevel=2)
        return UnknownError(None, None, "Unknown class exception", None)


def make_error(node_def: Any, op: Any, message: str, error_code: int) -> OpError:
    """The exception for a code that came as a number, `UnknownError` for an unknown one."""
    if error_code in _CLASS_OF_CODE:
        return _CLASS_OF_CODE[error_code](node_def, op, message)
    return UnknownError(node_def, op, message, error_code)
