"""Control flow contexts: the nodes that belong to a branch of a conditional or to a loop.

While a branch is built, its context is the graph's current one, and the graph passes it every new node (`AddOp`).
Subclasses live next to their ops; this module defines the shared base class and deserializes context protos.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol, TypeAlias

from tfmini._src.base import proto
from tfmini._src.base.nest.structure import flatten
from tfmini._src.base.read_only import read_only
from tfmini._src.graph.default_graph import get_default_graph
from tfmini._src.graph.loop_inputs import output_context
from tfmini._src.graph.operation import Operation
from tfmini._src.graph.prefixes import prepend_name_scope, strip_name_scope
from tfmini._src.graph.tensor import Tensor

# Deserializers by field of the ControlFlowContextDef oneof: `from_proto(message, import_scope)`.
ContextReader: TypeAlias = "Callable[[Any, str | None], ControlFlowContext]"
_readers: dict[str, ContextReader] = {}


def register_context(field: str, from_proto: ContextReader) -> None:
    """Registers the deserializer of `field` ("cond_ctxt") of a ControlFlowContextDef."""
    _readers[field] = from_proto


def from_control_flow_context_def(
    context_def: proto.ControlFlowContextDef, import_scope: str | None = None
) -> ControlFlowContext:
    """Creates the context described by a ControlFlowContextDef proto in the default graph."""
    field = context_def.WhichOneof("ctxt")
    if field not in _readers:
        raise NotImplementedError(f"Unknown ControlFlowContextDef field: {field}")
    return _readers[field](getattr(context_def, field), import_scope)


class LoopGradient(Protocol):
    """The gradient state of a loop, as accessed by control flow contexts."""

    forward: ControlFlowContext


class ControlFlowContext:
    """Base class of contexts: name, known tensors, and the enclosing and nested contexts.

    `_values` holds the names of the tensors that may be used directly; `_external_values` maps
    the name of an outer tensor to its counterpart inside.
    """

    outer_context: ControlFlowContext | None = read_only("The enclosing context, or None.")

    _name = ""
    name: str = read_only()

    def __init__(self, values_def: proto.ValuesDef | None = None, import_scope: str | None = None):
        self._nested_contexts: list[ControlFlowContext] = []
        self._outer_context: ControlFlowContext | None = (
            get_default_graph()._get_control_flow_context()
        )
        if self._outer_context is not None:
            self._outer_context._nested_contexts.append(self)
        self._context_stack: list[ControlFlowContext | None] = []
        self._values: set[str] = set()
        self._external_values: dict[str, Tensor] = {}
        if values_def is not None:
            self._read_values(values_def, import_scope)

    def _read_values(self, values_def: proto.ValuesDef, import_scope: str | None) -> None:
        graph = get_default_graph()
        self._values = {prepend_name_scope(value, import_scope) for value in values_def.values}
        for outer, inner in values_def.external_values.items():
            tensor = graph.get_tensor_by_name(prepend_name_scope(inner, import_scope))
            self._external_values[prepend_name_scope(outer, import_scope)] = tensor
        internal_names = self._values - set(self._external_values)
        for name in {value.split(":")[0] for value in internal_names}:
            graph.get_operation_by_name(name)._set_control_flow_context(self)

    def _to_values_def(self, export_scope: str | None = None) -> proto.ValuesDef:
        message = proto.ValuesDef()
        message.values.extend(strip_name_scope(v, export_scope) for v in sorted(self._values))
        for outer, inner in self._external_values.items():
            key = strip_name_scope(outer, export_scope)
            message.external_values[key] = strip_name_scope(inner.name, export_scope)
        return message

    def read_nested(
        self, context_def: proto.CondContextDef | proto.WhileContextDef, import_scope: str | None
    ) -> None:
        """Creates the nested contexts of a context's proto."""
        self.Enter()
        for nested in context_def.nested_contexts:
            from_control_flow_context_def(nested, import_scope)
        self.Exit()

    @property
    def grad_state(self) -> LoopGradient | None:
        """The gradient state of the enclosing loop, or None."""
        return None

    def AddName(self, name: str) -> None:
        """Allows the tensor named `name` to be used in this context."""
        self._values.add(name)

    def Enter(self) -> None:
        """Makes this the context of subsequent nodes."""
        graph = get_default_graph()
        self._context_stack.append(graph._get_control_flow_context())
        graph._set_control_flow_context(self)

    def Exit(self) -> None:
        """Restores the context that was current before `Enter`."""
        get_default_graph()._set_control_flow_context(self._context_stack.pop())

    def EnterGradientColocation(self, op: Operation, gradient_uid: str) -> None:
        """Notifies enclosing contexts that gradient nodes colocated with `op` are about to be built."""
        if self._outer_context is not None:
            self._outer_context.EnterGradientColocation(op, gradient_uid)

    def ExitGradientColocation(self, op: Operation, gradient_uid: str) -> None:
        """Notifies enclosing contexts that the gradient nodes of `op` are built."""
        if self._outer_context is not None:
            self._outer_context.ExitGradientColocation(op, gradient_uid)

    def ExitResult(self, result: object) -> None:
        """Makes the tensors of `result`, a nested structure, usable in the outer context."""
        outer = self._outer_context
        if outer is not None:
            for tensor in flatten(result, expand_composites=True):
                outer.AddName(tensor.name)

    def GetWhileContext(self) -> ControlFlowContext | None:
        """Returns the innermost enclosing loop context; None outside loops."""
        return None if self._outer_context is None else self._outer_context.GetWhileContext()

    def _RemoveExternalControlEdges(self, op: Operation) -> tuple[list[Operation], list[Operation]]:
        """Drops control inputs from outside the enclosing loop.

        Returns the remaining and the dropped inputs.
        """
        loop = self.GetWhileContext()
        if loop is None:
            return op.control_inputs, []
        internal_inputs = []
        for control in op.control_inputs:
            context = output_context(control)
            if context is not None and context.GetWhileContext() is loop:
                internal_inputs.append(control)
        dropped = [control for control in op.control_inputs if control not in internal_inputs]
        if dropped:
            op._remove_all_control_inputs()
            op._add_control_inputs(internal_inputs)
        return internal_inputs, dropped

    def AddOp(self, op: Operation) -> None:
        """Adds a node created while this is the graph's context."""
        raise NotImplementedError("Abstract method")

    def AddValue(self, val: Tensor) -> Tensor:
        """Returns the tensor that represents the outer tensor `val` in this context."""
        raise NotImplementedError("Abstract method")

    def AddInnerOp(self, op: Operation) -> None:
        """Called for each node added to a nested context."""
        if self._outer_context is not None:
            self._outer_context.AddInnerOp(op)

    def GetControlPivot(self) -> Tensor | None:
        """Returns the tensor on which nodes without inputs have a control dependency; None if they need none."""
        return None

    def to_control_flow_context_def(
        self, context_def: proto.ControlFlowContextDef, export_scope: str | None = None
    ) -> None:
        """Writes this context into a ControlFlowContextDef."""
        raise NotImplementedError("Abstract method")

    def IsWhileContext(self) -> bool:
        return False

    def IsCondContext(self) -> bool:
        return False

    def __str__(self) -> str:
        return self.name
