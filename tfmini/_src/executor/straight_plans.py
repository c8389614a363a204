"""Straight plans: their running time depends only on the shapes of their feeds."""

from __future__ import annotations

from tfmini._src.compiler.analysis.ownership import viewed_inputs
from tfmini._src.compiler.program.program import Node, Program

_UNSUPPORTED_KINDS = frozenset({"while", "copy", "send", "receive", "collective"})


def is_straight(program: Program) -> bool:
    """Whether a program is a sequence of host kernels, each run at most once, that never block.

    No kernel loops, blocks, calls Python or another plan, accesses files, has state other than variable values, or
    creates an array whose size is a fed value.
    """
    return (
        not program.devices
        and all(map(_is_plain, program.nodes))
        and not _is_sized_by_feeds(program)
    )


def _is_plain(node: Node) -> bool:
    op = node.opdef
    leaves = op.may_wait or op.calls_python or op.runs_plan or op.uses_files or op.is_function
    has_state = op.stateful and not (op.borrowed_result or op.makes_variable)
    return not (node.kind in _UNSUPPORTED_KINDS or leaves or op.takes_functions or has_state)


def _is_sized_by_feeds(program: Program) -> bool:
    """Whether the size of an array depends on the elements of feeds, rather than on their shapes."""
    element_slots = set(program.feeds)  # slots whose elements depend on elements of feeds
    for node in program.nodes:
        if node.kind == "op" and node.opdef.sized_by_values:
            sizes = set(node.inputs)
        else:
            sizes = set(node.inputs) - set(viewed_inputs(node)) if node.kind == "op" else set()
        if not element_slots.isdisjoint(sizes):
            return True
        if not node.opdef.depends_only_on_shapes and not element_slots.isdisjoint(node.inputs):
            element_slots.update(node.outputs)
    return False
