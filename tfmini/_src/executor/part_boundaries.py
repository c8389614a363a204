"""Memory of values between the parts of a step that may wait: the host, or the GPU of a node that waits."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from tfmini._src.base import dtypes
from tfmini._src.compiler.passes.insert_copies import HOST, Memories
from tfmini._src.compiler.placement.gpu_kernels import host_arguments
from tfmini._src.compiler.program.program import Node
from tfmini._src.devices.gpu import active_gpus
from tfmini._src.devices.gpu.device import LogicalGpu
from tfmini._src.executor.schedule import Schedule

_NEVER = (dtypes.string, dtypes.resource, dtypes.variant)


class BetweenParts:
    """The memories of the values that parts and waits pass to each other.

    Args:
      schedule: the parts and waits.
      gpus: the session's.
      memories: where the caller has the feeds of the whole program, and wants its fetches.
    """

    def __init__(self, schedule: Schedule, gpus: Mapping[str, LogicalGpu], memories: Memories):
        program = schedule.program
        self._gpus = gpus
        self._slots = program.slots
        self._feeds = dict(zip(program.feeds, memories.feeds))
        self._fetches = dict(zip(program.fetches, memories.fetches))
        self.gpu_of = {wait.node: self._gpu_of(wait.node) for wait in schedule.waits}
        self._memory: dict[int, str] = {}
        if any(self.gpu_of.values()):
            self._memory = self._memories(schedule)

    def _gpu_of(self, node: Node) -> LogicalGpu | None:
        """The GPU whose arrays a wait takes; None if it takes them in host memory."""
        rule, gpu = node.opdef.device_arrays, self._gpus.get(node.device)
        if node.kind != "op" or rule is None or gpu is None or host_arguments(node):
            return None
        return gpu if rule(gpu) else None

    def _memories(self, schedule: Schedule) -> dict[int, str]:
        program = schedule.program
        wanted: dict[int, set[str]] = {}
        given: dict[int, str] = {}
        for slot in (*program.fetches, *program.fetch_predicates):
            wanted.setdefault(slot, set()).add(self._fetches.get(slot, HOST))
        for wait in schedule.waits:
            gpu = self.gpu_of[wait.node]
            memory = HOST if gpu is None else wait.node.device
            for slot in wait.node.inputs:
                wanted.setdefault(slot, set()).add(memory)
            for slot in wait.node.predicates:
                wanted.setdefault(slot, set()).add(HOST)
            given.update(dict.fromkeys(wait.node.outputs, memory))
        found = {}
        for slot in {*wanted, *given}:
            places = wanted.get(slot, set()) or {given[slot]}  # parts take it from anywhere
            if len(places) == 1 and self._lies_on_devices(slot):
                (found[slot],) = places
        return found

    def _lies_on_devices(self, slot: int) -> bool:
        dtype = self._slots[slot].dtype
        return not dtype._is_ref_dtype and dtype not in _NEVER

    def of_part(self, feeds: Sequence[int], gives: tuple[int, ...]) -> Memories:
        """The memory of a part's feeds and results."""
        return Memories(tuple(map(self._fed, feeds)), tuple(map(self._given, gives)))

    def _fed(self, slot: int) -> str:
        return self._feeds.get(slot) or self._memory.get(slot, HOST)

    def _given(self, slot: int) -> str:
        return self._fetches.get(slot) or self._memory.get(slot, HOST)

    def argument(self, node: Node, slot: int, value: Any) -> Any:
        """The value of a slot as an array of the GPU on which a wait takes it."""
        return self._brought(value, self._fed(slot), node.device)

    def result(self, node: Node, slot: int, value: Any) -> Any:
        """The result of a wait, moved to the memory of its slot."""
        gpu = self.gpu_of.get(node)
        if gpu is None:
            return value
        memory = self._given(slot)
        if memory:
            return self._brought(value, node.device, memory)
        if not isinstance(value, gpu.xp.ndarray):
            return value
        with active_gpus.ActiveGpus([gpu]):
            return gpu.receive(gpu.send(value))

    def _brought(self, value: Any, source: str, target: str) -> Any:
        """A value that lies in host memory, or on the GPU `source`, as an array of the GPU `target`."""
        gpu = self._gpus[target]
        if value is None:
            return None
        if not isinstance(value, gpu.xp.ndarray):
            with active_gpus.ActiveGpus([gpu]):
                return gpu.upload(value)
        if source == target:
            return value
        both = [self._gpus[name] for name in sorted((source, target))]
        with active_gpus.ActiveGpus(both):
            gpu.use()
            return gpu.copy_from(self._gpus[source], value)
