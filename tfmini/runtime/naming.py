"""What stands in a plan's text for the values and functions of its program: the names, and what they refer to."""

from __future__ import annotations

import math
import re
from typing import Any

import numpy as np

from tfmini.backend.gpu.device import Occupied
from tfmini.backend.gpu.errors import is_lost
from tfmini.runtime.failures import translate
from tfmini.runtime.program import Node, Program
from tfmini.runtime.usage import HINT

# Values smaller than this are not worth an early release or an `out=` (elements).
_SMALL = 512

# Constants up to this size are kept once for each GPU (bytes).
_SHARED = 64


class Naming:
    """Expressions for a program's slots, kernels and attrs.

    names: what the names of the text refer to.
    constants, cells: for slots that are known when the plan is made, their names.
    """

    def __init__(self, program: Program, resources: Any):
        self.program = program
        self.resources = resources
        self.names: dict[str, Any] = {"xp": np}
        self.constants: dict[int, str] = {}
        self.cells: dict[int, str] = {}
        self.shared: dict[tuple, Any] = {}
        self.flat: dict[
            str, np.ndarray
        ] = {}  # by the name of a constant scalar, the same as a 0-d array

    def _name(self, stem: str, value: Any) -> str:
        if not stem.isidentifier():
            stem = re.sub(r"\W", "_", stem)
        name = stem
        number = len(self.names)
        while name in self.names and self.names[name] is not value:
            name = f"{stem}_{number}"
            number += 1
        self.names[name] = value
        return name

    def _read(self, slot: int) -> str:
        """The expression of a slot's value."""
        return self.constants.get(slot) or self.cells.get(slot) or f"t{slot}"

    def _is_scalar(self, slot: int) -> bool:
        return self.program.slots[slot].dims == ()

    def _is_small(self, slot: int) -> bool:
        dims: Any = self.program.slots[slot].dims
        return dims is not None and None not in dims and math.prod(dims) < _SMALL

    def _constant(self, node: Node) -> str:
        value = node.value
        gpu = self.program.gpus.get(self.program.memory.get(node.outputs[0], ""))
        if gpu is not None:
            return self._name("const_" + node.origin.name, self._on_gpu(gpu, node))
        if isinstance(value, np.ndarray) and value.ndim == 0:
            value = value[()]
        return self._name("const_" + node.origin.name, value)

    def _on_gpu(self, gpu: Any, node: Node) -> Any:
        """A constant's array; what goes wrong is an error of its node."""
        node.value = np.asarray(node.value)
        try:
            return self._uploaded(gpu, node.value)
        except Exception as error:
            if is_lost(error):
                gpu.lost = str(error)
            failure = translate(error, node, [], lambda: HINT)
            assert failure is not None
            raise failure from error

    def _uploaded(self, gpu: Any, value: np.ndarray) -> Any:
        """A constant on a GPU. Equal small ones are one array, which nobody writes."""
        if value.nbytes > _SHARED:
            with Occupied([gpu]):
                return gpu.upload(value)
        key = (gpu.name, value.dtype.str, value.shape, value.tobytes())
        known = self.shared.get(key)
        if known is None:
            with Occupied([gpu]):
                known = self.shared[key] = gpu.upload(value)
        return known

    def _beside_arrays(self, slot: int) -> str:
        """The expression of an operand of a ufunc whose others are arrays: a constant scalar as a 0-d array, which
        numpy takes in faster than a scalar of its own."""
        name = self.constants.get(slot)
        if name is None or slot in self.program.memory or not self._is_scalar(slot):
            return self._read(slot)
        known = self.flat.get(name)
        if known is None:
            known = self.flat[name] = np.asarray(self.names[name])
        return self._name(f"{name}_0d", known)

    def _module(self, node: Node) -> Any:
        """The array module of the node's kernel: that of where its results lie, or of its inputs if it has none."""
        for slot in node.outputs or node.inputs:
            memory = self.program.memory.get(slot)
            if memory:
                return self.program.gpus[memory].xp
        return np

    def _gpu(self, device: str) -> str:
        return self._name(f"gpu{list(self.program.gpus).index(device)}", self.program.gpus[device])

    def _ufunc(self, module: Any, name: str) -> tuple[str, Any]:
        ufunc = getattr(module, name)
        return self._name(name if module is np else f"{module.__name__}_{name}", ufunc), ufunc

    def _cell(self, node: Node) -> Any:
        """The cell of a variable's node, whose values lie on the node's device."""
        cell = self.resources.variable(node.origin)
        gpu = self.program.gpus.get(node.device)
        if gpu is not None:
            cell.xp = gpu.xp
        return cell

    def _arguments(self, node: Node) -> list[str]:
        """The inputs as expressions, one an input of the signature: lists as tuples."""
        arguments = []
        start = 0
        for arg in node.opdef.inputs:
            if not arg.is_list:
                arguments.append(self._read(node.inputs[start]))
                start += 1
                continue
            count = (
                node.attrs[arg.number_attr]
                if arg.number_attr
                else len(node.attrs[arg.type_list_attr])
            )
            items = [self._read(s) for s in node.inputs[start : start + count]]
            arguments.append(f"({', '.join(items)}{',' if count == 1 else ''})")
            start += count
        return arguments

    def _literal(self, name: str, value: Any) -> str:
        if value is None or isinstance(value, bool | int | float | str):
            return (
                repr(value)
                if value == value and abs(_number(value)) != float("inf")
                else self._name(name, value)
            )
        if isinstance(value, tuple) and all(isinstance(v, bool | int | str) for v in value):
            return repr(value)
        return self._name(
            f"attr_{name}_{value}" if hasattr(value, "name") else f"attr_{name}", value
        )


def _number(value: Any) -> float:
    return value if isinstance(value, float) else 0.0
