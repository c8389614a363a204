"""Errors of converted functions: the same class, with the program's source lines in the message."""

from __future__ import annotations

import linecache
import os
from types import CodeType
from typing import Any, NamedTuple

from tfmini._src.autograph.converters.transpiler import converted_codes
from tfmini._src.base.errors import InaccessibleTensorError, OperatorNotAllowedInGraphError, OpError
from tfmini._src.base.package import PACKAGE_DIRECTORY
from tfmini._src.graph.stack_traces import common_directory

_PACKAGE = PACKAGE_DIRECTORY + os.sep


class AutoGraphError(Exception):
    """Base class of AutoGraph's own errors."""


class ConversionError(AutoGraphError):
    """Raised if a function cannot be converted."""


class StagingError(AutoGraphError):
    """Raised for an error in a converted function whose class cannot be constructed from a message."""


_ERRORS_WITH_TEXT = (
    *(AssertionError, AttributeError, NameError, NotImplementedError, RuntimeError, StopIteration),
    *(TypeError, ValueError, AutoGraphError, ConversionError, StagingError),
    *(InaccessibleTensorError, OperatorNotAllowedInGraphError),
)


class FrameInfo(NamedTuple):
    """A program line that led to an error."""

    filename: str
    lineno: int
    function_name: str
    converted: bool


class ErrorMetadata(NamedTuple):
    """`ag_error_metadata` of a converted function's error: the program lines that led to it, innermost first."""

    translated_stack: tuple[FrameInfo, ...]
    cause_message: str


class _LongKeyError(KeyError):
    """A KeyError whose message is shown unquoted."""

    def __init__(self, text: str, key: Any) -> None:
        super().__init__(key)
        self._text = text

    def __str__(self) -> str:
        return self._text


_LongKeyError.__name__ = "KeyError"


def translate_error(error: Exception, is_call: bool = False) -> Exception:
    """Returns the error to raise in place of a converted function's error.

    is_call: whether the function's call raised it, because of the arguments.
    """
    if hasattr(error, "ag_pass_through"):
        return error
    metadata = getattr(error, "ag_error_metadata", None)
    metadata = metadata or ErrorMetadata((), f"{type(error).__name__}: {error}")
    inner = metadata.translated_stack
    stack = (*inner, *reversed([frame for frame in _program_frames(error) if frame not in inner]))
    if not is_call and not any(frame.converted for frame in stack):
        return error
    result = _error_like(
        error, _stack_text(stack[::-1], metadata.cause_message), metadata.cause_message
    )
    result.ag_error_metadata = ErrorMetadata(stack, metadata.cause_message)  # type: ignore[attr-defined]
    return result


def _program_frames(error: Exception) -> list[FrameInfo]:
    """Returns the program's frames, outermost first."""
    frames: list[FrameInfo] = []
    trace = error.__traceback__
    while trace is not None:
        code: CodeType = trace.tb_frame.f_code
        if not code.co_filename.startswith(_PACKAGE):
            is_converted = code in converted_codes
            frame = FrameInfo(code.co_filename, trace.tb_lineno, code.co_name, is_converted)
            if not frames or frames[-1] != frame:
                frames.append(frame)
        trace = trace.tb_next
    first = next((n for n, frame in enumerate(frames) if frame.converted), len(frames))
    return frames[first:]


def _stack_text(frames: tuple[FrameInfo, ...], cause: str) -> str:
    files = [frame.filename for frame in frames]
    common = common_directory(files) if len(files) > 1 else ""
    common = "" if common == os.path.sep else common
    text = ["in converted code:"]
    if common:
        text.append(f"    relative to {common}:")
    text.append("")
    for file, line_number, name, is_converted in frames:
        text.append(
            f"    {file[len(common) + 1 if common else 0 :]}:{line_number} {name}{'  *' if is_converted else ''}"
        )
        text.append(
            f"        {linecache.getline(file, line_number).strip() or '<source unavailable>'}"
        )
    return "\n".join([*text, "", *("    " + line for line in cause.split("\n")), ""])


def _error_like(error: Exception, text: str, cause: str) -> Exception:
    """Returns an error of the same class with this message."""
    error_class: Any = type(error)
    if isinstance(error, OpError):
        return error_class(error.node_def, error.op, text)
    if error_class is KeyError or error_class is _LongKeyError:
        return _LongKeyError(text, cause)
    if error_class.__init__ is Exception.__init__ or error_class in _ERRORS_WITH_TEXT:
        return error_class(text)
    return StagingError(text)
