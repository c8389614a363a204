"""Failure recovery: runs the side-effecting nodes that do not depend on the failed one.

TensorFlow's executor starts a node as soon as its inputs are ready, so a failure blocks only downstream nodes.
TensorFlow then cancels loops and blocking nodes; tfmini does not start them.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace

from tfmini._src.compiler.program.graph_order import input_operations
from tfmini._src.compiler.program.program import Guard, Node, Program
from tfmini._src.graph.operation import Operation


def remaining_program(program: Program, failed: Node) -> Program | None:
    """Returns a program of the effects that are independent of the node `failed`; None if there are none.

    The program is fed the slots computed before the failure and fetches nothing.
    """
    order = [member for node in program.nodes for member in node.members or (node,)]
    failed_nodes = failed.members or (failed,)
    remaining = order[order.index(failed_nodes[0]) :] if failed_nodes[0] in order else []
    nodes = _effect_nodes(_independent_nodes(remaining, failed_nodes, program))
    if not nodes:
        return None
    produced = {slot for node in nodes for slot in node.outputs}
    producer = {slot: node for node in order for slot in node.outputs}

    def guard(slot: int) -> Guard:
        return producer[slot].guard if slot in producer else program.feed_guards.get(slot, ())

    inputs = dict.fromkeys(s for n in nodes for s in _slots_read_by(n) if s not in produced)
    inputs.update(dict.fromkeys(p for s in [*inputs] for p, _ in guard(s) if p not in produced))
    again = dict.fromkeys(
        producer[s] for s in inputs if s in producer and _has_no_variable(producer[s])
    )
    feeds = tuple(s for s in inputs if producer.get(s) not in again)
    fed = dict(zip(program.feeds, program.fed))
    return replace(
        program,
        nodes=[*again, *nodes],
        slots=list(program.slots),
        feeds=feeds,
        fetches=(),
        targets=[],
        feed_guards={s: guard(s) for s in feeds if guard(s)},
        is_part=True,
        fetch_guards={},
        fed=tuple(
            producer[s].origin if s in producer else fed.get(s, failed.origin) for s in feeds
        ),
        shares_arrays=program.shares_arrays or any(s in program.memory for s in feeds),
    )


def _slots_read_by(node: Node) -> tuple[int, ...]:
    return (*node.inputs, *node.predicates)


def _has_no_variable(node: Node) -> bool:
    """Whether a node's result is an inline expression in the plan's source, not a local variable."""
    return node.kind == "const" or node.opdef.makes_variable


def _independent_nodes(
    nodes: Sequence[Node], failed_nodes: Collection[Node], program: Program
) -> list[Node]:
    """Returns the nodes, in order, that depend neither on `failed_nodes` nor on cancelled nodes."""
    held_operations: dict[Operation, bool] = dict.fromkeys(program.fed, False)
    lost_slots: set[int] = set()
    result = []
    for node in nodes:
        if (
            node in failed_nodes
            or node.kind == "while"
            or node.opdef.may_wait
            or not lost_slots.isdisjoint(_slots_read_by(node))
            or (node.kind == "op" and _is_held(node.origin, held_operations))
        ):
            lost_slots.update(node.outputs)
            held_operations[node.origin] = True
        else:
            result.append(node)
    return result


def _is_held(op: Operation, held_operations: dict[Operation, bool]) -> bool:
    """Whether an operation is held back or depends on an operation that is; caches results in `held_operations`."""
    pending = [op]
    while pending:
        last = pending[-1]
        if last in held_operations:
            pending.pop()
            continue
        sources = input_operations(last, ())
        unknown = [source for source in sources if source not in held_operations]
        if unknown:
            pending += unknown
        else:
            held_operations[last] = any(held_operations[source] for source in sources)
    return held_operations[op]


def _effect_nodes(nodes: Sequence[Node]) -> list[Node]:
    """Returns the nodes with lasting effects, and their transitive producers."""
    needed: set[int] = set()
    result = []
    for node in reversed(nodes):
        if _has_effects(node) or not needed.isdisjoint(node.outputs):
            result.append(node)
            needed.update(_slots_read_by(node))
    return result[::-1]


def _has_effects(node: Node) -> bool:
    """Whether a node changes state that outlives the step."""
    opdef = node.opdef
    is_step_effect = opdef.must_run or opdef.makes_variable or node.has_own_state
    if node.kind != "op" or is_step_effect or opdef.name == "ReadVariableOp":
        return False
    return opdef.has_effects
