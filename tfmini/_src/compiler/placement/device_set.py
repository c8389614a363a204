"""device_set: the devices that a placer chooses from, and which types of them can run a node."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property, lru_cache
from typing import NamedTuple

from tfmini._src.compiler.placement.device_names import DeviceName, names, parse_device
from tfmini._src.devices.attributes import DeviceAttributes
from tfmini._src.devices.host.host_kind import HostKind
from tfmini._src.devices.registry import placement_priority, preferred_kinds
from tfmini._src.graph.operation import Operation


class Kind(NamedTuple):
    """A device type that can run a node; with priority 0, the default order of types applies."""

    type: str
    priority: int = 0


Kinds = tuple[Kind, ...]

_HOST_ONLY_KINDS = (Kind(HostKind.name),)


def _preference_key(kind: Kind) -> tuple[int, int, str]:
    return -kind.priority, -placement_priority(kind.type), kind.type


@lru_cache(maxsize=256)
def common_kinds(first_kinds: Kinds, other: Kinds) -> Kinds:
    """Returns the types in both sets, most preferred first, by the set with priorities."""
    lists = []
    for kinds, other_kinds in ((first_kinds, other), (other, first_kinds)):
        types = {kind.type for kind in other_kinds}
        lists.append(sorted((k for k in kinds if k.type in types), key=_preference_key))
    first, second = lists
    have_priorities = [any(kind.priority for kind in kinds) for kinds in lists]
    if all(have_priorities) and [k.type for k in first] != [k.type for k in second]:
        return tuple(sorted((Kind(k.type) for k in first), key=_preference_key))
    return tuple(second if have_priorities == [False, True] else first)


class DeviceSet:
    """The devices of a session, in its process or in a whole cluster, with full names and in any order."""

    def __init__(self, devices: Sequence[DeviceAttributes]):
        self.devices = list(devices)
        self.types = {d.device_type for d in devices}
        # By priority, host last.
        self.kinds = preferred_kinds(self.types)
        self._candidates: dict[tuple[DeviceName, Kinds], tuple[str, ...]] = {}

    @cached_property
    def _parsed_devices(self) -> list[tuple[DeviceAttributes, DeviceName | None]]:
        return [(d, parse_device(d.name)) for d in self.devices]

    def supported_types(self, op: Operation) -> Kinds:
        """Returns the device types with a kernel for a node; the host's if none has one."""
        supported = [(kind.name, info) for kind in self.kinds if (info := kind.kernel_info(op))]
        if any(info.cpu_first for _, info in supported):
            kinds = [Kind(name, 2 if name == HostKind.name else 1) for name, _ in supported]
            return tuple(sorted(kinds, key=_preference_key))
        return tuple(Kind(name) for name, _ in supported) or _HOST_ONLY_KINDS

    def matching(self, name: DeviceName) -> list[DeviceAttributes]:
        """Returns the devices that `name` describes."""
        return [d for d, full in self._parsed_devices if full is not None and names(name, full)]

    def candidates(self, name: DeviceName, kinds: Kinds) -> tuple[str, ...]:
        """Returns the full names of the devices that match `name` and have one of the types `kinds`, best first."""
        key = (name, kinds)
        candidates = self._candidates.get(key)
        if candidates is None:
            priorities = dict(kinds)
            rows = [
                (*_preference_key(Kind(d.device_type, priorities[d.device_type]))[:2], d.name)
                for d in self.matching(name)
                if d.device_type in priorities
            ]
            candidates = self._candidates[key] = tuple(row[-1] for row in sorted(rows))
        return candidates
