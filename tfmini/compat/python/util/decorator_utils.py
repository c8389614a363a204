"""`tensorflow.python.util.decorator_utils`: helpers for decorators that change docstrings."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from typing import Any

from tfmini._src.base.names.deprecation import check_callable

__all__ = ["add_notice_to_docstring", "classproperty", "get_qualified_name", "validate_callable"]

validate_callable = check_callable


def get_qualified_name(function: Callable) -> str:
    """Returns the qualified name of a function."""
    return function.__qualname__


def add_notice_to_docstring(
    doc: str | None, instructions: str, no_doc_str: str, suffix_str: str, notice: Sequence[str]
) -> str:
    """Returns the docstring with a notice inserted after its first line.

    Args:
      doc: the docstring, or None.
      instructions: the last line of the notice.
      no_doc_str: replacement for an empty docstring.
      suffix_str: suffix of the first line.
      notice: the other lines.

    Raises:
      ValueError: if there are no lines.
    """
    if not notice:
        raise ValueError("The `notice` arg must not be empty.")
    text = inspect.cleandoc(doc or "").rstrip()
    first, *rest = text.split("\n")
    head = f"{first} {suffix_str}" if text else no_doc_str
    lines = [
        head,
        "",
        f"Warning: {notice[0]}",
        *notice[1:],
        *([instructions] if instructions else []),
    ]
    if rest and rest[0].strip():
        lines.append("")
    return "\n".join([*lines, *(line.rstrip() for line in rest)])


class classproperty:
    """Class property: calls the decorated function with the class."""

    def __init__(self, func: Callable) -> None:
        self._function = func

    def __get__(self, owner_self: Any, owner_cls: Any) -> Any:
        return self._function(owner_cls)
