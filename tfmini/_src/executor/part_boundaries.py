"""Memory spaces of values between the parts of a blocking step: the host, or a blocking node's device."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tfmini._src.base import dtypes
from tfmini._src.compiler.passes.insert_copies import Memories
from tfmini._src.compiler.program.program import Node
from tfmini._src.devices.device import HOST, Device, Devices
from tfmini._src.devices.device_contexts import working_on
from tfmini._src.executor.schedule import Schedule

_HOST_ONLY_DTYPES = (dtypes.string, dtypes.resource, dtypes.variant)


class PartBoundaries:
    """Memory spaces of the values exchanged between a schedule's parts and waits, and with the caller."""

    def __init__(self, schedule: Schedule, devices: Devices, memories: Memories):
        program = schedule.program
        self._devices = devices
        self._slots = program.slots
        self._feeds = dict(zip(program.feeds, memories.feeds))
        self._fetches = dict(zip(program.fetches, memories.fetches))
        self.device_of = {wait.node: self._wait_device(wait.node) for wait in schedule.waits}
        self._memory: dict[int, str] = {}
        if any(self.device_of.values()):
            self._memory = self._memory_by_slot(schedule)

    def _wait_device(self, node: Node) -> Device | None:
        """Returns the device whose arrays a wait accepts; None for host memory."""
        rule, device = node.opdef.device_arrays, self._devices.get(node.device)
        if node.kind != "op" or rule is None or device is None:
            return None
        if device.host_arguments(node):
            return None
        return device if rule(device) else None

    def _memory_by_slot(self, schedule: Schedule) -> dict[int, str]:
        program = schedule.program
        consumers: dict[int, set[str]] = {}
        producers: dict[int, str] = {}
        for slot in (*program.fetches, *program.fetch_predicates):
            consumers.setdefault(slot, set()).add(self._fetches.get(slot, HOST))
        for wait in schedule.waits:
            device = self.device_of[wait.node]
            memory = HOST if device is None else wait.node.device
            for slot in wait.node.inputs:
                consumers.setdefault(slot, set()).add(memory)
            for slot in wait.node.predicates:
                consumers.setdefault(slot, set()).add(HOST)
            producers.update(dict.fromkeys(wait.node.outputs, memory))
        memory_of = {}
        for slot in {*consumers, *producers}:
            # Unread slots stay in their current memory space, because parts accept any.
            memories = consumers.get(slot, set()) or {producers[slot]}
            if len(memories) == 1 and self._is_device_array(slot):
                (memory_of[slot],) = memories
        return memory_of

    def _is_device_array(self, slot: int) -> bool:
        dtype = self._slots[slot].dtype
        return not dtype._is_ref_dtype and dtype not in _HOST_ONLY_DTYPES

    def part_memories(self, feeds: Sequence[int], outputs: tuple[int, ...]) -> Memories:
        """Returns the memories of a part's feeds and of its results."""
        return Memories(
            tuple(map(self._fed_memory, feeds)), tuple(map(self._result_memory, outputs))
        )

    def _fed_memory(self, slot: int) -> str:
        return self._feeds.get(slot) or self._memory.get(slot, HOST)

    def _result_memory(self, slot: int) -> str:
        return self._fetches.get(slot) or self._memory.get(slot, HOST)

    def argument(self, node: Node, slot: int, value: Any) -> Any:
        """Moves the value of a slot to the device expected by a wait."""
        return self._move_value(value, self._fed_memory(slot), node.device)

    def result(self, node: Node, slot: int, value: Any) -> Any:
        """Moves a result of a wait to the memory of its slot."""
        device = self.device_of.get(node)
        if device is None:
            return value
        memory = self._result_memory(slot)
        if memory:
            return self._move_value(value, node.device, memory)
        if not device.holds(value):
            return value
        with working_on([device]):
            return device.receive(device.send(value))

    def _move_value(self, value: Any, source: str, target: str) -> Any:
        """Moves a value from the device `source`, or host memory, to the device `target`."""
        device = self._devices[target]
        if value is None:
            return None
        if not device.holds(value):
            with working_on([device]):
                return device.upload(value)
        if source == target:
            return value
        both = [self._devices[name] for name in sorted((source, target))]
        with working_on(both):
            device.use()
            return device.copy_from(self._devices[source], value)
