"""HTML tables describing tensors and sessions, for notebooks."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tfmini._src.graph.tensor import Tensor


def tensor_table(tensor: Tensor) -> str:
    """Returns the table of name, dtype, static shape, operation and requested device."""
    rows = [
        ("tensor", tensor.name),
        ("dtype", tensor.dtype.name),
        ("shape", str(tensor.shape)),
        ("operation", tensor.op.type),
    ]
    return table([*rows, ("device", tensor.device)] if tensor.device else rows)


def table(rows: Iterable[tuple[str, str]]) -> str:
    """Returns a two-column HTML table."""
    lines = "".join(
        f"<tr><th>{escape(key)}</th><td>{escape(value)}</td></tr>" for key, value in rows
    )
    return f"<table>{lines}</table>"
