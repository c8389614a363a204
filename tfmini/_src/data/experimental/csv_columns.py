"""Infers column names and dtypes from the first rows of CSV files."""

from __future__ import annotations

import csv
import gzip
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np

from tfmini._src.base import dtypes
from tfmini._src.formats.gfile_functions import glob
from tfmini._src.formats.open_file import open_file
from tfmini._src.formats.schemes import local_path
from tfmini._src.graph.static_values import get_static_value
from tfmini._src.graph.tensor import Tensor
from tfmini._src.ops import ops

# From the most specific to the most general dtype.
_TYPES = (dtypes.int32, dtypes.int64, dtypes.float32, dtypes.float64, dtypes.string)


def file_names(file_pattern: Any) -> list[str]:
    """Returns the paths of the files that match a pattern or a list of patterns, sorted."""
    if isinstance(file_pattern, list):
        if not file_pattern:
            raise ValueError("File pattern is empty.")
        names = [name for pattern in file_pattern for name in glob(pattern)]
    else:
        names = list(glob(file_pattern))
    if not names:
        raise ValueError(f"No files match {file_pattern}.")
    return sorted(names)


def opener(compression_type: Any) -> Callable[[str], Any]:
    """Returns a function that opens a file with this compression as text."""
    if compression_type is None:
        return _open
    codec = compression_type
    if isinstance(compression_type, Tensor):
        codec = get_static_value(compression_type)
        codec = None if codec is None else codec.item()  # bytes have none of these dtypes
    if codec is None:
        raise ValueError("Received unkown compression_type")
    if codec == "GZIP":
        return lambda name: gzip.open(local_path(name), "rt", encoding="utf-8", newline="")
    if codec == "ZLIB":
        raise ValueError(
            f"compression_type ({compression_type}) is not supported for probing columns"
        )
    if codec != "":
        raise ValueError(f"compression_type ({compression_type}) is not supported")
    return _open


def _open(name: str) -> Any:
    return open_file(name, "r", encoding="utf-8", newline="")


class Layout:
    """The CSV format of files.

    field_delim: the separator; use_quote_delim: whether quotes are special; header: whether the first row
      contains column names; open: function that opens a file.
    """

    def __init__(self, field_delim: str, use_quote_delim: bool, header: bool, open: Callable):
        self._settings: dict[str, Any] = {
            "delimiter": field_delim,
            "quoting": csv.QUOTE_MINIMAL if use_quote_delim else csv.QUOTE_NONE,
        }
        self._header = header
        self._open = open

    def names(self, files: Sequence[str]) -> list[str]:
        """Returns the column names in each file's first row; raises ValueError for empty files or differing names."""
        first: list[str] | None = None
        for name in files:
            with self._open(name) as file:
                row = next(csv.reader(file, **self._settings), None)
            if row is None:
                raise ValueError(
                    f"Received StopIteration when reading the header line of {files[0]}.  Empty file?"
                )
            if first is not None and row != first:
                raise ValueError("Files have different column names in the header row.")
            first = row
        return first or []

    def defaults(
        self, files: Sequence[str], width: int, na: str, rows: int | None, selected: Any
    ) -> list[Any]:
        """Returns column defaults (0 or "") typed by the first `rows` rows; raises ValueError if rows are uneven."""
        columns = range(width) if selected is None else selected
        types: list[Any] = [None] * len(columns)
        for index, row in enumerate(self._rows(files, width)):
            if rows is not None and index >= rows:
                break
            for position, column in enumerate(columns):
                types[position] = _fitting(row[column], na, types[position])
        known_types = [dtype or dtypes.string for dtype in types]
        return [ops.constant(["" if t is dtypes.string else 0], dtype=t) for t in known_types]

    def _rows(self, files: Sequence[str], width: int) -> Iterator[list[str]]:
        for name in files:
            with self._open(name) as file:
                rows = csv.reader(file, **self._settings)
                if self._header:
                    next(rows)
                for row in rows:
                    if len(row) != width:
                        raise ValueError(
                            "Problem inferring types: CSV row has different number of fields than expected."
                        )
                    yield row


def _fitting(text: str, na: str, before: Any) -> Any:
    """Returns the narrowest dtype for a field that is at least as wide as `before`."""
    if text in ("", na):
        return before
    min_type_index = 0 if before is None else _TYPES.index(before)
    return next(t for t in _TYPES[min_type_index:] if _is_readable_as(text, t))


def _is_readable_as(text: str, dtype: Any) -> bool:
    if dtype is dtypes.string:
        return True
    try:
        if dtype.is_integer:
            limits = np.iinfo(dtype.as_numpy_dtype)
            return limits.min <= int(text) <= limits.max
        with np.errstate(over="ignore"):
            return bool(dtype.as_numpy_dtype(text) < np.inf)
    except ValueError:
        return False


def sorted_columns(select_columns: list, column_names: Sequence[str]) -> list[int]:
    """Returns the sorted column indices of columns given by index or name."""
    indices = {name: index for index, name in enumerate(column_names)}
    for position, column in enumerate(select_columns):
        if isinstance(column, int):
            if not 0 <= column < len(column_names):
                raise ValueError(
                    f"Column index {column} specified in select_columns out of valid range."
                )
            continue
        if column not in indices:
            raise ValueError(
                f"Value '{column}' specified in select_columns not a valid column index or name."
            )
        select_columns[position] = indices[column]
    result = sorted(set(select_columns))
    if len(result) != len(select_columns):
        raise ValueError("select_columns contains duplicate columns")
    return result
