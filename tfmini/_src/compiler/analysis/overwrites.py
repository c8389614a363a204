"""overwrites: checks that arrays overwritten by a plan belong to the plan and are not used afterwards.

Verifies the decisions of `ownership.py` independently, from the final node order.
"""

from __future__ import annotations

from collections.abc import Sequence

from tfmini._src.base import dtypes
from tfmini._src.compiler.analysis.ownership import (
    inputs_aliased_by_loop_outputs,
    retained_inputs,
    shares_inputs,
    viewed_inputs,
)
from tfmini._src.compiler.program.program import InvalidProgramError, Node, Program


def check_overwrites(program: Program, overwritten_nodes: Sequence[tuple[Node, int]]) -> None:
    """Checks (node, input slot) pairs whose node overwrites or keeps the input's array.

    Raises:
      InvalidProgramError: if the plan does not own the array or uses it later; names the node.
    """
    if not overwritten_nodes:
        return
    memory, foreign = _shared_memory(program)
    nodes = [member for node in program.nodes for member in node.members or (node,)]
    order = {node: index for index, node in enumerate(nodes)}
    last: dict[int, tuple[int, Node | None]] = {}  # by memory: its last reader; None for a fetch
    for index, node in enumerate(nodes):
        for slot in node.inputs:
            last.update(dict.fromkeys(memory.get(slot, ()), (index, node)))
    for node in nodes:
        for slot in retained_inputs(node):
            last.update(dict.fromkeys(memory.get(slot, ()), (len(nodes), node)))
    for slot in program.fetches:
        last.update(dict.fromkeys(memory.get(slot, ()), (len(nodes), None)))
    for writer, slot in overwritten_nodes:
        dtype = program.slots[slot].dtype
        if dtype._is_ref_dtype or dtype is dtypes.resource:  # a variable's storage, not an array
            continue
        for alias in memory.get(slot, ()):
            if alias in foreign:
                raise InvalidProgramError(
                    f"after emit: {writer} writes t{alias}, which the plan does not own"
                )
            index, user = last[alias]
            if index > order[writer]:
                reader = "a fetch" if user is None else user
                raise InvalidProgramError(
                    f"after emit: {writer} writes t{alias}, still used by {reader}"
                )


def _shared_memory(program: Program) -> tuple[dict[int, frozenset[int]], set[int]]:
    """Returns the slots each slot may share memory with, and the slots whose arrays the plan does not own."""
    memory = {slot: frozenset((slot,)) for slot in program.feeds}
    foreign = set(program.feeds)
    for node in program.nodes:
        sources: Sequence[int] = ()
        if node.kind in ("view", "read"):
            sources = node.inputs
        elif shares_inputs(node):
            sources = viewed_inputs(node)
        memory_keys = (
            inputs_aliased_by_loop_outputs(node)
            if node.kind == "while"
            else [sources] * len(node.outputs)
        )
        for slot, sources_of_slot in zip(node.outputs, memory_keys):
            memory[slot] = frozenset((slot,)).union(*(memory.get(s, (s,)) for s in sources_of_slot))
        is_borrowed = (
            node.kind == "op" and node.opdef.borrowed_result
        )  # a copy has its producer's op
        if node.kind in ("while", "view", "read", "const") or is_borrowed:
            foreign.update(node.outputs)
    return memory, foreign
