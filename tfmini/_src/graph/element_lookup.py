"""Lookup of graph elements and op definitions by name, with TensorFlow's messages."""

from __future__ import annotations

import platform
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from tfmini._src.base import errors
from tfmini._src.base.error_hints import with_hint
from tfmini._src.graph import nearest_name
from tfmini._src.graph.attributes import Attrs
from tfmini._src.graph.eager.eager_tensor import EagerTensor
from tfmini._src.graph.operation import Operation
from tfmini._src.graph.tensor import Tensor

if TYPE_CHECKING:
    from tfmini._src.graph.opdef import OpDef
    from tfmini._src.graph.scope_stacks import ScopeStacks


class Registry(dict[str, "OpDef"]):
    """Op definitions by type, filled by `opdef.op`.

    Rarely used ops are declared lazily: `late` maps a type to the function that declares it. Lookups trigger the
    declaration; iteration requires `declare_all` first.
    """

    def __init__(self) -> None:
        super().__init__()
        self.late: dict[str, Callable[[], None]] = {}
        self.newer: frozenset[str] = frozenset()  # ops added after 1.15

    def declare_later(self, op_types: Iterable[str], declare: Callable[[], None]) -> None:
        """Registers `declare`, called when one of these types is first looked up."""
        self.late.update(dict.fromkeys(op_types, declare))

    def declare_all(self) -> None:
        """Calls all pending `declare` functions."""
        for op_type in list(self.late):
            self.get(op_type)

    def __missing__(self, op_type: str) -> OpDef:
        declare = self.late.get(op_type)
        if declare is None:
            raise KeyError(op_type)
        declare()
        self.late = {name: other for name, other in self.late.items() if other is not declare}
        return self[op_type]

    def __contains__(self, op_type: object) -> bool:
        return super().__contains__(op_type) or op_type in self.late

    def get(self, op_type: str, default: OpDef | None = None) -> OpDef | None:  # type: ignore[override]  # no other key
        return self[op_type] if op_type in self else default


registry = Registry()
# Lazy declarations of rarely used functions of `ops`, by function name.
late_functions: dict[str, Callable[[], None]] = {}


def opdef(op_type: str) -> OpDef:
    """The declaration of `op_type`; raises NotFoundError for an unsupported op."""
    found = registry.get(op_type)
    if found is None:
        raise errors.NotFoundError(None, None, unknown_op_text(op_type))
    return found


def function_name(op_type: str) -> str:
    """The name of TensorFlow's generated function for an op: BatchMatMulV2 becomes batch_mat_mul_v2."""
    return re.sub("(?<=[a-z])(?=[A-Z])|(?<=.)(?=[A-Z][a-z])", "_", op_type).lower()


def unknown_op_text(op_type: str) -> str:
    """TensorFlow's message for an unregistered op."""
    return (
        f"Op type not registered '{op_type}' in binary running on {platform.node()}. Make sure the "
        "Op and Kernel are registered in the binary running in this process. Note that if you are "
        "loading a saved graph which used ops from tf.contrib, accessing (e.g.) "
        "`tf.contrib.resampler` should be done before importing the graph, as contrib ops are lazily "
        "registered when the module is first accessed."
    )


def complete_attrs(definition: OpDef, inputs: Sequence[Tensor], attrs: Attrs) -> None:
    """Adds the attrs inferred from the inputs and the defaults to `attrs`."""
    start = 0
    for arg in definition.inputs:
        if arg.type_list_attr:
            count = (
                len(attrs[arg.type_list_attr])
                if arg.type_list_attr in attrs
                else len(inputs) - start
            )
            types = tuple(t.dtype.base_dtype for t in inputs[start : start + count])
            attrs.setdefault(arg.type_list_attr, types)
        else:
            count = 1
            if arg.number_attr:
                count = attrs.setdefault(arg.number_attr, len(inputs) - start)
            if arg.type_attr and count and start < len(inputs):
                attrs.setdefault(arg.type_attr, inputs[start].dtype.base_dtype)
        start += count
    for name, attr in definition.attrs.items():
        if name not in attrs:
            if attr.required:
                raise ValueError(f"NodeDef missing attr '{name}' from Op<name={definition.name}>")
            attrs[name] = attr.default


