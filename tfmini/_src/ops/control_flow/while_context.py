"""`WhileContext`: a loop during construction, and its record in the graph."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tfmini._src.base import proto
from tfmini._src.base.nest.containers import is_sequence_or_composite
from tfmini._src.base.nest.structure import (
    assert_same_structure,
    flatten,
    map_structure,
    pack_sequence_as,
)
from tfmini._src.base.read_only import read_only
from tfmini._src.graph import raw
from tfmini._src.graph.collections import get_collection, get_collection_ref
from tfmini._src.graph.control_flow_context import (
    ControlFlowContext,
    register_context,
)
from tfmini._src.graph.default_graph import get_default_graph
from tfmini._src.graph.graph_keys import GraphKeys
from tfmini._src.graph.graphdef.collection_protos import register_proto_function
from tfmini._src.graph.loop_inputs import (
    is_constant_enter,
    is_enter,
    is_exit,
    output_context,
    while_context,
)
from tfmini._src.graph.operation import Operation
from tfmini._src.graph.prefixes import prepend_name_scope, strip_name_scope
from tfmini._src.graph.scopes import control_dependencies
from tfmini._src.graph.tensor import Tensor
from tfmini._src.ops import ops
from tfmini._src.ops.control_flow import loop_frames
from tfmini._src.ops.control_flow.shape_invariants import (
    add_back_edge,
    set_shape_invariants,
    shape_invariant,
)
from tfmini._src.ops.control_flow.switch_merge import (
    merge,
    switch_ref_or_tensor,
    tensor_or_composite,
)
from tfmini._src.ops.lists.tensor_array import TensorArray, as_flow, restore_tensor_arrays

_MEASURES = frozenset({"Shape", "Size", "Rank"})


def _current_loop() -> Any:
    context = get_default_graph()._get_control_flow_context()
    return None if context is None else context.GetWhileContext()


class WhileContext(ControlFlowContext):
    """The nodes of one loop.

    External tensors enter through constant Enters, one per tensor; a node that is independent of the iteration
    gets a control dependency on the pivot.

    Args:
      maximum_iterations: int scalar tensor, or None.
      parallel_iterations: recorded in the Enter nodes; a positive int.
      back_prop: whether gradients are supported.
      swap_memory: whether values for the gradient may leave the GPU.
      name: the name of the context and of the frame, made unique.
      grad_state: the gradient loop of this context, or None.
      context_def: a WhileContextDef proto to load instead.
      import_scope: the name scope of the imported graph.

    Raises:
      ValueError: if `parallel_iterations` is not a positive int.
    """

    maximum_iterations: Any = read_only("Maximum number of iterations, a tensor, or None.")
    parallel_iterations: int = read_only("The argument of `while_loop`.")
    back_prop: bool = read_only("Whether gradients are supported.")
    swap_memory: bool = read_only("The argument of `while_loop`.")
    pivot: Tensor = read_only("The predicate: whether there is another iteration.")
    loop_enters: list[Tensor] = read_only("The loop variables on entry.")
    loop_exits: list[Tensor] = read_only("The loop variables after the loop.")
    grad_state: Any = read_only("State of the gradient loop that owns this context, or None.")

    def __init__(
        self,
        maximum_iterations: Any = None,
        parallel_iterations: int = 10,
        back_prop: bool = True,
        swap_memory: bool = False,
        name: str = "while_context",
        grad_state: Any = None,
        context_def: Any = None,
        import_scope: str | None = None,
    ):
        self._grad_state = grad_state
        self._pivot_for_pred: Any = None
        self._pivot_for_body: Any = None
        self._pivot: Any = None
        self._loop_enters: list[Tensor] = []
        self._loop_exits: list[Tensor] = []
        if context_def is not None:
            self._read(context_def, import_scope)
            return
        super().__init__()
        if not isinstance(parallel_iterations, int) or parallel_iterations <= 0:
            raise ValueError(
                f"`parallel_iterations` must be a positive integer: {parallel_iterations}"
            )
        self._name = get_default_graph().unique_name(name)
        self._maximum_iterations = maximum_iterations
        self._parallel_iterations = parallel_iterations
        self._back_prop = back_prop
        self._swap_memory = swap_memory

    def _read(self, message: Any, import_scope: str | None) -> None:
        graph = get_default_graph()

        def element(name: str) -> Any:
            return graph.as_graph_element(prepend_name_scope(name, import_scope))

        limit = message.maximum_iterations_name
        self._name = prepend_name_scope(message.context_name, import_scope)
        self._maximum_iterations = element(limit) if limit else None
        self._parallel_iterations = message.parallel_iterations
        self._back_prop = message.back_prop
        self._swap_memory = message.swap_memory
        self._pivot_for_pred = element(message.pivot_for_pred_name)
        self._pivot_for_body = element(message.pivot_for_body_name)
        self._pivot = element(message.pivot_name)
        self._loop_exits = [element(name) for name in message.loop_exit_names]
        self._loop_enters = [element(name) for name in message.loop_enter_names]
        super().__init__(message.values_def, import_scope)
        if import_scope:
            for name in self._values:
                op = graph.get_tensor_by_name(name).op
                if is_enter(op):
                    op._set_attr("frame_name", proto.AttrValue(s=self.name.encode()))

    def gradient_context(self, grad_state: Any) -> WhileContext:
        """Creates the context of this loop's gradient, inside the current context of the graph."""
        return WhileContext(
            self._maximum_iterations,
            self._parallel_iterations,
            self._back_prop,
            self._swap_memory,
            self._name,
            grad_state,
        )

    def GetWhileContext(self) -> WhileContext:
        return self

    def GetControlPivot(self) -> Tensor:
        return self._pivot_for_pred if self._pivot_for_body is None else self._pivot_for_body

    def IsWhileContext(self) -> bool:
        return True

    def to_proto(self, export_scope: str | None = None) -> Any:
        """Returns a WhileContextDef proto, or None if the context is outside `export_scope`."""
        if export_scope is not None and not self.name.startswith(export_scope):
            return None

        def name(tensor: Any) -> str:
            return strip_name_scope(tensor.name, export_scope)

        limit = self._maximum_iterations
        message = proto.WhileContextDef(
            context_name=strip_name_scope(self.name, export_scope),
            parallel_iterations=self._parallel_iterations,
            maximum_iterations_name="" if limit is None else name(limit),
            back_prop=self._back_prop,
            swap_memory=self._swap_memory,
            pivot_for_pred_name=name(self._pivot_for_pred),
            pivot_for_body_name=name(self._pivot_for_body),
            pivot_name=name(self._pivot),
            loop_exit_names=[name(tensor) for tensor in self._loop_exits],
            loop_enter_names=[name(tensor) for tensor in self._loop_enters],
            values_def=self._to_values_def(export_scope),
        )
        for nested in self._nested_contexts:
            nested.to_control_flow_context_def(message.nested_contexts.add())
        return message

    @staticmethod
    def from_proto(context_def: Any, import_scope: str | None = None) -> WhileContext:
        """Creates the context described by a WhileContextDef, including nested contexts."""
        context = WhileContext(context_def=context_def, import_scope=import_scope)
        context.read_nested(context_def, import_scope)
        return context

    def to_control_flow_context_def(
        self, context_def: Any, export_scope: str | None = None
    ) -> None:
        """Writes this context into a ControlFlowContextDef."""
        context_def.while_ctxt.CopyFrom(self.to_proto(export_scope))

    def AddValue(self, val: Tensor) -> Tensor:
        """Returns the tensor that represents `val` in this loop: `val` itself or the output of an Enter."""
        if val.name in self._values or val.op._control_flow_context is self:
            return self._external_values.get(val.name, val)
        self._values.add(val.name)
        gradient = self._loop_gradient(val)
        if gradient is not None:
            real = gradient.real_value(val)
            self._external_values[val.name] = real
            return real
        outer = self._outer_context
        result = val if outer is None else outer.AddValue(val)
        with control_dependencies(None):
            enter_tensor = self._enter(result, is_constant=True)
        self._fix_control_inputs([enter_tensor])
        self._values.add(enter_tensor.name)
        self._external_values[val.name] = enter_tensor
        return enter_tensor

    @staticmethod
    def _loop_gradient(val: Tensor) -> Any:
        """Returns the gradient being built for the loop that outputs `val`; None outside this loop's gradient."""
        loop = _current_loop()
        if loop is None or loop.grad_state is None:
            return None
        context = output_context(val.op)
        forward = None if context is None else context.GetWhileContext()
        return loop.grad_state if forward is loop.grad_state.forward else None

    def _enter(self, tensor: Tensor, is_constant: bool, keeps_shape: bool = True) -> Tensor:
        result = loop_frames.enter(
            tensor, self._name, is_constant, self._parallel_iterations, use_input_shape=keeps_shape
        )
        result.graph.prevent_feeding(result)
        if self._outer_context is not None:
            self._outer_context.AddInnerOp(result.op)
        return result

    def AddOp(self, op: Operation) -> None:
        """Adopts a node created while this was the graph's current context.

        External control inputs become control inputs of the node's Enters. If a gradient needs the size of a value
        of its forward loop, the forward loop computes and stores the size instead of the value.
        """
        if op.type in _MEASURES:
            loop, source = _current_loop(), op.inputs[0].op
            gradient = None if loop is None else loop.grad_state
            if gradient is not None and while_context(source) is gradient.forward:
                context: Any = source._get_control_flow_context()
                op._set_control_flow_context(context)
                context._add_op(op)
                return
        self._add_op(op)

    def _add_op(self, op: Operation) -> None:
        if not op.inputs:
            internal_controls, external = self._RemoveExternalControlEdges(op)
            if not internal_controls:
                op._add_control_input(self.GetControlPivot().op)
        else:
            for index, tensor in enumerate(op.inputs):
                value = self.AddValue(tensor)
                if value is not tensor:
                    op._update_input(index, value)
            _, external = self._RemoveExternalControlEdges(op)
            if self._is_free(op):
                op._add_control_input(self.GetControlPivot().op)
        self._values.update(tensor.name for tensor in op.outputs)
        if external:
            with control_dependencies(None):
                self.Enter()
                control_inputs = [ops.identity(x.outputs[0]).op for x in external if x.outputs]
                self.Exit()
            op._add_control_inputs(control_inputs)
        if self._outer_context is not None or not is_exit(op):
            op.graph.prevent_fetching(op)
            for tensor in op.outputs:
                op.graph.prevent_feeding(tensor)
        if self._outer_context is not None:
            self._outer_context.AddInnerOp(op)

    @staticmethod
    def _is_free(op: Operation) -> bool:
        """Whether a node is independent of the iteration."""
        if op.control_inputs:
            return False
        if op.type in op.graph._functions or op.type == "SymbolicGradient":
            return True
        return all(is_constant_enter(tensor.op) for tensor in op.inputs)

    def _fix_control_inputs(self, enter_tensors: list[Tensor]) -> None:
        """Moves Enter nodes into this context, with the control dependencies that apply outside the loop."""
        graph = get_default_graph()
        for tensor in enter_tensors:
            source = tensor.op.inputs[0].op
            selected = [
                control
                for control in graph._control_dependencies_for({source})
                if self._is_around(output_context(control))
            ]
            tensor.op._set_control_flow_context(self)
            tensor.op._add_control_inputs(selected)
            graph._record_op_seen_by_control_dependencies(tensor.op)

    def _is_around(self, context: Any) -> bool:
        """Whether `context` encloses this loop within the same iteration of the next outer loop."""
        outer = self._outer_context
        loop = None if outer is None else outer.GetWhileContext()
        while outer is not context:
            if outer is None or outer is loop:
                return False
            outer = outer.outer_context
        return True

    def BuildLoop(
        self,
        pred: Callable,
        body: Callable,
        loop_vars: Any,
        shape_invariants: Any,
        return_same_structure: bool,
    ) -> Any:
        """Calls `pred` and `body` in this context and returns the loop variables after the loop."""
        values = [tensor_or_composite(as_flow(v)) for v in flatten(loop_vars)]
        if shape_invariants is None:
            shape_invariants = [shape_invariant(v) for v in values]
        flat = flatten(values, expand_composites=True)
        self.Enter()
        try:
            result, exits = self._build(pred, body, loop_vars, flat, shape_invariants)
        finally:
            self.Exit()
        packed = _pack_like(result, exits)
        return packed if return_same_structure or len(exits) > 1 else packed[0]

    def _build(
        self, pred: Callable, body: Callable, structure: Any, loop_vars: list, invariants: Any
    ) -> tuple[Any, list]:
        merged = self._enter_variables(loop_vars, invariants)
        # As in TensorFlow, each SparseTensor consumes a name of the scope here.
        pack_sequence_as([as_flow(v) for v in flatten(structure)], merged, expand_composites=True)
        self._pivot_for_pred = merged[0]
        predicate = pred(*_pack_like(structure, merged))
        self._pivot = raw.LoopCond(ops.convert_to_tensor(predicate), name="LoopCond")
        switched = [switch_ref_or_tensor(tensor, self._pivot) for tensor in merged]
        body_inputs = [loop_frames.identity(true) for _, true in switched]
        self._pivot_for_body = body_inputs[0]
        arguments = _pack_like(structure, body_inputs)
        result = _add_summaries(body, arguments)
        assert_same_structure(list(arguments), list(result), expand_composites=True)
        flat = flatten(result, expand_composites=True)
        values = [tensor_or_composite(as_flow(v)) for v in flat]
        if len(merged) != len(values):
            raise ValueError(
                "Number of inputs and outputs of body must match "
                f"loop_vars: {len(merged)}, {len(values)}"
            )
        for variable, value in zip(merged, values):
            add_back_edge(variable, value)
        self._loop_exits = [loop_frames.exit(false) for false, _ in switched]
        self.ExitResult(self._loop_exits)
        return result, self._loop_exits

    def _enter_variables(self, loop_vars: list, invariants: Any) -> list[Tensor]:
        """Returns the loop variables at the start of each iteration."""
        self._values = {tensor.name for tensor in loop_vars}
        outer = self._outer_context
        outer_values = loop_vars if outer is None else [outer.AddValue(v) for v in loop_vars]
        with control_dependencies(None):
            enter_tensors = [
                self._enter(v, is_constant=False, keeps_shape=False) for v in outer_values
            ]
        pivot = None
        while outer is not None and pivot is None:
            pivot = outer.GetControlPivot()
            outer = outer.outer_context
        if pivot is not None:
            for tensor in enter_tensors:
                if is_constant_enter(tensor.op.inputs[0].op):
                    tensor.op._add_control_input(pivot.op)
        set_shape_invariants(outer_values, enter_tensors, invariants)
        self._fix_control_inputs(enter_tensors)
        self._values = {tensor.name for tensor in enter_tensors}
        self._loop_enters = enter_tensors
        return [merge([tensor, tensor])[0] for tensor in enter_tensors]


def _pack_like(structure: Any, tensors: list) -> Any:
    """Packs tensors into a structure, converting flows back to TensorArrays."""
    flat = flatten(structure, expand_composites=True)
    return pack_sequence_as(structure, restore_tensor_arrays(flat, tensors), expand_composites=True)


def _add_summaries(body: Callable, arguments: Any) -> Any:
    """Adds the summaries written in `body` to the dependencies of its result."""
    summaries_before = get_collection(GraphKeys._SUMMARY_COLLECTION)
    result = body(*arguments)
    summaries_after = get_collection(GraphKeys._SUMMARY_COLLECTION)
    if not is_sequence_or_composite(result):
        result = [result]
    if len(summaries_after) > len(summaries_before):
        get_collection_ref(GraphKeys._SUMMARY_COLLECTION)[:] = summaries_before
        with control_dependencies(summaries_after[len(summaries_before) :]):
            result = map_structure(
                lambda x: x if isinstance(x, TensorArray) else ops.identity(x),
                result,
                expand_composites=True,
            )
    return result


register_context("while_ctxt", WhileContext.from_proto)
register_proto_function(
    GraphKeys.WHILE_CONTEXT, "WhileContextDef", WhileContext.to_proto, WhileContext.from_proto
)
