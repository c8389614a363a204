"""listing: a readable form of a plan's text: lines with their nodes and results' dtypes, shapes, devices.

On a device that captures, also why a node is not captured.
"""

from __future__ import annotations

from tfmini._src.compiler.codegen.source import Source
from tfmini._src.compiler.program.program import Node, Program, Slot

_MOST = 3  # results that are listed


def listing(source: Source, program: Program) -> str:
    """The text of a plan's function; `t1 = exp(t0)  # Exp: float32[2,?] on CPU:0`."""
    lines = []
    for number, line in enumerate(source.lines, 1):
        node = source.node_of_line.get(number)
        if node is not None:
            reason = source.uncaptured.get(node)
            because = f"; not captured: {reason}" if reason else ""
            line = f"{line}  # {_described(node, program)}{because}"
        lines.append(line)
    return "\n".join(lines)


def _described(node: Node, program: Program) -> str:
    results = [_kind(program.slots[slot]) for slot in node.outputs[:_MOST]]
    if len(node.outputs) > _MOST:
        results.append("...")
    given = f": {', '.join(results)}" if results else ""
    device = node.device.rpartition("device:")[2]
    return f"{node.origin.name}{given}{f' on {device}' if device else ''}"


def _kind(slot: Slot) -> str:
    """The static dtype and shape: float32[2,?], or float32 where the rank is not known."""
    if slot.dims is None:
        return slot.dtype.name
    return f"{slot.dtype.name}[{','.join('?' if d is None else str(d) for d in slot.dims)}]"
