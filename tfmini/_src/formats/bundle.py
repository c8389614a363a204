"""Reading of version 2 checkpoints: a table, `PREFIX.index`, and data shards `PREFIX.data-00000-of-00001` ...

The table has a header under the empty key and an entry (dtype, shape, location, checksum) per tensor; a sliced tensor
has an entry that lists its slices, and one per slice under a separate key. The format is TensorFlow's
tensor_bundle.
"""

from __future__ import annotations

import contextlib
import math
import os
import struct
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from tfmini._src.base import proto
from tfmini._src.base.dtypes import DType, variant
from tfmini._src.base.errors import DataLossError, InvalidArgumentError, NotFoundError, invalid
from tfmini._src.formats.bundle_files import data_path, index_path
from tfmini._src.formats.crc32c import ChecksumThread, Sum, crc32c, crc32c_of_bytes, mask, unmask
from tfmini._src.formats.data_file import MAX_BUFFERED_BYTES, DataFile
from tfmini._src.formats.ordered_code import FULL_EXTENT, Extent, slice_key
from tfmini._src.formats.overlaps import Span, check_no_overlap
from tfmini._src.formats.stored_dtypes import is_stored_shape, stored_dtype
from tfmini._src.formats.stored_variants import unpack_variants
from tfmini._src.formats.table import Table
from tfmini._src.formats.varints import read_varint

HEADER_KEY = b""
MAX_SHARDS = (1 << 16) - 1
_VARIANT_ENUM = variant.as_datatype_enum
_VARIABLE_LENGTH_DTYPES = ("string", "variant")  # dtypes with values of variable length


