"""A graph's function library: its FunctionDefs, and the ops that call them by name.

A FunctionDef describes a computation as nodes over named arguments. A node whose op type is a function name calls that
function; so do nodes with a function attr (`PartitionedCall`, `If`, `While` ...). Functions here are data; calls are
resolved when a session compiles (`executor/inline/inline.py`).
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable, Mapping
from typing import Any, NoReturn

from tfmini._src.base import dtypes, proto
from tfmini._src.base.shapes import Dims
from tfmini._src.graph import nodedef, raw, stack_traces
from tfmini._src.graph.attributes import NameAttrList
from tfmini._src.graph.graph import Graph
from tfmini._src.graph.graphdef import function_bodies
from tfmini._src.graph.opdef import Arg, Attr, OpDef
from tfmini._src.graph.operation import Operation
from tfmini._src.graph.tensor import Tensor


class Function:
    """A function in a library.

    definition: its FunctionDef proto.
    grad_func_name: name of its gradient function, None if the gradient is derived from its body.
    python_grad_func: gradient rule that builds the gradient nodes (as for `tf.RegisterGradient`), or None.
    siblings: all functions of its source library, by name.
    frames: stack frames of the body's nodes, by node name in the definition.
    """

    python_grad_func: Callable[..., Any] | None = None

    def __init__(self, definition: proto.FunctionDef, gradient: Function | None = None):
        self._definition = definition
        self._grad_func = gradient
        self.siblings: dict[str, Function] = {}
        self.frames: dict[str, stack_traces.Frames] = {}

    @property
    def definition(self) -> proto.FunctionDef:
        return self._definition

    @property
    def library_name(self) -> str:
        """The function's name in the library."""
        name: str = self.definition.signature.name
        return name

    @property
    def name(self) -> str:
        """The function's public name."""
        return self.library_name

    @property
    def grad_func_name(self) -> str | None:
        return None if self._grad_func is None else self._grad_func.name

    @functools.cached_property
    def opdef(self) -> OpDef:
        """The op declaration of nodes that call the function by name."""
        opdef = signature_to_opdef(self.definition.signature)
        opdef.shape_rule = self._call_shapes
        return opdef

    def _call_shapes(self, op: Operation) -> list[Dims]:
        """Returns the static result shapes of a call, unknown if the call disables inference, as `Defun` does."""
        if op.attrs.get("_disable_call_shape_inference"):
            return [None] * len(op.outputs)
        return function_bodies.call_shapes(self, op)

    def add_to_graph(self, graph: Graph) -> None:
        """Adds the function and its gradient functions to a graph's library."""
        function: Function | None = self
        while function is not None:
            graph._add_function(function)
            function = function._grad_func


def signature_to_opdef(signature: proto.OpDef) -> OpDef:
    """Returns the op declaration for calls of a function with this signature, an OpDef proto."""
    attrs = {}
    for field in signature.attr:
        default = []
        if field.HasField("default_value"):
            default = [nodedef.python_value(field.default_value, Attr(field.type, None))]
        attr = Attr(
            field.type,
            *default,
            minimum=field.minimum if field.has_minimum else None,
            allowed=nodedef.python_value(field.allowed_values, None),
        )
        attr.name = field.name
        attrs[field.name] = attr
    opdef = OpDef(
        signature.name,
        tuple([_arg_from_proto(message, attrs) for message in signature.input_arg]),
        tuple([_arg_from_proto(message, attrs) for message in signature.output_arg]),
        attrs,
        _fail_uninlined,
        stateful=signature.is_stateful,
    )
    opdef.is_function = True
    return opdef


def _arg_from_proto(message: proto.OpDef.ArgDef, attrs: dict[str, Attr]) -> Arg:
    nodedef.check_arg_type(message, attrs)
    dtype = dtypes.as_dtype(message.type) if message.type else None
    return Arg(
        message.name,
        dtype,
        message.type_attr,
        message.number_attr,
        message.type_list_attr,
        message.is_ref,
    )


