"""`tensorflow.python.eager.core`: errors of the C API of eager execution, which are never raised here."""

from __future__ import annotations

from typing import Any

from tfmini._src.base import errors

__all__ = ["_FallbackException", "_NotOkStatusException", "_SymbolicException"]


class _NotOkStatusException(Exception):
    """The error of a failed op.

    Attributes:
      message: its description; code: one of `tf.errors`' codes.
    """

    def __init__(self, message: str, code: int) -> None:
        super().__init__()
        self.message = message
        self.code = code


class _FallbackException(Exception):
    """The error of a call that the fast path does not support."""


class _SymbolicException(Exception):
    """The error of a graph tensor passed to an eager op."""


def _status_to_exception(code: int, message: str) -> Any:
    try:
        return errors.exception_type_from_error_code(code)(None, None, message)
    except KeyError:
        return errors.UnknownError(None, None, message, code)
