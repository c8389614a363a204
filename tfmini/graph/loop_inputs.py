"""Where what a node gives may be used: in the loop that the node is in, and in loops inside of that."""

from __future__ import annotations

import traceback
from typing import Any

from tfmini.logs import info


def output_context(op: Any) -> Any:
    """The context in which the outputs of `op` are used.

    For a loop's Exit, the one around the loop.
    """
    context = op._get_control_flow_context()
    if context is not None and op.type in ("Exit", "RefExit"):
        return context.outer_context
    return context


def check_input(op: Any, source: Any) -> None:
    """Raises ValueError unless what `source` gives may be an input of `op`: it is in no loop that `op` is not in."""
    context, other = op._get_control_flow_context(), output_context(source)
    if other is None or other is context:
        return
    loop = None if context is None else context.GetWhileContext()
    other_loop = other.GetWhileContext()
    if _contains(other_loop, loop):
        return
    if loop is None and op.type in ("Enter", "RefEnter", "Switch", "RefSwitch"):
        return  # which contexts make outside of themselves
    if loop is None:
        why = f"'{source.name}' is in a while loop."
    else:
        why = "they are in different while loops."
    message = f"Cannot use '{source.name}' as input to '{op.name}' because {why}"
    info(
        f"{message}\n\n{op.name} while context: {loop}\n{source.name} while context: {other_loop}"
        f"\n\nTraceback for {op.name}:\n{''.join(traceback.format_list(op.traceback))}"
        f"\nTraceback for {source.name}:\n{''.join(traceback.format_list(source.traceback))}\n"
    )
    raise ValueError(f"{message} See info log for more details.")


def _contains(outer: Any, context: Any) -> bool:
    """Whether `outer` is `context` or one around it; None is around all."""
    while context is not outer:
        if context is None:
            return False
        context = context.outer_context
    return True
