"""The loops between ys and xs, and how the backward walk handles them."""

from __future__ import annotations

from contextlib import AbstractContextManager, nullcontext
from typing import Any

from tfmini._src.autodiff.loop_counters import enter_loop_context, leave_context
from tfmini._src.autodiff.loop_gradient import LoopGradient
from tfmini._src.graph import raw
from tfmini._src.graph.loop_inputs import is_exit, is_loop_switch, is_switch, while_context
from tfmini._src.graph.public_functions import ops
from tfmini._src.graph.scopes import colocate_with
from tfmini._src.graph.tensor import Tensor

_NO_CONTEXT = nullcontext()


class LoopGradients:
    """The gradients of the loops between ys and xs in a `tf.gradients` call.

    Args:
      inner_ops: the operations between xs and ys; extended with the exits of their loops.
      colocate: whether gradients are colocated with their operations.
    """

    def __init__(self, inner_ops: list, colocate: bool):
        self._loops_by_context: dict[Any, LoopGradient] = {}
        members = set(inner_ops)
        for op in inner_ops:
            if is_exit(op):
                with colocate_with(op) if colocate else _NO_CONTEXT:
                    self._add(op, inner_ops, members)

    def _add(self, op: Any, inner_ops: list, members: set) -> None:
        """Starts the gradient of the loop that `op` exits."""
        forward = while_context(op)
        if forward in self._loops_by_context:
            return
        loop = LoopGradient(forward, self._enclosing(forward))
        self._loops_by_context[forward] = loop
        for tensor in loop.exits:
            if tensor.op not in members:
                members.add(tensor.op)
                inner_ops.append(tensor.op)

    def __bool__(self) -> bool:
        return bool(self._loops_by_context)

    def _enclosing(self, forward: Any) -> LoopGradient | None:
        """Returns the gradient of the enclosing loop."""
        outer = forward.outer_context
        outer = None if outer is None else outer.GetWhileContext()
        return None if outer is None else self._loops_by_context.get(outer)

    def gradient_loop(self, op: Any, after_loop: bool = False) -> LoopGradient | None:
        """Returns the gradient of the loop around a node, or of the enclosing loop for an Exit with `after_loop`."""
        context: Any = while_context(op)
        if after_loop and is_exit(op):
            context = context.outer_context
            context = None if context is None else context.GetWhileContext()
        return None if context is None else self._loops_by_context.get(context)

    def gradient_loop_scope(self, op: Any, after_loop: bool = False) -> AbstractContextManager:
        """Context manager whose nodes belong to the gradient loop of `op`, if any."""
        loop = self.gradient_loop(op, after_loop) if self else None
        return _NO_CONTEXT if loop is None else enter_loop_context(loop.context)

    def begin(self, counts: dict[Any, int], ready: set) -> list[Tensor]:
        """Returns the unused exits of loops that can be entered immediately: none of their exits waits for gradients.

        A loop is entered if one of its exits receives a gradient; the other exits then receive zeros.
        """
        unused: list[Tensor] = []
        for loop in self._loops_by_context.values():
            for tensor in loop.exits:
                if counts.get(tensor.op, 0):
                    continue
                loop.pending -= 1
                if tensor.op not in ready:
                    loop.unused.append(tensor)
                if not loop.pending:
                    unused += loop.unused
            for tensor in loop.forward.loop_enters:
                if not counts.get(tensor.op, 0):
                    counts[tensor.op] = 1
        return unused

    def reach_exit(self, tensor: Tensor) -> LoopGradient | None:
        """Records that all gradients of an exit are available; returns the loop once this is true of all its exits."""
        loop = self.gradient_loop(tensor.op)
        assert loop is not None
        loop.reached_exits.append(tensor)
        loop.pending -= 1
        return None if loop.pending else loop

    def zeros_for_exit(self, tensor: Tensor) -> Tensor:
        """Returns the zero gradient of an unused exit. Called in the context of the gradients."""
        forward: Any = tensor.op._get_control_flow_context()
        outer = self._enclosing(forward)
        shape = tensor.shape
        if outer is None:
            if shape.is_fully_defined():
                return ops.zeros(shape.dims, tensor.dtype)
            return ops.zeros_like(tensor, optimize=False)
        if shape.is_fully_defined():
            with enter_loop_context(outer.context):
                return ops.zeros(shape.dims, tensor.dtype)
        with enter_loop_context(forward.outer_context):
            measured = ops.shape_internal(tensor, optimize=False)
        history = outer.record_value(measured)
        with enter_loop_context(outer.context):
            return ops.zeros(outer.pop_forward_value(history, measured), tensor.dtype)

    def zeros_like(self, op: Any, index: int) -> Tensor | None:
        """Returns the zero gradient of output `index` of `op`. Called in the gradient context of `op`."""
        if self and is_loop_switch(op):
            return None
        if self and op.graph.building_function:
            return ops.zeros_like(op.outputs[index])
        context = while_context(op)
        loop = None if context is None else self._loops_by_context.get(context)
        if loop is None:
            return ops.zeros_like_outside_loop(op, index)
        branch = op._get_control_flow_context() if is_switch(op) else None
        value = op.outputs[index]
        if value.shape.is_fully_defined():
            zeros = ops.constant(0, shape=value.shape.dims, dtype=value.dtype)
            if branch is None:
                return zeros
            pred = loop.real_values.get(branch.pred.name)
            return ops.switch_ref_or_tensor(zeros, pred)[1 - branch.branch]
        if branch is None:
            with enter_loop_context(op._get_control_flow_context()):
                measured = ops.shape_internal(value, optimize=False)
        else:
            with enter_loop_context(branch.outer_context):
                switched = ops.switch_ref_or_tensor(op.inputs[0], branch.pred)
                value = switched[1 - branch.branch]
                measured = ops.shape_internal(value, optimize=False)
            value.op._set_control_flow_context(branch)
            measured.op._set_control_flow_context(branch)
        with leave_context(loop.context):
            history = loop.record_value(measured, branch is not None)
        shape = loop.pop_forward_value(history, measured, branch is not None)
        return ops.zeros(shape, value.dtype)

    def finish(self) -> None:
        """Feeds back zeros as gradients of loop variables whose next value ignores the previous one."""
        for loop in self._loops_by_context.values():
            for merged in loop.merges.values():
                first, back_value = merged.op.inputs
                if first is back_value:
                    merged.op._update_input(1, self._zeros_for_next_iteration(loop.context, first))

    @staticmethod
    def _zeros_for_next_iteration(context: Any, enter_value: Tensor) -> Tensor:
        if enter_value.shape.is_fully_defined():
            with enter_loop_context(context):
                return raw.NextIteration(
                    ops.constant(0, dtype=enter_value.dtype, shape=enter_value.shape)
                )
        with enter_loop_context(context.outer_context):
            shape = ops.shape_internal(enter_value.op.inputs[0], optimize=False)
            zeros = ops.zeros(shape)
        with enter_loop_context(context):
            return raw.NextIteration(zeros)
