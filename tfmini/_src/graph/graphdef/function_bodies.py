"""Function bodies as graphs: a placeholder per argument, then the nodes of the FunctionDef."""

from __future__ import annotations

import threading
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING

from tfmini._src.base import dtypes, errors, proto
from tfmini._src.base.errors import invalid
from tfmini._src.base.records import dataclass
from tfmini._src.graph import nodedef, op_registry
from tfmini._src.graph.attributes import Attrs, NameAttrList
from tfmini._src.graph.graph import Graph
from tfmini._src.graph.graphdef.graph_importer import Importer
from tfmini._src.graph.graphdef.node_defaults import complete_node
from tfmini._src.graph.operation import COLOCATION_PREFIX, Operation
from tfmini._src.graph.shape_inference import Dims
from tfmini._src.graph.tensor import Tensor

if TYPE_CHECKING:
    from tfmini._src.graph.function_library import Function

_INPUT = "Placeholder"


@dataclass(frozen=True)
class Body:
    """The body of a function.

    arguments: the placeholders, one per argument tensor.
    results: the returned tensors.
    effects: nodes that run even if no result needs them: side effects and `control_ret`.
    returned: the nodes of `control_ret` only.
    """

    graph: Graph
    arguments: list[Operation]
    results: list[Tensor]
    effects: list[Operation]
    returned: Sequence[Operation] = ()


def build_body(
    function: Function,
    attrs: Attrs,
    functions: dict[str, Function],
    dims: Sequence[Dims] | None = None,
    graph: Graph | None = None,
) -> Body:
    """Builds the body of a `Function` for these attr values; `functions` are the callable functions.

    dims: known shapes of the arguments.
    graph: graph to add the nodes to; default: a new one.

    Raises:
      InvalidArgumentError, NotFoundError: if the definition is inconsistent.
    """
    definition = function.definition
    signature = definition.signature
    values = _attr_values(signature, attrs)
    graph = Graph() if graph is None else graph
    graph._functions = functions
    message = proto.GraphDef()
    message.versions.producer = graph._producer
    names: dict[str, str] = {}  # tensor reference in the FunctionDef's inputs -> tensor name
    arguments: list[str] = []
    for arg in signature.input_arg:
        types, is_list = _arg_dtypes(arg, values)
        for index, dtype in enumerate(types):
            node = message.node.add(op=_INPUT)
            node.name = f"{arg.name}_{index}" if is_list else arg.name
            node.attr["dtype"].type = dtype
            argument_dims = None if dims is None else dims[len(arguments)]
            node.attr["shape"].shape.CopyFrom(nodedef.shape_proto(argument_dims))
            names[f"{arg.name}:{index}"] = node.name
            if index == 0:
                names[arg.name] = node.name
            arguments.append(node.name)
    nodes = []
    for node_def in definition.node_def:
        node = message.node.add()
        node.CopyFrom(node_def)
        complete_node(node)
        for key in node.attr:
            _fill_attr_placeholders(node.attr[key], values)
        nodes.append(node)
        _name_outputs(node, functions, names)
    node_names = {node.name for node in message.node}
    for node in nodes:
        node.input[:] = [_input_name(text, names, node.name) for text in node.input]
        if "_class" in node.attr:
            groups = node.attr["_class"].list.s  # the group may belong to the enclosing graph
            groups[:] = [
                g for g in groups if g.decode().removeprefix(COLOCATION_PREFIX) in node_names
            ]
    try:
        importer = Importer(graph, message, "", {})
        importer.make_nodes()
        importer.add_to_graph(())
    except (ValueError, TypeError) as error:
        raise errors.InvalidArgumentError(None, None, f"{error}") from None
    for op in graph._ops:
        op._frames = function.frames.get(op.name, ())
    results = []
    for arg in signature.output_arg:
        for index, _ in enumerate(_arg_dtypes(arg, values)[0]):
            results.append(_returned_tensor(definition, arg.name, index, names, graph))
    inputs = [graph._nodes_by_name[name] for name in arguments]
    returned = [graph._nodes_by_name[name] for name in definition.control_ret.values()]
    return Body(graph, inputs, results, effect_nodes(graph, inputs, returned), returned)


