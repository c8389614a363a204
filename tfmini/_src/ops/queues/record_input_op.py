"""RecordInput: an endless sequence of batches of records from files, in random order, epoch after epoch.

Records pass through a buffer at random positions. TensorFlow's threads fill it in an order that depends on timing even
with a seed; here the step that needs a record reads it, and the seed determines the order.
"""

from __future__ import annotations

import itertools
import os
import random
from collections.abc import Iterator
from contextlib import suppress

import numpy as np

from tfmini._src.base.errors import NotFoundError, OpError, OutOfRangeError, invalid
from tfmini._src.base.locks import make_lock
from tfmini._src.formats.glob_pattern import match_paths
from tfmini._src.formats.record_reader_writer import RecordReader
from tfmini._src.graph.opdef import Attr, op

# Records read from one file before switching to the next of the concurrently open files.
_RUN = 16


class Records:
    """The records that a node reads: a buffer and its source.

    Args:
      pattern: file path patterns, separated by commas.
      seed: the seed of the random order.
      shift: the fraction of the files by which their order is rotated after the shuffle.
      buffer_size: the buffer size in records.
      parallelism: the number of files read concurrently.
      compression: "", "GZIP" or "ZLIB".
    """

    def __init__(
        self,
        pattern: bytes,
        seed: int,
        shift: float,
        buffer_size: int,
        parallelism: int,
        compression: str,
    ):
        self._pattern = pattern
        self._seed = seed
        self._shift = shift
        self._buffer_size = max(1, buffer_size)
        self._parallelism = max(1, parallelism)
        self._compression = compression
        self._random = random.Random(seed)
        self._buffer: list[bytes] = []
        self._epochs = itertools.count(1)
        self._remaining_records: Iterator[bytes] = iter(())
        self._error: OpError | None = None
        self._lock = make_lock()

    def take(self, count: int) -> np.ndarray:
        """Returns the next `count` records; after a file error, all further calls raise it."""
        records = np.empty(count, object)
        with self._lock:
            if self._error is not None:
                raise self._error
            try:
                for index in range(count):
                    records[index] = self._next()
            except OpError as error:
                self._error = error
                raise
        return records

    def _next(self) -> bytes:
        self._fill()
        if not self._buffer:
            self._remaining_records = self._epoch()
            self._fill()
        if not self._buffer:
            name = os.fsdecode(self._pattern)
            raise OutOfRangeError(None, None, f"Found no records in the files at {name}")
        return self._buffer.pop()

    def _fill(self) -> None:
        """Fills the buffer with the remaining records of the epoch, swapping each one to a random position."""
        buffer = self._buffer
        while len(buffer) < self._buffer_size:
            record = next(self._remaining_records, None)
            if record is None:
                break
            buffer.append(record)
            position = self._random.randrange(len(buffer))
            buffer[position], buffer[-1] = buffer[-1], buffer[position]

    def _epoch(self) -> Iterator[bytes]:
        epoch = next(self._epochs)
        files: list[bytes] = []
        for pattern in self._pattern.split(b","):
            with suppress(OpError):  # nonexistent directory
                files += sorted(match_paths(pattern))
        if not files:
            name = os.fsdecode(self._pattern)
            raise NotFoundError(None, None, f"Found no files at {name}")
        random.Random(f"{self._seed} {epoch}").shuffle(files)
        if 0 <= self._shift < 1:
            first = int(self._shift * len(files))
            files = files[first:] + files[:first]
        count = min(self._parallelism, len(files))
        shards = [self._records(files[i::count]) for i in range(count)]
        while shards:
            for shard in list(shards):
                run = list(itertools.islice(shard, _RUN))
                yield from run
                if len(run) < _RUN:
                    shards.remove(shard)

    def _records(self, files: list[bytes]) -> Iterator[bytes]:
        for path in files:
            try:
                records = RecordReader(path, self._compression)
            except OpError:
                invalid(f"Can't open {os.fsdecode(path)}")
            with records:
                yield from records


@op(
    "RecordInput",
    "-> records: string",
    infer=lambda op: None,
    stateful=True,
    file_pattern=Attr("string"),
    file_random_seed=301,
    file_shuffle_shift_ratio=0.0,
    file_buffer_size=10000,
    file_parallelism=16,
    batch_size=32,
    compression_type="",
    uses_files=True,
)
def record_input_op(ctx):
    attrs = ctx.op.attrs
    if attrs["batch_size"] < 0:
        invalid(f"batch_size must be >= 0, but was {attrs['batch_size']}")
    pattern = attrs["file_pattern"]
    records = ctx.resources.node_state(
        ctx.op,
        lambda: Records(
            pattern if isinstance(pattern, bytes) else os.fsencode(pattern),
            attrs["file_random_seed"],
            attrs["file_shuffle_shift_ratio"],
            attrs["file_buffer_size"],
            attrs["file_parallelism"],
            attrs["compression_type"],
        ),
    )
    return records.take(attrs["batch_size"])
