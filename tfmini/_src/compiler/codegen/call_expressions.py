"""Op expressions in a plan's source: kernel calls, operators, and the inputs they may overwrite."""

from __future__ import annotations

from types import ModuleType
from typing import Any

import numpy as np

from tfmini._src.base.dtypes import variant
from tfmini._src.compiler.analysis.ownership import Ownership
from tfmini._src.compiler.codegen.intrinsics import reusing
from tfmini._src.compiler.codegen.value_expressions import Values
from tfmini._src.compiler.kernel_context import KernelContext
from tfmini._src.compiler.program import debug
from tfmini._src.compiler.program.program import Node
from tfmini._src.devices.host.threads import parallel_function
from tfmini._src.graph.op_traits.handle_checks import needs_no_check, unwrap_checks
from tfmini._src.graph.op_traits.quantized import compute_on_stored_numbers
from tfmini._src.graph.op_traits.static_view import StaticView
from tfmini._src.ops.pending_ops import wait

# For two NumPy scalars, an operator takes a tenth of the ufunc's time and returns the same result.
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
        if opdef.list_ufunc and self._are_two_arrays(node):
            return self._ufunc_call(step, node, opdef.list_ufunc)
        if module is np and opdef.indexing_rule is not None:
            index = opdef.indexing_rule(self._static_view(node))
            if index:
                return f"{self.values.read(node.inputs[0])}{index}"
        arguments = self.values.arguments(node)
        if opdef.list_ufunc and module is np and self._are_few_scalars(node):
            operator = f" {_OPERATORS[opdef.list_ufunc]} "
            return operator.join(self.values.read(slot) for slot in node.inputs)
        stores_numbers = module is np and self._stores_numbers(node)
        # Binding rules require NumPy, and the dtypes of plain numbers.
        bind_rule = opdef.bind_rule if module is np and not stores_numbers else None
        needs_context = opdef.takes_context or bind_rule is not None
        context = self._kernel_context(step, node, module) if needs_context else None
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
            kernel = unwrap_checks(kernel)
        if stores_numbers:
            kernel = compute_on_stored_numbers(
                kernel, [self.program.slots[s].dtype for s in node.outputs]
            )
        if first is not module:
            name = self.values.device(node.device)
        elif opdef.takes_context:
            name = self.values.name(f"ctx_{opdef.name}", context)
        else:
            name = self.values.module_name(module)
        attrs = [f"{attr}={self.values.literal(attr, node.attrs[attr])}" for attr in attr_names]
        text = f"{self.values.name(opdef.name, kernel)}({', '.join([name, *arguments, *attrs])})"
        if opdef.may_wait:  # in a loop, or in a part of a step: the thread blocks at this point
            return f"{self.values.name('wait', wait)}({text})"
        return text

    def _stores_numbers(self, node: Node) -> bool:
        """Whether the kernel computes with the stored integers of a quantized input."""
        dtypes = (self.program.slots[slot].dtype for slot in node.inputs)
        return node.opdef.mixes_quantized and any(dtype.is_quantized for dtype in dtypes)

    def _static_view(self, node: Node) -> StaticView:
        array, result = (self.program.slots[s] for s in (node.inputs[0], node.outputs[0]))
        constants = self.values.known_inputs(node)
        return StaticView(array.dims, result.dims, array.dtype, constants, node.attrs)

    def _are_few_scalars(self, node: Node) -> bool:
        """Whether all inputs are scalar numbers, few enough for Python's parser."""
        dtype = self.program.slots[node.inputs[0]].dtype
        if dtype == variant or dtype.is_quantized or len(node.inputs) > _MAX_TERMS:
            return False
        return all(map(self.values.is_scalar, node.inputs))

    def _are_two_arrays(self, node: Node) -> bool:
        """Whether the inputs are two float arrays known to have equal shapes."""
        if len(node.inputs) != 2:
            return False
        first, second = (self.program.slots[slot] for slot in node.inputs)
        return first.dtype.is_floating and _is_static(first.dims) and first.dims == second.dims

    def _ufunc_call(self, step: int, node: Node, name: str) -> str:
        """Returns an elementwise float op: an operator for scalars, else the ufunc, into a dead input if one fits."""
        module = self.values.module(node)
        called, ufunc = self.values.ufunc(module, name)
        if module is np and all(self.values.is_scalar(s) for s in node.inputs):
            operator = _OPERATORS.get(name)
            if operator:
                return f" {operator} ".join(self.values.read(s) for s in node.inputs)
            return f"{called}({', '.join(self.values.read(s) for s in node.inputs)})"
        arguments = [self.values.array_operand(s) for s in node.inputs]
        if module is np and len(arguments) == 1:
            function = parallel_function(name, self.program.slots[node.inputs[0]].dims)
            if function is not ufunc:
                return f"{self.values.name(name, function)}({arguments[0]})"
        position = self._dead_input(step, node)
        if position is None:
            return f"{called}({', '.join(arguments)})"
        self.overwritten.append((node, node.inputs[position]))
        operands = [s for i, s in enumerate(node.inputs) if i != position]
        result = self.program.slots[node.outputs[0]]
        if all(self.values.is_scalar(s) for s in operands) or _is_static(result.dims):
            return f"{called}({', '.join([*arguments, arguments[position]])})"
        target_name = self.values.name(f"{called}_into_{position}", reusing(ufunc, position))
        return f"{target_name}({', '.join(arguments)})"

    def _dead_input(self, step: int, node: Node) -> int | None:
        """Finds an input whose memory the result may reuse: owned, dead, not small, of equal dtype and shape."""
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
        """Returns the slots whose arrays a kernel with a context may keep or overwrite, and the input names."""
        owned_names: dict[int, str] = {}
        if not (node.opdef.takes_context or node.opdef.bind_rule is not None):
            return owned_names
        for slot, arg in zip(node.inputs, node.opdef.inputs):
            if arg.is_list:
                break
            if self.ownership.dies_at(slot, step):
                owned_names[slot] = arg.name
        return owned_names

    def _kernel_context(self, step: int, node: Node, module: ModuleType) -> KernelContext:
        owned_names = self.owned_inputs(step, node)
        self.overwritten += [(node, slot) for slot in owned_names]
        names = frozenset(owned_names.values())
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