class Bundle:
    """Reads a checkpoint lazily.

    Args:
      prefix: the path without suffixes.
      suffix: suffix of the temporary name of its table, and of the shards that have not been renamed yet.

    Raises:
      NotFoundError: if there is no such checkpoint.
      DataLossError: on construction or reading, if it is damaged.
    """

    def __init__(self, prefix: str, suffix: str = ""):
        self._prefix = prefix
        self.ending = suffix
        self._path = index_path(prefix) + suffix
        self._table = Table(DataFile(self._path), self._path)
        try:
            data = self._table.get(HEADER_KEY)
        except DataLossError as error:
            raise DataLossError(
                None,
                None,
                f"Unable to read file ({self._path}). Perhaps the file is corrupt or was produced by a "
                f"newer version of TensorFlow with format changes (failed to seek to header entry): {error.message}",
            ) from None
        header = self._parse(proto.BundleHeaderProto, HEADER_KEY, data)
        if header.endianness != proto.BundleHeaderProto.LITTLE:
            raise self._data_loss("written by a machine with a different byte order")
        if not 0 < header.num_shards <= MAX_SHARDS:
            raise self._data_loss(f"declares {header.num_shards} shards")
        self.shards = header.num_shards
        self._files: dict[int, DataFile] = {}
        self._cached: dict[str, Any] = {}
        self._slices: dict[str, list[tuple[list[Extent], list[Span]]]] = {}  # and their locations
        self._checksum_thread: ChecksumThread | None = None
        self._read: list[tuple[Sum, Any, str]] = []  # checksums computed concurrently
        # Entries verified by `check`.
        self._verified: set[tuple[int, int, int]] = set()

    @contextlib.contextmanager
    def background_checksums(self) -> Iterator[None]:
        """Context manager that checks large data in a background thread; raises DataLossError at the end if damaged."""
        self._read = []
        with ChecksumThread() as self._checksum_thread:
            try:
                yield
            finally:
                self._checksum_thread = None
        read, self._read = self._read, []
        for total, entry, name in read:
            _check_crc32c(total.crc, entry, name, self._prefix)

    def __contains__(self, name: str) -> bool:
        return os.fsencode(name) in self._table

    def entry(self, name: str) -> Any:
        """Returns the BundleEntryProto of a tensor; raises NotFoundError for an unknown name."""
        entry = self._cached.get(name)
        if entry is None:
            data = self._table.get(os.fsencode(name)) if name else None
            if data is None:
                key = os.fsencode(name).decode("utf-8", "replace")
                raise NotFoundError(None, None, f"Key {key} not found in checkpoint")
            entry = self._cached[name] = self._parse(
                proto.BundleEntryProto, os.fsencode(name), data
            )
        return entry

    def look_up_all(self) -> None:
        """Caches the entries of all tensors."""
        with contextlib.suppress(DataLossError):  # re-raised when the damaged entry is read
            for _ in self.entries():
                pass

    def raw_entries(self) -> Iterator[tuple[bytes, Any]]:
        """Yields all keys and entries except the header, in order; slices have separate keys."""
        for key, data in self._table.items():
            if key:
                entry = self._parse(proto.BundleEntryProto, key, data)
                self._dtype(_key_text(key), entry)
                yield key, entry

    def entries(self) -> Iterator[tuple[str, Any]]:
        """Yields the names and entries of all tensors, in order; sliced tensors once."""
        for key, entry in self.raw_entries():
            if key[0]:  # the key of a slice begins with a zero byte
                name = self._name(key)
                self._cached[name] = entry
                yield name, entry

    def _name(self, key: bytes) -> str:
        try:
            return key.decode()
        except UnicodeDecodeError:
            raise self._data_loss(f"the name {key!r} is not valid UTF-8") from None

    def dtype(self, name: str) -> DType:
        """Returns the dtype of a tensor; raises like `entry`."""
        return self._dtype(name, self.entry(name))

    def shape(self, name: str) -> tuple[int, ...]:
        """Returns the shape of a tensor; raises like `entry`."""
        return self._shape(name, self.entry(name))

    def size(self, name: str) -> int:
        """Returns a tensor's size in bytes in the file, or of the full tensor if sliced; raises like `entry`."""
        entry = self.entry(name)
        if not entry.slices:
            return entry.size
        return math.prod(self._shape(name, entry)) * self._dtype(name, entry).size

    def read(self, name: str) -> np.ndarray:
        """Returns a tensor's value; strings as an object array of bytes."""
        entry = self.entry(name)
        if not entry.slices:
            return self._value(name, entry)
        extents = [FULL_EXTENT] * len(entry.shape.dim)
        return self.read_slice(name, extents)

    def read_slice(self, name: str, extents: Sequence[Extent]) -> np.ndarray:
        """Reads a slice of a tensor, (start, length) along each axis, from the stored slices.

        Raises:
          InvalidArgumentError: if the slice is not inside the tensor, or the stored slices do not cover it.
          InternalError: if stored slices overlap.
        """
        entry = self.entry(name)
        expected = _spans(extents, self._shape(name, entry), name)
        if not entry.slices:
            return self._value(name, entry)[tuple(slice(a, b) for a, b in expected)]
        pieces = self._covering_pieces(name, entry, extents, expected)
        if [spans for _, spans, _ in pieces] == [expected]:
            return self._value(name, pieces[0][0])
        result = np.zeros([b - a for a, b in expected], self._dtype(name, entry).as_numpy_dtype)
        for piece, spans, common in pieces:
            source = tuple(slice(a - c, b - c) for (a, b), (c, _) in zip(common, spans))
            target = tuple(slice(a - c, b - c) for (a, b), (c, _) in zip(common, expected))
            result[target] = self._value(name, piece)[source]
        return result

    def check(self, name: str, extents: Sequence[Extent] | None = None) -> None:
        """Raises the errors of reading a tensor or slice; numeric data is not loaded into memory.

        A subsequent read skips the checksum.
        """
        entry = self.entry(name)
        expected = _spans(
            extents or [FULL_EXTENT] * len(entry.shape.dim), self._shape(name, entry), name
        )
        if not entry.slices:
            self._check_value(name, entry)
            return
        for piece, _, _ in self._covering_pieces(name, entry, extents or (), expected):
            self._check_value(name, piece)

    def is_partly_renamed(self) -> bool:
        """Whether some shards are already renamed and no longer have the temporary name.

        Raises:
          OpError: if a shard is missing under both names, or its size does not match its tensors.
        """
        sizes = dict.fromkeys(range(self.shards), 0)
        for key, entry in self.raw_entries():
            self._file(_key_text(key), entry)
            if not entry.slices:
                sizes[entry.shard_id] = max(sizes[entry.shard_id], entry.offset + entry.size)
        paths = [data_path(self._prefix, shard, self.shards) for shard in sizes]
        for (shard, size), path in zip(sizes.items(), paths):
            if self._shard(shard).size != size:
                raise self._data_loss(
                    f"tensors occupy {size} bytes of {path}, whose size is {self._shard(shard).size}"
                )
        return not all(os.path.exists(path + self.ending) for path in paths)

    def check_all(self) -> None:
        """Raises the errors of reading any tensor, except for slice layout errors."""
        for key, entry in self.raw_entries():
            if not entry.slices:
                self._check_value(_key_text(key), entry)

    def _check_value(self, name: str, entry: Any) -> None:
        file, _, dtype = self._check_entry(name, entry)
        if dtype.name in _VARIABLE_LENGTH_DTYPES:
            self._value(name, entry)
        else:
            _check_crc32c(file.checksum(entry.offset, entry.size), entry, name, self._prefix)
            self._verified.add((entry.shard_id, entry.offset, entry.size))

    def _covering_pieces(
        self, name: str, entry: Any, extents: Sequence[Extent], expected: list[Span]
    ) -> list:
        """Returns the stored pieces that cover the requested part; raises InvalidArgumentError if they leave gaps."""
        pieces = self._pieces(name, entry, self._shape(name, entry), expected)
        size = math.prod(b - a for a, b in expected)
        if sum(math.prod(b - a for a, b in common) for _, _, common in pieces) < size:
            requested = ":".join("-" if e == FULL_EXTENT else f"{e[0]},{e[1]}" for e in extents)
            invalid(
                f"Does not have sufficient slices for partitioned tensor {name} to restore in slice_spec: {requested}\n"
                f"in {self._path}",
            )
        return pieces

    def _pieces(self, name: str, entry: Any, shape: tuple[int, ...], expected: list[Span]) -> list:
        """Returns the stored slices that intersect the requested part: entry, location and intersection of each."""
        pieces = []
        for extents, spans in self._stored_slices(name, entry, shape):
            common = [(max(a, c), min(b, d)) for (a, b), (c, d) in zip(expected, spans)]
            if any(a >= b for a, b in common):
                continue
            key = slice_key(name, extents)
            piece = self._parse(proto.BundleEntryProto, key, self._table.get(key))
            if [d.size for d in piece.shape.dim] != [b - a for a, b in spans]:
                raise self._data_loss(f"the shape of a slice of {name} differs from the listed one")
            if piece.dtype != entry.dtype:
                raise self._data_loss(f"the dtype of a slice of {name} differs from the tensor's")
            self._check_entry(name, piece)
            pieces.append((piece, spans, common))
        return pieces

    def _stored_slices(
        self, name: str, entry: Any, shape: tuple[int, ...]
    ) -> list[tuple[list[Extent], list[Span]]]:
        """Returns the stored slices of a tensor, verified not to overlap."""
        stored = self._slices.get(name)
        if stored is None:
            slices = [
                [(e.start, e.length if e.HasField("length") else -1) for e in part.extent]
                for part in entry.slices
            ]
            try:
                boxes = [_spans(extents, shape, name) for extents in slices]
            except InvalidArgumentError as error:
                raise self._data_loss(error.message) from None
            check_no_overlap(slices, boxes, f"of {name} in {self._path}")
            stored = self._slices[name] = list(zip(slices, boxes))
        return stored

    def _shape(self, name: str, entry: Any) -> tuple[int, ...]:
        shape = tuple([d.size for d in entry.shape.dim])
        if not is_stored_shape(shape):
            raise self._data_loss(f"{name} has the shape {list(shape)}")
        return shape

    def _dtype(self, name: str, entry: Any) -> DType:
        enum = entry.dtype
        dtype = variant if enum == _VARIANT_ENUM else stored_dtype(enum)
        if dtype is None:
            raise self._data_loss(f"{name} has unknown dtype {enum}")
        return dtype

    def _value(self, name: str, entry: Any) -> np.ndarray:
        file, shape, dtype = self._check_entry(name, entry)
        if dtype.name == "string":
            data = memoryview(file.bytes(entry.offset, entry.size))
            return _decode_strings(data, math.prod(shape), self._prefix, name, entry).reshape(shape)
        if dtype is variant:
            data = memoryview(file.bytes(entry.offset, entry.size))
            items, checksum = unpack_variants(data, math.prod(shape), f"{name}: {self._prefix}")
            _check_crc32c(checksum, entry, name, self._prefix)
            return items.reshape(shape)
        numpy_dtype = np.dtype(dtype.as_numpy_dtype)
        if entry.size <= MAX_BUFFERED_BYTES:
            contents = file.bytes(entry.offset, entry.size)
            _check_crc32c(crc32c_of_bytes(contents), entry, name, self._prefix)
            return np.ndarray(shape, numpy_dtype, contents).copy()
        pages = file.map_tensor(entry.offset, shape, numpy_dtype)
        if pages is not None:
            _check_crc32c(crc32c(pages.reshape(-1).view(np.uint8)), entry, name, self._prefix)
            return pages
        result = np.empty(shape, numpy_dtype)
        if (entry.shard_id, entry.offset, entry.size) in self._verified:
            file.fill(result.reshape(-1).view(np.uint8), entry.offset)
            return result
        total = file.read_into(
            result.reshape(-1).view(np.uint8), entry.offset, self._checksum_thread
        )
        if self._checksum_thread is None:
            _check_crc32c(total.crc, entry, name, self._prefix)
        else:
            self._read.append((total, entry, name))
        return result

    def _check_entry(self, name: str, entry: Any) -> tuple[DataFile, tuple[int, ...], DType]:
        """Returns the file, shape and dtype of a tensor; the file contains as many bytes as these require."""
        shape = self._shape(name, entry)
        dtype = self._dtype(name, entry)
        file = self._file(name, entry)
        if dtype.name not in _VARIABLE_LENGTH_DTYPES:
            size = math.prod(shape) * np.dtype(dtype.as_numpy_dtype).itemsize
            if size != entry.size:
                raise self._data_loss(
                    f"{name} has {entry.size} bytes, but its shape {list(shape)} of {dtype.name} requires {size}"
                )
        return file, shape, dtype

    def _file(self, name: str, entry: Any) -> DataFile:
        if not 0 <= entry.shard_id < self.shards:
            raise self._data_loss(f"{name} is in shard {entry.shard_id} of {self.shards}")
        file = self._shard(entry.shard_id)
        if entry.offset < 0 or entry.size < 0 or entry.offset + entry.size > file.size:
            raise self._data_loss(
                f"{name} is at bytes {entry.offset} to {entry.offset + entry.size} of a shard "
                f"of {file.size}"
            )
        return file

    def _shard(self, index: int) -> DataFile:
        file = self._files.get(index)
        if file is None:
            path = data_path(self._prefix, index, self.shards)
            if self.ending:
                with contextlib.suppress(NotFoundError):
                    file = DataFile(path + self.ending)
            file = self._files[index] = file or DataFile(path)
        return file

    def _parse(self, message: Any, key: bytes, data: bytes | None) -> Any:
        if data is None:
            raise self._data_loss(f"{_key_text(key) or 'its header'} is missing")
        try:
            return message.FromString(data)
        except Exception as error:
            if type(error).__name__ != "DecodeError":
                raise
            label = _key_text(key) or "its header"
            raise self._data_loss(f"the entry of {label} cannot be parsed") from None

    def _data_loss(self, problem: str) -> DataLossError:
        return DataLossError(None, None, f"{problem}: {self._path}")


