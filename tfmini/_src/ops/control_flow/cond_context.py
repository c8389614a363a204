"""`CondContext`: one branch of a conditional during construction, and its record in the graph."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tfmini._src.base import proto
from tfmini._src.base.nest.structure import map_structure
from tfmini._src.base.read_only import read_only
from tfmini._src.graph.collections import get_collection, get_collection_ref
from tfmini._src.graph.control_flow_context import (
    ControlFlowContext,
    register_context,
)
from tfmini._src.graph.default_graph import get_default_graph
from tfmini._src.graph.graph_keys import GraphKeys
from tfmini._src.graph.graphdef.collection_protos import register_proto_function
from tfmini._src.graph.loop_inputs import output_context
from tfmini._src.graph.operation import Operation
from tfmini._src.graph.prefixes import prepend_name_scope, strip_name_scope
from tfmini._src.graph.scopes import control_dependencies
from tfmini._src.graph.tensor import Tensor
from tfmini._src.ops import ops
from tfmini._src.ops.control_flow.no_op_groups import no_op, with_dependencies
from tfmini._src.ops.control_flow.switch_merge import switch_ref_or_tensor
from tfmini._src.ops.lists.tensor_array import as_flow


class CondContext(ControlFlowContext):
    """The nodes of one branch of a `tf.cond`.

    External tensors enter through Switches on the predicate, one per tensor; a
    node without inputs gets a control dependency on the pivot.

    Args:
      pred: bool scalar tensor, the predicate.
      pivot: the predicate inside this branch.
      branch: 1 for the true branch, 0 for the false branch.
      name: the name of the context, made unique.
      context_def: a CondContextDef proto to load instead.
      import_scope: the name scope of the imported graph.
    """

    pred: Tensor = read_only("The predicate.")
    pivot: Tensor = read_only("The predicate within this branch.")
    branch: int = read_only("1 for the true branch, 0 for the false branch.")

    def __init__(
        self,
        pred: Any = None,
        pivot: Any = None,
        branch: int | None = None,
        name: str = "cond_text",
        context_def: Any = None,
        import_scope: str | None = None,
    ):
        graph = get_default_graph()
        self._name = graph.unique_name(name)
        if context_def is not None:
            self._name = prepend_name_scope(context_def.context_name, import_scope)
            pred = graph.as_graph_element(prepend_name_scope(context_def.pred_name, import_scope))
            pivot = graph.as_graph_element(prepend_name_scope(context_def.pivot_name, import_scope))
            branch = context_def.branch
            super().__init__(context_def.values_def, import_scope)
        else:
            super().__init__()
        self._pred = pred
        self._pivot = pivot
        self._branch: int = branch  # type: ignore[assignment]
        if context_def is None:
            self._values.add(pred.name)
            self._external_values[pred.name] = pred
            self._values.add(pivot.name)
            pivot.op._set_control_flow_context(self)

    @property
    def grad_state(self) -> Any:
        loop = self.GetWhileContext()
        return None if loop is None else loop.grad_state

    @property
    def back_prop(self) -> bool:
        return False

    def GetControlPivot(self) -> Tensor:
        return self._pivot

    def IsCondContext(self) -> bool:
        return True

    def to_proto(self, export_scope: str | None = None) -> Any:
        """Returns a CondContextDef proto, or None if the context is outside `export_scope`."""
        if export_scope is not None and not self.name.startswith(export_scope):
            return None
        message = proto.CondContextDef(
            context_name=strip_name_scope(self.name, export_scope),
            pred_name=strip_name_scope(self._pred.name, export_scope),
            pivot_name=strip_name_scope(self._pivot.name, export_scope),
            branch=self._branch,
            values_def=self._to_values_def(export_scope),
        )
        for nested in self._nested_contexts:
            nested.to_control_flow_context_def(message.nested_contexts.add())
        return message

    @staticmethod
    def from_proto(context_def: Any, import_scope: str | None = None) -> CondContext:
        """Creates the context described by a CondContextDef, including nested contexts."""
        context = CondContext(context_def=context_def, import_scope=import_scope)
        context.read_nested(context_def, import_scope)
        return context

    def to_control_flow_context_def(
        self, context_def: Any, export_scope: str | None = None
    ) -> None:
        """Writes this context into a ControlFlowContextDef."""
        context_def.cond_ctxt.CopyFrom(self.to_proto(export_scope))

    def AddValue(self, val: Tensor) -> Tensor:
        """Returns the tensor that represents `val` in this branch: `val` itself or the output of a Switch."""
        if val.name in self._values:
            # Nested conditionals register a tensor of an outer one under another name.
            return self._external_values.get(val.name, val)
        outer_value = self._in_outer_context(val)
        with control_dependencies(None):
            result = switch_ref_or_tensor(outer_value, self._pred)[self._branch]
            if self._outer_context is not None:
                self._outer_context.AddInnerOp(result.op)
        result.graph.prevent_fetching(result.op)
        result.op._set_control_flow_context(self)
        self._add_names([result.name])
        self._external_values[val.name] = result
        return result

    def _in_outer_context(self, val: Tensor) -> Tensor:
        """Registers an external tensor and returns the tensor that represents it in the outer context."""
        self._values.add(val.name)
        if self._outer_context is None:
            return val
        result = self._outer_context.AddValue(val)
        self._values.add(result.name)
        self._external_values[result.name] = result
        return result

    def _add_names(self, names: list[str]) -> None:
        """Registers the tensors as usable in this context and all enclosing ones."""
        context: Any = self
        while context is not None:
            context._values.update(names)
            context = context._outer_context

    def AddOp(self, op: Operation) -> None:
        """Adopts a node created while this was the graph's current context."""
        self._add_op(op)

    def _add_op(self, op: Operation) -> None:
        if not op.inputs:
            self._RemoveExternalControlEdges(op)
            if not any(output_context(control) is self for control in op.control_inputs):
                op._add_control_input(self._pivot.op)
        else:
            for index, tensor in enumerate(op.inputs):
                if op.type == "Merge" and tensor.op.type == "NextIteration":
                    continue  # belongs to a loop being imported, which reaches this branch itself
                value = self.AddValue(tensor)
                if value is not tensor:
                    op._update_input(index, value)
            self._RemoveExternalControlEdges(op)
            if op.type in op.graph._functions or op.type == "SymbolicGradient":
                op._add_control_input(self._pivot.op)
        self._add_names([tensor.name for tensor in op.outputs])
        outer = self._outer_context
        if outer is not None or op.type not in ("Exit", "RefExit"):
            op.graph.prevent_fetching(op)
        if outer is not None:
            outer.AddInnerOp(op)

    def _process_output(self, val: Tensor) -> Tensor:
        """Converts the result `val` of this branch to a tensor of the branch."""
        if val.name in self._values:
            return self._external_values.get(val.name, val)
        # A branch such as `lambda: x` returns an external tensor.
        result = switch_ref_or_tensor(self._in_outer_context(val), self._pred)[self._branch]
        self._external_values[val.name] = result
        return result

    def _build_result(self, value: Any) -> Tensor:
        if isinstance(value, Operation):
            # The pivot represents an operation that has run.
            return with_dependencies([value], self._pivot)
        return self._process_output(ops.convert_to_tensor(as_flow(value)))

    def BuildCondBranch(self, fn: Callable) -> tuple[Any, Any]:
        """Calls `fn` in this context; returns its result, and the result as tensors of this branch."""
        summaries_before = get_collection(GraphKeys._SUMMARY_COLLECTION)
        original = fn()
        summaries_after = get_collection(GraphKeys._SUMMARY_COLLECTION)
        if len(summaries_after) > len(summaries_before):
            # Summaries written in a branch become dependencies of its results.
            get_collection_ref(GraphKeys._SUMMARY_COLLECTION)[:] = summaries_before
            with control_dependencies(summaries_after[len(summaries_before) :]):
                if original is None:
                    return no_op(), None
                original = map_structure(ops.identity, original, expand_composites=True)
        if original is None:
            return None, None
        result = map_structure(self._build_result, original, expand_composites=True)
        return original, result if isinstance(result, list | tuple) else [result]


register_context("cond_ctxt", CondContext.from_proto)
register_proto_function(
    GraphKeys.COND_CONTEXT, "CondContextDef", CondContext.to_proto, CondContext.from_proto
)
