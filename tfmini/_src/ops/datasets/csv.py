"""Datasets of CSV files (RFC 4180), with one component per column.

A malformed record raises an error, and iteration continues with the next record. Files are parsed in chunks;
records without quotes are split by `split`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any

import numpy as np

from tfmini._src.base import dtypes
from tfmini._src.base.errors import DataLossError, InvalidArgumentError, invalid
from tfmini._src.devices.host.native.strings import parse_numbers
from tfmini._src.graph.opdef import Attr, op
from tfmini._src.graph.shape_inference import InferenceError, with_rank_at_most
from tfmini._src.ops.datasets.dataset_value import (
    SHAPES,
    Element,
    handle_shape,
    scalar_argument,
    set_declared_types,
    string_argument,
)
from tfmini._src.ops.datasets.file_datasets import (
    Files,
    file_paths,
    open_decompressed,
    read_chunks,
)
from tfmini._src.ops.operands import c_name
from tfmini._src.ops.string.number_conversion import read_numbers
from tfmini._src.ops.string.string_elements import vector

_QUOTE = 0x22
_TYPES = (dtypes.float32, dtypes.float64, dtypes.int32, dtypes.int64, dtypes.string)
_UNQUOTED_ERROR = "Unquoted fields cannot have quotes inside"
_UNESCAPED_QUOTE_ERROR = "Quote inside a string has to be escaped by another quote"
_UNCLOSED_QUOTE_ERROR = "Reached end of file without closing quoted field in record"


class Columns:
    """Conversion of the fields of records to components.

    Args:
      types: the component dtypes.
      defaults: an array per column, with one element, or none for a required field.
      selected: the indices of the columns to read, in order; empty for all.
      na: the text that represents an empty field.
    """

    def __init__(self, types: Sequence[Any], defaults: Sequence[Any], selected: list, na: bytes):
        self._types = types
        self._defaults = [np.ravel(np.asarray(default, object)) for default in defaults]
        self._selected = selected
        self._na = na
        self._kinds = [None if t is dtypes.string else t.as_numpy_dtype for t in types]
        is_plain = len({*types}) == 1 and types[0].is_floating and not selected
        self._plain: Any = self._kinds[0] if is_plain else None  # the common floating dtype, if any

    def element(self, fields: Sequence[bytes | InvalidArgumentError]) -> tuple:
        """Returns the components of a record; raises InvalidArgumentError for the first invalid field."""
        if self._plain is not None and len(fields) == len(self._types) and self._na not in fields:
            values = parse_numbers("floats", vector(fields), np.float64)  # type: ignore[arg-type]
            if values is not None:
                with np.errstate(over="ignore"):
                    return tuple(values.astype(self._plain))
        results: list[Any] = []
        failed: InvalidArgumentError | None = None
        selected = self._selected
        if selected:
            requested = set(selected)
            errors = [f for f in fields if isinstance(f, InvalidArgumentError)]
            failed = errors[0] if errors else None
            fields = [field for n, field in enumerate(fields) if n in requested]
        for field in fields:
            try:
                if isinstance(field, InvalidArgumentError):
                    raise field
                results.append(self._component(len(results), field))
            except InvalidArgumentError as error:
                failed = failed or error
        if failed is not None:
            raise failed
        if len(results) != len(self._types):
            invalid(f"Expect {len(self._types)} fields but have {len(results)} in record")
        return tuple(results)

    def _component(self, index: int, field: bytes) -> Any:
        if index >= len(self._types):
            invalid(f"Expect {len(self._types)} fields but have more in record")
        convert = self._kinds[index]
        if not field or field == self._na:
            default = self._defaults[index]
            if len(default) != 1:
                invalid(f"Field {index} is required but missing in record!")
            return default[0] if convert is None else convert(default[0])
        if convert is None:
            return field
        on_invalid: Callable = partial(_raise_field_error, index, self._types[index])
        return convert(read_numbers([field], self._types[index], on_invalid)[0])


def _raise_field_error(index: int, dtype: Any, text: bytes, row: int) -> None:
    decoded = text.decode("utf-8", "replace")
    invalid(f"Field {index} in record is not a valid {c_name(dtype)}: {decoded}")


def _iterate_csv_records(
    parts: Iterator[bytes], delimiter: bytes, quotes: bool
) -> Iterator[list[bytes | InvalidArgumentError]]:
    """Yields the fields of each record, or an error if the record is invalid."""
    data, is_last = b"", False
    while True:
        part = next(parts, b"")
        is_last = not part
        data += part
        position = 0
        while position < len(data):
            end = data.find(b"\n", position)
            line = data[position : end if end >= 0 else len(data)]
            if end >= 0 and b"\r" not in line and not (quotes and b'"' in line):
                yield line.split(delimiter)  # type: ignore[misc]
                position = end + 1
                continue
            fields, next_position = _parse(data, position, delimiter, quotes, is_last)
            if fields is None:
                break
            yield fields
            position = next_position
        data = data[position:]
        if is_last:
            return


def _parse(
    data: bytes, position: int, delimiter: bytes, quotes: bool, is_last: bool
) -> tuple[list[bytes | InvalidArgumentError] | None, int]:
    """Parses the record at `position`: returns its fields and the start of the next record; None if incomplete."""
    fields: list[bytes | InvalidArgumentError] = []
    size = len(data)
    while True:
        if position >= size:
            if not is_last:
                return None, position
            return [*fields, b""], position
        parse = _parse_quoted if quotes and data[position] == _QUOTE else _parse_unquoted_field
        field, position = parse(data, position, delimiter, quotes)
        if position >= size and not is_last:
            return None, position
        fields.append(field)
        if position >= size:
            return fields, position
        terminator = data[position : position + 1]
        position += 1
        if terminator == delimiter:
            continue
        if terminator == b"\r":
            if position >= size and not is_last:
                return None, position
            if data[position : position + 1] == b"\n":
                position += 1
        return fields, position


def _parse_unquoted_field(
    data: bytes, position: int, delimiter: bytes, quotes: bool
) -> tuple[bytes | InvalidArgumentError, int]:
    positions = [data.find(mark, position) for mark in (delimiter, b"\n", b"\r")]
    end = min([position for position in positions if position >= 0], default=len(data))
    field = data[position:end]
    if quotes and b'"' in field:
        return InvalidArgumentError(None, None, _UNQUOTED_ERROR), end
    return field, end


def _parse_quoted(
    data: bytes, position: int, delimiter: bytes, quotes: bool
) -> tuple[bytes | InvalidArgumentError, int]:
    """Parses the quoted field at `position`; returns its text, with doubled quotes unescaped, and its end."""
    pieces: list[bytes] = []
    failed: InvalidArgumentError | None = None
    position += 1
    while True:
        end = data.find(b'"', position)
        if end < 0:
            return InvalidArgumentError(None, None, _UNCLOSED_QUOTE_ERROR), len(data)
        pieces.append(data[position:end])
        next_byte = data[end + 1 : end + 2]
        if next_byte in (b"", delimiter, b"\n", b"\r"):
            return failed or b"".join(pieces), end + 1
        if next_byte != b'"':
            failed = failed or InvalidArgumentError(None, None, _UNESCAPED_QUOTE_ERROR)
        pieces.append(b'"')
        position = end + 2


class CsvFiles(Files):
    """Records of CSV files, some of which may be invalid."""

    def element(self, record: Any) -> Element:
        if isinstance(record, InvalidArgumentError):
            raise record
        return record


def _elements(
    path: str, compression: str, columns: Columns, delimiter: bytes, quotes: bool, header: bool
) -> Iterator[Any]:
    """Yields the components of each record of a file, or its error."""
    file = open_decompressed(path, compression)
    try:
        records = _iterate_csv_records(read_chunks(file, path), delimiter, quotes)
        if header:
            try:
                first = next(records, None)
            except DataLossError:
                first = None
            if first is None or any(isinstance(f, InvalidArgumentError) for f in first):
                invalid("Can't read header of file")
        for fields in records:
            try:
                element: Any = columns.element(fields)
            except InvalidArgumentError as error:
                element = error
            yield element
    finally:
        file.close()


@op(
    "CSVDataset",
    "filenames: string, compression_type: string, buffer_size: int64, header: bool, field_delim: string, "
    "use_quote_delim: bool, na_value: string, select_cols: int64, record_defaults: output_types -> handle: variant",
    stateful=True,
    output_types=Attr("list(type)", minimum=1, allowed=_TYPES),
    output_shapes=SHAPES,
    uses_files=True,
)
def csv_dataset_op(
    ctx,
    filenames,
    compression_type,
    buffer_size,
    header,
    field_delim,
    use_quote_delim,
    na_value,
    select_cols,
    record_defaults,
):
    paths = file_paths(filenames)
    for index, default in enumerate(record_defaults):
        if np.ndim(default) > 1:
            invalid("Each record default should be at most rank 1")
        if np.size(default) > 1:
            invalid(
                f"There should only be 1 default per field but field {index} has {np.size(default)}"
            )
    if np.ndim(select_cols) != 1:
        invalid("`select_cols` must be a vector.")
    if scalar_argument(buffer_size, "buffer_size") <= 0:
        invalid("buffer_size should be positive")
    string_argument(na_value, "na_value")
    delimiter = bytes(field_delim)
    if len(delimiter) != 1:
        invalid("field_delim should be only 1 char")
    selected = select_cols.tolist()
    if selected:
        if len(selected) != len(record_defaults):
            invalid("select_cols should match output size")
        if any(a >= b for a, b in zip(selected, selected[1:])):
            invalid("select_cols should be strictly increasing indices")
        if selected[0] < 0:
            invalid("select_cols should be non-negative indices")
    compression = string_argument(compression_type, "compression_type")
    if compression not in ("", "ZLIB", "GZIP"):
        invalid("Unsupported compression_type: " + compression + ".")
    columns = Columns(ctx.attrs["output_types"], record_defaults, selected, bytes(na_value))
    quotes = bool(scalar_argument(use_quote_delim, "use_quote_delim"))
    skips = bool(scalar_argument(header, "header"))
    result = CsvFiles(
        paths, lambda path: _elements(path, compression, columns, delimiter, quotes, skips)
    )
    return set_declared_types(result, ctx)


@csv_dataset_op.infer
def _(op):
    handle = handle_shape(op)
    for default in op.inputs[8:]:
        dims = with_rank_at_most(default._dims, 1)
        if dims and (dims[0] or 0) > 1:
            raise InferenceError(
                "Shape of a default must be a length-0 or length-1 vector, or a scalar."
            )
    return handle
