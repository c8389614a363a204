"""Reading of version 1 checkpoints: a table per shard, with a list of its contents and a message per slice.

The list is stored under the empty key, the slices under the keys of `ordered_code.slice_key`, with their values as
protobuf numbers. The format is TensorFlow's saved_tensor_slice.proto.
"""

from __future__ import annotations

import math
import os
from collections.abc import Sequence
from dataclasses import field
from typing import Any

import numpy as np

from tfmini._src.base import proto
from tfmini._src.base.dtypes import DType
from tfmini._src.base.errors import DataLossError, InternalError, NotFoundError, invalid
from tfmini._src.base.records import dataclass
from tfmini._src.formats.data_file import DataFile
from tfmini._src.formats.ordered_code import FULL_EXTENT, Extent, slice_key
from tfmini._src.formats.overlaps import Span, check_no_overlap
from tfmini._src.formats.slice_specs import shape_text, slice_shape
from tfmini._src.formats.stored_dtypes import is_stored_shape, stored_dtype
from tfmini._src.formats.table import Table

# TensorProto value field by dtype; "int_val" for others.
VALUE_FIELDS = {
    "float32": "float_val",
    "float64": "double_val",
    "int64": "int64_val",
    "bool": "bool_val",
    "string": "string_val",
    "complex64": "scomplex_val",
    "complex128": "dcomplex_val",
    "float16": "half_val",
    "bfloat16": "half_val",
    "uint32": "uint32_val",
    "uint64": "uint64_val",
}


@dataclass
class _SavedTensor:
    shape: list[int]
    dtype: DType
    parts: list[tuple[int, list[Extent]]] = field(default_factory=list)  # shard and location


class OldCheckpoint:
    """Reads a version 1 checkpoint.

    Args:
      paths: its shards.
      pattern: the file pattern shown in messages.

    Raises:
      NotFoundError: if there are no shards.
      DataLossError: on construction or reading, if it is damaged.
      InternalError: if the shards are inconsistent, or slices overlap.
    """

    def __init__(self, paths: Sequence[str], pattern: str):
        if not paths:
            raise NotFoundError(
                None,
                None,
                "Unsuccessful TensorSliceReader constructor: Failed to find any matching files for "
                f"{pattern}",
            )
        self._pattern = pattern
        self._paths = list(paths)
        self._tables = [_open(path) for path in paths]
        self._saved_tensors: dict[str, _SavedTensor] = {}
        for shard in range(len(paths)):
            self._list_slices(shard)
        for name, saved in self._saved_tensors.items():
            slices = [extents for _, extents in saved.parts]
            boxes = [_spans(extents, saved.shape) for extents in slices]
            check_no_overlap(slices, boxes, f"of {name} in {pattern}")

    def _list_slices(self, shard: int) -> None:
        for tensor in self._message(shard, b"").meta.tensor:
            shape = [d.size for d in tensor.shape.dim]
            dtype = stored_dtype(tensor.type)
            if dtype is None:
                raise self._data_loss(shard, f"{tensor.name} has unknown dtype {tensor.type}")
            if not is_stored_shape(tuple(shape)):
                raise self._data_loss(shard, f"{tensor.name} has the shape {shape}")
            saved = self._saved_tensors.setdefault(tensor.name, _SavedTensor(shape, dtype))
            if (saved.shape, saved.dtype) != (shape, dtype):
                raise InternalError(
                    None,
                    None,
                    f"Incompatible tensor shapes detected for tensor {tensor.name}: existing = "
                    f"{shape_text(saved.shape)}, new = {shape_text(shape)}",
                )
            for part in tensor.slice:
                extents = [(e.start, e.length if e.HasField("length") else -1) for e in part.extent]
                if len(extents) != len(shape) or any(
                    start < 0 or start + max(length, 0) > size
                    for (start, length), size in zip(extents, shape)
                ):
                    problem = (
                        f"{tensor.name} has a slice at {extents}, outside its shape {list(shape)}"
                    )
                    raise self._data_loss(shard, problem)
                saved.parts.append((shard, extents))

    def __contains__(self, name: str) -> bool:
        return name in self._saved_tensors

    @property
    def names(self) -> list[str]:
        """Sorted names of all tensors."""
        return sorted(self._saved_tensors)

    def _find_tensor(self, name: str) -> _SavedTensor:
        saved = self._saved_tensors.get(name)
        if saved is None:
            raise NotFoundError(
                None, None, f'Tensor name "{name}" not found in checkpoint files {self._pattern}'
            )
        return saved

    def shape(self, name: str) -> tuple[int, ...]:
        """Returns the shape of a tensor; raises NotFoundError for an unknown name."""
        return tuple(self._find_tensor(name).shape)

    def dtype(self, name: str) -> DType:
        """Returns the dtype of a tensor; raises NotFoundError for an unknown name."""
        return self._find_tensor(name).dtype

    def size(self, name: str) -> int:
        """Returns the size of a tensor in bytes, without the contents of strings; 0 for an unknown name."""
        saved = self._saved_tensors.get(name)
        return math.prod(saved.shape) * saved.dtype.size if saved else 0

    def count_slices(self, name: str) -> int:
        """Returns the number of stored slices of a tensor."""
        return len(self._find_tensor(name).parts)

    def read(self, name: str) -> np.ndarray:
        """Returns a tensor's value; strings as an object array of bytes."""
        return self.read_slice(name, [FULL_EXTENT] * len(self._find_tensor(name).shape))

    def read_slice(self, name: str, extents: Sequence[Extent]) -> np.ndarray:
        """Reads a slice of a tensor, (start, length) along each axis, from the stored slices.

        Raises:
          NotFoundError: for an unknown name.
          InvalidArgumentError: if the stored slices do not cover it.
        """
        saved = self._find_tensor(name)
        expected = _spans(extents, saved.shape)
        pieces = []
        covered_size = 0
        for shard, part_extents in saved.parts:
            spans = _spans(part_extents, saved.shape)
            common = [(max(a, c), min(b, d)) for (a, b), (c, d) in zip(expected, spans)]
            if all(a < b for a, b in common):
                pieces.append((self._value(name, saved, shard, part_extents), spans, common))
                covered_size += math.prod(b - a for a, b in common)
        shape = [b - a for a, b in expected]
        if covered_size < math.prod(shape):
            text = f"slices of {name} in {self._pattern} do not cover the requested region"
            invalid(f"Error copying slice data\n{text}")
        result = np.zeros(shape, saved.dtype.as_numpy_dtype)
        for value, spans, common in pieces:
            source = tuple(slice(a - c, b - c) for (a, b), (c, _) in zip(common, spans))
            target = tuple(slice(a - c, b - c) for (a, b), (c, _) in zip(common, expected))
            result[target] = value[source]
        return result

    def _value(
        self, name: str, saved: _SavedTensor, shard: int, extents: list[Extent]
    ) -> np.ndarray:
        shape = slice_shape(saved.shape, extents)
        values = _tensor_values(
            self._message(shard, slice_key(name, extents)).data.data, saved.dtype
        )
        if len(values) != math.prod(shape):
            raise self._data_loss(shard, f"{name} has {len(values)} values for shape {shape}")
        return values.reshape(shape)

    def _message(self, shard: int, key: bytes) -> Any:
        data = self._tables[shard].get(key)
        if data is None:
            raise self._data_loss(
                shard, f"{key!r} is missing" if key else "the tensor index is missing"
            )
        try:
            return proto.SavedTensorSlices.FromString(data)
        except Exception as error:
            if type(error).__name__ != "DecodeError":
                raise
            raise self._data_loss(shard, f"the entry of {key!r} cannot be parsed") from None

    def _data_loss(self, shard: int, problem: str) -> DataLossError:
        return DataLossError(None, None, f"{problem}: {self._paths[shard]}")


