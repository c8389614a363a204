"""Which plans take about as long each time."""

from __future__ import annotations

from tfmini._src.compiler.program.program import Node, Program

_ELSEWHERE = frozenset({"while", "copy", "send", "receive", "collective"})


def is_straight(program: Program) -> bool:
    """Whether a program is a sequence of host kernels, each run at most once, that never block.

    None of them loops, blocks, calls Python or another plan, accesses files, or has state other than variable values.
    """
    return not program.devices and all(map(_is_plain, program.nodes))


def _is_plain(node: Node) -> bool:
    op = node.opdef
    leaves = op.may_wait or op.calls_python or op.runs_plan or op.uses_files or op.is_function
    has_state = op.stateful and not (op.borrows or op.makes_variable)
    return not (node.kind in _ELSEWHERE or leaves or op.takes_functions or has_state)
