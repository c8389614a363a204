"""owners: checks that each node writes only memory that it owns and that is not read afterwards.

- Nodes that read and write one variable, stack or TensorArray keep their order from pass to pass, as do nodes with
  other effects.
- A node with effects follows the nodes with effects that it waits for.
- Grouped updates have distinct variables; none reads the results or variables of another.
- A buffer of a group has one owner at a time: it is not overwritten before the last read of its value.
- A group owns the arrays that it returns: no member returns an input.
- Constants are read-only; a copy has its own memory.
"""

from __future__ import annotations

from collections.abc import Hashable

import numpy as np

from tfmini._src.base import dtypes
from tfmini._src.compiler.program.graph_order import reference_flags
from tfmini._src.compiler.program.program import Constant, InvalidProgramError, Node, Program

# Ops that forward references or handles.
_PASSES = frozenset(
    {
        *("Identity", "IdentityN", "Switch", "Merge", "Enter", "Exit", "NextIteration"),
        *("RefIdentity", "RefSwitch", "RefMerge", "RefSelect"),
        *("RefEnter", "RefExit", "RefNextIteration"),
    }
)
_QUERIES = frozenset({"IsVariableInitialized", "VarIsInitializedOp", "VariableShape"})

_OTHER_EFFECTS = "effects"  # resources, other than variables, that nodes modify
_NO_OWNERS: frozenset[Hashable] = frozenset()


class Owners:
    """Checks a program repeatedly, as passes change it: effects keep their order."""

    def __init__(self) -> None:
        self._last: dict[Node, int] = {}

    def check(self, program: Program, reorders: bool = False) -> None:
        """Checks the nodes of a program, without loop bodies.

        Args:
          reorders: whether independent nodes may have changed their order since the last check.

        Raises:
          InvalidProgramError: for the first violation; names the node.
        """
        for node in program.nodes:
            if node.kind == "const":
                _check_constant(node)
            elif node.kind == "copy" and node.copied_from == node.device:
                raise InvalidProgramError(f"copy within one memory space: {node}")
            elif node.kind == "fused":
                _check_buffers(node)
                _check_results(node)
        accesses = _Accesses(program)
        for node in program.nodes:
            if node.kind == "updates":
                _check_updates(node, accesses)
        _check_waits(program)
        self._check_order(accesses, reorders)

    def _check_order(self, accesses: _Accesses, reorders: bool) -> None:
        """Checks that no two nodes have been swapped if one writes data that the other reads or writes."""
        last = self._last
        # The latest access so far, in the previous order.
        written: dict[Hashable, tuple[int, Node]] = {}
        touched: dict[Hashable, tuple[int, Node]] = {}
        self._last = {}
        for node, reads, writes in accesses.records:
            self._last.setdefault(node, len(self._last))
            index = last.get(node)
            if index is None or reorders:
                continue
            for key in reads | writes:
                previous_node = (touched if key in writes else written).get(key)
                if previous_node is not None and previous_node[0] > index:
                    subject = "effects" if key == _OTHER_EFFECTS else "the variable"
                    raise InvalidProgramError(f"{previous_node[1]} has overtaken {node}: {subject}")
            for latest_access, keys in ((touched, reads | writes), (written, writes)):
                for key in keys:
                    if key not in latest_access or latest_access[key][0] < index:
                        latest_access[key] = index, node


class _Accesses:
    """The reads and writes of variables by the nodes of a program; members of groups count separately.

    of: by slot, the variables it may refer to.
    records: the nodes with effects, in order; their reads and writes.
    """

    def __init__(self, program: Program):
        self.slots = program.slots
        self.of: dict[int, frozenset[Hashable]] = {}
        self.records: list[tuple[Node, frozenset[Hashable], frozenset[Hashable]]] = []
        for slot in program.feeds:
            if self._is_cell(slot):
                self.of[slot] = frozenset((slot,))
        for node in program.nodes:
            for member in node.members or (node,):
                self._add_node(member)

    def written_variables(self, node: Node) -> frozenset[Hashable]:
        """Returns the variables that a node writes."""
        return self._reads_and_writes(node, self._owners_of(node.inputs))[1]

    def _is_cell(self, slot: int) -> bool:
        dtype = self.slots[slot].dtype
        return dtype._is_ref_dtype or dtype is dtypes.resource

    def _add_node(self, node: Node) -> None:
        if node.kind == "op" and node.opdef.makes_variable:
            name = node.attrs.get("shared_name") or node.origin.name
            key = (node.attrs.get("container", ""), name)
            self.of.update(dict.fromkeys(node.outputs, frozenset((key,))))
            return
        input_owners = self._owners_of(node.inputs)
        if node.has_own_state and not input_owners:  # creates a stack or a TensorArray
            self.of[node.outputs[0]] = frozenset((node.outputs[0],))
            return
        if input_owners:
            for slot in node.outputs:
                if self._is_cell(slot):
                    self.of[slot] = input_owners
        reads, writes = self._reads_and_writes(node, input_owners)
        if reads or writes:
            self.records.append((node, reads, writes))

    def _owners_of(self, slots: tuple[int, ...]) -> frozenset[Hashable]:
        owners = self.of
        if owners.keys().isdisjoint(slots):  # true for most nodes
            return _NO_OWNERS
        return _NO_OWNERS.union(*[owners[s] for s in slots if s in owners])

    def _reads_and_writes(
        self, node: Node, touched: frozenset[Hashable]
    ) -> tuple[frozenset[Hashable], frozenset[Hashable]]:
        """Returns the variables that a node reads and writes; `touched`: variables that its inputs refer to."""
        if node.kind == "while":
            body = node.loop.program
            inner = _Accesses.__new__(_Accesses)
            inner.slots, inner.records = self.slots, []
            inner.of = {
                feed: self.of[s] for feed, s in zip(body.feeds, node.inputs) if s in self.of
            }
            for inner_node in body.nodes:
                inner._add_node(inner_node)
            reads = _NO_OWNERS.union(*(r for _, r, _ in inner.records))
            return reads, _NO_OWNERS.union(*(w for _, _, w in inner.records))
        if node.kind != "op":
            return touched, _NO_OWNERS
        opdef = node.opdef
        if not touched:
            changes = opdef.has_effects and not opdef.borrowed_result and opdef.name not in _PASSES
            return _NO_OWNERS, frozenset((_OTHER_EFFECTS,)) if changes else _NO_OWNERS
        if opdef.name in _PASSES:
            return _NO_OWNERS, _NO_OWNERS
        if opdef.borrowed_result or opdef.name in _QUERIES:
            return touched, _NO_OWNERS
        cells = [
            slot
            for slot, is_ref in zip(node.inputs, reference_flags(node))
            if is_ref or self.slots[slot].dtype is dtypes.resource
        ]
        return touched, self._owners_of(tuple(cells))


