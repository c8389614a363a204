"""Functions of a graph: its library of FunctionDefs, and the ops that call them by name.

A FunctionDef says what a function computes as nodes over named arguments. A node whose op type is a function's name
calls it; so do the nodes whose attr names one (`PartitionedCall`, `If`, `While` ...). Here a function is data; what a
call runs is found when a session compiles (`runtime/inline.py`).
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Container, Iterable
from typing import Any, NoReturn, TypeVar

from tfmini._src.base import dtypes, proto
from tfmini._src.base.errors import NotFoundError
from tfmini._src.base.shapes import Dims
from tfmini._src.graph import nodedef, raw, stack_traces
from tfmini._src.graph.attributes import NameAttrList
from tfmini._src.graph.graph import Graph
from tfmini._src.graph.graphdef import function_bodies
from tfmini._src.graph.opdef import Arg, Attr, OpDef
from tfmini._src.graph.operation import Operation
from tfmini._src.graph.tensor import Tensor

CallRule = TypeVar("CallRule", bound="Callable[[Function, Operation], list[Dims]]")


class Function:
    """One function of a library.

    definition: its FunctionDef proto.
    grad_func_name: the name of the function that computes its gradient, None if that follows from its body.
    python_grad_func: what builds the nodes of its gradient (a rule as `tf.RegisterGradient` takes), or None.
    siblings: the library with which it came.
    frames: the lines that made the nodes of its body, by their names in the definition.
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
        """Its name in the library."""
        name: str = self.definition.signature.name
        return name

    @property
    def name(self) -> str:
        """Its name, as programs ask for it."""
        return self.library_name

    @property
    def grad_func_name(self) -> str | None:
        return None if self._grad_func is None else self._grad_func.name

    @functools.cached_property
    def opdef(self) -> OpDef:
        """The op of the nodes that call the function by name."""
        opdef = opdef_of(self.definition.signature)
        opdef.shape_rule = self._shapes
        return opdef

    def _shapes(self, op: Operation) -> list[Dims]:
        """The static shapes of a call's results; unknown if the call disables inference, as `Defun` does."""
        if op.attrs.get("_disable_call_shape_inference"):
            return [None] * len(op.outputs)
        return function_bodies.shapes_of_call(self, op)

    def add_to_graph(self, graph: Graph) -> None:
        """Adds it to the library of a graph, and the function of its gradient."""
        function: Function | None = self
        while function is not None:
            graph._add_function(function)
            function = function._grad_func


def opdef_of(signature: proto.OpDef) -> OpDef:
    """The declaration of the op that calls a function with this signature, an OpDef proto."""
    attrs = {}
    for field in signature.attr:
        attr = Attr(
            field.type,
            minimum=field.minimum if field.has_minimum else None,
            allowed=nodedef.python_value(field.allowed_values, None),
        )
        if field.HasField("default_value"):
            attr.default = None
            attr.default = nodedef.python_value(field.default_value, attr)
        attr.name = field.name
        attrs[field.name] = attr
    opdef = OpDef(
        signature.name,
        tuple([_arg(message, attrs) for message in signature.input_arg]),
        tuple([_arg(message, attrs) for message in signature.output_arg]),
        attrs,
        _called,
        stateful=signature.is_stateful,
    )
    opdef.is_function = True
    return opdef


def check_type(argument: proto.OpDef.ArgDef, attrs: Container[str]) -> None:
    """Raises NotFoundError or ValueError where an ArgDef names attrs that the function lacks, or no type."""
    for name in (argument.number_attr, argument.type_attr, argument.type_list_attr):
        if name and name not in attrs:
            raise NotFoundError(None, None, f"No attr named '{name}' in NodeDef:")
    if not (argument.type or argument.type_attr or argument.type_list_attr):
        raise ValueError(f"No type fields in {argument}".rstrip())


def _arg(message: proto.OpDef.ArgDef, attrs: dict[str, Attr]) -> Arg:
    check_type(message, attrs)
    dtype = dtypes.as_dtype(message.type) if message.type else None
    return Arg(
        message.name,
        dtype,
        message.type_attr,
        message.number_attr,
        message.type_list_attr,
        message.is_ref,
    )


def _called(ctx: Any) -> NoReturn:
    raise AssertionError(f"the call {ctx.op.name} has not been replaced by its function's body")


def function_of_call(op: Operation) -> NameAttrList | None:
    """The function that a node calls, by its op type or by an attr `f`, and the attrs of the call."""
    if op.opdef.is_function:
        return NameAttrList(op.type, dict(op.attrs))
    if op.type in ("PartitionedCall", "StatefulPartitionedCall"):
        return NameAttrList(op.attrs["f"].name, dict(op.attrs))
    return None


def gradient_of_call(op: Operation) -> Callable[..., Any] | None:
    """The rule for the gradient of a node: None if it is no call; else its function's, if that has one in Python."""
    called = function_of_call(op)
    if called is None:
        return None
    function = op.__dict__.get("_defun") or op.graph._functions.get(called.name)
    return getattr(function, "python_grad_func", None) or symbolic_gradient


def symbolic_gradient(op: Operation, *grads: Tensor) -> Any:
    """A symbolic gradient node for a call."""
    called = function_of_call(op)
    assert called is not None
    return raw.SymbolicGradient([*op.inputs, *grads], Tout=gradient_types(op.inputs), f=called)


def gradient_types(tensors: Iterable[Tensor]) -> list[dtypes.DType]:
    """The dtypes of the gradients of these tensors."""
    types = [tensor.dtype.base_dtype for tensor in tensors]
    return [dtypes.float32 if dtype is dtypes.resource else dtype for dtype in types]


def from_library(library: proto.FunctionDefLibrary) -> list[Function]:
    """The functions of a FunctionDefLibrary proto, each with the function of its gradient."""
    definitions = {message.signature.name: message for message in library.function}
    gradients = {}
    for pair in library.gradient:
        for name in (pair.function_name, pair.gradient_func):
            if name not in definitions:
                raise ValueError(f"FunctionDefLibrary missing '{name}' FunctionDef\n{library}")
        gradients[pair.function_name] = pair.gradient_func
    made: dict[str, Function] = {}
    for name in definitions:
        chain = dict.fromkeys([name])  # each is the gradient of the one before
        while (by := gradients.get(next(reversed(chain)))) is not None and by not in made:
            if by in chain:
                raise ValueError(
                    f"FunctionDefLibrary contains cyclic gradient functions!\n{library}"
                )
            chain[by] = None
        for each in reversed(chain):
            if each not in made:
                copied = proto.FunctionDef.FromString(definitions[each].SerializeToString())
                made[each] = Function(copied, made.get(gradients.get(each, "")))
                made[each].siblings = made
    return [made[name] for name in definitions]
