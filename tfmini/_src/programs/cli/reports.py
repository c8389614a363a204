"""Reports of `inspect`: as text on a terminal, or as JSON."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from tfmini._src.base import dtypes
from tfmini._src.programs.cli.printable import printable

EMPTY_CELL = "-"  # an empty cell


@dataclass(frozen=True)
class Section:
    """A table: title, column names, rows, and the number of omitted rows."""

    title: str
    columns: tuple[str, ...]
    rows: Sequence[tuple[Any, ...]]
    left_out: int = 0


@dataclass(frozen=True)
class Report:
    """Contents found at a path.

    `items` and `facts` are machine-readable, `lines` and `sections` human-readable; `damage_text` locates the point at
    which reading failed.
    """

    kind: str
    path: str
    items: list[dict[str, Any]]
    lines: list[str]
    sections: list[Section] = field(default_factory=list)
    facts: dict[str, Any] = field(default_factory=dict)
    damage_text: str = ""


def first_rows(
    title: str, columns: tuple[str, ...], rows: Sequence[tuple[Any, ...]], max_rows: int
) -> Section:
    """Returns a table of the first rows."""
    return Section(title, columns, rows[:max_rows], max(0, len(rows) - max_rows))


def as_json(report: Report) -> str:
    """Returns the report as one object: kind, path, facts, items."""
    content = {"kind": report.kind, "path": report.path, **report.facts, "items": report.items}
    return json.dumps(_json_value(content), indent=2, allow_nan=False)


def _json_value(value: Any) -> Any:
    """Replaces NaN and infinities, which JSON lacks, with text."""
    if isinstance(value, float) and not math.isfinite(value):
        return str(value)
    if isinstance(value, dict):
        return {str(key): _json_value(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [_json_value(item) for item in value]
    return value


def drop_empty_columns(section: Section) -> Section:
    """Returns the section without empty columns."""
    selected = [
        i for i in range(len(section.columns)) if any(row[i] is not None for row in section.rows)
    ]
    if len(selected) == len(section.columns) or not section.rows:
        return section
    return replace(
        section,
        columns=tuple(section.columns[i] for i in selected),
        rows=[tuple(row[i] for i in selected) for row in section.rows],
    )


def as_text(report: Report) -> str:
    """Returns the report as plain text, without colors."""
    lines = report_head(report)
    for section in report.sections:
        lines += ["", *_aligned_lines(section)]
    return "\n".join(lines)


def report_head(report: Report) -> list[str]:
    """Returns the lines above the tables."""
    return [
        printable(f"{report.path}: {report.kind.replace('_', ' ')}"),
        *map(printable, report.lines),
    ]


def _aligned_lines(section: Section) -> list[str]:
    section = drop_empty_columns(section)
    heads = align(section)
    rows = [
        [printable(head.lstrip()) for head in heads],
        *([cell(v) for v in row] for row in section.rows),
    ]
    widths = [max(len(row[i]) for row in rows) for i in range(len(heads))]
    lines = [printable(section.title)] if section.title else []
    for row in rows:
        parts = [
            text.rjust(width) if head[:1] == " " else text.ljust(width)
            for text, width, head in zip(row, widths, heads)
        ]
        lines.append("  ".join(parts).rstrip())
    if section.left_out:
        lines.append(f"... and {section.left_out} more")
    return lines


def align(section: Section) -> list[str]:
    """Returns the column names, right-aligned for numeric columns."""
    return [
        (" " if _is_numbers([row[i] for row in section.rows]) else "") + name
        for i, name in enumerate(section.columns)
    ]


def _is_numbers(values: list[Any]) -> bool:
    return bool(values) and all(v is None or isinstance(v, (int, float)) for v in values)


def cell(value: Any) -> str:
    """Returns a value as cell text, with control characters escaped."""
    if value is None:
        return EMPTY_CELL
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        return f"{value:.6g}"
    if isinstance(value, bytes):
        return shorten(value)
    return printable(str(value))


def shorten(data: bytes, max_length: int = 24) -> str:
    """Formats bytes: as text if printable, else the first few in hexadecimal."""
    try:
        text = data[: 4 * max_length].decode()
    except UnicodeDecodeError:
        text = ""
    if text.isprintable() and text:
        return repr(text) if len(text) <= max_length else repr(text[:max_length]) + "..."
    return data[: max_length // 2].hex() + ("..." if len(data) > max_length // 2 else "")


def dtype_name(enum_value: int) -> str:
    """Returns the name of a message's dtype, whose number may be unknown."""
    try:
        return dtypes.as_dtype(enum_value).name
    except TypeError:
        return f"dtype {enum_value}"


def shape_dims(shape: Any) -> list[int | None] | None:
    """Returns a TensorShapeProto as a list, with None for unknown sizes."""
    if shape.unknown_rank:
        return None
    return [None if dim.size < 0 else dim.size for dim in shape.dim]


def shape_text(dims: Sequence[int | None] | None) -> str:
    """Formats a shape: `[?, 784]`, or `unknown`."""
    if dims is None:
        return "unknown"
    return "[" + ", ".join("?" if size is None else str(size) for size in dims) + "]"


def tensor_bytes(dtype: str, dims: Sequence[int | None] | None) -> int | None:
    """Returns the memory of a tensor in bytes; None if unknown."""
    if dims is None or None in dims:
        return None
    try:
        element_type = dtypes.as_dtype(dtype)
    except TypeError:
        return None
    if element_type.base_dtype in (dtypes.string, dtypes.resource, dtypes.variant):
        return None
    return math.prod(size for size in dims if size is not None) * element_type.base_dtype.size


def amount(size: int) -> str:
    """Returns a byte count in readable units."""
    value, units = float(size), ["kB", "MB", "GB", "TB"]
    if size < 1000:
        return f"{size} bytes"
    unit = ""
    while value >= 1000 and units:
        value, unit = value / 1000, units.pop(0)
    return f"{value:.1f} {unit}"


def count_text(count: int, noun: str) -> str:
    """Formats a count with its noun: `1 tensor`, `2 tensors`."""
    return f"{count:,} {noun}" if count == 1 else f"{count:,} {noun}s"
