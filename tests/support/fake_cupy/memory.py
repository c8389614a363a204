"""Device memory: cudaMalloc segments, owners of their parts, and pointers.

A pointer's value is the address of real host memory, so that kernels on the CPU can dereference it.
"""

import bisect
import contextlib
import gc

import numpy as np

from tests.support.fake_cupy.errors import CUDARuntimeError
from tests.support.fake_cupy.machine import current
from tests.support.fake_cupy.shadow import Shadow
from tests.support.fake_cupy.violations import UseAfterFreeError

UNIT = 512
GARBAGE = 0xFFF5  # NaN as float16, bfloat16, float32 and float64; odd numbers as integers
# Bytes; larger blocks are reserved by sessions or cuBLAS, would take seconds and memory to fill, and are filled piece
# by piece when handed out.
LARGE = 16 << 20


@contextlib.contextmanager
def without_collection():
    """Context without garbage collection, which could modify the lists being changed."""
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()


class Segment:
    """A cudaMalloc block: real memory filled with garbage; `owners` are the current owners of its parts."""

    def __init__(self, machine, device, size):
        machine.check_there(device)
        state = machine.devices[device]
        if state.allocated + size > state.total:
            raise CUDARuntimeError(2)
        self.machine = machine
        self.device = device
        self.size = size
        room = np.empty(size + UNIT, np.uint8)
        start = -room.ctypes.data % UNIT
        self.bytes = room[start : start + size]
        self.base = self.bytes.ctypes.data
        self.view = memoryview(self.bytes)
        self.starts = []
        self.owners = {}
        state.allocated += size
        state.peak = max(state.peak, state.allocated)
        state.segments[self.base] = self
        with without_collection():
            bisect.insort(machine.bases, self.base)

    def garble(self, address, size):
        """Fills [address, address + size) with garbage unless it is large; returns whether it did."""
        if size > LARGE:
            return False
        first = address - self.base
        part = self.bytes[first : first + size]
        whole = size - size % 2
        part[:whole].view(np.uint16)[...] = GARBAGE
        part[whole:] = 0xF5
        return True

    def release(self):
        """cudaFree, which waits for the device as in CUDA."""
        machine = self.machine
        state = machine.devices[self.device]
        if state.segments.pop(self.base, None) is None:
            return
        state.allocated -= self.size
        bases = machine.bases
        with without_collection():
            del bases[bisect.bisect_left(bases, self.base)]
        for stream in state.streams:
            machine.learn(stream.known)

    def enter(self, owner):
        with without_collection():
            bisect.insort(self.starts, owner.ptr)
            self.owners[owner.ptr] = owner.tenure

    def leave(self, ptr):
        with without_collection():
            if self.owners.pop(ptr, None) is not None:
                del self.starts[bisect.bisect_left(self.starts, ptr)]


class Tenure:
    """One owner's period of holding a memory range; recorded uses outlive it."""

    __slots__ = ("segment", "low", "high", "shadow", "alive", "unborn")

    def __init__(self, segment, low, high, shadow):
        self.segment = segment
        self.low = low
        self.high = high
        self.shadow = shadow
        self.alive = True
        self.unborn = None  # ranges that an unlaunched graph will write

    def end(self):
        self.alive = False
        self.shadow.end()


def find(machine, address):
    """The tenure that holds the device memory at `address`, or None."""
    bases = machine.bases
    index = bisect.bisect_right(bases, address) - 1
    if index < 0:
        return None
    for state in machine.devices:
        segment = state.segments.get(bases[index])
        if segment is not None:
            break
    else:
        return None
    if address >= segment.base + segment.size:
        return None
    index = bisect.bisect_right(segment.starts, address) - 1
    if index < 0:
        return None
    tenure = segment.owners[segment.starts[index]]
    return tenure if tenure.low <= address < max(tenure.high, tenure.low + 1) else None


def tenure_at(machine, address, what):
    """Like `find`; unowned memory is a violation."""
    tenure = find(machine, address)
    if tenure is None:
        machine.violate(
            UseAfterFreeError, f"{what} uses {address:#x}, which is no device memory in use"
        )
    return tenure


class BaseMemory:
    """Memory on a CUDA device."""

    ptr = 0
    size = 0
    device_id = -1
    tenure = None

    def __int__(self):
        return self.ptr

    @property
    def device(self):
        return current.device_class(self.device_id)


