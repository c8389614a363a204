"""Checkpoints of version 2: a table of what there is, `PREFIX.index`, and its bytes, `PREFIX.data-00000-of-00001` ...

The table has a header under the empty key and an entry (dtype, shape, place, checksum) for each tensor; a tensor in
slices has an entry that lists them, and one for each slice under a key of its own. The format is TensorFlow's
tensor_bundle.
"""

from __future__ import annotations

import contextlib
import mmap
import os
import struct
import threading
from collections.abc import Iterator, Sequence
from typing import Any, BinaryIO

import numpy as np

from tfmini import proto
from tfmini.dtypes import DType, as_dtype
from tfmini.errors import DataLossError, InvalidArgumentError, NotFoundError
from tfmini.formats.checksums import crc32c, masked, unmasked
from tfmini.formats.ordered import WHOLE, Extent, slice_key
from tfmini.formats.table import Table, TableWriter
from tfmini.formats.varints import read_varint, varint

_HEADER_KEY = b""
_VERSION = 1
_MOST_SHARDS = 1 << 16


def index_path(prefix: str) -> str:
    """The file of a checkpoint's table."""
    return f"{prefix}.index"


def data_path(prefix: str, shard: int, shards: int) -> str:
    """The file of one of its shards."""
    return f"{prefix}.data-{shard:05d}-of-{shards:05d}"


class BundleWriter:
    """Writes a checkpoint of one shard; nothing has its name before `finish`.

    Args:
      prefix: the path without the endings.
      syncs: wait until the disk has each file before it gets its name: against a power failure, at a disk's speed.

    Example:
      with BundleWriter("/tmp/model") as writer:
          writer.add("w", np.zeros(3))
          writer.finish()
    """

    def __init__(self, prefix: str, syncs: bool = False):
        self._prefix = prefix
        self._syncs = syncs
        self._entries: dict[bytes, Any] = {}
        self._temporary = f".tempstate{os.getpid()}-{threading.get_ident()}"
        self._data = data_path(prefix, 0, 1)
        self._file = open(self._data + self._temporary, "wb")
        self._offset = 0

    def __enter__(self) -> BundleWriter:
        return self

    def __exit__(self, *error: Any) -> None:
        self._file.close()
        for path in (self._data, index_path(self._prefix)):
            with contextlib.suppress(FileNotFoundError):
                os.remove(path + self._temporary)

    def add(self, name: str, value: Any, dtype: DType | None = None) -> None:
        """Adds a tensor.

        Raises:
          InvalidArgumentError: if there is one of this name.
        """
        self._entries[self._new_key(name.encode())] = self._written(value, dtype)

    def add_slice(
        self,
        name: str,
        shape: Sequence[int],
        extents: Sequence[Extent],
        value: Any,
        dtype: DType | None = None,
    ) -> None:
        """Adds a slice of a tensor of `shape`: at `extents`, (start, length) for each axis, (0, -1) for the whole."""
        entry = self._written(value, dtype)
        key = name.encode()
        whole = self._entries.get(key)
        if whole is None:
            whole = self._entries[key] = proto.BundleEntryProto(
                dtype=entry.dtype, shape=_shape_proto(shape)
            )
        whole.slices.append(_slice_proto(extents))
        self._entries[self._new_key(slice_key(name, extents))] = entry

    def _new_key(self, key: bytes) -> bytes:
        if key in self._entries:
            raise InvalidArgumentError(None, None, f"Adding duplicate key: {key.decode()}")
        return key

    def _written(self, value: Any, dtype: DType | None) -> Any:
        array = np.asarray(value)
        kind = as_dtype(array.dtype) if dtype is None else dtype
        entry = proto.BundleEntryProto(
            dtype=kind.as_datatype_enum, shape=_shape_proto(array.shape), offset=self._offset
        )
        if array.dtype == object:
            entry.size, checksum = _write_strings(self._file, array)
        else:
            data = np.ascontiguousarray(array).reshape(-1).view(np.uint8).data
            self._file.write(data)
            entry.size, checksum = len(data), crc32c(data)
        entry.crc32c = masked(checksum)
        self._offset += entry.size
        return entry

    def finish(self) -> None:
        """Writes the table and gives both files their names, the table's last."""
        header = proto.BundleHeaderProto(num_shards=1)
        header.version.producer = _VERSION
        entries = {_HEADER_KEY: header, **self._entries}
        index = index_path(self._prefix)
        with open(index + self._temporary, "wb") as file:
            table = TableWriter(file)
            for key in sorted(entries):
                table.add(key, entries[key].SerializeToString())
            table.finish()
            self._sync(file)
        self._sync(self._file)
        self._file.close()
        os.replace(self._data + self._temporary, self._data)
        os.replace(index + self._temporary, index)

    def _sync(self, file: BinaryIO) -> None:
        file.flush()
        if self._syncs:
            os.fsync(file.fileno())


