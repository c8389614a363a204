"""device_set: the devices that a placer chooses from, and which types of them can run a node."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property, lru_cache
from typing import NamedTuple

from tfmini._src.compiler.placement import gpu_kernels
from tfmini._src.compiler.placement.device_names import DeviceName, names, parsed
from tfmini._src.devices.device import Device
from tfmini._src.graph.operation import Operation

_TYPE_ORDER = {"GPU": 2, "CPU": 1}  # which type is preferred where a node could run on several


class Kind(NamedTuple):
    """A type of device that can run a node; 0 leaves the preference to the order of the types."""

    type: str
    priority: int = 0


Kinds = tuple[Kind, ...]

_ON_CPU = (Kind("CPU"),)
_ON_GPU = (Kind("GPU"),)
_ON_BOTH = (Kind("GPU"), Kind("CPU"))
_ON_CPU_FIRST = (Kind("CPU", 2), Kind("GPU", 1))


def _by_preference(kind: Kind) -> tuple[int, int, str]:
    return -kind.priority, -_TYPE_ORDER.get(kind.type, 0), kind.type


@lru_cache(maxsize=256)
def common_kinds(one: Kinds, other: Kinds) -> Kinds:
    """The types that both have, most preferred first: by the priorities of whichever has some."""
    lists = []
    for kinds, wanted in ((one, other), (other, one)):
        types = {kind.type for kind in wanted}
        lists.append(sorted((k for k in kinds if k.type in types), key=_by_preference))
    first, second = lists
    prioritized = [any(kind.priority for kind in kinds) for kinds in lists]
    if all(prioritized) and [k.type for k in first] != [k.type for k in second]:
        return tuple(sorted((Kind(k.type) for k in first), key=_by_preference))
    return tuple(second if prioritized == [False, True] else first)


class DeviceSet:
    """The devices of a session, of its own process or of a whole cluster.

    Args:
      devices: in any order; their names are full names.
    """

    def __init__(self, devices: Sequence[Device]):
        self.devices = list(devices)
        self.has_gpu = any(d.device_type == "GPU" for d in devices)
        self.types = {d.device_type for d in devices}
        self._candidates: dict[tuple[DeviceName, Kinds], tuple[str, ...]] = {}

    @cached_property
    def _parsed(self) -> list[tuple[Device, DeviceName | None]]:
        return [(d, parsed(d.name)) for d in self.devices]

    def kinds_of(self, op: Operation) -> Kinds:
        """The types of device that can run a node: each op runs on a CPU, those with a kernel on a GPU too."""
        facts = gpu_kernels.gpu_facts(op) if self.has_gpu else None
        if facts is None:
            return _ON_CPU
        if op.opdef.gpu_only:
            return _ON_GPU
        return _ON_CPU_FIRST if facts.cpu_first else _ON_BOTH

    def matching(self, name: DeviceName) -> list[Device]:
        """The devices that `name` describes."""
        return [d for d, full in self._parsed if full is not None and names(name, full)]

    def candidates(self, name: DeviceName, kinds: Kinds) -> tuple[str, ...]:
        """The full names of the devices that `name` describes and whose type is one of `kinds`, best first."""
        key = (name, kinds)
        found = self._candidates.get(key)
        if found is None:
            priorities = dict(kinds)
            rows = [
                (*_by_preference(Kind(d.device_type, priorities[d.device_type]))[:2], d.name)
                for d in self.matching(name)
                if d.device_type in priorities
            ]
            found = self._candidates[key] = tuple(row[-1] for row in sorted(rows))
        return found
