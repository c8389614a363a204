"""Datasets of SQLite query results. LMDB is not supported."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from tfmini._src.base import dtypes
from tfmini._src.base.errors import (
    DataLossError,
    InvalidArgumentError,
    OpError,
    PermissionDeniedError,
    UnimplementedError,
    UnknownError,
    invalid,
)
from tfmini._src.formats.schemes import c_string
from tfmini._src.graph.opdef import op
from tfmini._src.ops.datasets.dataset_value import (
    ELEMENTS,
    Dataset,
    Element,
    Iterator,
    Run,
    handle_shape,
    set_declared_types,
    string_argument,
)

_INTEGERS = (
    *(dtypes.int8, dtypes.int16, dtypes.int32, dtypes.int64, dtypes.uint8, dtypes.uint16),
    dtypes.bool,
)
_COLUMN_DTYPES = (dtypes.string, *_INTEGERS, dtypes.float64)


class Query(Dataset):
    """The rows of a query result."""

    def __init__(self, path: str, query: str, types: Sequence[Any]):
        self.path = path
        self.query = query
        self.types = types

    def iterate(self, run: Run, path: str) -> Iterator:
        return _Rows(self)


# TensorFlow error classes by SQLite primary result code; UnknownError for any other.
_ERROR_CLASSES: dict[int, Callable[..., OpError]] = {
    sqlite3.SQLITE_CANTOPEN: InvalidArgumentError,
    sqlite3.SQLITE_CONSTRAINT: InvalidArgumentError,
    sqlite3.SQLITE_NOTADB: InvalidArgumentError,
    sqlite3.SQLITE_CORRUPT: DataLossError,
    sqlite3.SQLITE_AUTH: PermissionDeniedError,
    sqlite3.SQLITE_PERM: PermissionDeniedError,
}


def _result_code(error: sqlite3.Error) -> int:
    """Returns SQLite's result code, or SQLITE_ERROR for errors of the Python module."""
    return getattr(error, "sqlite_errorcode", sqlite3.SQLITE_ERROR)


class _Rows(Iterator):
    def __init__(self, dataset: Query):
        self._dataset = dataset
        self._rows: Any = None
        self._connection: Any = None
        self._count = 0

    def _open(self) -> None:
        dataset = self._dataset
        query = os.fsencode(dataset.query).decode("utf-8", "replace")
        try:
            # Different threads read elements, one at a time.
            self._connection = sqlite3.connect(dataset.path, check_same_thread=False)
            self._connection.text_factory = bytes
            self._rows = self._connection.execute(query)
        except sqlite3.Error as error:
            self.close()
            code = _result_code(error)
            text = f"Prepare() failed: [{code}] {error}: {query}"
            raise _ERROR_CLASSES.get(code & 0xFF, UnknownError)(None, None, text) from None
        count = len(self._rows.description or ())
        if count != len(dataset.types):
            self.close()
            invalid(
                f"The number of columns in query ({count}) must match the number of elements in output_types "
                f"({len(dataset.types)})."
            )

    def next(self) -> Element | None:
        if self._rows is None:
            self._open()
        try:
            row = next(self._rows, None)
        except sqlite3.Error as error:
            self.close()
            raise _ERROR_CLASSES.get(_result_code(error) & 0xFF, UnknownError)(
                None, None, str(error)
            ) from None
        if row is None:
            self.close()
            return None
        self._count += 1
        return tuple([self._convert(v, t) for v, t in zip(row, self._dataset.types)])

    def _convert(self, value: Any, dtype: Any) -> Any:
        """Converts a column value as SQLite does."""
        if dtype is dtypes.string:
            if isinstance(value, bytes):
                return value
            return b"" if value is None else self._cast(value, "TEXT")
        if dtype is dtypes.float64:
            if not isinstance(value, int | float):
                value = 0.0 if value is None else self._cast(value, "REAL")
            return np.float64(value)
        if not isinstance(value, int):
            value = 0 if value is None else self._cast(value, "INTEGER")
        if dtype is dtypes.bool:
            return np.bool_(value & 0xFFFFFFFF != 0)
        return np.array(value, np.int64).astype(dtype.as_numpy_dtype)[()]

    def _cast(self, value: Any, sql_type: str) -> Any:
        if isinstance(value, bytes):
            value = value.decode("utf-8", "replace")
        return self._connection.execute(f"SELECT CAST(? AS {sql_type})", (value,)).fetchone()[0]

    def close(self) -> None:
        """Closes the connection."""
        connection, self._connection = self._connection, None
        self._rows = iter(())
        if connection is not None:
            connection.close()

    def __del__(self) -> None:
        if self._connection is not None:
            self._connection.close()

    def save(self) -> Any:
        return self._count

    def restore(self, state: Any) -> None:
        while self._count < state and self.next() is not None:
            pass


@op(
    "SqlDataset",
    "driver_name: string, data_source_name: string, query: string -> handle: variant",
    infer=handle_shape,
    stateful=True,
    **ELEMENTS,
    uses_files=True,
)
def sql_dataset_op(ctx, driver_name, data_source_name, query):
    types = ctx.attrs["output_types"]
    for dtype in types:
        if dtype not in _COLUMN_DTYPES:
            invalid(
                "Each element of `output_types_` must be one of: DT_STRING, DT_INT8, DT_INT16, DT_INT32, DT_INT64, "
                "DT_UINT8, DT_UINT16, DT_BOOL, DT_DOUBLE "
            )
    for shape in ctx.attrs["output_shapes"]:
        if shape != ():
            invalid("Each element of `output_shapes_` must be a scalar.")
    driver = string_argument(driver_name, "driver_name")
    if driver != "sqlite":
        invalid(
            f"The database type, {driver}, is not supported by SqlDataset. The set of supported databases is: "
            "{'sqlite'}."
        )
    source, text = (
        string_argument(data_source_name, "data_source_name"),
        string_argument(query, "query"),
    )
    return set_declared_types(Query(c_string(source), c_string(text), types), ctx)


@op(
    "LMDBDataset",
    "filenames: string -> handle: variant",
    infer=handle_shape,
    stateful=True,
    **ELEMENTS,
    uses_files=True,
)
def lmdb_dataset_op(xp, filenames):
    raise UnimplementedError(
        None, None, "tfmini does not read LMDB databases: convert their records to a TFRecord file."
    )