def _shape_proto(shape: Sequence[int]) -> Any:
    message = proto.TensorShapeProto()
    for size in shape:
        message.dim.add(size=size)
    return message


def _slice_proto(extents: Sequence[Extent]) -> Any:
    message = proto.TensorSliceProto()
    for start, length in extents:
        extent = message.extent.add()
        if (start, length) != WHOLE:
            extent.start = start
            extent.length = length
    return message


def _write_strings(file: BinaryIO, array: np.ndarray) -> tuple[int, int]:
    """Writes all lengths, their checksum, all bytes; returns the size and the checksum of the whole."""
    strings = array.reshape(-1).tolist()
    lengths = b"".join(map(varint, map(len, strings)))
    # Lengths count in the checksum as plain numbers, of eight bytes only where four do not do.
    checksum = crc32c(
        b"".join(struct.pack("<I" if len(s) >> 32 == 0 else "<Q", len(s)) for s in strings)
    )
    end = struct.pack("<I", masked(checksum))
    contents = b"".join(strings)
    for part in (lengths, end, contents):
        file.write(part)
    return len(lengths) + len(end) + len(contents), crc32c(contents, crc32c(end, checksum))


class Bundle:
    """Reads a checkpoint; its files are mapped, and only what is asked for is read.

    Args:
      prefix: the path without the endings.

    Raises:
      NotFoundError: if there is no such checkpoint.
      DataLossError: here and when reading, if it is damaged.
    """

    def __init__(self, prefix: str):
        self._prefix = prefix
        self._table = Table(_mapped(index_path(prefix)), index_path(prefix))
        header = self._parsed(proto.BundleHeaderProto, _HEADER_KEY, self._table.get(_HEADER_KEY))
        if header.endianness != proto.BundleHeaderProto.LITTLE:
            raise self._damaged("written by a machine with another order of bytes")
        if not 0 < header.num_shards < _MOST_SHARDS:
            raise self._damaged(f"says that it has {header.num_shards} shards")
        self._shards = header.num_shards
        self._files: dict[int, Any] = {}

    def __contains__(self, name: str) -> bool:
        return name.encode() in self._table

    def entry(self, name: str) -> Any:
        """The BundleEntryProto of a tensor.

        Raises:
          NotFoundError: if there is none of this name.
        """
        data = self._table.get(name.encode()) if name else None
        if data is None:
            raise NotFoundError(None, None, f"Key {name} not found in checkpoint")
        return self._parsed(proto.BundleEntryProto, name.encode(), data)

    def entries(self) -> Iterator[tuple[str, Any]]:
        """The names of all tensors and their entries, in order; slices by the whole of which they are."""
        for key, data in self._table.items():
            if key and key[0]:  # a slice's key begins with a zero
                yield key.decode(), self._parsed(proto.BundleEntryProto, key, data)

    def read(self, name: str) -> np.ndarray:
        """A tensor's value; of strings an object array of bytes."""
        entry = self.entry(name)
        if not entry.slices:
            return self._value(name, entry)
        whole = [WHOLE] * len(entry.shape.dim)
        return self.read_slice(name, whole)

    def read_slice(self, name: str, extents: Sequence[Extent]) -> np.ndarray:
        """A part of a tensor, at (start, length) along each axis, from the slices that hold it.

        Raises:
          InvalidArgumentError: if the slice is not inside the tensor.
          NotFoundError: if the stored slices do not cover it.
        """
        entry = self.entry(name)
        shape = self._shape(name, entry)
        wanted = _spans(extents, shape, name)
        if not entry.slices:
            return self._value(name, entry)[tuple(slice(a, b) for a, b in wanted)]
        result = np.empty([b - a for a, b in wanted], as_dtype(entry.dtype).as_numpy_dtype)
        covered = 0
        for stored in entry.slices:
            stored_extents = [
                (e.start, e.length if e.HasField("length") else -1) for e in stored.extent
            ]
            spans = _spans(stored_extents, shape, name)
            common = [(max(a, c), min(b, d)) for (a, b), (c, d) in zip(wanted, spans)]
            if any(a >= b for a, b in common):
                continue
            part = self._slice(name, stored_extents, [b - a for a, b in spans])
            source = tuple(slice(a - c, b - c) for (a, b), (c, _) in zip(common, spans))
            target = tuple(slice(a - c, b - c) for (a, b), (c, _) in zip(common, wanted))
            result[target] = part[source]
            covered += int(np.prod([b - a for a, b in common], dtype=np.int64))
        if covered < result.size:
            raise NotFoundError(
                None,
                None,
                f"Slices of {name} in the checkpoint {self._prefix} do not cover what is asked for",
            )
        return result

    def _slice(self, name: str, extents: Sequence[Extent], shape: list[int]) -> np.ndarray:
        key = slice_key(name, extents)
        entry = self._parsed(proto.BundleEntryProto, key, self._table.get(key))
        if [d.size for d in entry.shape.dim] != shape:
            raise self._damaged(f"a slice of {name} has another shape than it is listed with")
        return self._value(name, entry)

    def _shape(self, name: str, entry: Any) -> tuple[int, ...]:
        shape = tuple(d.size for d in entry.shape.dim)
        if any(size < 0 for size in shape):
            raise self._damaged(f"{name} has a negative size")
        return shape

    def _value(self, name: str, entry: Any) -> np.ndarray:
        shape = self._shape(name, entry)
        try:
            dtype = as_dtype(entry.dtype)
        except TypeError:
            raise self._damaged(f"{name} has the unknown dtype {entry.dtype}") from None
        data = self._bytes(name, entry)
        count = 1
        for size in shape:
            count *= size
        if dtype.name == "string":
            return _strings(data, count, self._prefix, name, entry).reshape(shape)
        kind = np.dtype(dtype.as_numpy_dtype)
        if count * kind.itemsize != entry.size:
            raise self._damaged(
                f"{name} takes {entry.size} bytes, but its shape {list(shape)} of {dtype.name} "
                f"{count * kind.itemsize}"
            )
        _check(crc32c(data), entry, name, self._prefix)
        return np.frombuffer(data, kind).reshape(shape).copy()

    def _bytes(self, name: str, entry: Any) -> memoryview:
        if not 0 <= entry.shard_id < self._shards:
            raise self._damaged(f"{name} lies in shard {entry.shard_id} of {self._shards}")
        file = self._files.get(entry.shard_id)
        if file is None:
            path = data_path(self._prefix, entry.shard_id, self._shards)
            file = self._files[entry.shard_id] = memoryview(_mapped(path))
        if entry.offset < 0 or entry.size < 0 or entry.offset + entry.size > len(file):
            raise self._damaged(
                f"{name} lies at bytes {entry.offset} to {entry.offset + entry.size} of a shard of {len(file)}"
            )
        return file[entry.offset : entry.offset + entry.size]

    def _parsed(self, message: Any, key: bytes, data: bytes | None) -> Any:
        shown = key.decode(errors="replace") or "its header"
        if data is None:
            raise self._damaged(f"{shown} is missing")
        try:
            return message.FromString(data)
        except Exception as error:
            if type(error).__name__ != "DecodeError":
                raise
            raise self._damaged(f"the entry of {shown} cannot be parsed") from None

    def _damaged(self, what: str) -> DataLossError:
        return DataLossError(None, None, f"{what}: {index_path(self._prefix)}")


