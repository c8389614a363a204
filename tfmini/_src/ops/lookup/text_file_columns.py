"""Columns of text files for table initialization: entire lines, line numbers, or fields."""

from __future__ import annotations

from typing import Any

from tfmini._src.base import dtypes
from tfmini._src.base.errors import OutOfRangeError, invalid
from tfmini._src.formats.open_file import read_bytes
from tfmini._src.ops.operands import c_name
from tfmini._src.ops.string.number_conversion import read_numbers

WHOLE_LINE, LINE_NUMBER = -2, -1


def format_value(value: Any) -> str:
    """Formats a key, value or path for error messages."""
    return value.decode("utf-8", "replace") if isinstance(value, bytes) else str(value)


def read_lines(path: bytes, vocab_size: int) -> list[bytes]:
    """Returns the first `vocab_size` lines of a file, or all lines if it is -1."""
    lines = read_bytes(path).split(b"\n")
    if not lines[-1]:
        lines.pop()
    if not lines and vocab_size <= 0:
        raise OutOfRangeError(None, None, "Read less bytes than requested")
    count = len(lines)
    if vocab_size > count and all(lines):  # an empty line is found first
        invalid(
            f"Invalid vocab_size in {format_value(path)}: expected {vocab_size} but got {count}"
        )
    if vocab_size == 0:
        raise OutOfRangeError(None, None, f"Finished reading 0 of lines from {format_value(path)}")
    return lines[:vocab_size] if vocab_size > 0 else lines


def check_index(column: str, index: int, dtype: Any) -> None:
    """Raises InvalidArgumentError unless the column index supports keys or values of this dtype."""
    expected, description = dtype, ""
    if index == LINE_NUMBER:
        expected, description = dtypes.int64, "line number"
    elif index == WHOLE_LINE and not (column == "Key" and dtype.is_integer):
        expected, description = dtypes.string, "whole line"
    if dtype is not expected:
        invalid(
            f"{column} index for {description} requires table {column.lower()} dtype of {expected.name}, "
            f"got {c_name(dtype)}"
        )


def read_columns(
    path: bytes,
    lines: list[bytes],
    index: int,
    dtype: Any,
    separator: bytes,
    first: int,
    last: int,
) -> list:
    """Returns the keys or values in lines `first` to `last`, exclusive."""
    fields = [line.removesuffix(b"\r") for line in lines[first:last]]
    if not all(fields):
        offset = sum(len(line) + 1 for line in lines[: first + fields.index(b"") + 1])
        invalid(f"Invalid content in {format_value(path)}: empty line found at position {offset}.")
    if index == LINE_NUMBER:
        return list(range(first, last))
    if index != WHOLE_LINE:
        whole_lines, fields = fields, []
        for line_number, line in enumerate(whole_lines, first):
            parts = line.split(separator)
            if index >= len(parts):
                invalid(
                    f"Invalid number of columns in {format_value(path)} line {line_number} ({format_value(line)}) : "
                    f"expected {index} got {len(parts)}"
                )
            fields.append(parts[index])
    if dtype is dtypes.string:
        return fields

    def raise_field_error(field: bytes, row: int) -> None:
        invalid(
            f"Field {format_value(field)} in line {first + row} is not a valid {c_name(dtype)}."
        )

    return read_numbers(fields, dtype, raise_field_error)