def effect_nodes(
    graph: Graph, arguments: list[Operation], extra: Iterable[Operation] = ()
) -> list[Operation]:
    """Returns the nodes of a body that run even if no result needs them."""
    stateful = [op for op in graph._ops if op.opdef.stateful]
    return [op for op in dict.fromkeys([*stateful, *extra]) if op not in arguments]


def call_shapes(function: Function, op: Operation, attrs: Attrs | None = None) -> list[Dims]:
    """Infers the static output shapes of a call.

    attrs: attrs of the function, by default the node's.

    Raises:
      ValueError, NotFoundError: if the definition is inconsistent.
    """
    state = _inference
    attrs = op.attrs if attrs is None else attrs
    if function in state.functions:  # recursive
        return [None] * len(op.outputs)
    dims = [tensor._dims for tensor in op.inputs]
    for known_attrs, known_dims, shapes in state.known_shapes.get(function, ()):
        if known_dims == dims and known_attrs == attrs:
            return shapes
    functions = {**function.siblings, **op.graph._functions}
    call = _Call(function, attrs, dims, functions, tuple(state.functions))
    if state.depth >= _MAX_NESTED:
        raise _CallShapesNeeded(call)
    with cached_shapes():
        if state.depth:
            return call.infer()
        waiting = [call]
        while waiting:
            try:
                shapes = waiting[-1].infer()
            except _CallShapesNeeded as needed:
                waiting.append(needed.call)
            else:
                waiting.pop()
    return shapes


def inner_call_shapes(op: Operation) -> list[Dims]:
    """Returns the static output shapes of a call nested in a body under shape inference; unknown elsewhere."""
    called: NameAttrList = op.attrs["f"]
    function = op.graph._functions.get(called.name) if _inference.depth else None
    if function is None:
        return [None] * len(op.outputs)
    return call_shapes(function, op, called.attrs)


# Maximum recursion depth of shape inference over nested calls; deeper calls are inferred first, then their callers.
_MAX_NESTED = 30


@dataclass(frozen=True)
class _Call:
    """A function call whose result shapes are being inferred.

    functions: the functions that it may call.
    enclosing_functions: the enclosing functions being inferred.
    """

    function: Function
    attrs: Attrs
    dims: list[Dims]
    functions: dict[str, Function]
    enclosing_functions: tuple[Function, ...]

    def infer(self) -> list[Dims]:
        """Infers the result shapes from the function's body."""
        state = _inference
        functions, state.functions = (
            state.functions,
            dict.fromkeys((*self.enclosing_functions, self.function)),
        )
        state.depth += 1
        try:
            body = build_body(self.function, self.attrs, self.functions, self.dims)
        except errors.InvalidArgumentError as error:
            raise ValueError(error.message) from None
        finally:
            state.depth -= 1
            state.functions = functions
        shapes = [tensor._dims for tensor in body.results]
        state.known_shapes.setdefault(self.function, []).append((self.attrs, self.dims, shapes))
        return shapes


class _CallShapesNeeded(Exception):
    """Raised when a deeply nested call's shapes must be inferred first."""

    def __init__(self, call: _Call):
        super().__init__()
        self.call = call


@contextmanager
def cached_shapes() -> Iterator[None]:
    """Context manager that caches inferred call shapes; the function library must not change within it."""
    _inference.blocks += 1
    try:
        yield
    finally:
        _inference.blocks -= 1
        if not _inference.blocks:
            _inference.known_shapes.clear()


class _Inference(threading.local):
    """A thread's shape inference state for function calls.

    functions: functions whose bodies are being inferred.
    depth: number of these on Python's call stack.
    blocks: nesting depth of `cached_shapes`.
    known_shapes: by function, the (attrs, argument shapes, result shapes) inferred so far.
    """

    def __init__(self) -> None:
        self.functions: dict[Function, None] = {}
        self.depth = 0
        self.blocks = 0
        self.known_shapes: dict[Function, list[tuple[Attrs, list[Dims], list[Dims]]]] = {}


