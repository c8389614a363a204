"""Writing of version 1 checkpoints, a shard per file (format: `checkpoint_v1.py`).

Values are protobuf message fields, so a slice is limited to 2 GB.
"""

from __future__ import annotations

import os
from collections.abc import Sequence

import numpy as np

from tfmini._src.base import proto
from tfmini._src.base.dtypes import DType
from tfmini._src.base.errors import InternalError, UnimplementedError, invalid
from tfmini._src.formats.atomic_write import atomic_write
from tfmini._src.formats.bundle_writer import shape_proto, slice_proto
from tfmini._src.formats.checkpoint_v1 import VALUE_FIELDS
from tfmini._src.formats.ordered_code import Extent, slice_key
from tfmini._src.formats.slice_specs import shape_text
from tfmini._src.formats.table import TableWriter
from tfmini._src.formats.varints import varint, varints

_VERSION = 1
_LARGEST_MESSAGE = 1 << 31
_HEADER = 1 << 10  # upper bound on the size of a message, excluding its numbers
_LENGTH_DELIMITED = 2  # protobuf's wire type of messages and packed numbers
_SAVED_DATA = proto.SavedTensorSlices.DESCRIPTOR.fields_by_name["data"].number
_SLICE_DATA = proto.SavedSlice.DESCRIPTOR.fields_by_name["data"].number
# Maximum encoded size of a number in a message, in bytes.
_BYTES = {
    **{"float32": 4, "float64": 8, "complex64": 8, "complex128": 16, "bool": 1, "float16": 3},
    **{"int64": 10, "int32": 10, "int16": 10, "int8": 10, "uint8": 2, "uint16": 3},
    **{"qint8": 10, "qint32": 10, "quint8": 2, "string": 0},
}


class OldCheckpointWriter:
    """Collects the slices of a shard, then writes them.

    Example:

      writer = OldCheckpointWriter()
      writer.add("w", [2], [WHOLE], np.zeros(2, np.float32), tf.float32)
      writer.write("/tmp/model")
    """

    def __init__(self) -> None:
        self._meta = proto.SavedTensorSlices()
        self._meta.meta.versions.producer = _VERSION
        self._indices: dict[str, int] = {}
        self._slices: dict[bytes, bytes] = {}

    def add(
        self,
        name: str,
        shape: Sequence[int],
        extents: Sequence[Extent],
        value: np.ndarray,
        dtype: DType,
    ) -> None:
        """Adds a slice of a tensor of `shape`: `extents` is (start, length) per axis, (0, -1) for all of it.

        Of two slices at the same location, the first one is kept.

        Raises:
          UnimplementedError: for a dtype that the format does not support.
          InternalError: if another slice of this name has a different dtype or full shape.
          InvalidArgumentError: if it is too large.
        """
        if dtype.name not in _BYTES:
            text = f"Saving data type {dtype.proto_name} not yet supported"
            raise UnimplementedError(None, None, text)
        try:
            name.encode()
        except UnicodeEncodeError:
            invalid(f"The name of a tensor must be UTF-8, but is {os.fsencode(name)!r}")
        meta = self._meta.meta
        if name not in self._indices:
            self._indices[name] = len(meta.tensor)
            meta.tensor.add(name=name, shape=shape_proto(tuple(shape)), type=dtype.as_datatype_enum)
        meta_entry = meta.tensor[self._indices[name]]
        _check_same(meta_entry, name, shape, dtype)
        slice_message = slice_proto(extents)
        meta_entry.slice.append(slice_message)
        saved = proto.SavedSlice(name=name, slice=slice_message)
        _check_size(saved.ByteSize(), value, dtype)
        values = _encoded_values(VALUE_FIELDS.get(dtype.name, "int_val"), value)
        data = saved.SerializeToString() + _encoded_field(_SLICE_DATA, values)
        self._slices.setdefault(slice_key(name, extents), _encoded_field(_SAVED_DATA, data))

    def write(self, path: str) -> None:
        """Writes the file atomically; raises OpError as in TensorFlow for system errors."""
        with atomic_write(path) as file:
            table = TableWriter(file)
            table.add(b"", self._meta.SerializeToString())
            for key in sorted(self._slices):
                table.add(key, self._slices[key])
            table.finish()


def _check_same(saved: proto.SavedSliceMeta, name: str, shape: Sequence[int], dtype: DType) -> None:
    saved_sizes = [d.size for d in saved.shape.dim]
    if saved_sizes != list(shape):
        text = f"{shape_text(saved_sizes)}, trying to add name {name}, shape = {shape_text(shape)}"
        raise InternalError(None, None, f"Mismatching shapes: existing tensor = {text}")
    if saved.type != dtype.as_datatype_enum:
        saved_type = DType(saved.type).proto_name
        text = f"{saved_type}, trying to add name {name}, type = {dtype.proto_name}"
        raise InternalError(None, None, f"Mismatching types: existing type = {text}")


def _check_size(size: int, value: np.ndarray, dtype: DType) -> None:
    size += _HEADER + _BYTES[dtype.name] * value.size
    if dtype.name == "string":
        size += sum(len(text) + 10 for text in value.flat)
    if size > _LARGEST_MESSAGE:
        invalid(f"Tensor slice is too large to serialize (conservative estimate: {size} bytes)")


def _encoded_values(field: str, value: np.ndarray) -> bytes:
    """Returns the serialized TensorProto that has these values in a field."""
    flat = np.ascontiguousarray(value).reshape(-1)
    if not flat.size or flat.dtype == object:
        message = proto.TensorProto()
        getattr(message, field).extend(flat.tolist())
        return message.SerializeToString()
    if flat.dtype == np.float16:
        flat = flat.view(np.uint16)
    number = proto.TensorProto.DESCRIPTOR.fields_by_name[field].number
    return _encoded_field(number, varints(flat) if flat.dtype.kind in "iu" else flat.tobytes())


def _encoded_field(number: int, contents: bytes) -> bytes:
    """Returns the encoding of a message or of packed numbers in the field with this number."""
    return varint(number << 3 | _LENGTH_DELIMITED) + varint(len(contents)) + contents
