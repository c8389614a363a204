"""Array ownership: a plan may overwrite or keep its own temporaries, but not borrowed arrays.

Feeds, constants, variable values and results of ops declared `borrowed_result` are borrowed. A view belongs to the
alias class of its base. A node may overwrite a class if the plan owns it and none of its slots is read later, fetched
or retained; arrays in stacks and TensorArrays are never overwritten.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from tfmini._src.base.records import dataclass
from tfmini._src.compiler.program.program import Node, Program


@dataclass(frozen=True)
class Ownership:
    """Result of the ownership analysis.

    base: alias classes of each slot, named by their root slots.
    owned: classes owned by the plan.
    last_use: for each class, the index of the last node that reads any of its slots; fetched classes stay alive.
    whole: slots whose arrays cover their whole memory, each element once: no slices or broadcasts.
    """

    base: dict[int, frozenset[int]]
    owned: frozenset[int]
    last_use: dict[int, int]
    whole: frozenset[int]

    def is_borrowed(self, slot: int) -> bool:
        return not self.base[slot] <= self.owned

    def release_ownership(self, slots: Iterable[int]) -> Ownership:
        """Returns a copy in which the plan does not own the arrays in `slots`."""
        roots = frozenset().union(*(self.base.get(s, ()) for s in slots))
        return replace(self, owned=self.owned - roots)

    def last_reads(self) -> dict[int, int]:
        """Maps each slot to the index of the last node that reads its array."""
        return {
            slot: max((self.last_use.get(root, -1) for root in roots), default=-1)
            for slot, roots in self.base.items()
        }

    def dies_at(self, slot: int, step: int) -> bool:
        """Whether node `step` may overwrite the slot's array: whole, owned and not read again."""
        return slot in self.whole and all(
            b in self.owned and self.last_use.get(b, -1) <= step for b in self.base.get(slot, ())
        )


NO_LAST_USE = 1 << 60

# Views that cover their entire input.
_RESHAPES = frozenset({"Reshape", "ExpandDims", "Squeeze"})


def analyze(program: Program) -> Ownership:
    """Analyzes ownership for the current node order."""
    base: dict[int, frozenset[int]] = {s: frozenset((s,)) for s in program.feeds}
    owned_slots: set[int] = set()
    whole_slots: set[int] = set()
    last_use: dict[int, int] = {}
    for step, node in enumerate(program.nodes):
        # The copy runs asynchronously on the other device.
        end = NO_LAST_USE if node.kind == "copy" and node.copied_from else step
        for slot in node.inputs:
            for root in base.get(slot, ()):
                last_use[root] = max(last_use.get(root, end), end)
        for slot in retained_inputs(node):
            last_use.update(dict.fromkeys(base.get(slot, ()), NO_LAST_USE))
        if node.kind == "while":
            for slot, inputs in zip(node.outputs, inputs_aliased_by_loop_outputs(node)):
                base[slot] = frozenset((slot,)).union(*(base.get(s, ()) for s in inputs))
            continue
        # The output may alias the input.
        if node.kind == "view" or (node.kind == "read" and node.may_hold_array):
            shared = frozenset().union(*(base.get(s, ()) for s in node.inputs))
            base.update((slot, shared | {slot}) for slot in node.outputs)
            continue
        if shares_inputs(node):
            shared = frozenset().union(*(base.get(s, frozenset((s,))) for s in viewed_inputs(node)))
            for slot in node.outputs:
                base[slot] = shared
            if node.opdef.name in _RESHAPES and node.inputs[0] in whole_slots:
                whole_slots.update(node.outputs)
            continue
        for slot in node.outputs:
            base[slot] = frozenset((slot,))
            if node.kind in ("copy", "receive") or (
                node.kind in ("op", "fused") and not node.opdef.borrowed_result
            ):
                owned_slots.add(slot)
                whole_slots.add(slot)
    for slot in program.fetches:
        for root in base.get(slot, ()):
            last_use[root] = NO_LAST_USE
    return Ownership(base, frozenset(owned_slots), last_use, frozenset(whole_slots))


def retained_inputs(node: Node) -> tuple[int, ...]:
    """Returns the inputs whose arrays the node keeps for later reads that the program does not represent."""
    if node.kind == "while":
        return _inputs_kept_by_loop(node)
    if node.kind != "op" or not node.opdef.retained_inputs:
        return ()
    slots: list[int] = []
    for position, arg in enumerate(node.opdef.inputs):
        if arg.is_list:  # a list and all inputs after it, conservatively
            return (*slots, *node.inputs[position:])
        if arg.name in node.opdef.retained_inputs:
            slots.append(node.inputs[position])
    return tuple(slots)


def _inputs_kept_by_loop(node: Node) -> tuple[int, ...]:
    """Returns the loop inputs whose arrays the loop may keep: loop variables, and invariants kept by an inner node."""
    body, count = node.loop.program, node.loop.variables
    if not any(n.kind == "op" and n.opdef.retained_inputs for n in body.all_nodes()):
        return ()
    base = analyze(body).base
    slots = [s for inner in body.nodes for s in retained_inputs(inner)]
    slots += body.fetches[1 : 1 + count]  # passed to the next iteration
    roots = frozenset().union(*(base.get(s, ()) for s in slots))
    invariants = zip(node.inputs[count:], body.feeds[count:])
    return (*node.inputs[:count], *(slot for slot, feed in invariants if feed in roots))


def inputs_aliased_by_loop_outputs(node: Node) -> list[set[int]]:
    """Returns, for each loop output, the inputs it may alias."""
    body, count = node.loop.program, node.loop.variables
    base = analyze(body).base
    input_of = dict(zip(body.feeds, node.inputs))
    fetch_by_feed = dict(zip(body.feeds[:count], body.fetches[1 : 1 + count]))

    def slot_inputs(slot: int) -> set[int]:
        aliased_inputs: set[int] = set()
        pending = [slot]
        while pending:
            for root in base.get(pending.pop(), ()):
                if root in input_of and root not in aliased_inputs:
                    aliased_inputs.add(root)
                    if root in fetch_by_feed:
                        pending.append(fetch_by_feed[root])
        return {input_of[feed] for feed in aliased_inputs}

    return [slot_inputs(slot) for slot in body.fetches[1 + count :]]


def shares_inputs(node: Node) -> bool:
    return node.kind == "op" and (node.opdef.view or node.opdef.is_merge)


def viewed_inputs(node: Node) -> tuple[int, ...]:
    """Returns the inputs whose memory a view may share, excluding sizes and axes."""
    static = node.opdef.static_inputs
    if not static:
        return node.inputs
    slots: list[int] = []
    for position, arg in enumerate(node.opdef.inputs):
        if arg.is_list:
            trailing = () if arg.name in static else node.inputs[position:]
            return (*slots, *trailing)
        if arg.name not in static:
            slots.append(node.inputs[position])
    return tuple(slots)
