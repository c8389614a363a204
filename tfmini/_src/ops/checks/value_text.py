"""Text formats of values in Assert, Print and StringFormat.

Assert and Print list the first elements in order; StringFormat, and thus `tf.print`, lists the first and last elements
of every axis, one line per row. Both formats match TensorFlow 1.15.5 digit for digit.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from tfmini._src.ops.operands import dense

_ESCAPES = {
    ord("\n"): "\\n",
    ord("\r"): "\\r",
    ord("\t"): "\\t",
    ord('"'): '\\"',
    ord("'"): "\\'",
    ord("\\"): "\\\\",
}


def escape(data: bytes) -> str:
    """Formats bytes like a C string literal, with octal escapes for bytes outside printable ASCII."""
    return "".join(
        _ESCAPES.get(byte) or (chr(byte) if 32 <= byte < 127 else f"\\{byte:03o}") for byte in data
    )


def number_text(value: Any) -> str:
    """Formats a float with the fewest digits that round-trip: 6 or 9 for float32, 15 or 17 for float64."""
    if np.isnan(value):
        return "-nan" if np.signbit(value) else "nan"
    if value.dtype == np.float64:
        short, exact = f"{value:.15g}", f"{value:.17g}"
        return short if float(short) == value else exact
    value = np.float32(value)
    short = f"{value:.6g}"
    return short if np.float32(short) == value else f"{value:.9g}"


def _formatter(array: np.ndarray, quote: str) -> Callable[[Any], str] | None:
    """Returns the function that formats an element, or None for dtypes whose elements all print as "?"."""
    kind = array.dtype.kind
    if kind == "f":
        return number_text
    if kind in "iub":
        return lambda value: str(int(value))
    if kind == "O" and (array.size == 0 or isinstance(array.flat[0], bytes)):
        return lambda value: f"{quote}{escape(value)}{quote}"
    return None


def _as_numpy(value: Any) -> np.ndarray:
    value = dense(value)
    return value.get() if hasattr(value, "get") else np.asarray(value)


def summarize_value(value: Any, max_entries: int) -> str:
    """Formats the first `max_entries` elements (all if negative), and "..." for the rest, with axes in brackets.

    Example: "[0 1 2][3...]..." for a [4, 3] matrix; the outermost axis has no brackets.
    """
    array = _as_numpy(value)
    limit = array.size if max_entries < 0 else min(max_entries, array.size)
    element = _formatter(array, "")
    suffix = "..." if array.size > limit else ""
    if element is None:
        return " ".join("?" * limit) + suffix
    if array.ndim == 0:
        return (element(array[()]) if limit else "") + suffix
    parts: list[str] = []
    _write_first(array, limit, 0, element, parts)
    return "".join(parts) + suffix


def _write_first(
    array: np.ndarray, limit: int, depth: int, element: Callable, parts: list[str]
) -> int:
    """Writes up to `limit` elements of `array` and returns the number written."""
    if limit <= 0:
        return 0
    if array.ndim == 1:
        parts.append(" ".join(element(value) for value in array[:limit]))
        if depth and len(array) > limit:
            parts.append("...")
        return min(limit, len(array))
    written = 0
    for row in array:
        if written >= limit:
            break
        parts.append("[")
        written += _write_first(row, limit - written, depth + 1, element, parts)
        parts.append("]")
    return written


def format_value(value: Any, max_entries: int) -> str:
    r"""Formats the first and last `max_entries` elements of each axis (all if negative), with strings in quotes.

    Example: "[[0 ... 9]\n ...\n [90 ... 99]]" for a [10, 10] matrix and 1.
    """
    array = _as_numpy(value)
    limit = array.size if max_entries < 0 else min(max_entries, array.size)
    element = _formatter(array, '"')
    if element is None:
        return "[" + " ".join("?" * limit) + ("..." if array.size > limit else "") + "]"
    if array.ndim == 0:
        return element(array[()]) if limit else "..."
    return _edge_items(array, limit, 0, array.ndim, element)


def _edge_items(array: Any, limit: int, depth: int, rank: int, element: Callable) -> str:
    if depth == rank:
        return element(array)
    spacing = " " if depth == rank - 1 else "\n" * (rank - depth - 1) + " " * (depth + 1)
    length = len(array)
    text = spacing.join(
        _edge_items(row, limit, depth + 1, rank, element) for row in array[: min(limit, length)]
    )
    if length > 2 * limit:
        text += spacing + "..."
    for row in array[max(limit, length - limit) :]:
        text += spacing + _edge_items(row, limit, depth + 1, rank, element)
    return f"[{text}]"