class Memory(BaseMemory):
    """Memory allocation on a CUDA device: cudaMalloc, and cudaFree at its end."""

    def __init__(self, size):
        machine = current.machine
        self.machine = machine
        self.size = size
        self.device_id = machine.thread.device
        self.segment = None
        if size > 0:
            with machine.lock:
                self.segment = segment = Segment(machine, self.device_id, size)
                self.ptr = segment.base
                self.tenure = Tenure(
                    segment, self.ptr, self.ptr + size, Shadow(self.ptr, self.ptr + size)
                )
                segment.enter(self)
                self.garbled = False

    def garble(self):
        self.segment.garble(self.ptr, self.size)
        return self

    def __del__(self):
        segment = getattr(self, "segment", None)
        if segment is not None:
            with self.machine.lock:
                self.tenure.end()
                segment.leave(self.ptr)
                segment.release()
                segment.garble(self.ptr, self.size)


class UnownedMemory(BaseMemory):
    """Memory owned by another; `owner` is kept alive."""

    def __init__(self, ptr, size, owner, device_id=-1):
        machine = current.machine
        self.ptr = ptr
        self.size = size
        self._owner = owner
        if ptr == 0 or size == 0:
            if device_id < 0 and ptr == 0:
                raise RuntimeError("UnownedMemory requires explicit device ID for a null pointer.")
            self.device_id = machine.thread.device if device_id < 0 else device_id
            return
        tenure = find(machine, ptr)
        if tenure is None:
            raise CUDARuntimeError(1)
        if ptr + size > tenure.high:
            machine.violate(
                UseAfterFreeError, f"{size} bytes at {ptr:#x} reach over what its owner holds"
            )
        self.tenure = tenure
        self.device_id = tenure.segment.device


class MemoryPointer:
    """Pointer to a point on a device memory."""

    __slots__ = ("mem", "ptr")

    def __init__(self, mem, offset):
        self.mem = mem
        self.ptr = mem.ptr + offset

    @property
    def device_id(self):
        return self.mem.device_id

    @property
    def device(self):
        return self.mem.device

    def __int__(self):
        return self.ptr

    def __add__(self, offset):
        return MemoryPointer(self.mem, self.ptr - self.mem.ptr + offset)

    __radd__ = __add__

    def __sub__(self, offset):
        return self + -offset

    def __iadd__(self, offset):
        self.ptr += offset
        return self

    def __isub__(self, offset):
        self.ptr -= offset
        return self

    # Those without "async" use the legacy null stream, regardless of the current stream.

    def copy_from_device(self, src, size):
        if size:
            copies_by_address().device_to_device(self.ptr, src.ptr, size, _null())

    def copy_from_device_async(self, src, size, stream=None):
        if size:
            copies_by_address().device_to_device(self.ptr, src.ptr, size, _state(stream))

    def copy_from_host(self, mem, size):
        if size:
            copies_by_address().host_to_device(
                self.ptr, _address(mem), size, _null(), blocking=True
            )

    def copy_from_host_async(self, mem, size, stream=None):
        if size:
            copies_by_address().check_host_memory(_address(mem))
            copies_by_address().host_to_device(self.ptr, _address(mem), size, _state(stream))

    def copy_from(self, mem, size):
        if isinstance(mem, MemoryPointer):
            self.copy_from_device(mem, size)
        else:
            self.copy_from_host(mem, size)

    def copy_to_host_async(self, mem, size, stream=None):
        if size:
            copies_by_address().device_to_host(_address(mem), self.ptr, size, _state(stream))

    def memset(self, value, size):
        if size:
            copies_by_address().fill(self.ptr, value, size, _null())


def copies_by_address():
    """The copies by address, found through `current` because that module imports this one."""
    return current.copies


def _state(stream):
    """The state of a copy's stream (default: the current one)."""
    return current.machine.current_stream_state() if stream is None else stream.state()


def _null():
    machine = current.machine
    return machine.devices[machine.thread.device].null


def _address(mem):
    """The host address from a ctypes pointer or an int."""
    return mem if isinstance(mem, int) else mem.value


def malloc(size):
    """CuPy's allocator without a pool: one cudaMalloc per array."""
    memory = Memory(size)
    if size:
        memory.garble()
    return MemoryPointer(memory, 0)


def alloc(size):
    """Calls the current allocator."""
    machine = current.machine
    allocator = machine.thread.allocator or machine.default_allocator
    return allocator(size)


def set_allocator(allocator=None):
    """Sets the current allocator for GPU memory."""
    machine = current.machine
    if machine.thread.allocator is not None:
        raise ValueError(
            "Can't change the global allocator inside `using_allocator` context manager"
        )
    machine.default_allocator = allocator or malloc


def get_allocator():
    """Returns the current allocator for GPU memory."""
    machine = current.machine
    return machine.thread.allocator or machine.default_allocator


@contextlib.contextmanager
def using_allocator(allocator=None):
    """Sets a thread-local allocator for GPU memory inside the context."""
    thread = current.machine.thread
    previous = thread.allocator
    thread.allocator = allocator or malloc
    try:
        yield
    finally:
        thread.allocator = previous
