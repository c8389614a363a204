"""Readers as session resources, which split work units, mostly files, into records."""

from __future__ import annotations

import os
from collections.abc import Generator, Iterator
from typing import Any, cast

from tfmini._src.base import proto
from tfmini._src.base.errors import (
    CancelledError,
    InvalidArgumentError,
    OpError,
    OutOfRangeError,
    UnimplementedError,
    invalid,
)
from tfmini._src.formats.gfile_functions import isdir
from tfmini._src.formats.open_file import open_file
from tfmini._src.formats.record_reader_writer import RecordReader
from tfmini._src.formats.system_errors import system_error
from tfmini._src.formats.zlib_file import InflatingFile
from tfmini._src.ops.checks.value_text import escape

_READ_BYTES = 1 << 18  # number of bytes per read

Record = tuple[bytes, bytes]


class Reader:
    """Base class of readers, which counts work units and their records; subclasses define `_records`.

    name: the node name; KIND: the class name in messages.
    """

    KIND = ""
    can_serialize = False

    def __init__(self, name: str):
        self.name = f"{self.KIND} '{name}'"
        self.reset()

    def reset(self) -> None:
        """Resets the reader to its initial state."""
        self.work_started = self.work_finished = self.produced = 0
        self._work = b""
        self._remaining_records: Iterator[Record] | None = None
        self._failure: OpError | None = None

    def end(self) -> None:
        """Closes the current file at the end of the session. Pending reads fail with CancelledError."""
        self._failure = CancelledError(None, None, f"{self.name} has been closed.")
        if isinstance(self._remaining_records, Generator):
            self._remaining_records.close()

    @property
    def is_working(self) -> bool:
        """Whether the reader is within a work unit."""
        return self.work_finished < self.work_started

    def start(self, work: bytes) -> None:
        """Starts a work unit; if that fails, the work unit is lost."""
        self._work, self._failure = work, None
        self._remaining_records = self._records(work)
        self.work_started += 1

    def record(self) -> Record | None:
        """Returns the next record and its key, or None at the end of the work unit.

        An error is raised again on each call, because the work unit never ends.
        """
        if self._failure is not None:
            raise self._failure.with_traceback(None)
        if self._remaining_records is None:  # the reader's state has been restored
            self._remaining_records = self._records(self._work)
        try:
            record = next(self._remaining_records, None)
        except OpError as error:
            self._failure = error
            raise
        if record is None:
            self.finish()
        else:
            self.produced += 1
        return record

    def record_no_work(self) -> None:
        """Records that no work unit was available."""
        self._work = b""

    def finish(self) -> None:
        """Ends the work unit."""
        self.work_finished = self.work_started
        self._remaining_records = None

    def _records(self, work: bytes) -> Iterator[Record]:
        raise NotImplementedError

    def _key(self, index: int) -> bytes:
        return b"%s:%d" % (self._work, index)

    def serialize(self) -> bytes:
        """Serializes the state, which consists of the counters and the work unit."""
        if not self.can_serialize:
            raise UnimplementedError(None, None, "Reader SerializeState")
        state = proto.ReaderBaseState(
            work_started=self.work_started,
            work_finished=self.work_finished,
            num_records_produced=self.produced,
            current_work=self._work,
        )
        return state.SerializeToString(deterministic=True)

    def restore(self, text: bytes) -> None:
        """Restores the result of `serialize`; resets the state if that fails."""
        self.reset()
        if not self.can_serialize:
            raise UnimplementedError(None, None, "Reader RestoreState")
        try:
            state = proto.ReaderBaseState.FromString(text)
        except proto.DecodeError:
            raise InvalidArgumentError(
                None, None, f"Could not parse state for {self.name}: {escape(text)}"
            ) from None
        counts = state.work_started, state.work_finished, state.num_records_produced
        problem = ""
        if min(counts) < 0:
            problem = "Unexpected negative value"
        elif state.work_started > state.work_finished:
            problem = "Inconsistent work started vs. finished"
        if problem:
            invalid(f"{problem} when restoring in {self.name}: {state}")
        self.work_started, self.work_finished, self.produced = counts
        self._work = state.current_work


class _OneRecord(Reader):
    """A reader whose work units consist of one record each."""

    def record(self) -> Record | None:
        record = super().record()
        if record is not None:
            self.finish()
        return record


