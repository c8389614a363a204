"""Pinned host memory for asynchronous copies, its pool, and cupyx.empty_pinned."""

import bisect
import ctypes

import numpy as np

from tests.support.fake_cupy.errors import CUDARuntimeError
from tests.support.fake_cupy.machine import current
from tests.support.fake_cupy.shadow import Shadow

UNIT = 512


class PinnedTenure:
    """One owner's period of holding pinned memory; copies are recorded as for device memory."""

    __slots__ = ("low", "high", "shadow", "alive", "unborn")

    def __init__(self, low, high, shadow):
        self.low = low
        self.high = high
        self.shadow = shadow
        self.alive = True
        self.unborn = None


class PinnedMemory:
    """Pinned memory allocation on host."""

    def __init__(self, size, flags=0):
        room = np.empty(size + UNIT, np.uint8)
        start = -room.ctypes.data % UNIT
        self.bytes = room[start : start + size]
        self.bytes[...] = 0xF5
        self.machine = current.machine
        self.ptr = self.bytes.ctypes.data if size else 0
        self.size = size
        self.tenure = PinnedTenure(self.ptr, self.ptr + size, Shadow(self.ptr, self.ptr + size))
        if size:
            self.machine.pinned[self.ptr] = self.tenure
            bisect.insort(self.machine.pinned_starts, self.ptr)

    def __int__(self):
        return self.ptr

    def __del__(self):
        machine = getattr(self, "machine", None)
        if machine is not None and self.ptr:
            forget(machine, self.ptr)


def forget(machine, address):
    if machine.pinned.pop(address, None) is not None:
        starts = machine.pinned_starts
        del starts[bisect.bisect_left(starts, address)]


def pinned_at(machine, address):
    """The tenure of the pinned memory at `address`, or None for pageable memory."""
    starts = machine.pinned_starts
    index = bisect.bisect_right(starts, address) - 1
    if index < 0:
        return None
    tenure = machine.pinned[starts[index]]
    return tenure if address < tenure.high else None


def register(machine, address, size):
    """Pins existing host memory for asynchronous copies: cudaHostRegister."""
    if not address or size <= 0:
        raise CUDARuntimeError(1)
    index = bisect.bisect_left(machine.pinned_starts, address + size) - 1
    if index >= 0 and machine.pinned[machine.pinned_starts[index]].high > address:
        raise CUDARuntimeError(712)
    shadow = Shadow(address, address + size)
    machine.pinned[address] = machine.registered[address] = PinnedTenure(
        address, address + size, shadow
    )
    bisect.insort(machine.pinned_starts, address)


def unregister(machine, address):
    """Unpins registered memory, whose copies must have completed."""
    tenure = machine.registered.pop(address, None)
    if tenure is None:
        raise CUDARuntimeError(713)
    tenure.alive = False
    tenure.shadow.end()
    forget(machine, address)


class PinnedMemoryPointer:
    """Pointer to pinned memory; supports the buffer protocol through ctypes."""

    def size(self):
        return self.mem.size

    def __int__(self):
        return self.ptr

    def __del__(self):
        give_back = getattr(self, "give_back", None)
        if give_back is not None:
            give_back()


_pointer_types = {}


def pointer_to(mem, give_back=None):
    """A pointer to pinned memory; calls `give_back` once the pointer and all its views are gone."""
    kind = _pointer_types.get(mem.size)
    if kind is None:
        bases = (PinnedMemoryPointer, ctypes.c_ubyte * mem.size)
        kind = _pointer_types[mem.size] = type("PinnedMemoryPointer", bases, {})
    pointer = kind.from_address(mem.ptr) if mem.size else kind()
    pointer.mem = mem
    pointer.ptr = mem.ptr
    pointer.give_back = give_back
    return pointer


class PinnedMemoryPool:
    """Keeps freed pinned memory for later allocations of the same size."""

    def __init__(self, allocator=None):
        self._free = {}

    def malloc(self, size):
        machine = current.machine
        rounded = (size + UNIT - 1) // UNIT * UNIT
        rounded = 1 << (rounded - 1).bit_length() if rounded else 0  # pinned_memory.pyx: clp2
        free = self._free.setdefault(rounded, [])
        mem = free.pop() if free else PinnedMemory(rounded)
        tenure = PinnedTenure(mem.ptr, mem.ptr + rounded, mem.tenure.shadow)
        if rounded:
            mem.tenure = machine.pinned[mem.ptr] = tenure

        def give_back():
            tenure.alive = False
            tenure.shadow.end()
            free.append(mem)

        return pointer_to(mem, give_back)

    def free_all_blocks(self):
        self._free.clear()

    def n_free_blocks(self):
        return sum(map(len, self._free.values()))


def alloc_pinned_memory(size):
    """Calls the current allocator of pinned memory; rejected during a capture."""
    machine = current.machine
    state = machine.current_stream_state()
    if state.capture is not None:
        state.capture.broken = "an allocation of pinned memory"
        raise RuntimeError(
            "the current stream is capturing, so synchronous API calls are disallowed"
        )
    return machine.pinned_allocator(size)


def empty_pinned(shape, dtype=float, order="C"):
    """An uninitialised numpy array in pinned memory."""
    shape = (shape,) if isinstance(shape, int) else tuple(shape)
    dtype = np.dtype(dtype)
    nbytes = int(np.prod(shape, dtype=np.int64)) * dtype.itemsize
    if nbytes == 0:
        return np.empty(shape, dtype, order)
    return np.ndarray(shape, dtype, alloc_pinned_memory(nbytes), order=order)


def zeros_pinned(shape, dtype=float, order="C"):
    """Like `empty_pinned`, zero-initialized."""
    out = empty_pinned(shape, dtype, order)
    out[...] = 0
    return out
