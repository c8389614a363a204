"""Parsing of CSV lines (RFC 4180) into one tensor per column."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterable, Sequence
from functools import cache, partial
from itertools import chain
from typing import Any

import numpy as np

from tfmini._src.base import dtypes
from tfmini._src.base.errors import InvalidArgumentError, invalid
from tfmini._src.devices.host.native.strings import parse_numbers, split_strings
from tfmini._src.graph.attributes import to_bytes
from tfmini._src.graph.opdef import Attr, op, public, raw
from tfmini._src.graph.shape_inference import Dims, InferenceError, with_rank_at_most
from tfmini._src.graph.tensor import Tensor, TensorLike
from tfmini._src.ops.operands import c_name, unwrap_string
from tfmini._src.ops.string.number_conversion import read_numbers
from tfmini._src.ops.string.string_elements import array_shape, list_strings, vector


@op(
    "DecodeCSV",
    "records: string, record_defaults: OUT_TYPE -> output: OUT_TYPE",
    OUT_TYPE=Attr(
        "list(type)",
        minimum=1,
        allowed=(dtypes.float32, dtypes.float64, dtypes.int32, dtypes.int64, dtypes.string),
    ),
    field_delim=",",
    use_quote_delim=True,
    na_value="",
    select_cols=Attr("list(int)", []),
)
def decode_csv_op(
    xp,
    records,
    record_defaults,
    *,
    OUT_TYPE,
    field_delim,
    use_quote_delim,
    na_value,
    select_cols,
):
    delimiter = to_bytes(field_delim)
    if len(delimiter) != 1:
        invalid("field_delim should be only 1 char")
    for index, default in enumerate(record_defaults):
        sizes = array_shape(default)
        if len(sizes) > 1:
            invalid("Each record default should be at most rank 1")
        if sizes and sizes[0] > 1:
            invalid(f"There should only be 1 default per field but field {index} has {sizes[0]}")
    na = to_bytes(na_value)
    if records.__class__ is bytes and not select_cols:
        row = _parse_unquoted(records, delimiter, OUT_TYPE, na)
        if row is not None:
            return row
    lines = list_strings(records)
    width = len(OUT_TYPE)
    columns = _plain_columns(lines, delimiter, use_quote_delim, width) if not select_cols else None
    if columns is None:
        rows: list[list[bytes]] = []
        last = max(select_cols) if select_cols else sys.maxsize
        for record, line in enumerate(lines):
            try:
                fields = _fields(line, delimiter, use_quote_delim, last)
                if select_cols:
                    fields = [fields[i] for i in select_cols if i < len(fields)]
                if len(fields) != width:
                    invalid(f"Expect {width} fields but have {len(fields)} in record {record}")
            except InvalidArgumentError:
                _raise_first_error(rows, OUT_TYPE, record_defaults, na)
                raise
            rows.append(fields)
        columns = [list(column) for column in zip(*rows)] if rows else [[]] * width
    shape = array_shape(records)
    if columns and OUT_TYPE[0].is_floating and OUT_TYPE.count(OUT_TYPE[0]) == width:
        fields = list(chain.from_iterable(columns))
        values = None if na in fields else parse_numbers("floats", vector(fields), np.float64)
        if values is not None:
            return tuple(values.astype(OUT_TYPE[0].as_numpy_dtype).reshape(width, *shape))
    try:
        return tuple(
            [
                unwrap_string(_parse_column(index, fields, dtype, default, na).reshape(shape))
                for index, (fields, dtype, default) in enumerate(
                    zip(columns, OUT_TYPE, record_defaults)
                )
            ]
        )
    except InvalidArgumentError:
        _raise_first_error(zip(*columns), OUT_TYPE, record_defaults, na)
        raise


_INTEGER = rb"(-?[0-9]{1,9})"
_NUMBER = rb"(-?[0-9]{1,9}(?:\.[0-9]{1,9})?)"


@cache
def _plain_pattern(
    delimiter: bytes, field_types: tuple[dtypes.DType, ...]
) -> re.Pattern[bytes] | None:
    """Returns the pattern of records without quotes or missing fields; None if numbers may contain the delimiter."""
    if delimiter in b"-.0123456789":
        return None
    mark = re.escape(delimiter)
    text = b'([^"\n\r' + mark + b"]+)"
    fields = [
        text if dtype is dtypes.string else _NUMBER if dtype.is_floating else _INTEGER
        for dtype in field_types
    ]
    return re.compile(mark.join(fields))


def _parse_unquoted(line: bytes, delimiter: bytes, field_types: Any, na: bytes) -> tuple | None:
    """Parses a record without quotes or missing fields; returns None if a number has an unusual format."""
    pattern = _plain_pattern(delimiter, tuple(field_types))
    match = None if pattern is None else pattern.fullmatch(line)
    if match is None:
        return None
    fields = match.groups()
    if na and na in fields:
        return None
    array = np.array
    return tuple(
        [
            field
            if dtype is dtypes.string
            else array(float(field) if dtype.is_floating else int(field), dtype.as_numpy_dtype)
            for field, dtype in zip(fields, field_types)
        ]
    )


def _raise_first_error(rows: Iterable, field_types: Any, defaults: Any, na: bytes) -> None:
    """Raises the error of the first invalid field, in line order."""
    for record, row in enumerate(rows):
        for index, (field, dtype, default) in enumerate(zip(row, field_types, defaults)):
            _parse_column(index, [field], dtype, default, na, record)


def _plain_columns(
    lines: list[bytes], delimiter: bytes, quotes: bool, width: int
) -> list[list[bytes]] | None:
    """Splits lines without quotes into columns if all have the expected number of fields, else returns None."""
    text = delimiter.join(lines)
    if b"\n" in text or b"\r" in text or (quotes and b'"' in text) or not all(lines):
        return None
    parts = split_strings(vector(lines), delimiter, "kept")
    if parts is not None:
        _, fields, (_, max_size) = parts
        # Up to the minimum number of fields, which every line has.
        if not lines or max_size != width or fields.size != width * len(lines):
            return None
        return fields.reshape(-1, width).T.tolist()
    if any(line.count(delimiter) != width - 1 for line in lines):
        return None
    split = text.split(delimiter)
    return [split[i::width] for i in range(width)] if lines else None


_QUOTES_AND_LINE_ENDS = re.compile(rb'["\n\r]')
_LINE_ENDS = re.compile(rb"[\n\r]")
_QUOTES = re.compile(rb'"+')
_QUOTE = ord('"')


def _fields(line: bytes, delimiter: bytes, quotes: bool, last: int) -> list[bytes]:
    """Returns the fields of a line at least up to number `last`; the rest is not validated."""
    special = _QUOTES_AND_LINE_ENDS if quotes else _LINE_ENDS
    fields: list[bytes] = []
    position = 0
    while position < len(line) and len(fields) <= last:
        if quotes and line[position] == _QUOTE:
            field, position = _read_quoted(line, position + 1, delimiter)
            fields.append(field)
            position += 1  # skips the delimiter
            if position == len(line):
                fields.append(b"")
            continue
        match = special.search(line, position)
        *plain, started = line[position : match.start() if match else None].split(delimiter)
        fields += plain
        if not match:
            return [*fields, started]
        if started and len(fields) <= last:
            invalid("Unquoted fields cannot have quotes/CRLFs inside")
        position = match.start() + (match[0] != b'"')  # a line end before a field
    return fields


def _read_quoted(line: bytes, start: int, delimiter: bytes) -> tuple[bytes, int]:
    """Reads a quoted field whose opening quote is before `start`, unescaping quotes; returns it and its end."""
    for run in _QUOTES.finditer(line, start):
        end = run.end()
        if (end - run.start()) % 2:
            if end < len(line) and not line.startswith(delimiter, end):
                invalid("Quote inside a string has to be escaped by another quote")
            return line[start : end - 1].replace(b'""', b'"'), end
    invalid("Quoted field has to end with quote followed by delim or end")


def _parse_column(
    index: int, fields: list[bytes], dtype: Any, default: Any, na: bytes, start: int = 0
) -> Any:
    """Returns a column from record `start` on, with the default in place of empty or N/A fields."""
    missing: list[int] = []
    if b"" in fields or na in fields:
        missing = [index for index, field in enumerate(fields) if not field or field == na]
    if missing and default.__class__ is not bytes and not np.size(default):
        invalid(f"Field {index} is required but missing in record {start + missing[0]}!")
    value = default if default.__class__ is bytes else np.ravel(default)[0] if missing else None
    if dtype is dtypes.string:
        column = vector(fields)
    else:
        if missing:
            fields = [field if field and field != na else b"0" for field in fields]
        column = _parse_numbers_natively(fields, dtype)
        if column is None:
            on_invalid: Callable = partial(_raise_field_error, index, dtype, start)
            column = np.array(read_numbers(fields, dtype, on_invalid), dtype.as_numpy_dtype)
    for row in missing:
        column[row] = value
    return column


def _parse_numbers_natively(fields: list[bytes], dtype: Any) -> np.ndarray | None:
    """Parses fields natively as numbers of a dtype; returns None if one is out of range or has an unusual format."""
    if not dtype.is_floating:
        integers = parse_numbers("integers", vector(fields), np.int64)
        if integers is None or dtype is dtypes.int64:
            return integers
        narrow_integers = integers.astype(dtype.as_numpy_dtype)
        return None if (narrow_integers != integers).any() else narrow_integers
    values = parse_numbers("floats", vector(fields), np.float64)
    with np.errstate(over="ignore"):
        return None if values is None else values.astype(dtype.as_numpy_dtype)


def _raise_field_error(column: int, dtype: Any, start: int, text: bytes, row: int) -> None:
    decoded = text.decode("utf-8", "replace")
    invalid(f"Field {column} in record {start + row} is not a valid {c_name(dtype)}: {decoded}")


@decode_csv_op.infer
def _(op) -> list[Dims]:
    for value in op.inputs[1:]:
        dims = with_rank_at_most(value._dims, 1)
        if dims and dims[0] is not None and dims[0] > 1:
            raise InferenceError(
                "Shape of a default must be a length-0 or length-1 vector, or a scalar."
            )
    return [op.inputs[0]._dims] * len(op.outputs)


@public
def decode_csv(
    records: TensorLike,
    record_defaults: Sequence[Any],
    field_delim: str = ",",
    use_quote_delim: bool = True,
    name: str | None = None,
    na_value: str = "",
    select_cols: Sequence[int] | None = None,
) -> list[Tensor]:
    """Parses CSV lines into one tensor per column.

    Args:
      records: string tensor, one line per element.
      record_defaults: for each column, a scalar or one-element vector with the value of empty
        fields, which determines the dtype, or an empty vector if the field is required.
      field_delim: the field separator.
      use_quote_delim: whether fields may be quoted.
      na_value: an additional string to treat as missing.
      select_cols: the columns to return, in ascending order; None for all.

    Returns:
      A list of Tensors of the shape of `records`, one per column.

    Raises:
      ValueError: if `select_cols` is not ascending or has the wrong length.
      InvalidArgumentError (when run): if a line has the wrong number of fields, malformed quotes
        or an invalid number.

    Example: `tf.decode_csv(["1,a", "2,b"], [[0], [""]])[0]` is `[1, 2]`; the second column contains the strings.
    """
    if select_cols is not None:
        if any(a >= b for a, b in zip(select_cols, select_cols[1:])):
            raise ValueError("select_cols is not strictly increasing.")
        if select_cols[0] < 0:
            raise ValueError("select_cols contains negative values.")
        if len(select_cols) != len(record_defaults):
            raise ValueError("Length of select_cols and record_defaults do not match.")
    return raw.DecodeCSV(
        records,
        record_defaults,
        field_delim=field_delim,
        use_quote_delim=use_quote_delim,
        na_value=na_value,
        select_cols=select_cols,
        name=name,
    )
