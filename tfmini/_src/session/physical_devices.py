"""`tf.config.experimental`: physical devices, and the default device set of sessions created without a config."""

from __future__ import annotations

from typing import NamedTuple

from tfmini._src.base import proto
from tfmini._src.devices.attributes import TASK
from tfmini._src.devices.cuda.discovery import count_physical_gpus
from tfmini._src.devices.registry import listed, session_devices
from tfmini._src.session.default_config import check_not_frozen, default_config, new_default_config


class PhysicalDevice(NamedTuple):
    """A hardware device, for example ("/physical_device:GPU:0", "GPU")."""

    name: str
    device_type: str


class LogicalDevice(NamedTuple):
    """A session device, for example ("/job:localhost/replica:0/task:0/device:GPU:0", "GPU")."""

    name: str
    device_type: str


class VirtualDeviceConfiguration(
    NamedTuple("VirtualDeviceConfiguration", [("memory_limit", "int | None")])
):
    """One virtual device of a physical device; `memory_limit` in megabytes, GPUs only."""

    def __new__(cls, memory_limit: int | None = None) -> VirtualDeviceConfiguration:
        return super().__new__(cls, memory_limit)


class _DeviceOptions:
    """The device options set so far."""

    def __init__(self) -> None:
        self.visible: list[PhysicalDevice] | None = None
        self.growth: dict[PhysicalDevice, bool] = {}
        self.virtual: dict[PhysicalDevice, list[VirtualDeviceConfiguration]] = {}


_chosen = _DeviceOptions()


def forget() -> None:
    """Resets all device options to the defaults of a new process."""
    _chosen.__init__()  # type: ignore[misc]


def list_physical_devices(device_type: str | None = None) -> list[PhysicalDevice]:
    """Lists the machine's CPU and GPUs without creating a session or allocating memory.

    Args:
      device_type: "CPU" or "GPU"; None for all.

    Example:
      gpus = tf.config.experimental.list_physical_devices("GPU")
    """
    device_types = ["CPU", *["GPU"] * count_physical_gpus()]
    indices = [0, *range(len(device_types) - 1)]
    devices = [
        PhysicalDevice(f"/physical_device:{k}:{n}", k) for k, n in zip(device_types, indices)
    ]
    return [d for d in devices if device_type in (None, d.device_type)]


def list_logical_devices(device_type: str | None = None) -> list[LogicalDevice]:
    """Lists the devices of sessions created without a config, optionally of one type."""
    config = default_config()
    devices = listed(config, session_devices(config, TASK))
    logical_devices = [LogicalDevice(device.name, device.device_type) for device in devices]
    return [d for d in logical_devices if device_type in (None, d.device_type)]


def experimental_list_devices() -> list[str]:
    """Lists the full device names of sessions created without a config."""
    return [device.name for device in list_logical_devices()]


def get_visible_devices(device_type: str | None = None) -> list[PhysicalDevice]:
    """Lists the physical devices visible to sessions created without a config, optionally of one type."""
    visible = list_physical_devices() if _chosen.visible is None else _chosen.visible
    return [d for d in visible if device_type in (None, d.device_type)]


def set_visible_devices(
    devices: PhysicalDevice | list[PhysicalDevice], device_type: str | None = None
) -> None:
    """Sets the physical devices visible to sessions created without a config.

    Args:
      devices: a physical device or a list of them.
      device_type: "CPU" or "GPU" to replace the devices of that type only.

    Raises:
      ValueError: if a device does not exist or has a different type.
      RuntimeError: if the set changes after ops have run in eager mode.
    """
    requested = devices if isinstance(devices, list) else [devices]
    for device in requested:
        _check_device(device)
        if device_type not in (None, device.device_type):
            raise ValueError(f"Unrecognized device: {device!r}")
    unaffected = [d for d in get_visible_devices() if device_type not in (None, d.device_type)]
    if get_visible_devices() == [*unaffected, *requested]:
        return
    check_not_frozen("Visible devices")
    _chosen.visible = [*unaffected, *requested]
    _update_config()


def get_memory_growth(device: PhysicalDevice) -> bool:
    """Whether sessions created without a config allocate a GPU's memory on demand.

    Raises:
      ValueError: if the device does not exist.
      KeyError: if it is not a GPU.
    """
    _check_device(device)
    if device.device_type != "GPU":
        raise KeyError(device)
    return _chosen.growth.get(device, False)


def set_memory_growth(device: PhysicalDevice, enable: bool) -> None:
    """Sets on-demand GPU memory allocation for sessions created without a config; applies to all GPUs if set for one.

    Raises:
      ValueError: if the device does not exist, is not a GPU, or has virtual devices.
      RuntimeError: if the value changes after ops have run in eager mode.

    Example:
      for gpu in tf.config.experimental.list_physical_devices("GPU"):
          tf.config.experimental.set_memory_growth(gpu, True)
    """
    _check_device(device)
    if device in _chosen.virtual:
        raise ValueError("Cannot set memory growth on device when virtual devices configured")
    if device.device_type != "GPU":
        raise ValueError("Cannot set memory growth on non-GPU devices")
    if _chosen.growth.get(device) == enable:
        return
    check_not_frozen("Physical devices")
    _chosen.growth[device] = enable
    _update_config()


def get_virtual_device_configuration(
    device: PhysicalDevice,
) -> list[VirtualDeviceConfiguration] | None:
    """Returns the virtual devices of a physical device, or None.

    Raises:
      ValueError: if the device does not exist.
    """
    _check_device(device)
    return _chosen.virtual.get(device)


def set_virtual_device_configuration(
    device: PhysicalDevice, virtual_devices: list[VirtualDeviceConfiguration]
) -> None:
    """Splits a physical device into virtual devices, for sessions created without a config.

    Args:
      device: a physical device.
      virtual_devices: one entry per virtual device; GPU entries require a `memory_limit` in megabytes, CPU entries
        must not set it.

    Raises:
      ValueError: if the device does not exist, a GPU limit is missing, or a CPU limit is set.
      RuntimeError: if ops have already run in eager mode.
    """
    _check_device(device)
    limits = [virtual.memory_limit for virtual in virtual_devices]
    if device.device_type == "CPU" and any(limit is not None for limit in limits):
        raise ValueError("Setting memory limit on CPU virtual devices is currently not supported")
    if device.device_type == "GPU" and None in limits:
        raise ValueError("Setting memory limit is required for GPU virtual devices is")
    if _chosen.virtual.get(device) == virtual_devices:
        return
    check_not_frozen("Virtual devices")
    _chosen.virtual[device] = virtual_devices
    _update_config()


def _check_device(device: object) -> None:
    if device not in list_physical_devices():
        raise ValueError(f"Unrecognized device: {device!r}")


def _update_config() -> None:
    """Writes the device options to the config of later sessions."""
    visible = get_visible_devices()
    config = new_default_config()
    for device_type in ("CPU", "GPU"):
        counts = [len(_chosen.virtual.get(d, [d])) for d in visible if d.device_type == device_type]
        config.device_count[device_type] = sum(counts)
    gpus = [d for d in visible if d.device_type == "GPU"]
    options = proto.GPUOptions(
        visible_device_list=",".join(d.name.rpartition(":")[2] for d in gpus)
    )
    if _chosen.virtual:
        for gpu in gpus:
            limits = [v.memory_limit for v in _chosen.virtual.get(gpu, [])]
            options.experimental.virtual_devices.add(memory_limit_mb=limits)
    else:
        options.allow_growth = any(_chosen.growth.get(gpu, False) for gpu in gpus)
    config.gpu_options.CopyFrom(options)
