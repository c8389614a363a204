"""Messages in protobuf's text format, as TensorFlow 1.15.5 writes them.

The libraries of today print a float at its shortest and text as it is. TensorFlow's files have a float's value as a
double's ("0.10000000149011612") and only ASCII, other bytes in octal; files that are compared should not differ.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

_ESCAPES = {
    **{byte: f"\\{byte:03o}" for byte in (*range(32), *range(127, 256))},
    **{ord(char): "\\" + char for char in "\"'\\"},
    **{ord("\n"): "\\n", ord("\r"): "\\r", ord("\t"): "\\t"},
}


def message_text(message: Any) -> str:
    """A message as text, the entries of maps sorted by key."""
    return "".join(f"{line}\n" for line in _lines(message, ""))


def _lines(message: Any, indent: str) -> Iterator[str]:
    for field, value in message.ListFields():
        if _is_map(field):
            kinds = field.message_type.fields_by_name
            for key in sorted(value):
                yield f"{indent}{field.name} {{"
                yield from _field(kinds["key"], key, indent + "  ")
                yield from _field(kinds["value"], value[key], indent + "  ")
                yield indent + "}"
        elif _is_repeated(field):
            for item in value:
                yield from _field(field, item, indent)
        else:
            yield from _field(field, value, indent)


def _field(field: Any, value: Any, indent: str) -> Iterator[str]:
    if field.message_type is not None:
        yield f"{indent}{field.name} {{"
        yield from _lines(value, indent + "  ")
        yield indent + "}"
    else:
        yield f"{indent}{field.name}: {_scalar(field, value)}"


def _scalar(field: Any, value: Any) -> str:
    if field.enum_type is not None:
        known = field.enum_type.values_by_number.get(value)
        return str(value) if known is None else known.name
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str | bytes):
        data = value.encode() if isinstance(value, str) else value
        return f'"{data.decode("latin1").translate(_ESCAPES)}"'
    return str(value)


def _is_repeated(field: Any) -> bool:
    if hasattr(field, "is_repeated"):
        return field.is_repeated
    return field.label == field.LABEL_REPEATED  # protobuf before 6.31


def _is_map(field: Any) -> bool:
    return field.message_type is not None and field.message_type.GetOptions().map_entry
