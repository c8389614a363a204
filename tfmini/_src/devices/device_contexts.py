"""Device contexts of a thread, for any combination of device kinds."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager
from functools import partial
from typing import Any

from tfmini._src.devices.device import Device


def working_on(
    devices: Sequence[Device], streams: Mapping[str, Any] | None = None
) -> AbstractContextManager[None]:
    """Context manager for the calling thread's work on one or more devices; enters `working_on` of each device kind."""
    device_class = type(devices[0])
    if all(type(device) is device_class for device in devices):
        return device_class.working_on(devices, streams)
    return _enter_contexts(_devices_by_kind(devices), streams)


@contextmanager
def _enter_contexts(
    kinds: Mapping[type[Device], list[Device]], streams: Mapping[str, Any] | None
) -> Iterator[None]:
    with ExitStack() as stack:
        for device_class, devices in kinds.items():
            stack.enter_context(device_class.working_on(devices, streams))
        yield


def make_leave(devices: Iterable[Device]) -> Callable[[], None]:
    """Returns a function that ends the calling thread's device work, except for waiting for copies to the host."""
    kinds = list(_devices_by_kind(devices))
    return kinds[0].leave if len(kinds) == 1 else partial(_leave_kinds, kinds)


def _leave_kinds(kinds: Sequence[type[Device]]) -> None:
    for device_class in reversed(kinds):
        device_class.leave()


def callers_streams(devices: Iterable[Device]) -> dict[str, Any]:
    """Maps device names to the calling thread's streams; see `Device.callers_stream`."""
    return {device.name: device.callers_stream() for device in devices}


def device_classes(devices: Iterable[Device]) -> list[type[Device]]:
    """Returns the distinct classes of devices."""
    return list(_devices_by_kind(devices))


def _devices_by_kind(devices: Iterable[Device]) -> dict[type[Device], list[Device]]:
    kinds: dict[type[Device], list[Device]] = {}
    for device in devices:
        kinds.setdefault(type(device), []).append(device)
    return kinds