def _mapped(path: str) -> Any:
    """The bytes of a file."""
    try:
        with open(path, "rb") as file:
            if not os.fstat(file.fileno()).st_size:
                return b""
            return mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
    except (FileNotFoundError, NotADirectoryError):
        raise NotFoundError(None, None, f"{path}; No such file or directory") from None


def _spans(extents: Sequence[Extent], shape: tuple[int, ...], name: str) -> list[tuple[int, int]]:
    """(first, behind the last) along each axis."""
    spans = [(s, n if length < 0 else s + length) for (s, length), n in zip(extents, shape)]
    if len(extents) != len(shape) or any(
        not 0 <= first <= end <= n for (first, end), n in zip(spans, shape)
    ):
        raise InvalidArgumentError(
            None, None, f"{name} of shape {list(shape)} has no slice at {list(extents)}"
        )
    return spans


def _strings(data: memoryview, count: int, prefix: str, name: str, entry: Any) -> np.ndarray:
    """The strings of `_write_strings`, in a vector."""
    if count > len(data):  # each takes a byte at least
        raise DataLossError(None, None, f"{name} cannot hold {count} strings: {prefix}")
    lengths, place = [], 0
    for _ in range(count):
        length, place = read_varint(data, place)
        lengths.append(length)
    if place + 4 + sum(lengths) != len(data):
        raise DataLossError(None, None, f"strings of {name} do not have their lengths: {prefix}")
    numbers = b"".join(struct.pack("<I" if n >> 32 == 0 else "<Q", n) for n in lengths)
    checksum = crc32c(numbers)
    if struct.unpack("<I", data[place : place + 4])[0] != masked(checksum):
        raise DataLossError(None, None, f"lengths of the strings of {name} are damaged: {prefix}")
    _check(
        crc32c(data[place + 4 :], crc32c(data[place : place + 4], checksum)), entry, name, prefix
    )
    place += 4
    result = np.empty(count, object)
    for i, length in enumerate(lengths):
        result[i] = bytes(data[place : place + length])
        place += length
    return result


def _check(found: int, entry: Any, name: str, prefix: str) -> None:
    stored = unmasked(entry.crc32c)
    if found != stored:
        raise DataLossError(
            None,
            None,
            f"Checksum does not match: stored {stored} vs. calculated on the restored bytes {found}: "
            f"{name} at byte {entry.offset} of shard {entry.shard_id} of {prefix}",
        )
