"""insert_copies: copies values consumed in a different memory space.

A slot's value resides in host memory ("") or in the memory of a named device. Device nodes read and write their
device's memory, except for inputs and outputs that their kernels keep on the host (shapes, axes, most integers).
Constants are uploaded at compile time. Any other value is copied once per target memory, right after it is produced:
from the host or another device by a "copy" node; to the host by a "send" node, which starts the copy, and a "receive"
node before the first reader, which waits for it.
"""

from __future__ import annotations

import math
from typing import Any

from tfmini._src.base import dtypes
from tfmini._src.base.records import dataclass
from tfmini._src.compiler.program.program import (
    Alternatives,
    CopySource,
    Guard,
    Loop,
    Node,
    Program,
)
from tfmini._src.devices.device import HOST, Device, Devices
from tfmini._src.graph.opdef import Arg
from tfmini._src.graph.operation import Operation

_MAX_SHAPE_ELEMENTS = 64
_JOINS = frozenset({"LogicalAnd", "LogicalOr", "LogicalNot"})


@dataclass(frozen=True)
class Memories:
    """Memories of the caller's feeds and fetches: "" or a device name for each; () if all are on the host.

    is_shared: whether the caller only reads its fetches, so they may alias feeds, variables or views.
    """

    feeds: tuple[str, ...] = ()
    fetches: tuple[str, ...] = ()
    is_shared: bool = False


HOST_MEMORIES = Memories()


def insert_copies(program: Program, memories: Memories = HOST_MEMORIES) -> Program:
    """Inserts copies and returns the program; `program.memory` maps slots that are not on the host to devices."""
    device_memories = {*memories.feeds, *memories.fetches} - {HOST}
    used = {node.device for node in program.all_nodes()} | device_memories
    for node in program.all_nodes():
        if node.kind == "collective":
            used.update(node.participants)
    used.update(program.memory.values())
    program.devices = {name: device for name, device in program.devices.items() if name in used}
    program.memory = {s: m for s, m in program.memory.items() if m in program.devices}
    program.copies_inserted = bool(program.devices)
    for node in program.all_nodes():
        if node.kind == "while":
            node.loop.program.devices = program.devices
            node.loop.program.copies_inserted = program.copies_inserted
            program.memory.update(node.loop.program.memory)
    if not program.devices:
        return program
    program.shares_arrays = bool(device_memories)
    program.memory.update((s, m) for s, m in zip(program.feeds, memories.feeds) if m)
    return _Transfer(program).result(memories.fetches or (HOST,) * len(program.fetches))


def loop_memories(loop: Loop, program: Program) -> Memories:
    """Returns the memories of an iteration's feeds and fetches; the predicate is on the host."""
    outer = _loop_memories(loop.enters, program)
    leaving = _loop_memories(loop.exits, program)
    lists = collection_devices(loop, program.devices)
    return Memories(outer, (HOST, *outer[: loop.variables], *leaving, *lists))


def collection_devices(loop: Loop, devices: Devices) -> tuple[str, ...]:
    """Returns the memories of the values that a loop collects."""
    return tuple(device if device in devices else HOST for device in loop.collected)


def _loop_memories(nodes: tuple[Node, ...], program: Program) -> tuple[str, ...]:
    """Returns the memory spaces of values at the nodes where they enter or leave a loop."""
    return tuple(
        node.device
        if node.device in program.devices
        and _is_device_array(program, node.outputs[0])
        and "output" not in program.devices[node.device].host_arguments(node)
        else HOST
        for node in nodes
    )


