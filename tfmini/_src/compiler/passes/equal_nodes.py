"""Merges equal nodes before the reads of reference variables are inserted.

TensorFlow merges equal nodes before a step runs: of two equal functions of a variable's value, one scheduled before an
update and one after it, only one is computed. Equal nodes have the same inputs, control inputs, attributes and device,
and no effects.
"""

from __future__ import annotations

from collections.abc import Hashable

from tfmini._src.compiler.passes.simplify import same_attrs
from tfmini._src.compiler.program.program import Node, Program

_MAX_COMPARED_ELEMENTS = 1000


def merge_equal_nodes(program: Program) -> bool:
    """Merges the equal nodes of a program; returns whether it found any."""
    alias: dict[int, int] = {}
    equal: dict[Hashable, list[Node]] = {}
    nodes: list[Node] = []
    for node in program.nodes:
        node.inputs = tuple([alias.get(slot, slot) for slot in node.inputs])
        key = None if node in program.targets else _equality_key(node, program)
        twins = [] if key is None else equal.setdefault(key, [])
        twin = next((t for t in twins if node.opdef.name == "Const" or same_attrs(t, node)), None)
        if twin is not None:
            alias.update(zip(node.outputs, twin.outputs))
            continue
        twins.append(node)
        nodes.append(node)
    program.nodes = nodes
    program.fetches = tuple(alias.get(slot, slot) for slot in program.fetches)
    return bool(alias)


def _equality_key(node: Node, program: Program) -> Hashable:
    """Returns the key of equal nodes, whose attributes are compared separately; None for a node that is not merged."""
    opdef = node.opdef
    slots = (*node.inputs, *node.outputs)
    if node.kind != "op" or node.guard or opdef.has_effects or opdef.takes_context:
        return None
    if any(program.slots[slot].dtype._is_ref_dtype for slot in slots):
        return None
    if opdef.is_merge or opdef.name == "Switch":
        return None
    content: Hashable = None
    if opdef.name == "Const":
        value = node.attrs["value"].array
        if value.size > _MAX_COMPARED_ELEMENTS or value.dtype.kind not in "biuf":
            return None
        content = value.dtype.str, value.shape, value.tobytes()
    elif not node.inputs:
        return None
    return opdef.name, node.inputs, frozenset(map(id, node.controls)), node.device, content
