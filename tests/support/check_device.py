"""A third device type, `/device:CHECK:0`: NumPy wrapped so that host and device arrays cannot be mixed.

`with check_devices(2) as devices, tf.Session() as session:` provides such devices to sessions; no other file refers
to them. Copies are counted, memory is limited, and a device can be lost.
"""

import contextlib
import operator
import threading
from unittest import mock

import numpy as np

from tfmini._src.base.errors import UnavailableError
from tfmini._src.devices import registry
from tfmini._src.devices.attributes import DeviceAttributes
from tfmini._src.devices.device import Device
from tfmini._src.devices.device_kind import AdoptedFeed, DeviceKind
from tfmini._src.devices.generic_kernels import generic_kernel_info, host_arguments

_here = threading.local()  # .device: the device current on this thread


class LostError(Exception):
    """Raised by work on a lost device."""


class CheckArray(np.lib.mixins.NDArrayOperatorsMixin):
    """A device array: unreadable for the host, and rejected in operations with host arrays."""

    def __init__(self, value, device=None, shares=()):
        self.device = _here.device if device is None else device
        self.value = value
        self.shares = shares  # arrays that must not be freed or changed before this one
        self.taken = 0
        size = value.nbytes if value.base is None else 0
        self.device.take(size)
        self.taken = size

    def __del__(self):
        self.device.used_bytes -= self.taken

    def __getattr__(self, name):
        if name.startswith("__"):  # NumPy would read the memory through it
            raise AttributeError(name)
        member = getattr(self.value, name)
        return (
            _require_device(member) if callable(member) else _wrap(member, {id(self.value): self})
        )

    def __array__(self, *args, **kwargs):
        raise TypeError("an array of a CHECK device is read as one of the host")

    def __array_ufunc__(self, ufunc, method, *inputs, **kwargs):
        return _require_device(getattr(ufunc, method))(*inputs, **kwargs)

    def __array_function__(self, function, types, args, kwargs):
        if function in (np.shape, np.ndim, np.size):  # known to the host
            return getattr(args[0], function.__name__)
        return _require_device(function)(*args, **kwargs)

    def __getitem__(self, key):
        return _require_device(operator.getitem)(self, key)

    def __setitem__(self, key, value):
        _require_device(operator.setitem)(self, key, value)

    @property
    def real(self):
        return _require_device(np.real)(self)

    @real.setter
    def real(self, value):
        self.real[...] = value

    @property
    def imag(self):
        return _require_device(np.imag)(self)

    @imag.setter
    def imag(self, value):
        self.imag[...] = value

    def __len__(self):
        return len(self.value)

    def __bool__(self):
        raise TypeError("a branch waits for a CHECK device")

    __float__ = __int__ = __index__ = item = tolist = __bool__


def _require_device(function):
    """Wraps a function so that it accepts only arrays of the current device."""

    def call(*args, **kwargs):
        device = _here.device
        device.compute()
        seen = {}
        plain = _plain(args, device, seen)
        named = {name: _plain(value, device, seen) for name, value in kwargs.items()}
        return _wrap(function(*plain, **named), seen)

    return call


def _plain(value, device, seen):
    """Replaces device arrays in a value by NumPy arrays, and adds them to `seen`."""
    if isinstance(value, CheckArray):
        assert value.device is device, f"{value.device.name}'s array on {device.name}"
        seen[id(value.value)] = value
        return value.value
    if isinstance(value, tuple | list):
        return type(value)([_plain(each, device, seen) for each in value])
    assert not isinstance(value, np.ndarray), "an array of the host on a CHECK device"
    return value


def _wrap(result, seen):
    """Converts a NumPy result, including scalars, to a device array."""
    if id(result) in seen:
        return seen[id(result)]
    if isinstance(result, tuple | list):
        wrapped = [_wrap(each, seen) for each in result]
        return type(result)(*wrapped) if hasattr(result, "_fields") else type(result)(wrapped)
    if not isinstance(result, np.ndarray | np.generic):
        return result
    result = np.asarray(result)
    return CheckArray(result, shares=() if result.base is None else tuple(seen.values()))


class CheckFunction:
    """A NumPy function on device arrays, with the methods of a ufunc."""

    def __init__(self, function):
        self._function = function
        self.__name__ = function.__name__

    def __call__(self, *args, **kwargs):
        return _require_device(self._function)(*args, **kwargs)

    def __getattr__(self, name):
        member = getattr(self._function, name)
        return _require_device(member) if callable(member) else member


