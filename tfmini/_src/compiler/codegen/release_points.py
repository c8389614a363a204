"""Release points: where a plan drops its references to arrays that no later node reads."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from tfmini._src.compiler.program.program import Guard, Program


class ReleasePoints(NamedTuple):
    """Slots to release.

    after: by the index of the last node that reads them.
    before: by the index of the first node after the branch of their last reader.
    """

    after: dict[int, list[int]]
    before: dict[int, list[int]]


def release_points(
    program: Program, lasting_slots: set[int], is_small: Callable[[int], bool]
) -> ReleasePoints:
    """Returns the release points of a program.

    Args:
      program: the program, in its final order.
      lasting_slots: slots that are read after the last node.
      is_small: whether a slot's array is too small to be worth a line.
    """
    nodes = program.nodes
    last: dict[int, int] = {}
    guards: dict[int, Guard] = {}
    for step, node in enumerate(nodes):
        last.update(dict.fromkeys((*node.inputs, *node.outputs), step))
        guards.update(dict.fromkeys(node.outputs, node.guard))
        if node.guard or node.payload:
            lasting_slots = lasting_slots.union(node.predicates)
    read = {node.outputs[0] for node in nodes if node.kind == "read"}
    points = ReleasePoints({}, {})
    for slot, step in last.items():
        if slot in lasting_slots or (is_small(slot) and slot not in program.memory):
            continue
        guard = guards.get(slot, ())
        if nodes[step].guard == guard:
            points.after.setdefault(step, []).append(slot)
        elif slot in read:  # holding a reference would force the next writer to copy the value
            for index in range(step + 1, len(nodes)):
                if nodes[index].guard == guard and nodes[index].kind != "const":
                    points.before.setdefault(index, []).append(slot)
                    break
    return points
