"""Op expressions in a plan's source: kernel calls, operators, and the inputs they may overwrite."""

from __future__ import annotations

import functools
import math
from collections.abc import Callable, Sequence
from types import ModuleType
from typing import Any

import numpy as np

from tfmini._src.base.dtypes import DType, resource, stored_numbers, variant
from tfmini._src.compiler.analysis.ownership import Ownership
from tfmini._src.compiler.codegen.intrinsics import reusing
from tfmini._src.compiler.codegen.value_expressions import Values
from tfmini._src.compiler.kernel_context import KernelContext
from tfmini._src.compiler.program import debug
from tfmini._src.compiler.program.program import Node
from tfmini._src.devices.host.threads import function_of
from tfmini._src.graph.op_traits.handle_checks import needs_no_check, unchecked
from tfmini._src.ops.pending_ops import wait

# Between two NumPy scalars, an operator costs a tenth of the ufunc and returns the same result.
_OPERATORS = {
    "add": "+",
    "subtract": "-",
    "multiply": "*",
    "divide": "/",
    "true_divide": "/",
    "less": "<",
    "less_equal": "<=",
    "greater": ">",
    "greater_equal": ">=",
    "equal": "==",
    "not_equal": "!=",
    "logical_and": "&",
    "logical_or": "|",
}
_MAX_TERMS = 256
_MAX_CONTIGUOUS_COPY_ELEMENTS = 1 << 14  # elements that NumPy copies in constant time
_VIEWS = frozenset({"Reshape", "ExpandDims", "Squeeze", "Slice"})


def _on_stored_numbers(
    kernel: Callable[..., object], dtypes: Sequence[DType]
) -> Callable[..., object]:
    """Wraps a kernel to compute with the stored integers of quantized inputs; `dtypes` are its output dtypes."""

    def stored(value: object) -> object:
        return tuple(map(stored, value)) if isinstance(value, tuple) else stored_numbers(value)

    @functools.wraps(kernel)
    def wrapped(xp: object, *inputs: object, **attrs: object) -> object:
        outputs = kernel(xp, *map(stored, inputs), **attrs)
        values = outputs if isinstance(outputs, tuple) else (outputs,)
        quantized = tuple(
            np.asarray(value).view(dtype.numpy) if dtype.is_quantized else value
            for value, dtype in zip(values, dtypes)
        )
        return quantized if isinstance(outputs, tuple) else quantized[0]

    return wrapped


