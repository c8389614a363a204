"""`DeviceKind`: properties of a device type, for discovery and placement, without an instance of the device."""

from __future__ import annotations

import abc
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple, TypeVar

from tfmini._src.devices.attributes import DeviceAttributes
from tfmini._src.devices.device import Device, Devices, TypedOp

if TYPE_CHECKING:
    from tfmini._src.base import proto

_Error = TypeVar("_Error", bound=BaseException)

# Supported dtype names by attr.
Constraints = tuple[tuple[str, frozenset[str]], ...]


class KernelInfo(NamedTuple):
    """Placement information about the kernel of an op for a device type.

    host: node input and output names in host memory.
    cpu_first: whether the op is placed on a CPU unless a device is requested.
    """

    host: frozenset[str]
    cpu_first: bool


class AdoptedFeed(NamedTuple):
    """A fed value in the form that plans accept.

    device: full name of the device whose memory holds it; "" if the device is not in the session.
    array: an array that shares the memory.
    location: the location of the memory, for messages.
    """

    device: str
    array: Any
    location: str


class DeviceKind(abc.ABC):
    """A type of device.

    name: the type in device names, such as "GPU".
    priority: the placer prefers higher priorities, and orders equal ones by name. Above 1, the priority of the CPU,
      devices of the kind are preferred to the CPU; at 0, they run only nodes that request them.
    has_memory: whether its devices have their own memory, and thus a `Device`; host devices do not.
    """

    name: ClassVar[str]
    priority: ClassVar[int]
    has_memory: ClassVar[bool] = True

    @abc.abstractmethod
    def discover(self, config: proto.ConfigProto | None, task: str) -> dict[str, Device]:
        """Returns a session's devices under a ConfigProto (or None), by name below `task`; {} if there are none."""

    @abc.abstractmethod
    def attributes(
        self, config: proto.ConfigProto | None, devices: Devices
    ) -> list[DeviceAttributes]:
        """Returns the attributes of `devices`, a session's devices of this kind, under its ConfigProto (or None)."""

    @abc.abstractmethod
    def kernel_info(self, op: TypedOp) -> KernelInfo | None:
        """Returns placement information about the kernel of an operation; None if there is no kernel."""

    def constraints(self, op_type: str) -> Iterable[Constraints]:
        """Returns the dtype constraints of each kernel of an op type, for messages."""
        return ()

    def holds(self, value: object) -> bool:
        """Whether a fed value, from any array library, resides in the memory of a device of this kind."""
        return False

    def adopt(self, value: object, devices: Devices) -> AdoptedFeed:
        """Converts a fed value accepted by `holds` to an array of one of `devices`."""
        raise NotImplementedError

    def allocator(self, device: str) -> str:
        """Returns TensorFlow's allocator name for a device."""
        return f"{self.name}_{device.rpartition(':')[2]}_bfc"

    def absence(self) -> str:
        """Returns a sentence explaining why no device of this kind exists, else ""."""
        return ""

    def with_reason(self, error: _Error, cure: str = "") -> _Error:
        """Appends to an error why no device of this kind exists, and `cure`, a sentence with the remedy."""
        return error
