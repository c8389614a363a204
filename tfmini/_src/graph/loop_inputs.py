"""Loop membership of nodes: only nodes in the same or a nested loop may consume a loop node's outputs."""

from __future__ import annotations

import traceback
from typing import TYPE_CHECKING

from tfmini._src.base.logs import info
from tfmini._src.graph.operation import Operation

if TYPE_CHECKING:
    from tfmini._src.graph.control_flow_context import ControlFlowContext

_ENTERS = frozenset({"Enter", "RefEnter"})
_EXITS = frozenset({"Exit", "RefExit"})
_SWITCHES = frozenset({"Switch", "RefSwitch"})


def is_enter(op: Operation) -> bool:
    """Whether the node is an Enter, which passes its input into a loop."""
    return op.type in _ENTERS


def is_constant_enter(op: Operation) -> bool:
    """Whether the node passes a loop invariant into its loop."""
    return op.type in _ENTERS and op.attrs["is_constant"]


def is_exit(op: Operation) -> bool:
    """Whether the node is an Exit, which returns its input from a loop."""
    return op.type in _EXITS


def is_switch(op: Operation) -> bool:
    """Whether the node is a Switch."""
    return op.type in _SWITCHES


def is_loop_switch(op: Operation) -> bool:
    """Whether the node is a loop variable's Switch rather than a conditional's."""
    if op.type not in _SWITCHES:
        return False
    context = op._get_control_flow_context()
    if context is None or not context.IsWhileContext():
        return False
    # The Switch of a conditional is outside the branch contexts; its readers are inside.
    return not all(_is_read_in_branch(c) for t in op.outputs for c in t._consumers)


def _is_read_in_branch(op: Operation) -> bool:
    context = op._get_control_flow_context()
    if context is not None and is_enter(op):
        context = context.outer_context
    return context is not None and context.IsCondContext()


def while_context(op: Operation) -> ControlFlowContext | None:
    """Returns the node's innermost loop; None if it is in no loop."""
    context = op._get_control_flow_context()
    return None if context is None else context.GetWhileContext()


def output_context(op: Operation) -> ControlFlowContext | None:
    """Returns the context that the outputs of `op` belong to: for a loop's Exit, the one enclosing the loop."""
    context = op._get_control_flow_context()
    if context is not None and is_exit(op):
        return context.outer_context
    return context


def check_input(op: Operation, source: Operation) -> None:
    """Raises ValueError unless `op` may consume outputs of `source`: every loop of `source` contains `op`."""
    context, other = op._get_control_flow_context(), output_context(source)
    if other is None or other is context:
        return
    loop = None if context is None else context.GetWhileContext()
    other_loop = other.GetWhileContext()
    if other_loop is None or _contains(other_loop, loop) or _is_gradient(loop, other, other_loop):
        return
    if loop is None and (is_enter(op) or is_switch(op)):
        return  # contexts create these nodes outside themselves
    if loop is None:
        reason = f"'{source.name}' is in a while loop."
    else:
        reason = "they are in different while loops."
    message = f"Cannot use '{source.name}' as input to '{op.name}' because {reason}"
    info(
        f"{message}\n\n{op.name} while context: {loop}\n{source.name} while context: {other_loop}"
        f"\n\nTraceback for {op.name}:\n{''.join(traceback.format_list(op.traceback))}"
        f"\nTraceback for {source.name}:\n{''.join(traceback.format_list(source.traceback))}\n"
    )
    raise ValueError(f"{message} See info log for more details.")


def _is_gradient(
    loop: ControlFlowContext | None,
    source: ControlFlowContext,
    source_loop: ControlFlowContext,
) -> bool:
    """Whether one loop is the gradient of the other, which saves forward values on stacks."""
    if loop is None:
        return False
    if loop.grad_state is not None:
        forward = loop.grad_state.forward
        if _contains(source_loop, forward) or source_loop.outer_context is forward:
            return True
    if source_loop.grad_state is None:
        return False
    forward = source_loop.grad_state.forward
    if forward is loop:
        return True
    enclosing_state = None if source.grad_state is None else source.grad_state.forward.grad_state
    return enclosing_state is not None and enclosing_state.forward is loop


def _contains(outer: ControlFlowContext | None, context: ControlFlowContext | None) -> bool:
    """Whether `outer` is `context` or encloses it; None encloses all."""
    while context is not outer:
        if context is None:
            return False
        context = context.outer_context
    return True