def as_graph_element(
    graph: ScopeStacks, obj: object, allow_tensor: bool, allow_operation: bool
) -> Tensor | Operation:
    """Implements `Graph.as_graph_element`."""
    if allow_tensor and allow_operation:
        types = "Tensor or Operation"
    elif allow_tensor:
        types = "Tensor"
    elif allow_operation:
        types = "Operation"
    else:
        raise ValueError("allow_tensor and allow_operation can't both be False.")
    convert = getattr(obj, "_as_graph_element", None)
    if callable(convert):
        obj = convert()
    if isinstance(obj, str | bytes):
        name = obj.decode() if isinstance(obj, bytes) else obj
        return _by_name(graph, name, allow_tensor, allow_operation, types)
    if isinstance(obj, Tensor) and allow_tensor:
        if obj.graph is not graph:
            raise ValueError(f"Tensor {obj} is not an element of this graph.")
        return obj
    if isinstance(obj, Operation) and allow_operation:
        if obj.graph is not graph:
            raise ValueError(f"Operation {obj} is not an element of this graph.")
        return obj
    raise TypeError(f"Can not convert a {type(obj).__name__} into a {types}.")


def _by_name(
    graph: ScopeStacks, name: str, allow_tensor: bool, allow_operation: bool, types: str
) -> Tensor | Operation:
    nodes = graph._nodes_by_name
    if ":" in name:
        if not allow_tensor:
            raise ValueError(f"Name {name!r} appears to refer to a Tensor, not a {types}.")
        op_name, _, index = name.partition(":")
        if not index.lstrip("-").isdigit():
            raise ValueError(
                f"The name {name!r} looks a like a Tensor name, but is not a valid one. Tensor names must be "
                'of the form "<op_name>:<output_index>".'
            )
        if op_name not in nodes:
            missing = KeyError(
                f"The name {name!r} refers to a Tensor which does not exist. The operation, {op_name!r}, does "
                "not exist in the graph."
            )
            raise _with_nearest(missing, op_name, nodes, f":{index}")
        outputs = nodes[op_name].outputs
        if not -len(outputs) <= int(index) < len(outputs):
            raise KeyError(
                f"The name {name!r} refers to a Tensor which does not exist. The operation, {op_name!r}, "
                f"exists but only has {len(outputs)} outputs."
            )
        return outputs[int(index)]
    if allow_operation:
        if name not in nodes:
            missing = KeyError(f"The name {name!r} refers to an Operation not in the graph.")
            raise _with_nearest(missing, name, nodes)
        return nodes[name]
    if name in nodes:
        message = f"The name {name!r} refers to an Operation, not a {types}."
    else:
        message = f"The name {name!r} looks like an (invalid) Operation name, not a {types}."
    raise ValueError(f'{message} Tensor names must be of the form "<op_name>:<output_index>".')


def _with_nearest(
    error: KeyError, name: str, nodes: Mapping[str, Operation], index: str = ""
) -> KeyError:
    """Adds the nearest name in the graph, if any, to the error as a hint."""
    near = nearest_name.nearest_name(name, nodes)
    return error if near is None else with_hint(error, f"did you mean {near + index!r}?")


def op_to_colocate_with(value: Any, graph: Any) -> Operation:
    """The operation to colocate with for `value` (a tensor, variable or slices)."""
    handle = getattr(value, "handle", None)
    if isinstance(handle, EagerTensor) or isinstance(getattr(handle, "op", None), Operation):
        value = handle
    if isinstance(value, EagerTensor):
        if not graph.building_function:
            raise ValueError(
                "Encountered an Eager-defined Tensor during graph construction, but a function was not being built."
            )
        value = graph.capture(value)
    if isinstance(value, Tensor):
        return value.op
    rows = getattr(value, "values", None)
    if isinstance(rows, Tensor):  # slices, a sparse tensor
        return rows.op
    element: Tensor | Operation = graph.as_graph_element(value)
    return element.op if isinstance(element, Tensor) else element
