"""`tensorflow.python.eager.core`: the errors that the C API of eager execution gave to Python; none comes here."""

from __future__ import annotations

from typing import Any

from tfmini._src.base import errors

__all__ = ["_FallbackException", "_NotOkStatusException", "_SymbolicException"]


class _NotOkStatusException(Exception):
    """An op that failed.

    Attributes:
      message: why; code: one of `tf.errors`' codes.
    """

    def __init__(self, message: str, code: int) -> None:
        super().__init__()
        self.message = message
        self.code = code


class _FallbackException(Exception):
    """A call that the fast path could not do."""


class _SymbolicException(Exception):
    """A tensor of a graph that was given to an op that runs at once."""


def _status_to_exception(code: int, message: str) -> Any:
    try:
        return errors.exception_type_from_error_code(code)(None, None, message)
    except KeyError:
        return errors.UnknownError(None, None, message, code)