class _Transfer:
    def __init__(self, program: Program):
        self.program = program
        self.memory = program.memory
        self.constants: dict[int, Node] = {}
        self.producers: dict[int, tuple[Node | None, Guard]] = {
            slot: (None, program.feed_guards.get(slot, ())) for slot in program.feeds
        }
        self.fed = dict(zip(program.feeds, program.fed))
        self.copied: dict[tuple[int, str], int] = {}
        self.stable: set[int] = set()  # slots whose values are constant or derived from shapes
        self.small_nodes: set[int] = set()  # nodes with few values, computed on the host
        self.before: list[Node] = []  # prologue: constants, copies of feeds
        self.after: dict[int, list[Node]] = {}  # by node: the copy inserted right after it
        # By slot: its producer, to be placed before its first reader.
        self.receives: dict[int, Node] = {}

    def result(self, fetched_to: tuple[str, ...]) -> Program:
        program = self.program
        for node in program.nodes:
            self._note_outputs(node)
        for node in program.nodes:
            self._connect_inputs(node)
        program.fetches = tuple(
            self._slot_in_memory(slot, memory) for slot, memory in zip(program.fetches, fetched_to)
        )
        program.fetch_guards = {n: g and self._on_host(g) for n, g in program.fetch_guards.items()}
        program.nodes = self._ordered_nodes()
        return program

    def _note_outputs(self, node: Node) -> None:
        if node.kind == "const":
            self.constants[node.outputs[0]] = node
            self.stable.add(node.outputs[0])
            return
        if self._follows_from_shapes(node):
            self.stable.update(node.outputs)
            if not node.opdef.depends_only_on_shapes:
                self.small_nodes.add(id(node))
        elif self._is_host_predicate(node):
            self.small_nodes.add(id(node))
        for slot, memory in zip(node.outputs, self._output_memories(node)):
            self.producers[slot] = (node, node.guard)
            if memory:
                self.memory[slot] = memory

    def _follows_from_shapes(self, node: Node) -> bool:
        """Whether the node computes a few integers from shapes, which stay on the host to avoid synchronization."""
        if node.kind != "op" or node.opdef.has_effects or node.alternatives or not node.inputs:
            return False
        slots: list[Any] = [self.program.slots[s] for s in (*node.inputs, *node.outputs)]
        if node.opdef.depends_only_on_shapes:
            slots = slots[len(node.inputs) :]
        elif not self.stable.issuperset(node.inputs):
            return False
        return all(
            slot.dtype in (dtypes.int32, dtypes.int64)
            and slot.dims is not None
            and None not in slot.dims
            and math.prod(slot.dims) <= _MAX_SHAPE_ELEMENTS
            for slot in slots
        )

    def _is_host_predicate(self, node: Node) -> bool:
        """Whether the node merges host predicates, kept on the host to avoid synchronization in each iteration."""
        if node.kind != "op" or node.opdef.name not in _JOINS:
            return False
        slots = self.program.slots
        return all(slots[s].dims == () and s not in self.memory for s in node.inputs)

    def _output_memories(self, node: Node) -> list[str]:
        """Returns the memory space of each of the node's outputs."""
        if node.kind == "read":
            return [self._slot_memory(node.inputs[0])]
        if node.kind == "collective":
            return list(node.participants)
        if node.kind == "while":
            leaving = _loop_memories(node.loop.exits, self.program)
            return [*leaving, *collection_devices(node.loop, self.program.devices)]
        if node.kind == "alive" or self.program.on_host(node):
            return [HOST] * len(node.outputs)
        if node.kind in ("fused", "joined"):
            return [node.device] * len(node.outputs)
        host = self._host_arguments(node)
        return [
            HOST if name in host or not _is_device_array(self.program, slot) else node.device
            for slot, name in zip(node.outputs, _argument_names(node, node.opdef.outputs))
        ]

    def _required_memories(self, node: Node) -> list[str]:
        """Returns the memory space of each of the node's inputs."""
        if node.kind == "read":
            return [self._slot_memory(node.inputs[0])]
        if node.kind == "collective":
            return list(node.participants)
        if node.kind == "while":
            return list(_loop_memories(node.loop.enters, self.program))
        if node.kind == "alive" or self.program.on_host(node):
            return [HOST] * len(node.inputs)
        if node.kind == "fused":
            on_host = {s for member in node.members for s in self._read_on_host(member)}
            return [HOST if slot in on_host else node.device for slot in node.inputs]
        if node.kind == "joined":
            return [node.device] * len(node.inputs)
        host = self._host_arguments(node)
        names = _argument_names(node, node.opdef.inputs)
        return [HOST if name in host else node.device for name in names]

    def _read_on_host(self, node: Node) -> list[int]:
        """Returns the slots that a node reads from host memory."""
        names = _argument_names(node, node.opdef.inputs)
        host = self._host_arguments(node)
        return [slot for slot, name in zip(node.inputs, names) if name in host] if host else []

    def _host_arguments(self, node: Node) -> frozenset[str]:
        """Returns the names of the inputs and outputs in host memory."""
        if node.kind not in ("op", "view"):
            return frozenset()
        if node.opdef.through_host or id(node) in self.small_nodes:
            return frozenset(arg.name for arg in (*node.opdef.inputs, *node.opdef.outputs))
        device = self.program.devices.get(node.device)
        return frozenset() if device is None else device.host_arguments(node)

    def _is_reference(self, slot: int) -> bool:
        """Whether the slot holds a variable, which is read in place and forwarded unchanged."""
        return self.program.slots[slot].dtype._is_ref_dtype

    def _slot_memory(self, slot: int) -> str:
        return self.memory.get(slot, HOST)

    def _connect_inputs(self, node: Node) -> None:
        if node.kind == "const":
            return
        alive = node.alternatives or [()] * len(node.inputs)
        inputs = []
        for slot, memory, guard in zip(node.inputs, self._required_memories(node), alive):
            inputs.append(slot if guard is None else self._slot_in_memory(slot, memory))
        node.guard = self._on_host(node.guard)
        if node.kind == "fused":
            self._connect_members(node, dict(zip(node.inputs, inputs)))
        node.inputs = tuple(inputs)
        if node.alternatives:
            guards = [g if g is None else self._on_host(g) for g in node.alternatives]
            node.payload = Alternatives(tuple(guards))

    def _connect_members(self, node: Node, renamed: dict[int, int]) -> None:
        """Adapts a group's members to it: its guard, its copied inputs, and results on its device."""
        for member in node.members:
            member.guard = node.guard
            member.inputs = tuple(renamed.get(s, s) for s in member.inputs)
            if not self.program.on_host(node):
                self.memory.update(dict.fromkeys(member.outputs, node.device))

    def _on_host(self, guard: Guard) -> Guard:
        """Returns the guard with its predicates in host memory."""
        return tuple((self._slot_in_memory(p, HOST), b) for p, b in guard)

    def _slot_in_memory(self, slot: int, memory: str) -> int:
        """Returns the slot of the same value in `memory`."""
        if not _is_device_array(self.program, slot) or self._is_reference(slot):
            return slot
        constant = self.constants.get(slot)
        if self._slot_memory(slot) == memory and (constant is None or not memory):
            return slot
        copied = self.copied.get((slot, memory))
        if copied is not None:
            return copied
        if constant is None:
            result = self._add_copy(slot, memory)
        else:
            result = self._slot_like(slot, memory)
            node = Node("const", constant.origin, (), (result,), payload=constant.payload)
            node.device = memory
            self.before.append(node)
        self.copied[slot, memory] = result
        return result

    def _slot_like(self, slot: int, memory: str) -> int:
        template = self.program.slots[slot]
        result = self.program.new_slot(template.dtype, template.dims)
        if memory:
            self.memory[result] = memory
        return result

    def _add_copy(self, slot: int, memory: str) -> int:
        producer, guard = self.producers[slot]
        guard = self._on_host(guard)
        origin = self.fed[slot] if producer is None else producer.origin
        source = self._slot_memory(slot)
        if memory and source and self._memory_kind(memory) is not self._memory_kind(source):
            # Different device kinds exchange values through the host.
            slot, source = self._slot_in_memory(slot, HOST), HOST
        result = self._slot_like(slot, memory)
        target = self.before if producer is None else self.after.setdefault(id(producer), [])
        if memory:
            other = CopySource(source) if source else None
            target.append(_new_node("copy", origin, (slot,), result, memory, guard, other))
            return result
        ticket = self._slot_like(slot, HOST)
        target.append(_new_node("send", origin, (slot,), ticket, source, guard))
        # The copy also reads the source, which must not change until the copy completes.
        self.receives[result] = _new_node("receive", origin, (ticket, slot), result, source, guard)
        return result

    def _memory_kind(self, memory: str) -> type[Device]:
        return type(self.program.devices[memory])

    def _ordered_nodes(self) -> list[Node]:
        ordered: list[Node] = []

        def add(node: Node) -> None:
            for slot in (*node.inputs, *node.predicates):
                wait = self.receives.pop(slot, None)
                if wait is not None:
                    add(wait)
            ordered.append(node)

        for node in self.before:
            add(node)
        for node in self.program.nodes:
            add(node)
            for copy in self.after.get(id(node), ()):
                add(copy)
        for wait in list(self.receives.values()):
            add(wait)
        return ordered


def _new_node(
    kind: str,
    origin: Operation,
    inputs: tuple[int, ...],
    output: int,
    device: str,
    guard: Guard,
    payload: CopySource | None = None,
) -> Node:
    node = Node(kind, origin, inputs, (output,), payload=payload)
    node.device = device
    node.guard = guard
    return node


def _is_device_array(program: Program, slot: int) -> bool:
    """Whether the slot's value is a numeric array, which any memory may hold."""
    dtype = program.slots[slot].dtype
    return dtype.base_dtype not in (dtypes.string, dtypes.resource, dtypes.variant)


def _argument_names(node: Node, arguments: tuple[Arg, ...]) -> list[str]:
    """Maps each slot to the name of its argument in the signature."""
    names = []
    for arg in arguments:
        names += [arg.name] * arg.count(node.attrs)
    return names
