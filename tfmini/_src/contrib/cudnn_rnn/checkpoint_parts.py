"""cuDNN networks in object-based checkpoints, stored as kernels and biases of equivalent cells for any device.

The layer's single variable is saved in parts, which look like variables, and restored once all have been read.
"""

from __future__ import annotations

import functools
from collections.abc import Sequence
from typing import Any

from tfmini._src.ops import ops
from tfmini._src.variables.saveable import SaveableObject, SaveSpec
from tfmini._src.variables.trackable import VARIABLE_VALUE_KEY, Trackable


class CellParts:
    """The cells of a network, each with `kernel` and `bias`.

    Args:
      variable: cuDNN's buffer.
      saveable: the OpaqueParamsSaveable, with one kernel and one bias per cell.
      count: number of cells.
      device: device of the buffer.
    """

    def __init__(self, variable: Any, saveable: Any, count: int, device: str):
        self._saveable = saveable
        self._device = device
        self._variable = variable
        self._tensors: list | None = None
        self._restored: dict[int, Any] = {}
        self.kernels = [Part(self, index) for index in range(count)]
        self.biases = [Part(self, count + index) for index in range(count)]
        self._cells = [Cell(*parts) for parts in zip(self.kernels, self.biases)]

    def children(self) -> list[tuple[str, Any]]:
        """Returns the children of a layer by name; a one-layer network also has its parts, like a standalone cell."""
        children: list[tuple[str, Any]] = []
        if len(self._cells) == 1:
            children += [("kernel", self.kernels[0]), ("bias", self.biases[0])]
        return children + [(f"cell-{index}", cell) for index, cell in enumerate(self._cells)]

    def tensor(self, index: int) -> Any:
        """Returns the value of a part, creating its nodes on first use; kernels are numbered before biases."""
        if self._tensors is None:
            weights, biases = self._saveable.format_converter.opaque_to_tf_canonical(self._variable)
            self._tensors = [ops.identity(tensor) for tensor in (*weights, *biases)]
        return self._tensors[index]

    def restore(self, index: int, tensor: Any) -> Any:
        """Stores the value of a part; returns the restore operation once all values are available, else a no-op."""
        self._restored[index] = tensor
        count = len(self.kernels) + len(self.biases)
        if len(self._restored) < count:
            return ops.no_op()
        tensors = [ops.identity(self._restored[n]) for n in range(count)]
        self._restored.clear()
        return self._saveable.restore(tensors, None)

    def part_saveable(self, index: int, name: str) -> SaveableObject:
        """Returns a SaveableObject that saves and restores a part under the given name."""
        dtype = self._variable.dtype.base_dtype
        make = functools.partial(self.tensor, index)
        spec = SaveSpec(make, "", name, dtype=dtype, device=self._device)
        return _PartSaveable(self, index, spec, name)


class Part(Trackable):
    """A kernel or bias in object-based checkpoints."""

    def __init__(self, parts: CellParts, index: int):
        self._parts = parts
        self._index = index

    def _gather_saveables_for_checkpoint(self) -> dict[str, Any]:
        return {VARIABLE_VALUE_KEY: lambda name: self._parts.part_saveable(self._index, name)}


class Cell(Trackable):
    """A cell in object-based checkpoints."""

    def __init__(self, kernel: Part, bias: Part):
        self._track_trackable(bias, "bias")
        self._track_trackable(kernel, "kernel")


class _PartSaveable(SaveableObject):
    def __init__(self, parts: CellParts, index: int, spec: SaveSpec, name: str):
        super().__init__(parts.tensor, [spec], name)
        self._parts = parts
        self._index = index

    def restore(self, restored_tensors: Sequence, restored_shapes: Any) -> Any:
        """Returns an operation that restores the whole buffer, or a no-op until all parts are available."""
        return self._parts.restore(self._index, restored_tensors[0])
