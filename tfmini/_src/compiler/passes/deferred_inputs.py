"""Removes loop inputs that are used only for ordering and may depend on the loop's own outputs.

If `gradients` is called under control dependencies, the counter it adds to a loop waits for them, although they may
depend on the loop's results. TensorFlow then runs the counter after the other loop variables have finished all
iterations. Here a loop is a single node, and an input used only for ordering is dropped: the loop reads no variable and
has no side effects before it.
"""

from __future__ import annotations

from dataclasses import replace

from tfmini._src.compiler.program.program import Node, Program, without


def remove_ordering_inputs(loop: Node, late_slots: set[int]) -> set[int]:
    """Removes the slots `late_slots` from a loop's inputs if they are used only for ordering; returns them."""
    body: Program = loop.loop.program
    removed = {}
    for index, slot in enumerate(loop.inputs):
        if index >= loop.loop.variables and slot in late_slots and _only_awaited(body, index):
            removed[index] = slot
    if removed:
        _remove_enters(loop, set(removed))
    return set(removed.values())


def _only_awaited(body: Program, index: int) -> bool:
    """Whether the only use of a feed is an Identity that is never read."""
    slot = body.feeds[index]
    if slot in body.fetches:
        return False
    read = {s for node in body.nodes for s in node.inputs}.union(body.fetches)
    for node in body.nodes:
        if slot not in node.inputs:
            continue
        if node.kind == "while":
            inner = [n for n, s in enumerate(node.inputs) if s == slot]
            if any(
                n < node.loop.variables or not _only_awaited(node.loop.program, n) for n in inner
            ):
                return False
        elif node.opdef.name != "Identity" or not read.isdisjoint(node.outputs):
            return False
    return True


def _remove_enters(loop: Node, indices: set[int]) -> None:
    body: Program = loop.loop.program
    removed = {body.feeds[index] for index in indices}
    for node in body.nodes:
        inner = {n for n, s in enumerate(node.inputs) if s in removed}
        if node.kind == "while" and inner:
            _remove_enters(node, inner)
    body.nodes = [node for node in body.nodes if removed.isdisjoint(node.inputs)]
    body.feeds, body.fed = without(body.feeds, indices), without(body.fed, indices)
    loop.inputs = without(loop.inputs, indices)
    loop.payload = replace(loop.loop, enters=without(loop.loop.enters, indices))