def _check_constant(node: Node) -> None:
    value = node.payload.value if isinstance(node.payload, Constant) else None
    if isinstance(value, np.ndarray) and value.flags.writeable:
        raise InvalidProgramError(f"constant may be overwritten: {node}")


def _check_updates(node: Node, accesses: _Accesses) -> None:
    """Checks that the members of a group can run in one call."""
    internal_slots = {slot for member in node.members for slot in member.outputs}
    owner: dict[Hashable, Node] = {}
    for member in node.members:
        for slot in member.inputs:
            if slot in internal_slots:
                raise InvalidProgramError(
                    f"t{slot} is produced by the group that reads it: {member}"
                )
        for key in accesses.written_variables(member):
            if key in owner:
                raise InvalidProgramError(
                    f"{member} writes a variable that {owner[key]} also writes"
                )
            owner[key] = member
    cells = [cell for part in node.updates.parts for cell in part.cells]
    if len(node.updates.parts) != len(node.members) or len(set(cells)) < len(cells):
        raise InvalidProgramError(f"two updates of one variable: {node}")


# Members without a step: parts and tiles are read in place; concatenated results and sums of rows are written.
_STEPLESS_OPS = frozenset({"Split", "Tile", "ConcatV2", "Sum", "Mean", "L2Loss"})


def _check_buffers(node: Node) -> None:
    """Checks that each step of a group finds the values that its node reads, none of them overwritten."""
    steps = node.fused.steps
    if not steps:
        return
    count = max(value for step in steps for value in (*step.reads, step.makes))
    buffer_counts: dict[tuple[str, int], int] = {("input", i): i for i in range(count)}
    computing_nodes = [m for m in node.members if m.opdef.name not in _STEPLESS_OPS]
    computed = {m.outputs[0] for m in computing_nodes}
    read = dict.fromkeys(slot for m in computing_nodes for slot in m.inputs if slot not in computed)
    slots = dict(enumerate(read))  # the slot of each numbered value
    members = iter(computing_nodes)
    member = next(members)
    for step in steps:
        for value, location in zip(step.reads, step.operands, strict=True):
            content = buffer_counts.get(location)
            if content != value or slots.get(value, member.inputs[0]) not in member.inputs:
                content_text = "nothing" if content is None else f"t{slots.get(content)}"
                text = (
                    f"{location[0]} {location[1]} of the group holds {content_text} instead of "
                    f"t{slots.get(value)}"
                )
                raise InvalidProgramError(f"{text}, read by {member}")
        if step.target[0] == "input":
            raise InvalidProgramError(f"a group input is written: {member}")
        buffer_counts[step.target] = step.makes
        if step.ends_node:
            slots[step.makes] = member.outputs[0]
            member = next(members, member)
    if not computed <= {*slots.values()}:
        raise InvalidProgramError(f"the group omits one of its nodes: {node}")
    joined = [slot for m in node.members if m.opdef.name in _STEPLESS_OPS for slot in m.inputs]
    if slots.get(buffer_counts.get(("result", 0), -1)) not in (node.outputs[0], *joined):
        raise InvalidProgramError(f"the group's result is not written: {node}")


def _check_results(node: Node) -> None:
    for member in node.members:
        if not set(node.outputs).isdisjoint(member.outputs):
            is_view = member.opdef.view and not member.opdef.formula and not node.fused.parts
            if is_view or member.opdef.borrowed_result:
                raise InvalidProgramError(f"group output is a group input: {member}")


def _check_waits(program: Program) -> None:
    """Checks that nodes with side effects follow the side-effecting nodes they wait for."""
    order = {
        member: index
        for index, node in enumerate(program.nodes)
        for member in (node, *node.members)
        if _has_effects(member)
    }
    for member, index in order.items():
        for control in member.controls:
            if order.get(control, -1) > index:
                raise InvalidProgramError(f"{member} does not wait for {control}")


def _has_effects(node: Node) -> bool:
    return node.kind == "while" or (node.kind == "op" and node.opdef.has_effects)
