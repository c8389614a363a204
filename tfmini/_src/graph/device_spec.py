"""Device strings such as `/job:worker/replica:0/task:1/device:GPU:0`; all parts are optional.

`DeviceSpec` parses and merges them; `DeviceScope` is an entry of a graph's device scope stack.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from types import FunctionType, MethodType
from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar

from tfmini._src.graph.stack_traces import Frames

if TYPE_CHECKING:
    from tfmini._src.graph.operation import Operation

_FIELDS = ("job", "replica", "task", "device_type", "device_index")

Spec = TypeVar("Spec", bound="DeviceSpecV2")
# Arguments accepted by `tf.device`.
DeviceLike: TypeAlias = (
    "str | DeviceSpecV2 | Callable[[Operation], str | bytes | DeviceSpecV2] | None"
)

_Fields: TypeAlias = tuple[str | None, int | None, int | None, str | None, int | None]


@lru_cache(maxsize=4096)
def _parse(spec: str) -> _Fields:
    job = replica = task = device_type = device_index = None
    for part in spec.split("/"):
        pieces = part.split(":")
        key, count = pieces[0], len(pieces)
        if count == 2 and key == "job":
            job = pieces[1]
        elif count == 2 and key == "replica":
            replica = int(pieces[1])
        elif count == 2 and key == "task":
            task = int(pieces[1])
        elif count <= 2 and key.upper() in ("CPU", "GPU"):
            if device_type is not None:
                raise ValueError(f"Cannot specify multiple device types: {spec}")
            device_type = key.upper()
            if count == 2 and pieces[1] != "*":
                device_index = int(pieces[1])
        elif count == 3 and key == "device":
            if device_type is not None:
                raise ValueError(f"Cannot specify multiple device types: {spec}")
            device_type = pieces[1]
            if pieces[2] != "*":
                device_index = int(pieces[2])
        elif key != "":
            raise ValueError(f"Unknown attribute: '{key}' in '{spec}'")
    return job, replica, task, device_type, device_index


class DeviceSpecV2:
    """An immutable, possibly partial device specification.

    Args:
      job: cluster job name, or None.
      replica: replica index, or None.
      task: task index within the job, or None.
      device_type: "CPU" or "GPU", or None.
      device_index: device index within the task, or None for any.

    Example: `tf.compat.v2.DeviceSpec(job="ps", device_type="CPU").to_string()` is "/job:ps/device:CPU:*".
    """

    job: str | None
    replica: int | None
    task: int | None
    device_type: str | None
    device_index: int | None

    def __init__(
        self,
        job: str | None = None,
        replica: int | None = None,
        task: int | None = None,
        device_type: str | None = None,
        device_index: int | None = None,
    ):
        if device_type in ("cpu", "gpu"):
            device_type = device_type.upper()
        indices = (None if n is None else int(n) for n in (replica, task, device_index))
        replica, task, device_index = indices
        values = (None if job is None else str(job), replica, task, device_type, device_index)
        for field, value in zip(_FIELDS, values):
            object.__setattr__(self, field, value)

    def __setattr__(self, name: str, value: object) -> None:
        if name in _FIELDS:
            raise AttributeError("can't set attribute")
        object.__setattr__(self, name, value)

    @classmethod
    def from_string(cls: type[Spec], spec: str | None) -> Spec:
        """Parses `spec`; raises ValueError for an unknown part or a second device type."""
        return cls(*_parse(spec or ""))

    def parse_from_string(self: Spec, spec: str) -> Spec:
        """Returns a new spec parsed from `spec` only."""
        return self.from_string(spec)

    def to_string(self) -> str:
        """Returns the canonical string; "" for an empty spec."""
        text = "" if self.job is None else f"/job:{self.job}"
        if self.replica is not None:
            text += f"/replica:{self.replica}"
        if self.task is not None:
            text += f"/task:{self.task}"
        if self.device_type is not None:
            index = "*" if self.device_index is None else self.device_index
            text += f"/device:{self.device_type}:{index}"
        return text

    def make_merged_spec(self: Spec, dev: DeviceSpecV2) -> Spec:
        """Returns a new spec with this spec's fields, overridden by the fields that `dev` sets."""
        return type(self)(*(getattr(self if getattr(dev, f) is None else dev, f) for f in _FIELDS))

    def replace(self: Spec, **kwargs: str | int | None) -> Spec:
        """Returns a copy with the given fields replaced."""
        return type(self)(**{**{f: getattr(self, f) for f in _FIELDS}, **kwargs})

    def __eq__(self, other: object) -> bool:
        return isinstance(other, DeviceSpecV2) and self.to_string() == other.to_string()

    def __hash__(self) -> int:
        return hash(self.to_string())

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.to_string()!r}>"


