"""Gradient of a loop: a loop that runs the iterations backwards.

Forward values needed by the gradient are pushed on a stack in the forward loop and popped in the backward loop;
stacks are created on demand as rules use values. The forward loop counts its iterations for this purpose.
"""

from __future__ import annotations

from typing import Any

from tfmini._src.autodiff.loop_counters import (
    add_backward_counter,
    add_forward_counter,
    control_trigger,
    enter_loop_context,
    leave_context,
    sum_invariant_gradient,
)
from tfmini._src.base import dtypes
from tfmini._src.graph import raw
from tfmini._src.graph.default_graph import get_default_graph
from tfmini._src.graph.loop_inputs import is_constant_enter, output_context
from tfmini._src.graph.public_functions import ops
from tfmini._src.graph.scopes import colocate_with, control_dependencies
from tfmini._src.graph.shape_inference import constant_value
from tfmini._src.graph.tensor import Tensor

_PASS_THROUGH = frozenset({"Switch", "RefSwitch", "Identity", "RefIdentity"})


class LoopGradient:
    """A forward loop and the gradient loop that `tf.gradients` is building for it.

    forward, context: the contexts of the two loops.
    outer: the gradient of the enclosing loop, if it is also being built.
    index, backward_index: the NextIterations of the forward and backward counters.
    real_values: counterparts in the gradient, by name of the forward tensor.
    merges: the Merge of a loop variable's gradients, by the Switch of the variable.
    reached_exits, unused: exits of the forward loop that the walk has reached; exits without a gradient.
    pending: number of exits that the walk has not reached.
    """

    def __init__(self, forward: Any, outer: LoopGradient | None):
        self.outer = outer
        self.forward = forward
        self.real_values: dict[str, Tensor] = {}
        self.merges: dict[Any, Tensor] = {}
        self.reached_exits: list[Tensor] = []
        self.unused: list[Tensor] = []
        self.exits = list(forward.loop_exits)
        self.pending = len(self.exits)
        self._forward_sync: Any = None
        self._backward_sync: Any = None
        enclosing_context = forward.outer_context if outer is None else outer.forward
        after = None if outer is None else outer.index.op.inputs[0].op
        self.index: Tensor
        with enter_loop_context(enclosing_context):
            count, self.index = add_forward_counter(forward, after)
        if outer is None:
            with enter_loop_context(enclosing_context):
                self.context = forward.gradient_context(self)
                self.backward_index = add_backward_counter(self.context, count, None)
            return
        # The iteration count of an inner loop may vary between outer iterations.
        enclosing_context.AddName(count.name)
        history = outer.record_value(count)
        with enter_loop_context(outer.context):
            self.context = forward.gradient_context(self)
            real_count = outer.pop_forward_value(history, count)
            # The pops of one execution of the inner loop precede the pops of the next.
            self.backward_index = add_backward_counter(
                self.context, real_count, lambda: outer.backward_sync
            )

    @property
    def forward_sync(self) -> Any:
        """The node that the pushes in branches must precede in each iteration."""
        if self._forward_sync is None:
            self._forward_sync = control_trigger(self.forward, "f_sync")
            self.index.op._add_control_input(self._forward_sync)
        return self._forward_sync

    @property
    def backward_sync(self) -> Any:
        """The node that the pops must precede in each iteration."""
        if self._backward_sync is None:
            self._backward_sync = control_trigger(self.context, "b_sync")
            self.backward_index.op._add_control_input(self._backward_sync)
            if self.context.outer_context is not None:
                self.context.outer_context.AddInnerOp(self._backward_sync)
        return self._backward_sync

    def sum_invariant_gradient(self, op: Any, grad: Any) -> Any:
        """Returns the gradient of the constant Enter `op`, summed over the iterations."""
        return sum_invariant_gradient(self.context, op, grad)

    def record_value(self, value: Tensor, dead_branch: bool = False) -> Tensor:
        """Creates a stack on which each forward iteration pushes `value`.

        Called in the context of the gradients. `dead_branch`: whether to push if the branch of `value` is not taken.
        """
        current = get_default_graph()._get_control_flow_context()
        swap = self.forward.swap_memory
        with control_dependencies(None):
            with enter_loop_context(current), colocate_with(value):
                limit = ops.constant(-1, dtypes.int32)
                stack = raw.StackV2(limit, elem_type=value.dtype.base_dtype, name="f_acc")
            entered_stack = self.forward.AddValue(stack)
            context: Any = output_context(value.op)
            if context is self.forward:
                with enter_loop_context(self.forward):
                    push = raw.StackPushV2(entered_stack, value, swap_memory=swap)
                self.index.op._add_control_input(push.op)
            else:
                if not context.IsCondContext():
                    raise TypeError(f"value_ctxt is not a CondContext: {context}")
                with enter_loop_context(context.outer_context if dead_branch else context):
                    push = raw.StackPushV2(entered_stack, value, swap_memory=swap)
                if dead_branch:
                    push.op._set_control_flow_context(context)
                self.forward_sync._add_control_input(push.op)
            push.op._add_control_input(self.index.op.inputs[0].op)
        return stack

    def pop_forward_value(
        self, history: Tensor, value: Tensor, dead_branch: bool = False
    ) -> Tensor:
        """Returns `value` in the iteration being differentiated, popped from its stack."""
        condition = self._enclosing_condition(value, history.op._get_control_flow_context())
        with control_dependencies(None), enter_loop_context(self.context):
            if condition is not None:
                # Nothing was pushed if the branch was not taken.
                branch = condition.branch ^ dead_branch
                pred = self._real_predicate(condition)
                history = ops.switch_ref_or_tensor(history, pred)[branch]
            popped = raw.StackPopV2(history, elem_type=value.dtype.base_dtype)
            popped.set_shape(value.shape)
        if self.context.parallel_iterations > 1:
            self.backward_sync._add_control_input(popped.op)
        return popped

    @staticmethod
    def _enclosing_condition(value: Tensor, end: Any) -> Any:
        """Returns the innermost conditional branch that contains `value` but not `end`."""
        context = value.op._get_control_flow_context()
        while context is not None and context is not end:
            if context.IsCondContext():
                return context
            context = context.outer_context
        return None

    def _real_predicate(self, condition: Any) -> Tensor:
        """Returns the gradient's counterpart of the predicate of a conditional in the forward loop."""
        loop: LoopGradient | None = self
        while loop is not None:
            predicate = loop.real_values.get(condition.pred.name)
            if predicate is not None:
                return predicate
            loop = loop.outer
        return condition.pred

    def real_predicate(self, pred: Tensor) -> Tensor:
        """Returns the predicate of a conditional in the forward iteration. Called in the gradient's context."""
        if pred.name not in self.real_values:
            with leave_context(self.context):
                history = self.record_value(pred)
            self.real_values[pred.name] = self.pop_forward_value(history, pred)
        return self.real_values[pred.name]

    def real_value(self, value: Tensor) -> Tensor:
        """Returns the forward tensor `value` in the iteration being differentiated; called in the gradient context."""
        if value.name not in self.real_values:
            self.real_values[value.name] = self._real_value(value)
        return self.real_values[value.name]

    def _real_value(self, value: Tensor) -> Tensor:
        loop = self
        while (enter := _constant_enter(value)) is not None:
            value = enter.inputs[0]
            if loop.outer is None:  # the same in all iterations of all loops
                return self.context.AddValue(value)
            loop = loop.outer
        if value.op.type == "Const":
            return ops.constant(constant_value(value), dtype=value.dtype)
        with leave_context(self.context):
            history = loop.record_value(value)
        popped = loop.pop_forward_value(history, value)
        return popped if loop is self else self.context.AddValue(popped)


def _constant_enter(value: Tensor) -> Any:
    """Returns the constant Enter that passes `value` through unchanged; None if `value` has another source."""
    op = value.op
    while op.type in _PASS_THROUGH:
        op = op.inputs[0].op
    return op if is_constant_enter(op) else None