class WholeFiles(_OneRecord):
    """One record per file: its name and contents."""

    KIND = "WholeFileReader"
    can_serialize = True

    def _records(self, work: bytes) -> Iterator[Record]:
        with open_file(work, "rb", _READ_BYTES) as file:
            yield work, _read_file(file, -1, work)


class Identities(_OneRecord):
    """One record per work unit, which is both key and value."""

    KIND = "IdentityReader"
    can_serialize = True

    def _records(self, work: bytes) -> Iterator[Record]:
        yield work, work


class TextLines(Reader):
    """One record per line, without line end; lines are numbered from 1.

    skipped: the number of lines to skip at the start of each file.
    """

    KIND = "TextLineReader"

    def __init__(self, name: str, skipped: int):
        super().__init__(name)
        self._skipped = skipped

    def start(self, work: bytes) -> None:
        _check_file(work)
        super().start(work)

    def _records(self, work: bytes) -> Iterator[Record]:
        with open_file(work, "rb", _READ_BYTES) as file:
            line_number = 0
            while line := _read_line(file, work):
                has_end = line.endswith(b"\n")
                line = line.removesuffix(b"\n").removesuffix(b"\r")
                if not line and not has_end:
                    return
                line_number += 1
                if line_number > self._skipped:
                    yield self._key(line_number), line


class FixedLengths(Reader):
    """Records of fixed length, `hop` bytes apart, numbered from 0.

    Args:
      header, footer: numbers of bytes at the start and end of a file that belong to no record.
      encoding: "ZLIB", "GZIP", or none.
    """

    KIND = "FixedLengthRecordReader"

    def __init__(self, name: str, header: int, size: int, footer: int, hop: int, encoding: str):
        super().__init__(name)
        self._header, self._size, self._footer = header, size, footer
        self._hop = hop or size
        self._encoding = encoding if encoding in ("ZLIB", "GZIP") else ""

    def start(self, work: bytes) -> None:
        if isdir(work):
            raise system_error(IsADirectoryError(21, ""), os.fsdecode(work))
        _check_file(work)
        self._work = work
        file = open_file(work, "rb", _READ_BYTES)
        try:
            data: Any = file
            if self._encoding:
                data = InflatingFile(file, self._encoding == "GZIP", os.fsdecode(work))
            if len(_read_bytes(data, self._header, work)) < self._header:
                raise OutOfRangeError(None, None, "reached end of file")
        except BaseException:
            file.close()
            raise
        self._failure = None
        records = self._file_records(data, file, work)
        next(records)
        self._remaining_records = cast("Iterator[Record]", records)
        self.work_started += 1

    def _file_records(self, data: Any, file: Any, work: bytes) -> Iterator[Record | None]:
        """Yields None once the file is open, so that closing the generator always closes the file, then the records."""
        with file:
            yield None
            index, buffered = 0, b""
            size = self._size + self._footer
            while True:
                buffered += _read_bytes(data, size - len(buffered), work)
                if len(buffered) < size:
                    return
                yield self._key(index), buffered[: self._size]
                index += 1
                missing = self._hop - len(buffered)
                buffered = buffered[self._hop :]
                if missing > 0 and len(_read_bytes(data, missing, work)) < missing:
                    return


class Records(Reader):
    """Records of TFRecord files, by start offset."""

    KIND = "TFRecordReader"

    def __init__(self, name: str, compression: str):
        super().__init__(name)
        self._compression = compression

    def start(self, work: bytes) -> None:
        _check_file(work)
        super().start(work)

    def _records(self, work: bytes) -> Iterator[Record]:
        with RecordReader(work, self._compression) as records:
            position = 0
            for record in records:
                yield self._key(position), record
                position += len(record) + 16


def _check_file(path: bytes) -> None:
    """Raises the error for a file that cannot be opened; directories can be opened but not read."""
    if not isdir(path):
        open_file(path, "rb", _READ_BYTES).close()


def _read_file(file: Any, size: int, path: bytes) -> bytes:
    try:
        return file.read(size)
    except OSError as error:
        raise system_error(error, os.fsdecode(path)) from None


def _read_line(file: Any, path: bytes) -> bytes:
    try:
        return file.readline()
    except OSError as error:
        raise system_error(error, os.fsdecode(path)) from None


def _read_bytes(file: Any, size: int, path: bytes) -> bytes:
    """Reads the next `size` bytes of a file, or fewer at its end."""
    parts = []
    while size > 0:
        part = _read_file(file, size, path)
        if not part:
            break
        parts.append(part)
        size -= len(part)
    return b"".join(parts)