def _key_text(key: bytes) -> str:
    return key.decode(errors="replace")


def _spans(extents: Sequence[Extent], shape: tuple[int, ...], name: str) -> list[Span]:
    """Returns half-open (start, end) spans along each axis."""
    spans = [(s, n if length < 0 else s + length) for (s, length), n in zip(extents, shape)]
    if len(extents) != len(shape) or any(
        not 0 <= first <= end <= n for (first, end), n in zip(spans, shape)
    ):
        invalid(f"{name} of shape {list(shape)} has no slice at {list(extents)}")
    return spans


def _decode_strings(data: memoryview, count: int, prefix: str, name: str, entry: Any) -> np.ndarray:
    """Decodes the strings written by `_write_strings` to a vector."""
    if count > len(data):  # each length takes at least one byte
        raise DataLossError(None, None, f"{name} cannot hold {count} strings: {prefix}")
    lengths, position = [], 0
    try:
        for _ in range(count):
            length, position = read_varint(data, position)
            lengths.append(length)
    except DataLossError as error:
        raise DataLossError(
            None, None, f"lengths of the strings of {name}: {error.message}: {prefix}"
        ) from None
    if position + 4 + sum(lengths) != len(data):
        raise DataLossError(None, None, f"strings of {name} do not match their lengths: {prefix}")
    if all(n < 1 << 32 for n in lengths):
        encoded_lengths = np.array(lengths, "<u4").tobytes()
    else:
        encoded_lengths = b"".join(struct.pack("<I" if n < 1 << 32 else "<Q", n) for n in lengths)
    checksum = crc32c(encoded_lengths)
    if struct.unpack("<I", data[position : position + 4])[0] != mask(checksum):
        raise DataLossError(None, None, f"lengths of the strings of {name} are damaged: {prefix}")
    _check_crc32c(
        crc32c(data[position + 4 :], crc32c(data[position : position + 4], checksum)),
        entry,
        name,
        prefix,
    )
    position += 4
    result = np.empty(count, object)
    for i, length in enumerate(lengths):
        result[i] = bytes(data[position : position + length])
        position += length
    return result


def _check_crc32c(computed: int, entry: Any, name: str, prefix: str) -> None:
    stored = unmask(entry.crc32c)
    if computed != stored:
        raise DataLossError(
            None,
            None,
            f"Checksum does not match: stored {stored} vs. calculated on the restored bytes {computed}: "
            f"{name} at byte {entry.offset} of shard {entry.shard_id} of {prefix}",
        )