_inference = _Inference()


def _attr_values(signature: proto.OpDef, attrs: Attrs) -> dict[str, proto.AttrValue]:
    """Returns a function's attrs as AttrValue protos: explicit values, else defaults."""
    values = {}
    for field in signature.attr:
        if field.name in attrs:
            values[field.name] = nodedef.attr_value(attrs[field.name], _Kind(field.type))
        elif field.HasField("default_value"):
            values[field.name] = field.default_value
        else:
            invalid(f"Attr {field.name} is not found from {signature.name}")
    return values


@dataclass(frozen=True)
class _Kind:
    kind: str


def _fill_attr_placeholders(value: proto.AttrValue, values: Mapping[str, proto.AttrValue]) -> None:
    """Replaces attr placeholders with the function's attr values, in place."""
    field = value.WhichOneof("value")
    if field == "placeholder":
        if value.placeholder not in values:
            invalid(f"Failed to bind all placeholders in ${value.placeholder}")
        value.CopyFrom(values[value.placeholder])
    elif field == "func":
        for key in value.func.attr:
            _fill_attr_placeholders(value.func.attr[key], values)


def _arg_dtypes(
    arg: proto.OpDef.ArgDef, values: Mapping[str, proto.AttrValue]
) -> tuple[list[int], bool]:
    """Returns the dtypes of an argument for the attr values `values`, and whether it is a list."""
    try:
        nodedef.check_arg_type(arg, values)
        if arg.type_list_attr:
            return list(values[arg.type_list_attr].list.type), True
        dtype = values[arg.type_attr].type if arg.type_attr else arg.type
        dtypes.as_dtype(dtype)
        if arg.number_attr:
            return nodedef.repeat_dtype(dtype, arg.number_attr, values[arg.number_attr].i), True
    except (ValueError, TypeError) as error:
        invalid(str(error))
    return [dtype], False


def _name_outputs(
    node: proto.NodeDef, functions: dict[str, Function], names: dict[str, str]
) -> None:
    """Records the FunctionDef references of a node's outputs: "node:output:number"."""
    if node.op in functions:
        outputs = functions[node.op].definition.signature.output_arg
    elif node.op in op_registry.registry:
        outputs = nodedef.op_def(op_registry.registry[node.op]).output_arg
    else:
        return  # the importer reports the error
    position = 0
    names.setdefault(node.name, node.name)
    for arg in outputs:
        for index, _ in enumerate(_arg_dtypes(arg, node.attr)[0]):
            name = f"{node.name}:{position}" if position else node.name
            names[f"{node.name}:{arg.name}:{index}"] = name
            if index == 0:
                names[f"{node.name}:{arg.name}"] = name
            position += 1


def _input_name(text: str, names: dict[str, str], node: str) -> str:
    if text.startswith("^"):
        return text
    if text not in names:
        location = f"{{{{node {node}}}}}"
        invalid(f"input {text} is not found: {location}\n\tIn {location}")
    return names[text]


def _returned_tensor(
    definition: proto.FunctionDef, name: str, index: int, names: dict[str, str], graph: Graph
) -> Tensor:
    """Returns the tensor returned as output `name` of a function."""
    if name not in definition.ret:
        invalid(f"Return {name} missing.")
    text = definition.ret[name]
    tensor_name = names.get(f"{text}:{index}" if index else text)
    if index and tensor_name is None:
        base, _, start = text.rpartition(":")
        tensor_name = names.get(f"{base}:{int(start) + index}") if start.isdigit() else None
    if tensor_name is None:
        output = next(arg for arg in definition.signature.output_arg if arg.name == name)
        type_name = output.type_attr or dtypes.as_dtype(output.type).proto_name
        invalid(
            f"Return {name} -> {text} is not found.\n\tIn function output {name}:{type_name}",
        )
    return graph.get_tensor_by_name(tensor_name if ":" in tensor_name else f"{tensor_name}:0")
