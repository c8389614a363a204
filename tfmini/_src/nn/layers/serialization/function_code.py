"""Functions as plain data: bytecode, defaults and closure, which only the same Python version can read."""

from __future__ import annotations

import codecs
import marshal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from types import CellType, FunctionType
from typing import Any

from tfmini._src.base.names.safety import is_safe

_forbids_code: ContextVar[bool] = ContextVar("refuses", default=False)


@contextmanager
def forbid_code(forbids: bool) -> Iterator[None]:
    """Context manager that forbids creating functions from bytecode if `forbids` is true."""
    token = _forbids_code.set(forbids or _forbids_code.get())
    try:
        yield
    finally:
        _forbids_code.reset(token)


def dump_code(function: Any) -> tuple[str, Any, Any]:
    """Returns a function's base64-encoded code, its defaults, and the values of its closure (or None)."""
    code = codecs.encode(marshal.dumps(function.__code__), "base64").decode("ascii")
    cells = function.__closure__
    return code, function.__defaults__, cells and tuple(cell.cell_contents for cell in cells)


def load_code(data: Any, names: dict[str, Any]) -> Callable:
    """Recreates a function from the result of `dump_code`.

    Args:
      data: the result of `dump_code`, possibly with lists instead of tuples.
      names: the function's globals.
    """
    if _forbids_code.get() or is_safe():
        raise ValueError(
            "The file contains bytecode (a Lambda layer with an unnamed function), which can run arbitrary code. "
            "`safe_mode=True` and TFMINI_SAFE reject it; disable them only for files from sources that you trust."
        )
    code, defaults, closure = data
    body = marshal.loads(codecs.decode(code.encode("ascii"), "base64"))
    cells = None if closure is None else tuple(CellType(value) for value in closure)
    arguments = tuple(defaults) if isinstance(defaults, list) else defaults
    return FunctionType(body, names, name=body.co_name, argdefs=arguments, closure=cells)
