"""Constants that follow from some of a node's inputs: known sizes of shapes, shapes of reshaped sparse tensors."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from tfmini._src.base import dtypes
from tfmini._src.compiler.program.program import Node, Program

_SELECTIONS = frozenset({"StridedSlice", "Slice", "Gather", "GatherV2", "Cast"})
_SIZES = (dtypes.int32, dtypes.int64)  # converted to other dtypes, different sizes may be equal
# Two stand-ins for an unknown size: a selection that is the same for both contains only known sizes.
_FILLINGS = (3, 5)


class PartialShapes:
    """Partly known shapes, by the slot of the vector that holds them."""

    def __init__(self, program: Program) -> None:
        self._program = program
        self._fillings: dict[int, tuple[Any, ...]] = {}

    def add(self, node: Node, constants: Mapping[int, Any]) -> None:
        """Adds a node with an output that holds a shape of unknown sizes."""
        name = node.opdef.name
        if name == "Shape":
            slot, dims = node.outputs[0], self._program.slots[node.inputs[0]].dims
        elif name == "SparseReshape":
            slot, dims = node.outputs[1], _target_dims(constants.get(node.inputs[2]))
        elif name == "SparseCross":
            slot, dims = node.outputs[2], (self._cross_row_count(node, constants), None)
        else:
            return
        if dims is None or all(size is None for size in dims):
            return
        dtype = self._program.slots[slot].dtype.as_numpy_dtype
        self._fillings[slot] = tuple(
            np.array([filling if size is None else size for size in dims], dtype)
            for filling in _FILLINGS
        )

    def _cross_row_count(self, node: Node, constants: Mapping[int, Any]) -> int | None:
        """Returns the number of examples of a cross if all its columns are known to have that number."""
        sparse, dense = node.attrs["N"], len(node.attrs["dense_types"])
        end = len(node.inputs) - dense
        shapes = [constants.get(slot) for slot in node.inputs[end - sparse : end]]
        matrices = [self._program.slots[slot].dims for slot in node.inputs[end:]]
        counts = {None if not dims else dims[0] for dims in matrices}
        for shape in shapes:
            counts.add(None if shape is None or np.shape(shape) != (2,) else int(shape[0]))
        return counts.pop() if len(counts) == 1 else None

    def value(self, node: Node, constants: Mapping[int, Any]) -> Any:
        """Returns the result of a node that selects from a shape; None if unknown."""
        if node.opdef.name not in _SELECTIONS or node.inputs[0] not in self._fillings:
            return None
        if self._program.slots[node.outputs[0]].dtype not in _SIZES:
            return None
        arguments = [constants.get(slot) for slot in node.inputs[1:]]
        if any(other is None for other in arguments):
            return None
        attrs = {name: node.attrs[name] for name in node.opdef.kernel_attrs}
        try:
            first, second = (
                node.opdef.kernel(np, filling, *arguments, **attrs)
                for filling in self._fillings[node.inputs[0]]
            )
        except Exception:  # raised at run time, with the node's name
            return None
        if np.array_equal(first, second):
            return first.copy()
        if node.opdef.name == "Cast":
            self._fillings[node.outputs[0]] = first, second
        return None


def _target_dims(target: Any) -> tuple[int | None, ...] | None:
    """Returns the sizes of a target shape, with None for sizes to be inferred."""
    if target is None or np.ndim(target) != 1:
        return None
    return tuple([None if size < 0 else size for size in target.tolist()])


def target_shape(node: Node, constants: Mapping[int, Any]) -> np.ndarray | None:
    """Returns the output shape of a SparseReshape between constant shapes; None for other nodes."""
    if node.opdef.name != "SparseReshape":
        return None
    shape, target = map(constants.get, node.inputs[1:])
    if shape is None or target is None or np.ndim(shape) != 1:
        return None
    try:
        _, result = node.opdef.kernel(np, np.zeros((0, shape.size), "i8"), shape, target)
    except Exception:  # raised at run time, with the node's name
        return None
    return np.asarray(result)


def repeats_once(node: Node, constants: Mapping[int, Any], program: Program) -> bool:
    """Whether a node is a Tile of one repetition along each axis."""
    if node.opdef.name != "Tile":
        return False
    counts, dims = constants.get(node.inputs[1]), program.slots[node.inputs[0]].dims
    if counts is None or dims is None or np.shape(counts) != (len(dims),):
        return False
    return bool((counts == 1).all())
