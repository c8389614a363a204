"""cupy.cuda.runtime: the supported calls of the CUDA runtime."""

from tests.support.fake_cupy import copies
from tests.support.fake_cupy.devices import Device
from tests.support.fake_cupy.errors import CUDARuntimeError
from tests.support.fake_cupy.machine import current
from tests.support.fake_cupy.memory import find
from tests.support.fake_cupy.pinned import pinned_at, register, unregister
from tests.support.fake_cupy.streams import query_event, query_stream, wait_for

HOST_TO_DEVICE, DEVICE_TO_HOST, DEVICE_TO_DEVICE, DEFAULT = 1, 2, 3, 4


def getDeviceCount():
    if not current.machine.driver:
        raise CUDARuntimeError(35)
    if not current.machine.devices:
        raise CUDARuntimeError(100)
    current.machine.start()
    return len(current.machine.devices)


def getDevice():
    return current.machine.thread.device


def driverGetVersion():
    return 13000


def runtimeGetVersion():
    return 13000


def memGetInfo():
    return Device().mem_info


def getDeviceProperties(device):
    """The properties of a device; name and uuid are bytes, as in CuPy."""
    state_of = Device(device)
    capability = state_of.compute_capability  # "90", "120"
    major, minor = int(capability[:-1]), int(capability[-1])
    bus = int(state_of.pci_bus_id.split(":")[1], 16)
    return {
        "name": b"Fake GPU",
        "totalGlobalMem": current.machine.devices[device].total,
        "major": major,
        "minor": minor,
        "multiProcessorCount": 132,
        "warpSize": 32,
        "maxThreadsPerBlock": 1024,
        "sharedMemPerBlock": 49152,
        "sharedMemPerBlockOptin": 232448,
        "l2CacheSize": 52428800,
        "pciBusID": bus,
        "pciDeviceID": 0,
        "pciDomainID": 0,
        "uuid": bytes([device + 1] * 16),
        "concurrentKernels": 1,
        "asyncEngineCount": 3,
        "unifiedAddressing": 1,
    }


def deviceCanAccessPeer(device, peerDevice):
    Device(device).mem_info, Device(peerDevice).mem_info
    return int(device != peerDevice and current.machine.peer_access)


def deviceEnablePeerAccess(peerDevice):
    state = current.machine.devices[getDevice()]
    if not deviceCanAccessPeer(getDevice(), peerDevice):
        raise CUDARuntimeError(217)
    if peerDevice in state.peers:
        raise CUDARuntimeError(704)
    state.peers.add(peerDevice)


def _kind(dst, src, kind):
    """The direction of a copy by its addresses; raises if the caller's claim differs."""
    machine = current.machine
    real = {
        (False, True): HOST_TO_DEVICE,
        (True, False): DEVICE_TO_HOST,
        (True, True): DEVICE_TO_DEVICE,
        (False, False): 0,
    }[find(machine, src) is not None, find(machine, dst) is not None]
    if kind not in (DEFAULT, real):
        raise CUDARuntimeError(1)
    return real


def memcpyAsync(dst, src, size, kind, stream):
    """Copies in stream order; in a capture, host memory must be pinned."""
    if size == 0:
        return
    state = current.machine.stream_state(stream)
    real = _kind(dst, src, kind)
    if real == HOST_TO_DEVICE:
        copies.host_to_device(dst, src, size, state, captured=True)
    elif real == DEVICE_TO_HOST:
        copies.device_to_host(dst, src, size, state, captured=True)
    elif real == DEVICE_TO_DEVICE:
        copies.device_to_device(dst, src, size, state)
    else:
        raise CUDARuntimeError(1)


def memcpy(dst, src, size, kind):
    """Copies synchronously."""
    memcpyAsync(dst, src, size, kind, 0)
    machine = current.machine
    machine.sync("memcpy")
    wait_for(machine, machine.stream_state(0))


def memcpyPeerAsync(dst, dstDevice, src, srcDevice, size, stream):
    """Copies between two devices, in the order of a stream of either."""
    if size == 0:
        return
    machine = current.machine
    for address, device in ((dst, dstDevice), (src, srcDevice)):
        tenure = find(machine, address)
        if tenure is not None and tenure.segment.device != device:
            raise CUDARuntimeError(1)
    copies.device_to_device(dst, src, size, machine.stream_state(stream), "p2p")


def memsetAsync(ptr, value, size, stream):
    if size:
        copies.fill(ptr, value, size, current.machine.stream_state(stream))


def memset(ptr, value, size):
    memsetAsync(ptr, value, size, 0)


def streamSynchronize(stream):
    machine = current.machine
    state = machine.stream_state(stream)
    if state.capture is not None:
        raise CUDARuntimeError(900)
    machine.wait("streamSynchronize")
    wait_for(machine, state)


def streamQuery(stream):
    """The status of a stream's queued work; never raises."""
    machine = current.machine
    return query_stream(machine, machine.stream_state(stream))


def eventQuery(event):
    """The status of an event; never raises."""
    machine = current.machine
    return query_event(machine, machine.events[event])


class PointerAttributes:
    """The result of cudaPointerGetAttributes."""

    def __init__(self, device, devicePointer, hostPointer, type):
        self.device = device
        self.devicePointer = devicePointer
        self.hostPointer = hostPointer
        self.type = type


def pointerGetAttributes(ptr):
    machine = current.machine
    tenure = find(machine, ptr)
    if tenure is not None:
        return PointerAttributes(tenure.segment.device, ptr, 0, 2)
    if pinned_at(machine, ptr) is not None:
        return PointerAttributes(machine.thread.device, ptr, ptr, 1)
    return PointerAttributes(-2, 0, 0, 0)


def hostRegister(ptr, size, flags):
    register(current.machine, ptr, size)


def hostUnregister(ptr):
    unregister(current.machine, ptr)


FUNCTIONS = {
    function.__name__: function
    for function in (
        getDeviceCount,
        getDevice,
        driverGetVersion,
        runtimeGetVersion,
        memGetInfo,
        getDeviceProperties,
        deviceCanAccessPeer,
        deviceEnablePeerAccess,
        memcpyAsync,
        memcpy,
        memcpyPeerAsync,
        memsetAsync,
        memset,
        streamSynchronize,
        streamQuery,
        eventQuery,
        pointerGetAttributes,
        hostRegister,
        hostUnregister,
    )
}
