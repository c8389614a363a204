"""`tf.config`: options of the sessions that are made without a ConfigProto; `experimental` has their devices."""

from tfmini.config import experimental, optimizer, threading
from tfmini.names.namespaces import namespace as _namespace
from tfmini.session.defaults import (
    get_soft_device_placement,
    set_soft_device_placement,
)
from tfmini.session.physical_devices import (
    experimental_list_devices,
)

__all__ = [
    "experimental",
    "experimental_list_devices",
    "get_soft_device_placement",
    "optimizer",
    "set_soft_device_placement",
    "threading",
]

_namespace(globals())
