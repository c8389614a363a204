"""if_convert: converts control flow to guards.

A node runs only if all its inputs are alive. Switch passes its data to one of two outputs, so consumers of output k of
a Switch on predicate p run only if p == k; Merge takes whichever input is alive. A guard records this once per node, as
a tuple of (predicate slot, branch) from the outermost condition inwards; `emit` turns runs of equal guards into `if`
blocks.
"""

from __future__ import annotations

from tfmini._src.base import dtypes
from tfmini._src.compiler.program.program import Alternatives, Guard, Node, Program

_SWITCHES = ("Switch", "RefSwitch")


def if_convert(program: Program) -> Program:
    """Sets the guards of all nodes; nodes that can never run are dropped."""
    guard_of_slot: dict[int, Guard | None] = {}
    guard_of_node: dict[int, Guard | None] = {}
    root = roots(program)
    position: dict[int, float] = dict.fromkeys(program.feeds, -1)  # positions of slots
    nodes: list[Node] = []
    for index, node in enumerate(program.nodes):
        position.update(dict.fromkeys(node.outputs, index))
        input_guards = [guard_of_slot.get(s, ()) for s in node.inputs]
        controls = [guard_of_node.get(id(c), ()) for c in node.controls]
        if node.kind == "op" and node.opdef.is_merge:
            guard = _merge_guard(node, input_guards, program, nodes, position)
        elif node.kind == "op" and node.opdef.name == "ControlTrigger":
            guard = ()  # runs even if its control inputs do not run
        else:
            guard = _conjunction([*input_guards, *controls], position)
        guard_of_node[id(node)] = guard
        for slot in node.outputs:
            guard_of_slot[slot] = guard
        if guard is None:  # its inputs are mutually exclusive: never alive
            if node.sends or (node.kind == "while" and node.may_wait):
                program.unsent.append(node)
            continue
        node.guard = guard
        if node.kind == "op" and node.opdef.name in _SWITCHES:
            predicate = root.get(node.inputs[1], node.inputs[1])
            program.switches.setdefault(predicate, node)
            for branch, slot in enumerate(node.outputs):
                literal = (predicate, bool(branch))
                guard_of_slot[slot] = _conjunction([guard, (literal,)], position)
        nodes.append(node)
    program.nodes = nodes
    for fetch_index, slot in enumerate(program.fetches):
        guard = guard_of_slot.get(slot, ())
        if guard != ():
            program.fetch_guards[fetch_index] = guard
    return program


def roots(program: Program) -> dict[int, int]:
    """Maps predicates to the slots whose values they repeat (through Identity, and through Switch inside a branch)."""
    root: dict[int, int] = {}
    for node in program.nodes:
        if node.kind == "op" and node.opdef.name in ("Identity", "Switch", "LoopCond"):
            source = root.get(node.inputs[0], node.inputs[0])
            if program.slots[node.inputs[0]].dtype == dtypes.bool:
                for slot in node.outputs:
                    root[slot] = source
    return root


def _conjunction(guards: list[Guard | None], position: dict[int, float]) -> Guard | None:
    """Returns the conjunction of `guards`, outer conditions (of lower slots) first; None if they exclude each other."""
    result: dict[int, bool] = {}
    for guard in guards:
        if guard is None:
            return None
        for predicate, branch in guard:
            if result.setdefault(predicate, branch) is not branch:
                return None
    return _sort_literals(result, position)


def _sort_literals(literals: dict[int, bool], position: dict[int, float]) -> Guard:
    return tuple(sorted(literals.items(), key=lambda literal: position[literal[0]]))


def _merge_guard(
    node: Node,
    input_guards: list[Guard | None],
    program: Program,
    nodes: list[Node],
    position: dict[int, float],
) -> Guard | None:
    """Returns the guard of a Merge: the common part of its inputs' guards, if together they cover it."""
    live_guards = [g for g in input_guards if g is not None]
    node.payload = Alternatives(tuple(input_guards))
    if not live_guards:
        return None
    if len(live_guards) == 1:
        return live_guards[0]
    covered = _covered_guard(live_guards, position)
    if covered is not None:
        return covered
    # The inputs are not the two sides of one condition: run time determines whether any is alive.
    flag = program.new_slot(dtypes.bool, ())
    position[flag] = position[node.outputs[0]] - 0.5
    nodes.append(Node("alive", node.origin, (), (flag,), payload=Alternatives(tuple(live_guards))))
    return ((flag, True),)


def _covered_guard(guards: list[Guard], position: dict[int, float]) -> Guard | None:
    """Joins `guards` that differ in one branch; returns the guard that they cover exactly, None if several remain."""
    pending = [dict(g) for g in guards]
    while len(pending) > 1:
        for i, first in enumerate(pending):
            for j in range(i + 1, len(pending)):
                joined = _join_guards(first, pending[j])
                if joined is not None:
                    pending[i : i + 1] = [joined]
                    del pending[j]
                    break
            else:
                continue
            break
        else:
            return None
    return _sort_literals(pending[0], position)


def _join_guards(first: dict[int, bool], second: dict[int, bool]) -> dict[int, bool] | None:
    if first.items() <= second.items():
        return first
    if second.items() <= first.items():
        return second
    if first.keys() != second.keys():
        return None
    different = [p for p in first if first[p] is not second[p]]
    return {p: b for p, b in first.items() if p != different[0]} if len(different) == 1 else None