class Calls:
    """Builds the expressions of a program's nodes.

    values: expressions of their inputs and outputs.
    ownership: array ownership of the slots.
    overwritten: (node, slot) pairs of inputs that a node may overwrite or keep.
    """

    def __init__(self, values: Values, ownership: Ownership):
        self.program = values.program
        self.values = values
        self.ownership = ownership
        self.overwritten: list[tuple[Node, int]] = []

    def call(self, step: int, node: Node) -> str:
        opdef = node.opdef
        if opdef.ufunc and self.program.slots[node.inputs[0]].dtype.is_floating:
            return self._ufunc_call(step, node, opdef.ufunc)
        module = self.values.module(node)
        if module is np and self._computes_stored_numbers(node):
            return self._call_of_stored_numbers(node)
        if opdef.name == "AddN" and self._are_two_arrays(node):
            return self._ufunc_call(step, node, "add")
        if module is np and opdef.name in _VIEWS and (view := self._view(node)):
            return view
        arguments = self.values.arguments(node)
        if opdef.name == "AddN" and module is np and self._are_few_scalars(node):
            return " + ".join(self.values.read(slot) for slot in node.inputs)
        bind_rule = opdef.bind_rule if module is np else None  # binding rules require NumPy
        needs_context = opdef.takes_context or bind_rule is not None
        context = self._context(step, node, module) if needs_context else None
        if bind_rule is not None:
            bound = bind_rule(context)
            if bound is not None:
                stem = bound.__name__ if isinstance(bound, np.ufunc) else opdef.name
                if stem in _OPERATORS and all(self.values.is_scalar(s) for s in node.inputs):
                    return f" {_OPERATORS[stem]} ".join(arguments)
                return f"{self.values.name(stem, bound)}({', '.join(arguments)})"
        kernel, attr_names = opdef.kernel, opdef.kernel_attrs
        first: Any = module
        if module is not np:
            kernel, attr_names, first = self.program.devices[node.device].kernel(opdef)
        if opdef.handles and node.origin.opdef is opdef and needs_no_check(node.origin):
            kernel = unchecked(kernel)
        if first is not module:
            name = self.values.device(node.device)
        elif opdef.takes_context:
            name = self.values.name(f"ctx_{opdef.name}", context)
        else:
            name = self.values.module_name(module)
        attrs = [f"{attr}={self.values.literal(attr, node.attrs[attr])}" for attr in attr_names]
        text = f"{self.values.name(opdef.name, kernel)}({', '.join([name, *arguments, *attrs])})"
        if opdef.may_wait:  # in a loop, or in a part of a step: the thread blocks here
            return f"{self.values.name('wait', wait)}({text})"
        return text

    def _computes_stored_numbers(self, node: Node) -> bool:
        """Whether an input is quantized and the op, which also accepts other numbers, computes with its integers."""
        if not any(self.program.slots[slot].dtype.is_quantized for slot in node.inputs):
            return False
        allowed = [attr.allowed for attr in node.opdef.attrs.values() if attr.kind == "type"]
        return any(
            {dtype.is_quantized for dtype in dtypes} == {True, False}
            for dtypes in allowed
            if dtypes
        )

    def _call_of_stored_numbers(self, node: Node) -> str:
        opdef = node.opdef
        dtypes = [self.program.slots[slot].dtype for slot in node.outputs]
        kernel = self.values.name(opdef.name, _on_stored_numbers(opdef.kernel, dtypes))
        attrs = [f"{a}={self.values.literal(a, node.attrs[a])}" for a in opdef.kernel_attrs]
        first = self.values.module_name(np)
        return f"{kernel}({', '.join([first, *self.values.arguments(node), *attrs])})"

    def _view(self, node: Node) -> str:
        """A NumPy expression that reshapes or slices an array of known shape; "" if it could fail."""
        viewed, result = (self.program.slots[s] for s in (node.inputs[0], node.outputs[0]))
        if node.opdef.name == "Reshape" and self._flattens(node):
            return f"{self.values.read(node.inputs[0])}.reshape(-1)"
        if not (
            viewed.dims and result.dims and _is_static(viewed.dims) and _is_static(result.dims)
        ):
            return ""
        if viewed.dtype in (resource, variant) or viewed.dtype._is_ref_dtype:
            return ""
        source = self.values.read(node.inputs[0])
        if node.opdef.name != "Slice":
            if len(node.inputs) == 2 and node.inputs[1] not in self.values.constants:
                return ""  # the static shape may be inferred from the input's size alone
            if math.prod(viewed.dims) != math.prod(result.dims):  # type: ignore[arg-type]
                return ""
            if math.prod(result.dims) > _MAX_CONTIGUOUS_COPY_ELEMENTS:  # type: ignore[arg-type]
                return ""  # the kernel copies a transposed one faster
            return f"{source}{self._reshape(node, result.dims)}"
        if not all(slot in self.values.constants for slot in node.inputs[1:]):
            return ""
        begin, size = (self.values.names[self.values.read(slot)] for slot in node.inputs[1:])
        if not np.shape(begin) == np.shape(size) == (len(viewed.dims),):
            return ""
        bounds = []
        for first, count, total, width in zip(begin, size, viewed.dims, result.dims):
            if not 0 <= first <= first + width <= total or count not in (-1, width):
                return ""
            end = first + width if count != -1 else ""
            bounds.append(f"{first or ''}:{end}")
        while bounds[-1] == ":" and len(bounds) > 1:
            bounds.pop()
        return f"{source}[{', '.join(bounds)}]"

    def _reshape(self, node: Node, dims: Sequence[int | None]) -> str:
        """The call or index that reshapes an array to `dims`, which `set_shape` may have declared incorrectly."""
        if node.opdef.name == "Squeeze":
            return f".squeeze({tuple(node.attrs['squeeze_dims']) or ''})"
        if 0 in dims:
            return f".reshape({tuple(dims)})"
        operand = self.values.names[self.values.constants[node.inputs[1]]]
        if node.opdef.name == "ExpandDims":
            return f"[{':, ' * (operand.item() % len(dims))}None]"
        return f".reshape({tuple(operand.tolist())})"

    def _flattens(self, node: Node) -> bool:
        """Whether a reshape turns an array with at most one long axis into a vector."""
        viewed, shape = node.inputs
        dims, target = self.program.slots[viewed].dims, self.values.constants.get(shape)
        if not dims or target is None or sum(size != 1 for size in dims) > 1:
            return False
        return np.array_equal(self.values.names[target], [-1])

    def _are_few_scalars(self, node: Node) -> bool:
        """Whether all inputs are scalar numbers, few enough for Python's parser."""
        if self.program.slots[node.inputs[0]].dtype == variant or len(node.inputs) > _MAX_TERMS:
            return False
        return all(map(self.values.is_scalar, node.inputs))

    def _are_two_arrays(self, node: Node) -> bool:
        """Whether the inputs are two float arrays known to have equal shapes."""
        if len(node.inputs) != 2:
            return False
        first, second = (self.program.slots[slot] for slot in node.inputs)
        return first.dtype.is_floating and _is_static(first.dims) and first.dims == second.dims

    def _ufunc_call(self, step: int, node: Node, name: str) -> str:
        """An elementwise op on floats: an operator between scalars, else the ufunc, into a dead input if one fits."""
        module = self.values.module(node)
        called, ufunc = self.values.ufunc(module, name)
        if module is np and all(self.values.is_scalar(s) for s in node.inputs):
            operator = _OPERATORS.get(name)
            if operator:
                return f" {operator} ".join(self.values.read(s) for s in node.inputs)
            return f"{called}({', '.join(self.values.read(s) for s in node.inputs)})"
        arguments = [self.values.array_operand(s) for s in node.inputs]
        if module is np and len(arguments) == 1:
            function = function_of(name, self.program.slots[node.inputs[0]].dims)
            if function is not ufunc:
                return f"{self.values.name(name, function)}({arguments[0]})"
        position = self._dead_input(step, node)
        if position is None:
            return f"{called}({', '.join(arguments)})"
        self.overwritten.append((node, node.inputs[position]))
        others = [s for i, s in enumerate(node.inputs) if i != position]
        result = self.program.slots[node.outputs[0]]
        if all(self.values.is_scalar(s) for s in others) or _is_static(result.dims):
            return f"{called}({', '.join([*arguments, arguments[position]])})"
        into = self.values.name(f"{called}_into_{position}", reusing(ufunc, position))
        return f"{into}({', '.join(arguments)})"

    def _dead_input(self, step: int, node: Node) -> int | None:
        """Index of an input whose memory the result may reuse: owned, dead, not small, of equal dtype and shape."""
        result = self.program.slots[node.outputs[0]]
        if result.dims is None or self.values.is_small(node.outputs[0]) or "alias" in debug.FLAGS:
            return None
        for position, slot in enumerate(node.inputs):
            operand = self.program.slots[slot]
            if (
                operand.dtype == result.dtype
                and operand.dims is not None
                and len(operand.dims) == len(result.dims)
                and all(d == r for d, r in zip(operand.dims, result.dims))
                and self.ownership.dies_at(slot, step)
            ):
                return position
        return None

    def owned_inputs(self, step: int, node: Node) -> dict[int, str]:
        """The slots whose arrays a kernel with a context may keep or overwrite, and the input names."""
        owned: dict[int, str] = {}
        if not (node.opdef.takes_context or node.opdef.bind_rule is not None):
            return owned
        for slot, arg in zip(node.inputs, node.opdef.inputs):
            if arg.is_list:
                break
            if self.ownership.dies_at(slot, step):
                owned[slot] = arg.name
        return owned

    def _context(self, step: int, node: Node, module: ModuleType) -> KernelContext:
        owned = self.owned_inputs(step, node)
        self.overwritten += [(node, slot) for slot in owned]
        names = frozenset(owned.values())
        dims = [self.program.slots[slot].dims for slot in node.inputs]
        return KernelContext(
            node.origin,
            self.values.resources,
            names,
            node.device,
            module,
            dims=dims,
            of_constants=all(slot in self.values.constants for slot in node.inputs),
            constants=self.values.known_inputs(node),
        )


def _is_static(dims: tuple[int | None, ...] | None) -> bool:
    return dims is not None and None not in dims
