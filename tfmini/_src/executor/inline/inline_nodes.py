"""inline_nodes: builds the executed graph's nodes for calls."""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from dataclasses import field
from types import ModuleType
from typing import Any, NamedTuple, TypeVar

from tfmini._src.base import dtypes
from tfmini._src.base.dtypes import DType
from tfmini._src.base.records import dataclass
from tfmini._src.base.shapes import Dims
from tfmini._src.executor.inline.function_sizes import Callee
from tfmini._src.graph import op_registry
from tfmini._src.graph.attributes import Attrs, Literal
from tfmini._src.graph.graph import Graph
from tfmini._src.graph.opdef import Attr, Kernel, OpDef
from tfmini._src.graph.operation import Operation
from tfmini._src.graph.shape_inference import InferenceError, merge
from tfmini._src.graph.signature import parse_args
from tfmini._src.graph.stack_traces import Frames
from tfmini._src.graph.tensor import Tensor


class Link(NamedTuple):
    """A call being inlined: its name, its function, its source line, and its loop depth."""

    name: str
    called: Callee
    frames: Frames
    loops: int = 0


Chain = tuple[Link, ...]


@dataclass(frozen=True)
class Call:
    """A call being inlined, with its inputs in the executed graph.

    op: the original node.
    name: its name in the new graph. inputs: its inputs. controls: its control inputs.
    chain: the enclosing calls, outermost first.
    device, frames: its requested device, and the line that created it.
    """

    op: Operation
    name: str
    inputs: list[Tensor]
    controls: list[Operation]
    chain: Chain = ()
    device: str = ""
    frames: Frames = ()


@dataclass
class CallReplacement:
    """The nodes that replace a call.

    outputs: its result tensors.
    done: the operation that nodes with a control dependency on the call wait for.
    effects: nodes with effects: they run if the call does, even if its outputs are unused.
    """

    outputs: list[Tensor]
    done: Operation
    effects: list[Operation] = field(default_factory=list)


R = TypeVar("R")
# A generator that yields nested work and receives its result, because nesting may exceed Python's stack depth.
Work = Generator[Any, Any, R]
# Replaces a call.
Rule = Callable[[Any, Call], Work[CallReplacement]]


def finish(work: Work[R]) -> R:
    """Runs a generator, and the generators that it yields, without Python recursion; returns its result."""
    stack: list[Work[Any]] = [work]
    result: Any = None
    while stack:
        try:
            inner = stack[-1].send(result)
        except StopIteration as end:
            stack.pop()
            result = end.value
        else:
            stack.append(inner)
            result = None
    returned: R = result
    return returned


class CallNodeBuilder:
    """Adds a call's nodes to a graph: named below the call, on its device, with the call's source line."""

    def __init__(self, graph: Graph, call: Call):
        self.graph = graph
        self.call = call

    def add(
        self,
        op_type: str | OpDef,
        name: str,
        inputs: Sequence[Tensor],
        controls: Sequence[Operation] = (),
        **attrs: Any,
    ) -> Operation:
        """Adds a node called `name` below the call."""
        opdef = op_registry.registry[op_type] if isinstance(op_type, str) else op_type
        op = add_node(self.graph, opdef, f"{self.call.name}/{name}", inputs, attrs, controls)
        op._device = self.call.device
        op._frames = self.call.frames
        op._chain = self.call.chain
        op._shown_name = self.call.name
        if not op._chain:
            op._stands_for = self.call.op
        infer(op)
        return op

    def identity(self, tensor: Tensor, name: str, controls: Sequence[Operation] = ()) -> Tensor:
        op = self.add("Identity", name, [tensor], controls, T=tensor.dtype.base_dtype)
        return op.outputs[0]

    def constant(
        self, value: object, dtype: DType, name: str, controls: Sequence[Operation]
    ) -> Tensor:
        literal = Literal(dtype.as_numpy_dtype(value), dtype)
        return self.add("Const", name, [], controls, value=literal, dtype=dtype).outputs[0]

    def predicate(self, tensor: Tensor, controls: Sequence[Operation] = ()) -> Tensor:
        """Converts a tensor of any dtype to a bool tensor with its truth value."""
        if tensor.dtype.base_dtype is dtypes.bool:
            return tensor
        return self.add(
            TO_BOOL, "predicate", [tensor], controls, T=tensor.dtype.base_dtype
        ).outputs[0]


def add_node(
    graph: Graph,
    opdef: OpDef,
    name: str,
    inputs: Sequence[Tensor],
    attrs: Attrs,
    controls: Sequence[Operation] = (),
    requires_exact_name: bool = False,
) -> Operation:
    """Adds a node to a graph; a numeric suffix resolves name conflicts unless the name must be exact."""
    base, suffix = name, 0
    while not requires_exact_name and name in graph._nodes_by_name:
        suffix += 1
        name = f"{base}_{suffix}"
    controlled = list(dict.fromkeys(controls))
    op = Operation._create(graph, opdef, name, tuple(inputs), None, attrs, controlled)
    op._id = graph._next_id()
    graph._ops.append(op)
    graph._nodes_by_name[name] = op
    for tensor in op.inputs:
        tensor._add_consumer(op)
    for control in op._control_inputs:
        control._add_control_output(op)
    return op


def infer(op: Operation, declared_dims: Sequence[Dims] = ()) -> None:
    """Sets the static shapes of a node's outputs: the inferred shapes merged with the declared ones."""
    if op.opdef.shape_rule is not None:
        try:
            op.graph._infer_shapes(op, op.opdef.shape_rule)
        except ValueError:  # reported at run time, if the node runs
            for tensor in op.outputs:
                tensor._dims = None
    for tensor, dims in zip(op.outputs, declared_dims):
        try:
            tensor._dims = merge(tensor._dims, dims)
        except InferenceError:
            tensor._dims = dims


def replace_input(op: Operation, position: int, tensor: Tensor) -> None:
    """Sets an input that did not exist when the node was created."""
    op._inputs = (*op.inputs[:position], tensor, *op.inputs[position + 1 :])
    tensor._add_consumer(op)


def _is_true(xp: ModuleType, value: Any) -> Any:
    """Returns the truth value of a tensor: true for nonzero numbers, nonempty strings and nonempty non-scalars."""
    if getattr(value, "ndim", 0):
        return xp.bool_(value.size > 0)
    return xp.bool_(len(value) > 0 if isinstance(value, bytes) else value)


def internal_op(name: str, signature: str, kernel: Kernel, **attrs: object) -> OpDef:
    """Returns the declaration of an internal op, which never occurs in a program's graph."""
    attr_values = {key: Attr.from_keyword(key, value) for key, value in attrs.items()}
    left, _, right = signature.partition("->")
    return OpDef(
        name, parse_args(left, attr_values), parse_args(right, attr_values), attr_values, kernel
    )


TO_BOOL = internal_op("_ToBool", "input: T -> output: bool", _is_true, T=Attr("type"))
TO_BOOL.infer(lambda op: ())
