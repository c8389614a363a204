"""tf.config.experimental: the devices of sessions."""

from tfmini.names.namespaces import namespace as _namespace
from tfmini.session.physical_devices import (
    VirtualDeviceConfiguration,
    get_memory_growth,
    get_virtual_device_configuration,
    get_visible_devices,
    list_logical_devices,
    list_physical_devices,
    set_memory_growth,
    set_virtual_device_configuration,
    set_visible_devices,
)

__all__ = [
    "VirtualDeviceConfiguration",
    "get_memory_growth",
    "get_virtual_device_configuration",
    "get_visible_devices",
    "list_logical_devices",
    "list_physical_devices",
    "set_memory_growth",
    "set_virtual_device_configuration",
    "set_visible_devices",
]

_namespace(globals())
