"""Conversion of a graph to a FunctionDef."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tfmini._src.base import proto
from tfmini._src.base.errors import invalid
from tfmini._src.graph.operation import Operation
from tfmini._src.graph.tensor import Tensor


class _Names:
    """The names in a FunctionDef, assigned in the order: outputs, inputs, nodes."""

    def __init__(self) -> None:
        self._used_names: set[str] = set()

    def new(self, name: str) -> str:
        """Makes `name` unique with a number."""
        candidate, suffix = name, 0
        while candidate in self._used_names:
            candidate = f"{name}_{suffix}"
            suffix += 1
        self._used_names.add(candidate)
        return candidate

    def argument_name(self, name: str) -> str:
        """Converts a name to an argument name: lowercase letters, digits and underscores, starting with a letter."""
        text = "".join(c.lower() if c.isascii() and c.isalnum() else "_" for c in name)
        start = next((i for i, c in enumerate(text) if c.isalpha()), None)
        return self.new("unknown" if start is None else text[start:])

    def make_unique(self, names: Sequence[str]) -> list[str]:
        """Makes the output names chosen by the program unique."""
        for name in names:
            if name in self._used_names:
                invalid(
                    f"Cannot have duplicate output names. Name '{name}' appears more than once in 'output_names' "
                    "array.",
                )
            self._used_names.add(name)
        return list(names)


def function_def(
    operations: Sequence[Operation],
    inputs: Sequence[Tensor],
    outputs: Sequence[Tensor],
    output_names: Sequence[str] = (),
    description: str = "",
) -> tuple[Any, dict[str, Operation]]:
    """Converts a graph to an unnamed FunctionDef; returns it and the operations by node name.

    Raises:
      InvalidArgumentError: if the numbers of outputs and output names differ, or a name is repeated.
    """
    if output_names and len(output_names) != len(outputs):
        invalid(
            "output names must be either empty or equal in size to outputs. output names size = "
            f"{len(output_names)} outputs size = {len(outputs)}",
        )
    message = proto.FunctionDef()
    signature = message.signature
    signature.description = description
    names = _Names()
    result_names = names.make_unique(output_names) or [
        names.argument_name(t.op.name) for t in outputs
    ]
    for name, tensor in zip(result_names, outputs):
        signature.output_arg.add(name=name, type=tensor.dtype.base_dtype.as_datatype_enum)
    arguments = {tensor.op: tensor for tensor in inputs}
    name_of: dict[Operation, str] = {}
    value_of: dict[Tensor, str] = {}
    for index, tensor in enumerate(inputs):
        name = name_of[tensor.op] = value_of[tensor] = names.argument_name(tensor.op.name)
        signature.input_arg.add(name=name, type=tensor.dtype.base_dtype.as_datatype_enum)
        attrs = message.arg_attr[index].attr
        for key, value in tensor.op.node_def.attr.items():
            if key.startswith("_"):
                attrs[key].CopyFrom(value)
    body = [op for op in operations if op not in arguments]
    for op in body:
        name = name_of[op] = names.new(op.name)
        for tensor, text in zip(op.outputs, _output_names(op)):
            value_of[tensor] = f"{name}:{text}"
    for op in body:
        node = message.node_def.add()
        node.CopyFrom(op.node_def)
        node.name = name_of[op]
        controls = [f"^{name_of[control]}" for control in op._control_inputs]
        node.input[:] = [*(value_of[tensor] for tensor in op.inputs), *controls]
        signature.is_stateful = signature.is_stateful or op.opdef.stateful
    for name, tensor in zip(result_names, outputs):
        message.ret[name] = value_of[tensor]
    return message, {name_of[op]: op for op in body}


def _output_names(op: Operation) -> list[str]:
    """Returns the argument name and index of each output of a node, as FunctionDefs refer to it."""
    names = []
    for arg in op.opdef.outputs:
        count = 1
        if arg.type_list_attr:
            count = len(op.attrs[arg.type_list_attr])
        elif arg.number_attr:
            count = op.attrs[arg.number_attr]
        names += [f"{arg.name}:{index}" for index in range(count)]
    return names
