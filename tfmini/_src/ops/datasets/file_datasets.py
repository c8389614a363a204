"""Datasets of files: text lines, TFRecords, fixed-length records."""

from __future__ import annotations

import itertools
import os
from collections.abc import Callable, Sequence
from typing import Any, BinaryIO

import numpy as np

from tfmini._src.base.errors import DataLossError, invalid
from tfmini._src.formats.open_file import open_file
from tfmini._src.formats.record_reader_writer import RecordReader
from tfmini._src.formats.system_errors import system_error
from tfmini._src.formats.zlib_file import InflatingFile
from tfmini._src.graph.opdef import op
from tfmini._src.ops.datasets.dataset_value import (
    Dataset,
    Element,
    Iterator,
    Run,
    handle_shape,
    scalar_argument,
    string_argument,
)
from tfmini._src.ops.operands import dense

_READ_BYTES = 1 << 18


class Files(Dataset):
    """The elements yielded by the generator `read(path)` for each file."""

    def __init__(self, paths: Sequence[bytes], read: Callable[[str], Any]):
        self.paths = paths
        self.read = read

    def iterate(self, run: Run, path: str) -> Iterator:
        return _RecordIterator(self)

    def element(self, record: Any) -> Element:
        """Returns the components of a record."""
        return (record,)


class _RecordIterator(Iterator):
    is_pure = True

    def __init__(self, files: Files):
        self._files = files
        self._next = 0
        self._current: Any = None
        self._record_index = 0  # index of the record in its file

    def next(self) -> Element | None:
        while True:
            if self._current is None:
                if self._next == len(self._files.paths):
                    return None
                self._open(self._next)
            try:
                record = next(self._current, None)
            except BaseException:
                self._current = None
                raise
            if record is not None:
                self._record_index += 1
                return self._files.element(record)
            self._current = None

    def _open(self, index: int) -> None:
        self._current = iter(self._files.read(os.fsdecode(self._files.paths[index])))
        self._next = index + 1  # excludes files that cannot be opened: the next call retries them
        self._record_index = 0

    def save(self) -> Any:
        return self._next, None if self._current is None else self._record_index

    def restore(self, state: Any) -> None:
        self._next, record_count = state
        self._current = None
        if record_count is not None:
            self._open(self._next - 1)
            self._record_index = record_count
            next(itertools.islice(self._current, record_count, record_count), None)


def open_decompressed(path: str, compression: str) -> Any:
    """Opens a file for reading and decompresses it."""
    file: BinaryIO = open_file(path, "rb")
    return InflatingFile(file, compression == "GZIP", path) if compression else file


def read_chunks(file: Any, path: str) -> Any:
    """Yields the contents of a file in chunks."""
    while True:
        try:
            part = file.read(_READ_BYTES)
        except OSError as error:
            raise system_error(error, path) from None
        if not part:
            return
        yield part


def _open_lines(path: str, compression: str) -> Any:
    return _iterate_lines(open_decompressed(path, compression), path)


def _iterate_lines(file: Any, path: str) -> Any:
    try:
        tail = b""
        for part in read_chunks(file, path):
            # TensorFlow drops every "\r", wherever it is in a line.
            *lines, tail = (tail + part.replace(b"\r", b"")).split(b"\n")
            yield from lines
        if tail:
            yield tail
    finally:
        file.close()


def _fixed_length_records(path: str, compression: str, header: int, size: int, footer: int) -> Any:
    file = open_decompressed(path, compression)
    if not compression:
        body = os.fstat(file.fileno()).st_size - header - footer
        if body % size:
            file.close()
            invalid(_uneven(path, header, size, footer, body))
    return _iterate_pieces(file, path, header, size, footer)


def _uneven(path: str, header: int, size: int, footer: int, body: int) -> str:
    return (
        f'Excluding the header ({header} bytes) and footer ({footer} bytes), input file "{path}" has body length '
        f"{body} bytes, which is not an exact multiple of the record length ({size} bytes)."
    )


