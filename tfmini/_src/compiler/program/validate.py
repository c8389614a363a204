"""validate: checks the invariants of a program that every pass relies on.

- Operands, predicates and fetches are defined once, before their use.
- The producer of a read value has run: the reader's guard implies the producer's.
- Slot dtypes match the op's signature, the constant, or the loop's inputs and outputs; a constant's static shape
  matches its value.
- Values are in the memory space in which their node reads or leaves them.
- Members of a group share its guard and device, and read and write no slots beyond the group's.
- Memory has one owner: `owners.py`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

from tfmini._src.base import dtypes
from tfmini._src.base.dtypes import DType
from tfmini._src.compiler.program.graph_order import LOOPS_BACK
from tfmini._src.compiler.program.owners import Owners
from tfmini._src.compiler.program.program import (
    Guard,
    InvalidProgramError,
    Literal,
    Loop,
    Node,
    Program,
)
from tfmini._src.devices.device import HOST

if TYPE_CHECKING:
    from tfmini._src.graph.opdef import Arg


_NO_GUARD: frozenset[Literal] = frozenset()  # the guard of most nodes


def validate(program: Program) -> None:
    """Checks a program, including its loops; raises InvalidProgramError naming the node of the first violation."""
    Validator().check(program)


class Validator:
    """Checks a program repeatedly, as passes change it; unchanged parts are skipped."""

    def __init__(self) -> None:
        self._last: list[Any] = []
        # Nodes whose dtypes match, with their sources.
        self._typed: dict[Node, tuple[object, ...]] = {}
        self._inner: dict[Node, Validator] = {}
        self._owners = Owners()

    def check(self, program: Program, reorders: bool = False) -> None:
        """Like `validate`; `reorders` tells whether nodes with effects may have changed their order."""
        for node in program.nodes:
            if node.kind == "while":
                self._inner.setdefault(node, Validator()).check(node.loop.program, reorders)
        nodes = [member for node in program.nodes for member in (node, *node.members)]
        now = [(n, n.inputs, n.outputs, n.guard, n.payload, n.device) for n in nodes]
        state = [
            now,
            program.feeds,
            program.fetches,
            dict(program.fetch_guards),
            program.copies_inserted,
        ]
        if state != self._last:
            _Check(program, self._typed).run()
            self._owners.check(program, reorders)
            self._last = state


class _Check:
    def __init__(self, program: Program, typed: dict[Node, tuple[object, ...]]):
        self.program = program
        self.typed = typed
        self.defined: dict[int, frozenset[Literal]] = {
            slot: frozenset(program.feed_guards.get(slot, ())) for slot in program.feeds
        }
        # Loop variables are defined in the next iteration.
        self.backs = {
            slot
            for node in program.nodes
            if node.kind == "op" and node.opdef.name in LOOPS_BACK
            for slot in node.outputs
        }

    def run(self) -> None:
        program = self.program
        if len(self.defined) < len(program.feeds):
            raise InvalidProgramError("a slot is fed twice")
        for node in program.nodes:
            self._check_operands(node)
            key = (node.kind, node.opdef, node.inputs, node.outputs, node.payload)
            if self.typed.get(node) != key:
                self._check_dtypes(node)
                self.typed[node] = key
            if program.copies_inserted:
                self._check_memory(node)
            if node.kind in ("fused", "updates"):
                self._check_members(node)
            elif node.kind == "while":
                self._check_loop(node, node.loop)
            for slot in node.outputs:
                if slot in self.defined:
                    raise InvalidProgramError(f"t{slot} is defined again by {node}")
                # Constants have values before any node runs.
                is_guarded = node.guard and node.kind != "const"
                self.defined[slot] = frozenset(node.guard) if is_guarded else _NO_GUARD
        for index, slot in enumerate(program.fetches):
            guard = program.fetch_guards.get(index, ())
            if guard is not None:
                defined = self.defined.get(slot, frozenset()) if program.is_part else guard
                self._check_use(slot, frozenset(defined), f"fetch {index}")
        self._check_predicates(program.fetch_predicates, "the guard of a fetch")

    def _check_use(self, slot: int, guard: frozenset[Literal], user: Node | str) -> None:
        """Checks that the slot has a value wherever `guard` holds."""
        needed = self.defined.get(slot)
        if needed is None:
            raise InvalidProgramError(f"t{slot} is used before it is defined, by {user}")
        if not needed <= guard:
            raise InvalidProgramError(f"t{slot} may have no value at its use, by {user}")

    def _check_predicates(self, slots: Iterable[int], user: Node | str) -> None:
        for slot in slots:
            if slot not in self.defined:
                raise InvalidProgramError(
                    f"predicate t{slot} is used before it is defined, by {user}"
                )
            if self.program.slots[slot].dtype.base_dtype is not dtypes.bool:
                raise InvalidProgramError(f"predicate t{slot} of {user} is not boolean")

    def _check_operands(self, node: Node) -> None:
        if (node.guard or node.payload) and node.kind != "const":  # defined before all nodes
            self._check_predicates(node.predicates, node)
        guard = frozenset(node.guard) if node.guard else _NO_GUARD
        if node.kind == "op" and node.opdef.is_merge:
            self._check_merge(node, guard)
            return
        for slot in node.inputs:
            needed = self.defined.get(slot)
            if needed is None or (needed and not needed <= guard):
                self._check_use(slot, guard, node)

    def _check_merge(self, node: Node, guard: frozenset[Literal]) -> None:
        """Checks that each input is defined under its own guard; before guards exist, that all inputs are defined."""
        guards: Iterable[Guard | None] = node.alternatives or [()] * len(node.inputs)
        for slot, own_guard in zip(node.inputs, guards):
            if own_guard is not None and slot not in self.backs:
                self._check_use(slot, guard.union(own_guard), node)

    def _check_dtypes(self, node: Node) -> None:
        slots = self.program.slots
        if node.kind == "op":
            self._check_signature(node, node.inputs, node.opdef.inputs)
            self._check_signature(node, node.outputs, node.opdef.outputs)
        elif node.kind == "const":
            # A scalar string is bytes; kernels return quantized numbers as their storage types.
            slot, value = slots[node.outputs[0]], node.constant
            declared_dtype, dims, shape = slot.dtype, slot.dims, np.shape(value)
            dtype = np.dtype(object) if isinstance(value, bytes) else np.asarray(value).dtype
            if dtype != declared_dtype.numpy and not declared_dtype.is_quantized:
                raise InvalidProgramError(
                    f"a {dtype} constant in a {declared_dtype.name} slot: {node}"
                )
            if dims is not None and (
                len(dims) != len(shape) or any(d not in (None, n) for d, n in zip(dims, shape))
            ):
                raise InvalidProgramError(
                    f"a constant of shape {shape} in a slot of shape {dims}: {node}"
                )
        elif node.kind in ("read", "copy", "send", "receive"):
            base_dtypes = {slots[s].dtype.base_dtype for s in (*node.inputs, *node.outputs)}
            if len(base_dtypes) > 1:
                raise InvalidProgramError(f"the dtype changes in {node}")

    def _check_signature(self, node: Node, slots: tuple[int, ...], args: Iterable[Arg]) -> None:
        declared_dtypes = list(_declared_dtypes(node, args))
        if len(declared_dtypes) != len(slots):
            raise InvalidProgramError(
                f"{len(slots)} slots for {len(declared_dtypes)} arguments: {node}"
            )
        for slot, (dtype, is_ref) in zip(slots, declared_dtypes):
            actual = self.program.slots[slot].dtype
            if dtype is not None and actual.base_dtype is not dtype.base_dtype:
                raise InvalidProgramError(f"t{slot} is {actual.name}, not {dtype.name}: {node}")
            if is_ref and not actual._is_ref_dtype and actual is not dtypes.resource:
                raise InvalidProgramError(f"t{slot} is not a reference: {node}")

    def _check_memory(self, node: Node) -> None:
        memory, devices = self.program.memory, self.program.devices
        memories = [memory.get(s, HOST) for s in (*node.inputs, *node.outputs)]
        allowed_memories: list[set[str]] | None = None
        device = node.device if node.device in devices else HOST
        if node.kind == "copy":
            allowed_memories = [{node.copied_from}, {node.device}]
        elif node.kind == "send":
            allowed_memories = [{node.device}, {HOST}]
        elif node.kind == "receive":
            allowed_memories = [{HOST}, {node.device}, {HOST}]
        elif node.kind == "collective":
            allowed_memories = [{name} for name in (*node.participants, *node.participants)]
        elif node.kind == "read":
            allowed_memories = [{memories[0]}, {memories[0]}]
        elif node.kind in ("fused", "joined"):
            slots = (*node.inputs, *node.outputs)
            slot_dtypes = [self.program.slots[slot].dtype for slot in slots]
            # A member's axes are in host memory.
            allowed_memories = [
                {device, HOST} if dtype.is_integer else {device} for dtype in slot_dtypes
            ]
        elif node.kind in ("op", "updates"):
            allowed_memories = [{HOST, device}] * len(memories)
        for slot, where, allowed in zip(
            (*node.inputs, *node.outputs), memories, allowed_memories or ()
        ):
            # A handle is on the host, although its value may not be.
            is_cell = self.program.slots[slot].dtype._is_ref_dtype
            if where not in allowed and not is_cell and not self._is_dead(slot, node):
                raise InvalidProgramError(
                    f"t{slot} must not be in {where or 'host memory'}: {node}"
                )
        # A constant is known at compile time: its predicates are never read.
        for slot in node.predicates if node.kind != "const" else ():
            if slot in memory:
                text = f"predicate t{slot} must be in host memory but is in {memory[slot]}: {node}"
                raise InvalidProgramError(text)

    @staticmethod
    def _is_dead(slot: int, node: Node) -> bool:
        """Whether the slot is an input of a Merge that is never alive."""
        return any(s == slot and g is None for s, g in zip(node.inputs, node.alternatives))

    def _check_members(self, node: Node) -> None:
        members = node.members
        computed: set[int] = set()
        for member in members:
            if member.guard != node.guard or member.device != node.device:
                raise InvalidProgramError(f"{member} is in a group of a different kind: {node}")
            for slot in member.inputs:
                if slot not in computed and slot not in node.inputs:
                    raise InvalidProgramError(f"t{slot} is not a group input: {member}")
            computed.update(member.outputs)
        if members and not computed.issuperset(node.outputs):
            raise InvalidProgramError(f"no member produces an output of {node}")

    def _check_loop(self, node: Node, loop: Loop) -> None:
        inner, slots = loop.program, self.program.slots
        results = len(inner.fetches) - 1 - loop.variables - len(loop.collected)
        if (
            len(node.inputs) != len(inner.feeds)
            or len(node.outputs) != results + len(loop.collected)
            or not 0 <= loop.variables <= len(inner.feeds)
        ):
            raise InvalidProgramError(f"inputs or outputs do not match the iteration: {node}")
        next_slots = inner.fetches[1 : 1 + loop.variables]
        leaving = inner.fetches[1 + loop.variables :]
        pairs = [*zip(node.inputs, inner.feeds), *zip(inner.feeds, next_slots)]
        for outside_slot, inside_slot in (*pairs, *zip(node.outputs, leaving)):
            slot_dtypes = slots[outside_slot].dtype, slots[inside_slot].dtype
            if slot_dtypes[0].base_dtype is not slot_dtypes[1].base_dtype:
                raise InvalidProgramError(
                    f"t{outside_slot} and t{inside_slot} are {slot_dtypes[0].name} and {slot_dtypes[1].name}: {node}"
                )
            if self.program.copies_inserted and outside_slot in (*node.inputs, *node.outputs):
                memories = [self.program.memory.get(s, HOST) for s in (outside_slot, inside_slot)]
                if memories[0] != memories[1]:
                    raise InvalidProgramError(
                        f"t{outside_slot} and t{inside_slot} are in different memory spaces: {node}"
                    )
        if slots[inner.fetches[0]].dtype is not dtypes.bool:
            raise InvalidProgramError(f"the predicate is not a boolean: {node}")


def _declared_dtypes(node: Node, args: Iterable[Arg]) -> Iterator[tuple[DType | None, bool]]:
    """Returns each argument slot's dtype (None if unspecified), and whether it is a reference."""
    attrs = node.attrs
    for arg in args:
        if arg.type_list_attr:
            yield from ((dtype, arg.is_ref) for dtype in attrs[arg.type_list_attr])
            continue
        dtype = attrs.get(arg.type_attr) if arg.type_attr else arg.dtype
        for _ in range(attrs[arg.number_attr] if arg.number_attr else 1):
            yield dtype, arg.is_ref
