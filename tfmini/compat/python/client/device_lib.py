"""`tensorflow.python.client.device_lib`: what programs ask for the GPUs of a machine."""

from tfmini.session.devices import list_local_devices

__all__ = ["list_local_devices"]