def _iterate_pieces(file: Any, path: str, header: int, size: int, footer: int) -> Any:
    try:
        data, skip, count = b"", header, 0
        for part in read_chunks(file, path):
            data += part
            if skip:
                skip_size = min(skip, len(data))
                data, skip = data[skip_size:], skip - skip_size
            position = 0
            while len(data) - position >= size + footer:
                yield data[position : position + size]
                position += size
                count += 1
            data = data[position:]
        if len(data) > footer:  # only for compressed files, whose size is known at the end
            body = count * size + len(data) - footer
            raise DataLossError(None, None, _uneven(path, header, size, footer, body))
    finally:
        file.close()


def _open_records(path: str, compression: str) -> Any:
    return _iterate_records(RecordReader(path, compression))


def _iterate_records(reader: RecordReader) -> Any:
    with reader as records:
        yield from records


def file_paths(filenames: Any) -> list[bytes]:
    """Returns the paths in a dataset's `filenames` argument."""
    array = dense(filenames)
    if array.ndim > 1:
        invalid("`filenames` must be a scalar or a vector.")
    return [bytes(path) for path in np.ravel(array)]


def _compression(compression_type: Any) -> str:
    text = string_argument(compression_type, "compression_type")
    if text not in ("", "ZLIB", "GZIP"):
        invalid("Unsupported compression_type.")
    return text


@op(
    "TextLineDataset",
    "filenames: string, compression_type: string, buffer_size: int64 -> handle: variant",
    stateful=True,
    uses_files=True,
)
def text_line_dataset_op(xp, filenames, compression_type, buffer_size):
    compression = _compression(compression_type)
    if scalar_argument(buffer_size, "buffer_size") < 0:
        invalid("`buffer_size` must be >= 0 (0 == default)")
    return Files(file_paths(filenames), lambda path: _open_lines(path, compression))


@op(
    "TFRecordDataset",
    "filenames: string, compression_type: string, buffer_size: int64 -> handle: variant",
    stateful=True,
    uses_files=True,
)
def tf_record_dataset_op(xp, filenames, compression_type, buffer_size):
    compression = string_argument(compression_type, "compression_type")
    compression = compression if compression in ("ZLIB", "GZIP") else ""  # as TensorFlow reads it
    if scalar_argument(buffer_size, "buffer_size") < 0:
        invalid("`buffer_size` must be >= 0 (0 == no buffering)")
    return Files(file_paths(filenames), lambda path: _open_records(path, compression))


_SIZES = "filenames: string, header_bytes: int64, record_bytes: int64, footer_bytes: int64, buffer_size: int64"


@op("FixedLengthRecordDataset", f"{_SIZES} -> handle: variant", stateful=True, uses_files=True)
def fixed_length_record_dataset_op(
    xp, filenames, header_bytes, record_bytes, footer_bytes, buffer_size
):
    sizes = _byte_counts(header_bytes, record_bytes, footer_bytes, buffer_size)
    return Files(file_paths(filenames), lambda path: _fixed_length_records(path, "", *sizes))


@op(
    "FixedLengthRecordDatasetV2",
    f"{_SIZES}, compression_type: string -> handle: variant",
    stateful=True,
    uses_files=True,
)
def fixed_length_record_dataset_v2_op(
    xp, filenames, header_bytes, record_bytes, footer_bytes, buffer_size, compression_type
):
    sizes = _byte_counts(header_bytes, record_bytes, footer_bytes, buffer_size)
    compression = _compression(compression_type)
    return Files(
        file_paths(filenames), lambda path: _fixed_length_records(path, compression, *sizes)
    )


def _byte_counts(
    header_bytes: Any, record_bytes: Any, footer_bytes: Any, buffer_size: Any
) -> list[int]:
    values = {
        "header_bytes": header_bytes,
        "record_bytes": record_bytes,
        "footer_bytes": footer_bytes,
        "buffer_size": buffer_size,
    }
    sizes = {name: scalar_argument(value, name) for name, value in values.items()}
    for name, min_size in (
        ("header_bytes", 0),
        ("record_bytes", 1),
        ("footer_bytes", 0),
        ("buffer_size", 0),
    ):
        if sizes[name] < min_size:
            invalid(f"`{name}` must be {'> 0' if min_size else '>= 0'}")
    return [sizes["header_bytes"], sizes["record_bytes"], sizes["footer_bytes"]]


for _op in (
    text_line_dataset_op,
    tf_record_dataset_op,
    fixed_length_record_dataset_op,
    fixed_length_record_dataset_v2_op,
):
    _op.infer(handle_shape)