def _fail_uninlined(ctx: Any) -> NoReturn:
    raise AssertionError(f"the call {ctx.op.name} has not been inlined")


def called_function(op: Operation) -> NameAttrList | None:
    """Returns the function that a node calls by op type or attr `f`, and the call's attrs; None if it calls none."""
    if op.opdef.is_function:
        return NameAttrList(op.type, dict(op.attrs))
    if op.type in ("PartitionedCall", "StatefulPartitionedCall"):
        return NameAttrList(op.attrs["f"].name, dict(op.attrs))
    return None


def functions_in(node: proto.NodeDef) -> list[proto.NameAttrList]:
    """Returns the function attrs of a NodeDef, as NameAttrLists."""
    functions = []
    for value in node.attr.values():
        field = value.WhichOneof("value")
        if field == "func":
            functions.append(value.func)
        elif field == "list":
            functions += value.list.func
    return functions


def called_names(node: proto.NodeDef) -> list[str]:
    """Returns the names of the functions that a NodeDef may call: its op type, and its function attrs."""
    return [node.op, *(called.name for called in functions_in(node))]


def reachable_functions(
    names: Iterable[str], library: Mapping[str, Function]
) -> dict[str, Function]:
    """Returns the named functions of a library with their gradients and callees; other names are ignored."""
    reachable: dict[str, Function] = {}
    waiting = list(names)
    while waiting:
        name = waiting.pop()
        function = library.get(name)
        if function is None or name in reachable:
            continue
        reachable[name] = function
        if function.grad_func_name is not None:
            waiting.append(function.grad_func_name)
        for node in function.definition.node_def:
            waiting += called_names(node)
    return reachable


def call_gradient(op: Operation) -> Callable[..., Any] | None:
    """Gradient rule of calls: the Python gradient, if any, else `symbolic_gradient`; None for other nodes."""
    called = called_function(op)
    if called is None:
        return None
    function = op.__dict__.get("_defun") or op.graph._functions.get(called.name)
    return getattr(function, "python_grad_func", None) or symbolic_gradient


def symbolic_gradient(op: Operation, *grads: Tensor) -> Any:
    """Builds a SymbolicGradient node for a call."""
    called = called_function(op)
    assert called is not None
    return raw.SymbolicGradient([*op.inputs, *grads], Tout=gradient_types(op.inputs), f=called)


def gradient_types(tensors: Iterable[Tensor]) -> list[dtypes.DType]:
    """Returns the dtypes of these tensors' gradients."""
    types = [tensor.dtype.base_dtype for tensor in tensors]
    return [dtypes.float32 if dtype is dtypes.resource else dtype for dtype in types]


def from_library(library: proto.FunctionDefLibrary) -> list[Function]:
    """Reads the functions of a FunctionDefLibrary proto, each linked to its gradient function."""
    definitions = {message.signature.name: message for message in library.function}
    gradients = {}
    for pair in library.gradient:
        for name in (pair.function_name, pair.gradient_func):
            if name not in definitions:
                raise ValueError(f"FunctionDefLibrary missing '{name}' FunctionDef\n{library}")
        gradients[pair.function_name] = pair.gradient_func
    functions: dict[str, Function] = {}
    for name in definitions:
        chain = dict.fromkeys([name])  # each function is the gradient of its predecessor
        while (
            gradient_name := gradients.get(next(reversed(chain)))
        ) is not None and gradient_name not in functions:
            if gradient_name in chain:
                raise ValueError(
                    f"FunctionDefLibrary contains cyclic gradient functions!\n{library}"
                )
            chain[gradient_name] = None
        for function_name in reversed(chain):
            if function_name not in functions:
                copied = proto.FunctionDef.FromString(
                    definitions[function_name].SerializeToString()
                )
                functions[function_name] = Function(
                    copied, functions.get(gradients.get(function_name, ""))
                )
                functions[function_name].siblings = functions
    return [functions[name] for name in definitions]