class DeviceSpec(DeviceSpecV2):
    """A mutable, possibly partial device specification; takes the arguments of `DeviceSpecV2`.

    Example: `tf.DeviceSpec(job="ps", device_type="CPU").to_string()` is "/job:ps/device:CPU:*".
    """

    __setattr__ = object.__setattr__  # type: ignore[assignment]
    __hash__ = DeviceSpecV2.__hash__

    def parse_from_string(self, spec: str) -> DeviceSpec:
        """Replaces all fields with the fields of `spec`; returns self."""
        self.__init__(*_parse(spec))  # type: ignore[misc]
        return self

    def merge_from(self, dev: DeviceSpecV2) -> None:
        """Overwrites the fields that `dev` sets."""
        merged = self.make_merged_spec(dev)
        for field in _FIELDS:
            setattr(self, field, getattr(merged, field))


@lru_cache(maxsize=4096)
def merge_device_strings(outer: str, inner: str) -> str:
    """Returns the device string of a node that requests `inner` within a scope that requests `outer`."""
    return DeviceSpec.from_string(outer).make_merged_spec(DeviceSpec.from_string(inner)).to_string()


class MergeDevice:
    """Device function that merges a spec with the node's own device, which takes precedence."""

    def __init__(self, spec: str | DeviceSpecV2 | None) -> None:
        self._spec = spec if isinstance(spec, DeviceSpecV2) else DeviceSpec.from_string(spec)

    def __call__(self, node: Operation) -> DeviceSpecV2:
        return self._spec.make_merged_spec(DeviceSpec.from_string(node.device))


@lru_cache(maxsize=4096)
def _merge_device(spec: str | DeviceSpecV2 | None) -> MergeDevice:
    return MergeDevice(spec)


def merge_device(spec: str | DeviceSpecV2 | MergeDevice | None) -> MergeDevice:
    """Returns the device function that merges a spec (string or DeviceSpec) with the node's own device.

    Raises:
      ValueError: if a string is not a valid device.
    """
    return spec if isinstance(spec, MergeDevice) else _merge_device(spec)


def is_device_spec(obj: object) -> bool:
    """Whether an object is a DeviceSpec."""
    return isinstance(obj, DeviceSpecV2)


def check_valid(spec: str) -> None:
    """Raises ValueError if a string is not a valid device."""
    DeviceSpec.from_string(spec)


def canonical(device: str | DeviceSpecV2 | None) -> str:
    """Returns the canonical string of a device string, DeviceSpec or None."""
    if isinstance(device, DeviceSpecV2):
        return device.to_string()
    return DeviceSpec.from_string(device).to_string()


class DeviceScope:
    """An entry of the device scope stack: the argument of `tf.device` (a string or spec to merge, a function, or None
    to ignore the outer scopes), and the stack frames of that call.
    """

    __slots__ = ("device", "frames", "function", "spec", "clears_device")

    def __init__(self, device: DeviceLike, frames: Frames = ()):
        self.device = device
        self.frames = frames
        self.function: Callable[[Operation], str | bytes | DeviceSpecV2] | None = None
        self.spec: str | None = None
        if callable(device):
            self.function = device
        elif device is not None:
            self.spec = canonical(device)
        self.clears_device = self.function is None and self.spec is None

    def __str__(self) -> str:
        """Returns the string, or the function with its location, as shown in errors."""
        function: Any = self.function
        if function is None:
            return str(self.device)
        name = str(type(function))
        if isinstance(function, FunctionType):
            name = function.__name__
        elif isinstance(function, MethodType):
            name = f"{type(function.__self__).__name__}.{function.__name__}"
        code = getattr(function, "__code__", None) or getattr(function.__call__, "__code__", None)
        filename, line = (code.co_filename, code.co_firstlineno) if code else ("unknown", -1)
        return f"{name}<{filename}, {line}>"

    def apply(self, op: Operation) -> str:
        """Returns the device string of `op` after applying this scope."""
        if self.function is None:
            return merge_device_strings(self.spec or "", op.device)
        device = self.function(op)
        if isinstance(device, DeviceSpec):
            return device.to_string()
        if isinstance(device, bytes):
            return device.decode()
        if not isinstance(device, str):
            raise TypeError(f"Expected binary or unicode string, got {device!r}")
        return device
