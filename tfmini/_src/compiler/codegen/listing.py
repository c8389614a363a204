"""listing: annotates a plan's source with the nodes, result dtypes, shapes and devices of its lines.

On devices with graph capture, it also lists why nodes are not captured.
"""

from __future__ import annotations

from tfmini._src.compiler.codegen.source import Source
from tfmini._src.compiler.program.program import Node, Program, Slot

_MAX_RESULTS = 3  # maximum number of results listed


def listing(source: Source, program: Program) -> str:
    """Returns the annotated source, with lines such as `t1 = exp(t0)  # Exp: float32[2,?] on CPU:0`."""
    lines = []
    for line_number, line in enumerate(source.lines, 1):
        node = source.node_of_line.get(line_number)
        if node is not None:
            reason = source.uncaptured.get(node)
            note = f"; not captured: {reason}" if reason else ""
            line = f"{line}  # {_describe_node(node, program)}{note}"
        lines.append(line)
    return "\n".join(lines)


def _describe_node(node: Node, program: Program) -> str:
    results = [_slot_type(program.slots[slot]) for slot in node.outputs[:_MAX_RESULTS]]
    if len(node.outputs) > _MAX_RESULTS:
        results.append("...")
    description = f": {', '.join(results)}" if results else ""
    device = node.device.rpartition("device:")[2]
    return f"{node.origin.name}{description}{f' on {device}' if device else ''}"


def _slot_type(slot: Slot) -> str:
    """Formats static dtype and shape: float32[2,?], or float32 if the rank is unknown."""
    if slot.dims is None:
        return slot.dtype.name
    return f"{slot.dtype.name}[{','.join('?' if d is None else str(d) for d in slot.dims)}]"
