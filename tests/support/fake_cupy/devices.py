"""cupy.cuda.Device."""

from tests.support.fake_cupy.errors import CUDARuntimeError
from tests.support.fake_cupy.machine import current
from tests.support.fake_cupy.streams import wait_for


class Device:
    """A CUDA device: current within `with`, or after `use()`."""

    def __init__(self, device=None):
        self.id = current.machine.thread.device if device is None else int(device)

    def __int__(self):
        return self.id

    def __repr__(self):
        return f"<CUDA Device {self.id}>"

    def __eq__(self, other):
        return self.id == other.id if isinstance(other, Device) else NotImplemented

    __hash__ = None

    def __enter__(self):
        thread = current.machine.thread
        previous = thread.device
        self.use()
        thread.__dict__.setdefault("devices", []).append(previous)
        return self

    def __exit__(self, *args):
        thread = current.machine.thread
        thread.device = thread.devices.pop()

    def use(self):
        set_device(self.id)

    def synchronize(self):
        """Waits on the host for every stream of the device."""
        machine = current.machine
        for state in machine.devices[self.id].streams:
            if state.capture is not None:
                state.capture.refuse_sync("Device.synchronize")
        machine.wait("Device.synchronize")
        for state in machine.devices[self.id].streams:
            wait_for(machine, state)

    @property
    def compute_capability(self):
        return current.machine.compute_capability

    @property
    def mem_info(self):
        """(free bytes, total bytes)."""
        state = _state(self.id)
        return state.total - state.allocated, state.total

    @property
    def pci_bus_id(self):
        _state(self.id)
        return f"0000:{self.id + 1:02X}:00.0"

    @classmethod
    def from_pci_bus_id(cls, pci_bus_id):
        for state in current.machine.devices:
            if cls(state.index).pci_bus_id == pci_bus_id.upper():
                return cls(state.index)
        raise CUDARuntimeError(101)

    @property
    def attributes(self):
        _state(self.id)
        return {"MaxThreadsPerBlock": 1024, "WarpSize": 32, "MultiProcessorCount": 132}


def _state(index):
    machine = current.machine
    machine.start()
    if not 0 <= index < len(machine.devices):
        raise CUDARuntimeError(101)
    return machine.devices[index]


def set_device(index):
    """Makes a device current for this thread."""
    _state(index)
    current.machine.thread.device = index


def get_device_id():
    return current.machine.thread.device
