"""Canonical device names for comparison in strategies: all fields but the job filled in."""

from __future__ import annotations

from typing import Any

from tfmini._src.devices.cuda.process_gpus import session_gpus
from tfmini._src.graph.default_graph import get_default_graph
from tfmini._src.graph.device_spec import DeviceSpec
from tfmini._src.graph.eager.execution_mode import executing_eagerly
from tfmini._src.variables.init_scope import executing_eagerly_outside_functions

_HOST = DeviceSpec.from_string("/job:localhost/replica:0/task:0/device:CPU:0")


def canonicalize(device: str | None, default: str | None = None) -> str:
    """Returns the canonical device name, with replica 0, task 0 and CPU 0 unless specified by the name or `default`.

    In eager mode, the job defaults to localhost.

    Example: `canonicalize("/gpu:0")` is "/replica:0/task:0/device:GPU:0".
    """
    job = "localhost" if executing_eagerly_outside_functions() else None
    spec = DeviceSpec(job=job, replica=0, task=0, device_type="CPU", device_index=0)
    if default:
        spec = spec.make_merged_spec(DeviceSpec.from_string(default))
    return spec.make_merged_spec(DeviceSpec.from_string(device)).to_string()


class _PlacementProbe:
    """Dummy node for finding the current device placement."""

    def __init__(self) -> None:
        self.device = ""
        self.type = self.name = ""

    def _set_device_from_string(self, device: str) -> None:
        self.device = device

    @property
    def node_def(self) -> Any:
        return self

    op = ""


def current() -> str:
    """Returns the device of the enclosing device blocks; without any, "" in a graph and the CPU in eager mode."""
    request = _PlacementProbe()
    get_default_graph()._apply_device_functions(request)
    if not executing_eagerly():
        return request.device
    return _HOST.make_merged_spec(DeviceSpec.from_string(request.device)).to_string()


def resolve(device: str | None) -> str:
    """Returns the canonical device name, completed from the current device."""
    return canonicalize(device, current())


def count_local_gpus() -> int:
    """Returns the number of GPUs available to this process's sessions."""
    return len(session_gpus(None, ""))


def local_devices(gpus: int | None = None) -> tuple[str, ...]:
    """Returns the GPUs of this machine, or the first CPU if there are none."""
    count = count_local_gpus() if gpus is None else gpus
    return tuple(f"/device:GPU:{index}" for index in range(count)) or ("/device:CPU:0",)


def are_local(devices: Any) -> bool:
    """Whether the devices belong to this process instead of cluster tasks.

    Raises:
      ValueError: if the devices are mixed, or a task is missing.
    """
    local = None
    for device in devices:
        spec = DeviceSpec.from_string(device)
        is_local = spec.job in (None, "localhost")
        local = is_local if local is None else local
        if local and not is_local:
            raise ValueError("Local device string cannot have job specified other than 'localhost'")
        if not local and is_local:
            raise ValueError("Remote device string must have job specified.")
        if not local and spec.task is None:
            raise ValueError("Remote device string must have task specified.")
    return bool(local)
