"""`tensorflow.python.eager.core`: errors of the C API for eager execution."""

from __future__ import annotations

from typing import Any

from tfmini._src.base import errors
from tfmini._src.graph.eager.symbolic import _SymbolicException

__all__ = ["_FallbackException", "_NotOkStatusException", "_SymbolicException"]


class _NotOkStatusException(Exception):
    """Raised for a failed op.

    Attributes:
      message: the description of the error; code: one of the codes of `tf.errors`.
    """

    def __init__(self, message: str, code: int) -> None:
        super().__init__()
        self.message = message
        self.code = code


class _FallbackException(Exception):
    """Raised for a call that the fast path does not support."""


def _status_to_exception(code: int, message: str) -> Any:
    try:
        return errors.exception_type_from_error_code(code)(None, None, message)
    except KeyError:
        return errors.UnknownError(None, None, message, code)
