"""The gradient of one loop: a loop that goes through the iterations backwards.

What the gradient needs of an iteration is pushed on a stack by the forward loop, and popped by the backward one:
stacks are made for values as the rules ask for them. The forward loop counts its iterations for that.
"""

from __future__ import annotations

from typing import Any

from tfmini._src.autodiff.loop_counters import (
    add_backward_counter,
    add_forward_counter,
    control_trigger,
    inside,
    outside,
    summed,
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
    """A forward loop and the loop of its gradient, while `tf.gradients` builds it.

    forward, context: the contexts of both.
    outer: the gradient of the loop around, if that is being built, too.
    index, backward_index: the NextIteration of what counts, forward and backward.
    real_values: by the name of a tensor of the forward loop, what stands for it in the gradient.
    merges: by the Switch of a loop variable, the Merge of its gradients.
    waiting, unused: exits of the forward loop that wait for each other; those without a gradient.
    pending: how many exits the walk has not come to.
    """

    def __init__(self, forward: Any, outer: LoopGradient | None):
        self.outer = outer
        self.forward = forward
        self.real_values: dict[str, Tensor] = {}
        self.merges: dict[Any, Tensor] = {}
        self.waiting: list[Tensor] = []
        self.unused: list[Tensor] = []
        self.exits = list(forward.loop_exits)
        self.pending = len(self.exits)
        self._forward_sync: Any = None
        self._backward_sync: Any = None
        around = forward.outer_context if outer is None else outer.forward
        after = None if outer is None else outer.index.op.inputs[0].op
        self.index: Tensor
        with inside(around):
            count, self.index = add_forward_counter(forward, after)
        if outer is None:
            with inside(around):
                self.context = forward.gradient_context(self)
                self.backward_index = add_backward_counter(self.context, count, None)
            return
        # How often an inner loop goes round may differ each time.
        around.AddName(count.name)
        history = outer.recorded(count)
        with inside(outer.context):
            self.context = forward.gradient_context(self)
            real_count = outer.played_back(history, count)
            # The pops of one execution of the inner loop come before those of the next.
            self.backward_index = add_backward_counter(
                self.context, real_count, lambda: outer.backward_sync
            )

    @property
    def forward_sync(self) -> Any:
        """The node before which each iteration's pushes in branches are done."""
        if self._forward_sync is None:
            self._forward_sync = control_trigger(self.forward, "f_sync")
            self.index.op._add_control_input(self._forward_sync)
        return self._forward_sync

    @property
    def backward_sync(self) -> Any:
        """The node before which each iteration's pops are done."""
        if self._backward_sync is None:
            self._backward_sync = control_trigger(self.context, "b_sync")
            self.backward_index.op._add_control_input(self._backward_sync)
            if self.context.outer_context is not None:
                self.context.outer_context.AddInnerOp(self._backward_sync)
        return self._backward_sync

    def summed(self, op: Any, grad: Any) -> Any:
        """The gradient of what the constant Enter `op` brings into the loop: the sum over the iterations."""
        return summed(self.context, op, grad)

    def recorded(self, value: Tensor, dead_branch: bool = False) -> Tensor:
        """A stack on which each iteration of the forward loop pushes `value`.

        Called in the context in which gradients are taken. `dead_branch`: push if the branch of `value` is not taken.
        """
        current = get_default_graph()._get_control_flow_context()
        swap = self.forward.swap_memory
        with control_dependencies(None):
            with inside(current), colocate_with(value):
                limit = ops.constant(-1, dtypes.int32)
                stack = raw.StackV2(limit, elem_type=value.dtype.base_dtype, name="f_acc")
            entered = self.forward.AddValue(stack)
            context: Any = output_context(value.op)
            if context is self.forward:
                with inside(self.forward):
                    push = raw.StackPushV2(entered, value, swap_memory=swap)
                self.index.op._add_control_input(push.op)
            else:
                if not context.IsCondContext():
                    raise TypeError(f"value_ctxt is not a CondContext: {context}")
                with inside(context.outer_context if dead_branch else context):
                    push = raw.StackPushV2(entered, value, swap_memory=swap)
                if dead_branch:
                    push.op._set_control_flow_context(context)
                self.forward_sync._add_control_input(push.op)
            push.op._add_control_input(self.index.op.inputs[0].op)
        return stack

    def played_back(self, history: Tensor, value: Tensor, dead_branch: bool = False) -> Tensor:
        """The value that `value` had in the iteration that the gradient is at: popped from its stack."""
        condition = self._condition_around(value, history.op._get_control_flow_context())
        with control_dependencies(None), inside(self.context):
            if condition is not None:
                # Nothing was pushed where the branch was not taken.
                branch = condition.branch ^ dead_branch
                pred = self._real_predicate(condition)
                history = ops.switch_ref_or_tensor(history, pred)[branch]
            popped = raw.StackPopV2(history, elem_type=value.dtype.base_dtype)
            popped.set_shape(value.shape)
        if self.context.parallel_iterations > 1:
            self.backward_sync._add_control_input(popped.op)
        return popped

    @staticmethod
    def _condition_around(value: Tensor, end: Any) -> Any:
        """The innermost branch of a conditional that `value` is in, and `end` is not."""
        context = value.op._get_control_flow_context()
        while context is not None and context is not end:
            if context.IsCondContext():
                return context
            context = context.outer_context
        return None

    def _real_predicate(self, condition: Any) -> Tensor:
        """The predicate of a conditional of the forward loop, as the gradient knows it."""
        loop: LoopGradient | None = self
        while loop is not None:
            known = loop.real_values.get(condition.pred.name)
            if known is not None:
                return known
            loop = loop.outer
        return condition.pred

    def real_predicate(self, pred: Tensor) -> Tensor:
        """The predicate of a conditional as it was in the forward loop. Called in the gradient's context."""
        if pred.name not in self.real_values:
            with outside(self.context):
                history = self.recorded(pred)
            self.real_values[pred.name] = self.played_back(history, pred)
        return self.real_values[pred.name]

    def real_value(self, value: Tensor) -> Tensor:
        """The value that `value`, of the forward loop, had in the iteration. Called in the gradient's context."""
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
        with outside(self.context):
            history = loop.recorded(value)
        popped = loop.played_back(history, value)
        return popped if loop is self else self.context.AddValue(popped)


def _constant_enter(value: Tensor) -> Any:
    """The Enter of which `value` is the unchanged output, if that is constant in its loop."""
    op = value.op
    while op.type in _PASS_THROUGH:
        op = op.inputs[0].op
    return op if is_constant_enter(op) else None
