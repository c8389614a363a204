"""Messages in protobuf text format, exactly as TensorFlow 1.15.5 writes them.

Current protobuf prints floats in shortest form and text unescaped. TensorFlow's files print a float's value as a
double ("0.10000000149011612") and only ASCII, with other bytes in octal; comparable files should not differ.
"""

from __future__ import annotations

import enum
from collections.abc import Callable
from typing import Any, TypeAlias

_Format: TypeAlias = Callable[[Any, Any], str]  # formats a value, given the field's descriptor

_DECIMALS = {1: 7, 2: 6}  # significant digits by field type, of doubles and floats

_ESCAPES = {
    **{byte: f"\\{byte:03o}" for byte in (*range(32), *range(127, 256))},
    **{ord(char): "\\" + char for char in "\"'\\"},
    **{ord("\n"): "\\n", ord("\r"): "\\r", ord("\t"): "\\t"},
}


class _Kind(enum.Enum):
    """Cardinality of a message field."""

    ONE = 1
    REPEATED = 2
    MAP = 3


_kinds: dict[Any, _Kind] = {}  # by field: querying a descriptor takes longer than writing the value


def message_text(message: Any) -> str:
    """Formats a message as text, with map entries sorted by key."""
    return _message_text(message, _plain_scalar)


def format_rounded(message: Any) -> str:
    """Formats a message as TensorFlow's `assertProtoEquals` does: doubles with seven decimals, floats with six."""
    return _message_text(message, _rounded_scalar)


def _message_text(message: Any, format_scalar: _Format) -> str:
    lines: list[str] = []
    _append_lines(message, "", lines, format_scalar)
    lines.append("")
    return "\n".join(lines)


def _append_lines(message: Any, indent: str, lines: list[str], format_scalar: _Format) -> None:
    """Appends the lines of a message."""
    for field, value in message.ListFields():
        kind = _kinds.get(field) or _field_kind(field)
        if kind is _Kind.MAP:
            fields = field.message_type.fields_by_name
            for key in sorted(value):
                lines.append(f"{indent}{field.name} {{")
                _write_field(fields["key"], key, indent + "  ", lines, format_scalar)
                _write_field(fields["value"], value[key], indent + "  ", lines, format_scalar)
                lines.append(indent + "}")
        elif kind is _Kind.REPEATED:
            for item in value:
                _write_field(field, item, indent, lines, format_scalar)
        else:
            _write_field(field, value, indent, lines, format_scalar)


def _write_field(
    field: Any, value: Any, indent: str, lines: list[str], format_scalar: _Format
) -> None:
    if field.message_type is not None:
        lines.append(f"{indent}{field.name} {{")
        _append_lines(value, indent + "  ", lines, format_scalar)
        lines.append(indent + "}")
    else:
        lines.append(f"{indent}{field.name}: {format_scalar(field, value)}")


def _field_kind(field: Any) -> _Kind:
    is_map = field.message_type is not None and field.message_type.GetOptions().map_entry
    kind = _Kind.MAP if is_map else _Kind.REPEATED if _is_repeated(field) else _Kind.ONE
    _kinds[field] = kind
    return kind


def _plain_scalar(field: Any, value: Any) -> str:
    if field.enum_type is not None:
        enum_value = field.enum_type.values_by_number.get(value)
        return str(value) if enum_value is None else enum_value.name
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str | bytes):
        data = value.encode() if isinstance(value, str) else value
        return f'"{data.decode("latin1").translate(_ESCAPES)}"'
    return str(value)


def _rounded_scalar(field: Any, value: Any) -> str:
    decimals = _DECIMALS.get(field.type)
    return _plain_scalar(field, value if decimals is None else round(value, decimals))


def _is_repeated(field: Any) -> bool:
    if hasattr(field, "is_repeated"):
        return field.is_repeated
    return field.label == field.LABEL_REPEATED  # protobuf before 6.31