class CheckModule:
    """NumPy's functions on device arrays."""

    __name__ = "check"
    ndarray = CheckArray

    def __init__(self, module=np):
        self._module = module

    def __getattr__(self, name):
        member = getattr(self._module, name)
        if name in ("linalg", "fft"):
            return CheckModule(member)
        is_function = callable(member) and not isinstance(member, type)
        return CheckFunction(member) if is_function else member

    def asarray(self, value, dtype=None, order=None):
        if not isinstance(value, CheckArray):  # a copy from the host
            value = CheckArray(np.array(value, dtype, order=order))
        return _require_device(np.asarray)(value, dtype, order=order)

    def array(self, value, dtype=None, copy=True, order=None):
        value = self.asarray(value, dtype, order)
        return value.copy() if copy else value


class CheckDevice(Device):
    """A CHECK device; `copies` lists copies as (direction, bytes)."""

    kind = "CHECK"
    xp = CheckModule()

    def __init__(self, index, limit_bytes):
        self.name = f"CHECK:{index}"
        self.limit_bytes = limit_bytes
        self.lost = ""
        self.used_bytes = 0
        self.copies = []
        self.is_gone = False
        self.lock = threading.RLock()

    def take(self, size):
        if self.used_bytes + size > self.limit_bytes:
            raise MemoryError(f"{self.name} has no {size} bytes")
        self.used_bytes += size

    def compute(self):
        if self.is_gone:
            raise LostError("it was unplugged")

    def host_arguments(self, node):
        return host_arguments(node)

    @classmethod
    @contextlib.contextmanager
    def working_on(cls, devices, streams=None):
        for device in devices:
            if device.lost:
                raise UnavailableError(None, None, f"{device.name} is lost: {device.lost}")
        before = getattr(_here, "device", None)
        with contextlib.ExitStack() as stack:
            for device in devices:
                stack.enter_context(device.lock)
            devices[0].use()
            try:
                yield
            finally:
                _here.device = before

    @staticmethod
    def leave():
        pass

    def use(self):
        _here.device = self

    def _copy(self, way, array):
        self.compute()
        self.copies.append((way, array.nbytes))

    def upload(self, value):
        value = np.array(value)
        self._copy("to the device", value)
        return CheckArray(value, self)

    def send(self, array):
        self._copy("to the host", array.value)
        return array.value.copy()

    def receive(self, ticket):
        return ticket if ticket.ndim else ticket[()]

    def copy_from(self, other, array):
        assert array.device is other
        self._copy("between devices", array.value)
        return CheckArray(array.value.copy(), self)

    def host_copy(self, array):
        return array.value.copy()

    @classmethod
    def is_lost(cls, error):
        return isinstance(error, LostError)


class CheckKind(DeviceKind):
    """A device type with `count` devices; `kernel_info` returns the `KernelInfo` of an op."""

    name = "CHECK"
    priority = 2

    def __init__(self, count, limit_bytes, kernel_info):
        self.devices = [CheckDevice(index, limit_bytes) for index in range(count)]
        self._kernel_info = kernel_info

    def discover(self, config, task):
        count = len(self.devices)
        if config is not None:
            count = min(count, config.device_count.get(self.name, count))
        return {f"{task}/device:CHECK:{n}": self.devices[n] for n in range(count)}

    def attributes(self, config, devices):
        return [
            DeviceAttributes(name, self.name, device.limit_bytes, 1, f"{device.name}, checked")
            for name, device in devices.items()
            if device.kind == self.name
        ]

    def kernel_info(self, op):
        return self._kernel_info(op)

    def holds(self, value):
        return isinstance(value, CheckArray)

    def adopt(self, value, devices):
        name = next((name for name, device in devices.items() if device is value.device), "")
        return AdoptedFeed(name, value, value.device.name)


@contextlib.contextmanager
def check_devices(count=1, limit_bytes=1 << 30, kernel_info=generic_kernel_info):
    """Context in which new sessions have CHECK devices; yields the devices."""
    kind = CheckKind(count, limit_bytes, kernel_info)
    with mock.patch.dict(registry.KINDS, {kind.name: kind}):
        yield kind.devices
