"""Value expressions in a plan's source: names of slots, constants, kernels and devices, and their referents."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from copy import copy
from types import ModuleType
from typing import TYPE_CHECKING, Any

import numpy as np

from tfmini._src.compiler.error_translation import translate
from tfmini._src.compiler.oom_report import HINT
from tfmini._src.compiler.program.program import Node, Program
from tfmini._src.devices.arrays import Array
from tfmini._src.devices.device import Device
from tfmini._src.devices.device_contexts import working_on

if TYPE_CHECKING:
    from tfmini._src.compiler.kernel_context import Cell, PlanResources

# For values with fewer elements, an early release or an `out=` argument does not pay off.
_MIN_RELEASED_ELEMENTS = 512

# Constants up to this size in bytes are shared per device.
_MAX_SHARED_BYTES = 64

# Maximum nesting of conditional expressions.
_MAX_NESTING = 40

# Types whose values are written as literals.
_LITERAL_TYPES = (bool, int, float, str)


class Values:
    """Builds expressions for a program's slots, kernels and attrs.

    names: maps global names to their values.
    constants, cells: names of the slots known at compile time.
    """

    def __init__(self, program: Program, resources: PlanResources):
        self.program = program
        self.resources = resources
        self.names: dict[str, Any] = {"xp": np}
        self.constants: dict[int, str] = {}
        self.cells: dict[int, str] = {}
        self._shared: dict[tuple[Any, ...], Array] = {}
        # Constant scalars by name, as 0-d arrays.
        self._flat: dict[str, np.ndarray] = {}

    def loop_values(self, program: Program) -> Values:
        """Returns the values of a loop's program, which shares slots and names with this one."""
        values = copy(self)
        values.program = program
        return values

    def name(self, stem: str, value: object) -> str:
        # Python normalizes some non-ASCII letters to others.
        if not (stem.isascii() and stem.isidentifier()):
            stem = re.sub("[^0-9A-Za-z_]", "_", stem)
        name = stem
        suffix = len(self.names)
        while name in self.names and self.names[name] is not value:
            name = f"{stem}_{suffix}"
            suffix += 1
        self.names[name] = value
        return name

    def read(self, slot: int) -> str:
        """Returns the expression of a slot's value."""
        return self.constants.get(slot) or self.cells.get(slot) or f"t{slot}"

    def is_scalar(self, slot: int) -> bool:
        return self.program.slots[slot].dims == ()

    def is_small(self, slot: int) -> bool:
        dims: Any = self.program.slots[slot].dims
        return dims is not None and None not in dims and math.prod(dims) < _MIN_RELEASED_ELEMENTS

    def constant(self, node: Node) -> str:
        value = node.constant
        device = self.program.devices.get(self.program.memory.get(node.outputs[0], ""))
        if device is not None:
            return self.name("const_" + node.origin.name, self._on_device(device, node))
        if isinstance(value, np.ndarray):
            value = np.ascontiguousarray(value) if value.ndim else value[()]
        return self.name("const_" + node.origin.name, value)

    def _on_device(self, device: Device, node: Node) -> Array:
        """Returns a constant's array on its device; errors are attributed to its node."""
        value = np.asarray(node.constant)
        try:
            return self._upload_constant(device, value)
        except Exception as error:
            if device.is_lost(error):
                device.lost = str(error)
            failure = translate(error, node, [], self.program.devices, lambda: HINT)
            assert failure is not None
            raise failure from error

    def _upload_constant(self, device: Device, value: np.ndarray) -> Array:
        """Returns a constant on a device. Equal small constants share one read-only array."""
        if value.nbytes > _MAX_SHARED_BYTES:
            with working_on([device]):
                return device.upload(value)
        key = (device.name, value.dtype.str, value.shape, value.tobytes())
        array = self._shared.get(key)
        if array is None:
            with working_on([device]):
                array = self._shared[key] = device.upload(value)
        return array

    def array_operand(self, slot: int) -> str:
        """Returns an operand used next to arrays: constant scalars become 0-d arrays, which NumPy converts faster."""
        name = self.constants.get(slot)
        if name is None or slot in self.program.memory or not self.is_scalar(slot):
            return self.read(slot)
        array = self._flat.get(name)
        if array is None:
            array = self._flat[name] = np.asarray(self.names[name])
        return self.name(f"{name}_0d", array)

    def module(self, node: Node) -> Any:
        """Returns the array module of a node's kernel, from the memory of its outputs, else of its inputs.

        Device-only ops use the module of their device.
        """
        if node.opdef.device_only and not self.program.on_host(node):
            return self.program.devices[node.device].xp
        for slot in node.outputs or node.inputs:
            memory = self.program.memory.get(slot)
            if memory:
                return self.program.devices[memory].xp
        return np

    def device(self, name: str) -> str:
        """Returns the source name of a device, such as "gpu0" for the program's first device."""
        devices = self.program.devices
        return self.name(f"{devices[name].kind.lower()}{list(devices).index(name)}", devices[name])

    def module_name(self, module: ModuleType) -> str:
        """Returns the source name of an array module; "xp" for numpy."""
        return self.name("xp" if module is np else module.__name__, module)

    def ufunc(self, module: ModuleType, name: str) -> tuple[str, Any]:
        ufunc = getattr(module, name)
        return self.name(name if module is np else f"{module.__name__}_{name}", ufunc), ufunc

    def cell(self, node: Node) -> Cell:
        """Returns the cell of a variable node, bound to the node's device."""
        cell = self.resources.variable(node.origin)
        device = self.program.devices.get(node.device)
        if device is not None:
            cell.xp = device.xp
        return cell

    def arguments(self, node: Node) -> list[str]:
        """Returns one expression per input of the signature, with list inputs as tuples."""
        arguments = []
        start = 0
        for arg in node.opdef.inputs:
            if not arg.is_list:
                arguments.append(self.read(node.inputs[start]))
                start += 1
                continue
            count = arg.count(node.attrs)
            items = [self.read(s) for s in node.inputs[start : start + count]]
            arguments.append(f"({', '.join(items)}{',' if count == 1 else ''})")
            start += count
        return arguments

    def known_inputs(self, node: Node) -> dict[str, object]:
        """Returns the values of the inputs that are constants on the host, by name; lists become tuples."""
        constants: dict[str, object] = {}
        start = 0
        for arg in node.opdef.inputs:
            slots = node.inputs[start : start + (arg.count(node.attrs) if arg.is_list else 1)]
            start += len(slots)
            if self.constants.keys() >= {*slots} and self.program.memory.keys().isdisjoint(slots):
                values = tuple([self.names[self.constants[slot]] for slot in slots])
                constants[arg.name] = values if arg.is_list else values[0]
        return constants

    def literal(self, name: str, value: object) -> str:
        """Returns the expression of an attr: a literal for plain types, else a global name."""
        if value is None or type(value) in _LITERAL_TYPES:
            is_finite = type(value) is not float or math.isfinite(value)
            return repr(value) if is_finite else self.name(name, value)
        if type(value) is tuple and all(type(v) in (bool, int, str) for v in value):
            return repr(value)
        return self.name(
            f"attr_{name}_{value}" if hasattr(value, "name") else f"attr_{name}", value
        )


def first_true(values: Sequence[str], conditions: Sequence[str]) -> str:
    """Returns an expression for the first value whose condition holds; the last condition is not evaluated."""
    if len(values) > _MAX_NESTING:  # Python cannot compile deeper ones
        half = len(values) // 2
        first = first_true(values[:half], conditions[:half])
        rest = first_true(values[half:], conditions[half:])
        return f"({first}) if {' or '.join(f'({c})' for c in conditions[:half])} else ({rest})"
    expression = values[-1]
    for value, condition in zip(values[-2::-1], conditions[-2::-1]):
        expression = f"{value} if {condition} else {expression}"
    return expression
