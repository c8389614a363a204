"""Writing and merging of version 2 checkpoints (format: `bundle.py`)."""

from __future__ import annotations

import contextlib
import functools
import os
import struct
from collections.abc import Sequence
from typing import Any, BinaryIO

import numpy as np

from tfmini._src.base import proto
from tfmini._src.base.dtypes import DType, as_dtype, variant
from tfmini._src.base.errors import invalid
from tfmini._src.formats.atomic_write import create_file, sync, temporary_ending
from tfmini._src.formats.bundle import HEADER_KEY, Bundle
from tfmini._src.formats.bundle_files import (
    data_path,
    index_path,
    make_parts_directory,
    reject_symlink,
    remove_paths,
    unmark_parts,
)
from tfmini._src.formats.bundle_recovery import clean_up
from tfmini._src.formats.bundle_replacement import replace_checkpoint
from tfmini._src.formats.crc32c import crc32c, crc32c_of_bytes, mask
from tfmini._src.formats.ordered_code import FULL_EXTENT, Extent, slice_key
from tfmini._src.formats.stored_variants import pack_variants
from tfmini._src.formats.system_errors import system_error, translate_errors
from tfmini._src.formats.table import TableWriter
from tfmini._src.formats.varints import varint

_VERSION = 1
# Bytes checksummed and written at a time, small enough to stay in the cache in between.
_CHUNK_BYTES = 1 << 22
_BUFFER_BYTES = 1 << 16  # of small tensors, written together


class BundleWriter:
    """Writes a single-shard checkpoint; files get their final names in `finish`.

    Args:
      prefix: the path without suffixes; its directory is created if the parent exists.
      syncs: whether to flush each file to disk before renaming it: survives power failures, at disk speed.

    Raises:
      OpError: on construction or writing, as in TensorFlow for system errors.

    Example:

      with BundleWriter("/tmp/model") as writer:
          writer.add("w", np.zeros(3))
          writer.finish()
    """

    def __init__(self, prefix: str, syncs: bool = False):
        self._prefix = prefix
        self._syncs = syncs
        self._entries: dict[bytes, Any] = {}
        self._ending = temporary_ending()
        self._path = data_path(prefix, 0, 1) + self._ending
        self._offset = 0
        _prepare_directory(os.path.dirname(prefix))
        with translate_errors(self._path):
            self._file = create_file(self._path, _BUFFER_BYTES)

    def __enter__(self) -> BundleWriter:
        return self

    def __exit__(self, *error: Any) -> None:
        with contextlib.suppress(OSError):  # of tensors that are not needed
            self._file.close()
        # The table first, because without it, the other files do not look like an interrupted renaming.
        remove_paths([index_path(self._prefix) + self._ending, self._path])

    def add(self, name: str, value: Any, dtype: DType | None = None) -> None:
        """Adds a tensor; raises InvalidArgumentError if the name already exists."""
        key = self._new_key(os.fsencode(name))
        self._entries[key] = self._write(value, dtype)

    def add_slice(
        self,
        name: str,
        shape: Sequence[int],
        extents: Sequence[Extent],
        value: Any,
        dtype: DType | None = None,
    ) -> None:
        """Adds a slice of a tensor of `shape`: `extents` is (start, length) per axis, (0, -1) for all of it.

        Raises:
          InvalidArgumentError: if it already exists, or does not match the other slices of this name.
        """
        key = self._new_key(slice_key(name, extents))
        entry = self._write(value, dtype)
        full = self._entries.get(os.fsencode(name))
        if full is None:
            full = proto.BundleEntryProto(dtype=entry.dtype, shape=shape_proto(tuple(shape)))
            self._entries[os.fsencode(name)] = full
        elif not full.slices:
            invalid(f"Adding duplicate key: {name}")
        elif full.dtype != entry.dtype or [d.size for d in full.shape.dim] != list(shape):
            invalid(f"Slices of {name} have several dtypes or shapes of the whole")
        full.slices.append(slice_proto(extents))
        self._entries[key] = entry

    def _new_key(self, key: bytes) -> bytes:
        if key in self._entries:
            key_text = key.decode(errors="replace")
            invalid(f"Adding duplicate key: {key_text}")
        return key

    def _write(self, value: Any, dtype: DType | None) -> Any:
        array = np.asarray(value)
        stored = as_dtype(array.dtype) if dtype is None else dtype
        try:
            if array.dtype.kind != "O" and array.nbytes <= _BUFFER_BYTES:
                contents = array.tobytes()
                size, checksum = self._file.write(contents), crc32c_of_bytes(contents)
            elif array.dtype.kind != "O":
                data = np.ascontiguousarray(array).reshape(-1).view(np.uint8)
                size, checksum = len(data), _write_bytes(self._file, data)
            elif stored is variant:
                variants, checksum = pack_variants(array.reshape(-1).tolist())
                size = self._file.write(variants)
            else:
                size, checksum = _write_strings(self._file, array)
        except OSError as error:
            raise system_error(error, self._path) from error
        entry = proto.BundleEntryProto(
            dtype=stored.as_datatype_enum,
            shape=shape_proto(array.shape),
            offset=self._offset,
            size=size,
            crc32c=mask(checksum),
        )
        self._offset += size
        return entry

    def finish(self) -> None:
        """Writes the table and renames both files to their final names."""
        with translate_errors(self._path):
            if self._syncs:
                sync(self._file)
            self._file.close()
        _publish(self._prefix, 1, self._ending, self._entries, self._syncs)


