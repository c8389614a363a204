"""Switch branches that values depend on, computed before guards exist."""

from __future__ import annotations

from collections.abc import Mapping

from tfmini._src.compiler.program.program import Literal, Program

_SWITCHES = ("Switch", "RefSwitch")
_NO_LITERALS: frozenset[Literal] = frozenset()


def branch_literals(
    program: Program, root: Mapping[int, int]
) -> tuple[dict[int, frozenset[Literal]], dict[int, frozenset[Literal]]]:
    """Returns the (predicate, branch) pairs on which each slot, and each node by id, depends to be alive.

    A Merge requires the pairs that its inputs share. Back edges and loop conditions are excluded. `root` maps a
    predicate that repeats another one to the original.
    """
    literals_by_slot: dict[int, frozenset[Literal]] = {}
    literals_by_node: dict[int, frozenset[Literal]] = {}
    conditions = {root[node.outputs[0]] for node in program.nodes if node.opdef.name == "LoopCond"}
    for node in program.nodes:
        input_literals = [
            literals_by_slot[slot] for slot in node.inputs if slot in literals_by_slot
        ]
        name = node.opdef.name if node.kind == "op" else ""
        if name == "ControlTrigger":
            needed = _NO_LITERALS
        elif node.kind == "op" and node.opdef.is_merge:
            needed = _NO_LITERALS.union(*input_literals[:1]).intersection(*input_literals)
        else:
            needed = _NO_LITERALS.union(
                *input_literals, *(literals_by_node.get(id(c), _NO_LITERALS) for c in node.controls)
            )
        literals_by_node[id(node)] = needed
        literals_by_slot.update(dict.fromkeys(node.outputs, needed))
        if name in _SWITCHES:
            predicate = root.get(node.inputs[1], node.inputs[1])
            if predicate not in conditions:
                for branch, slot in enumerate(node.outputs):
                    literals_by_slot[slot] = needed | {(predicate, bool(branch))}
    return literals_by_slot, literals_by_node