def _open(path: str) -> Table:
    try:
        if os.path.isdir(path):
            raise DataLossError(None, None, f"Failed precondition: {path}; Is a directory")
        return Table(DataFile(path), path)
    except DataLossError as error:
        reason = error.message.rpartition(f": {path} at byte")[0] or error.message
        if not reason.startswith("Failed precondition"):
            reason = f"Data loss: {reason}"
        raise DataLossError(
            None,
            None,
            f"Unable to open table file {path}: {reason}: perhaps your file is in a different file format and you need "
            "to use a different restore operator?",
        ) from None


def _spans(extents: Sequence[Extent], shape: Sequence[int]) -> list[Span]:
    """Returns half-open (start, end) spans along each axis."""
    return [(s, n if length < 0 else s + length) for (s, length), n in zip(extents, shape)]


def _tensor_values(message: Any, dtype: DType) -> np.ndarray:
    """Returns the values of a TensorProto as a vector."""
    field_name = VALUE_FIELDS.get(dtype.name, "int_val")
    values = getattr(message, field_name)
    if dtype.name == "string":
        result = np.empty(len(values), object)
        result[:] = list(values)
        return result
    numpy_dtype = np.dtype(dtype.as_numpy_dtype)
    if numpy_dtype.kind in "cbf" and field_name != "half_val":
        # The encoding of the field ends with the bytes of its numbers.
        only_values = proto.TensorProto()
        getattr(only_values, field_name).MergeFrom(values)
        encoded = only_values.SerializeToString()
        complete = len(values) * (numpy_dtype.itemsize // (2 if numpy_dtype.kind == "c" else 1))
        count = complete // numpy_dtype.itemsize
        return np.frombuffer(encoded, numpy_dtype, count, len(encoded) - complete)
    if dtype.name in ("float16", "bfloat16"):
        return np.fromiter(values, np.uint32, len(values)).astype(np.uint16).view(numpy_dtype)
    # Values out of range for a narrower type indicate damage; the result is then arbitrary.
    wide_numbers = np.fromiter(
        values, numpy_dtype if numpy_dtype.itemsize > 2 else np.int32, len(values)
    )
    return wide_numbers.astype(numpy_dtype)