def merge_bundles(
    prefixes: Sequence[str], target: str, removes_directories: bool, syncs: bool = False
) -> None:
    """Merges several checkpoints into one that takes over their shards.

    Args:
      prefixes: the checkpoints, which are removed.
      target: prefix of the merged checkpoint.
      removes_directories: whether to remove their directories if empty.
      syncs: whether to flush the table to disk.
    """
    entries: dict[bytes, Any] = {}
    shards: list[str] = []
    for prefix in prefixes:
        bundle = Bundle(prefix)
        for key, entry in bundle.raw_entries():
            if entry.slices and key in entries:
                entries[key].slices.extend(entry.slices)
                continue
            if key in entries:
                key_text = key.decode(errors="replace")
                invalid(
                    f"Duplicate tensor keyed by {key_text} encountered, when merging prefix: {prefix}",
                )
            entry.shard_id += len(shards)
            entries[key] = entry
        shards += [data_path(prefix, i, bundle.shards) for i in range(bundle.shards)]
    _prepare_directory(os.path.dirname(target))
    suffix = temporary_ending()
    names = [data_path(target, i, len(shards)) for i in range(len(shards))]
    try:
        for path, name in zip(shards, names):
            with translate_errors(path):
                os.replace(path, name + suffix)
        _publish(target, len(shards), suffix, entries, syncs)
    finally:  # the table first, as when writing
        remove_paths([path + suffix for path in (index_path(target), *names)])
    remove_paths(map(index_path, prefixes))
    if removes_directories:
        for directory in dict.fromkeys(map(os.path.dirname, prefixes)):
            unmark_parts(directory)
            with contextlib.suppress(OSError):  # not empty
                os.rmdir(directory)


def _prepare_directory(directory: str) -> None:
    """Creates a checkpoint's directory, or cleans up leftovers in it."""
    reject_symlink(directory)
    if os.path.isdir(directory or "."):
        clean_up(directory)
    else:
        make_parts_directory(directory)


def _publish(prefix: str, shards: int, suffix: str, entries: dict[bytes, Any], syncs: bool) -> None:
    """Writes the table of shards that are complete under temporary names, then renames all files."""
    serialized = [(key, entries[key].SerializeToString()) for key in sorted(entries)]
    write_table = functools.partial(_write_table, entries=serialized, syncs=syncs)
    write_table(index_path(prefix) + suffix, shards)
    with translate_errors(prefix):
        replace_checkpoint(prefix, shards, suffix, write_table, syncs)


def _write_table(
    path: str, shards: int, entries: Sequence[tuple[bytes, bytes]], syncs: bool
) -> None:
    header = proto.BundleHeaderProto(num_shards=shards)
    header.version.producer = _VERSION
    with translate_errors(path), create_file(path) as file:
        table = TableWriter(file)
        table.add(HEADER_KEY, header.SerializeToString())
        for key, entry in entries:
            table.add(key, entry)
        table.finish()
        if syncs:
            sync(file)


@functools.lru_cache(maxsize=256)
def shape_proto(shape: tuple[int, ...]) -> Any:
    """Converts a shape to a TensorShapeProto, which must not be changed."""
    message = proto.TensorShapeProto()
    for size in shape:
        message.dim.add(size=size)
    return message


def slice_proto(extents: Sequence[Extent]) -> Any:
    """Converts extents to a TensorSliceProto; axes used in full have an empty extent."""
    message = proto.TensorSliceProto()
    for start, length in extents:
        extent = message.extent.add()
        if (start, length) != FULL_EXTENT:
            extent.start = start
            extent.length = length
    return message


def _write_bytes(file: BinaryIO, data: np.ndarray) -> int:
    """Writes bytes and returns their checksum."""
    checksum = 0
    for start in range(0, len(data), _CHUNK_BYTES):
        part = data[start : start + _CHUNK_BYTES]
        checksum = crc32c(part, checksum)
        file.write(part.data)
    return checksum


def _write_strings(file: BinaryIO, array: np.ndarray) -> tuple[int, int]:
    """Writes all lengths, their checksum, all bytes; returns the total size and the checksum of all."""
    strings = array.reshape(-1).tolist()
    lengths = b"".join(map(varint, map(len, strings)))
    # The checksum contains lengths as integers of four bytes, or of eight bytes if four are too few.
    checksum = crc32c(
        b"".join(struct.pack("<I" if len(s) >> 32 == 0 else "<Q", len(s)) for s in strings)
    )
    end = struct.pack("<I", mask(checksum))
    contents = b"".join(strings)
    size = file.write(lengths + end) + file.write(contents)
    return size, crc32c(contents, crc32c(end, checksum))
