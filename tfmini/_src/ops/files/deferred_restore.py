"""Tensors for RestoreV2, which are read all at once or individually on demand.

An initialized variable keeps its value until the new one is available. Reading all tensors before the first
assignment would double peak memory. If variables are initialized, all checksums are therefore verified first,
and each tensor is read when its variable is assigned: a damaged checkpoint changes nothing, and at most
one tensor is in memory in addition to the variable values.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from tfmini._src.base.dtypes import DType
from tfmini._src.base.errors import invalid
from tfmini._src.formats.bundle import Bundle
from tfmini._src.formats.checkpoint_v1 import OldCheckpoint
from tfmini._src.formats.ordered_code import FULL_EXTENT
from tfmini._src.formats.slice_specs import parse_spec, shape_text
from tfmini._src.ops.operands import c_name, unwrap_string

# From this many tensors on, one scan of a checkpoint's table is faster than separate lookups.
_MIN_SCANNED_TENSORS = 100
# Bytes that may be there twice: going through the file twice would cost more.
_MAX_DUPLICATED_BYTES = 1 << 24


class CheckpointTensors:
    """Tensors of a checkpoint by name, each one complete or sliced by its spec.

    Raises:
      NotFoundError: if a tensor is missing.
      InvalidArgumentError: if a tensor's dtype differs, or its shape does not match its spec.
    """

    def __init__(
        self,
        checkpoint: Bundle | OldCheckpoint,
        names: Sequence[str],
        specs: Sequence[str],
        dtypes: Sequence[DType],
    ):
        self._checkpoint = checkpoint
        self._names = names
        self._specs = specs
        self._dtypes = dtypes
        self._extents: dict[int, list | None] = {}
        self._order = list(range(len(names)))
        if isinstance(checkpoint, Bundle):
            self._order.sort(key=names.__getitem__)  # the order in the file
            self._find(checkpoint)

    def _find(self, checkpoint: Bundle) -> None:
        if len(self._names) >= _MIN_SCANNED_TENSORS:
            checkpoint.look_up_all()
        for i in self._order:
            self._extents[i] = _extents(checkpoint, self._names[i], self._specs[i])
        for i in self._order:
            stored = checkpoint.dtype(self._names[i])
            if stored != self._dtypes[i]:
                invalid(
                    f"tensor_name = {self._names[i]}; expected dtype {c_name(self._dtypes[i])} does not equal "
                    f"original dtype {c_name(stored)}"
                )

    @property
    def is_little(self) -> bool:
        """Whether the tensors together fit in a small amount of memory."""
        return sum(map(self._checkpoint.size, self._names)) <= _MAX_DUPLICATED_BYTES

    def read(self, i: int) -> Any:
        """Reads tensor `i`; scalars are returned as numpy scalars."""
        checkpoint, name = self._checkpoint, self._names[i]
        if isinstance(checkpoint, OldCheckpoint):
            return read_old(checkpoint, name, self._specs[i], self._dtypes[i])
        extents = self._extents[i]
        return unwrap_string(
            checkpoint.read(name) if extents is None else checkpoint.read_slice(name, extents)
        )

    def read_all(self) -> tuple:
        """Reads all tensors."""
        with self._background_checksums():
            values = {i: self.read(i) for i in self._order}
        return tuple(values[i] for i in range(len(self._names)))

    def check_all(self) -> None:
        """Raises the errors that reading the tensors would raise."""
        for i in self._order:
            checkpoint, extents = self._checkpoint, self._extents.get(i)
            if isinstance(checkpoint, OldCheckpoint):
                self.read(i)
            else:
                checkpoint.check(self._names[i], extents)

    @contextlib.contextmanager
    def _background_checksums(self) -> Iterator[None]:
        checkpoint = self._checkpoint
        if isinstance(checkpoint, OldCheckpoint):
            yield
            return
        with checkpoint.background_checksums():
            yield


class DeferredTensor:
    """A checkpoint tensor that is read once, on first use."""

    __slots__ = ("_index", "_restoring", "_value")

    def __init__(
        self, value: Any = None, restoring: CheckpointTensors | None = None, number: int = 0
    ):
        self._value = value
        self._restoring = restoring
        self._index = number

    def read(self) -> Any:
        if self._restoring is not None:
            return self._restoring.read(self._index)
        value, self._value = self._value, None
        return value


def defer_restore(restoring: CheckpointTensors, cells: Sequence[Any]) -> tuple[DeferredTensor, ...]:
    """Returns tensors for variables with these cells: read immediately if the cells are empty, else on demand."""
    holds_memory = any(cell.array is not None or cell.xp is not np for cell in cells)
    if not holds_memory or restoring.is_little:
        return tuple(map(DeferredTensor, restoring.read_all()))
    restoring.check_all()
    return tuple(DeferredTensor(None, restoring, i) for i in range(len(cells)))


def _extents(checkpoint: Bundle, name: str, spec: str) -> list | None:
    """Returns the requested slice of a tensor, or None for the complete tensor."""
    if not spec:
        checkpoint.entry(name)
        return None
    stored = checkpoint.shape(name)
    shape, extents = parse_spec(spec)
    if tuple(shape) != stored:
        invalid(
            f"tensor_name = {name}; shape in shape_and_slice spec {shape_text(shape)} does not match the shape "
            f"stored in checkpoint: {shape_text(stored)}"
        )
    return None if all(extent == FULL_EXTENT for extent in extents) else extents


def read_old(checkpoint: OldCheckpoint, name: str, spec: str, dtype: Any) -> Any:
    """Reads a tensor of a version 1 checkpoint, or the slice of it in `spec`."""
    stored, full_shape = checkpoint.dtype(name), checkpoint.shape(name)
    if stored != dtype:
        invalid(
            f"Expected to restore a tensor of type {c_name(dtype)}, got a tensor of type {c_name(stored)} instead: "
            f"tensor_name = {name}"
        )
    if not spec:
        return unwrap_string(checkpoint.read(name))
    shape, extents = parse_spec(spec)
    if tuple(shape) != full_shape:
        invalid(
            f"Shape in shape_and_slice spec does not match the shape in the save file: {shape_text(shape)}, "
            f"save file shape: {shape_text(full_shape)}"
        )
    return unwrap_string(checkpoint.read_slice(name, extents))
