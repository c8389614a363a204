"""DeviceKind: what is known of a type of device without having one, for discovery and placement."""

from __future__ import annotations

import abc
from collections.abc import Iterable
from typing import Any, ClassVar, NamedTuple, TypeVar

from tfmini._src.devices.attributes import DeviceAttributes
from tfmini._src.devices.device import Device, Devices

_Error = TypeVar("_Error", bound=BaseException)

# By attr, the names of the dtypes that it may have.
Constraints = tuple[tuple[str, frozenset[str]], ...]


class KernelFacts(NamedTuple):
    """A kernel of an op on a kind of device.

    host: its inputs and outputs that live in host memory there.
    cpu_first: whether it is put on a CPU unless it says otherwise.
    """

    host: frozenset[str]
    cpu_first: bool


class Adopted(NamedTuple):
    """A fed value as a plan takes it.

    device: the full name of the device where it lies; "" if that is none of the session's.
    array: an array over the same memory.
    place: where it lies, for messages.
    """

    device: str
    array: Any
    place: str


class DeviceKind(abc.ABC):
    """A type of device with memory of its own.

    name: the type in device names, "GPU".
    priority: the placer prefers the kind with the highest; a CPU has 1.
    """

    name: ClassVar[str]
    priority: ClassVar[int]

    @abc.abstractmethod
    def discover(self, config: Any, task: str) -> dict[str, Device]:
        """The devices of a session under a ConfigProto (or None), by their names below `task`; {} if there are none."""

    @abc.abstractmethod
    def attributes(self, devices: Devices) -> list[DeviceAttributes]:
        """How those of `devices` that are of this kind are listed."""

    @abc.abstractmethod
    def facts(self, op: Any) -> KernelFacts | None:
        """The kernel of an operation here (anything with `opdef` and `attrs`); None if it has none."""

    def constraints(self, op_type: str) -> Iterable[Constraints]:
        """The dtypes of each kernel that an op type has here, for messages."""
        return ()

    def holds(self, value: Any) -> bool:
        """Whether a fed value is an array in the memory of such a device, ours or another library's."""
        return False

    def adopt(self, value: Any, devices: Devices) -> Adopted:
        """A fed value that it `holds` as an array of one of `devices`."""
        raise NotImplementedError

    def absence(self) -> str:
        """A sentence for the message that there is no such device; "" if there is nothing to say."""
        return ""

    def with_reason(self, error: _Error, cure: str = "") -> _Error:
        """The error, with a hint why there is no such device; `cure`: a sentence."""
        return error
