"""Copies between host and device memory by address, in stream order.

The target of a copy to pinned host memory is garbage until the host has synchronized; the source of a copy from
pinned host memory must stay unchanged until then. A copy to pageable host memory synchronizes, as in CUDA.
"""

import ctypes
import sys

import numpy as np

from tests.support.fake_cupy.errors import CUDARuntimeError
from tests.support.fake_cupy.machine import current
from tests.support.fake_cupy.memory import GARBAGE, tenure_at
from tests.support.fake_cupy.pinned import pinned_at
from tests.support.fake_cupy.violations import HostRaceError, NotLaunchedError, UseAfterFreeError


def raw(address, size):
    """The bytes at an address, as an array."""
    return np.frombuffer((ctypes.c_ubyte * size).from_address(address), np.uint8)


def garble(address, size):
    """Fills host memory with garbage, like device memory."""
    even = size - size % 2
    raw(address, even).view(np.uint16)[...] = GARBAGE
    raw(address + even, size - even)[...] = 0xF5


def device_range(machine, address, size, what):
    """The tenure that holds [address, address + size) of device memory."""
    tenure = tenure_at(machine, address, what)
    if address + size > tenure.high:
        machine.violate(
            UseAfterFreeError, f"{what} of {size} bytes reaches over the end of its memory"
        )
    return tenure


def touch(machine, state, uses, name):
    """Records memory accesses of a work item on the stream: uses are (tenure, low, high, write)."""
    machine.check_there(state.device)
    if state.capture is not None:
        state.capture.use(state, uses, name)
        return
    implicit(machine, state)
    state.advance(machine)
    for tenure, low, high, write in uses:
        if tenure.unborn:
            unborn(machine, tenure, low, high, write, name)
        if not tenure.alive:
            machine.violate(UseAfterFreeError, f"{name} uses memory that was given back")
        tenure.shadow.note(machine, low, high, write, state, name)


def implicit(machine, state):
    """Rejects work on the null stream that would implicitly wait for a blocking stream in capture."""
    if state.pointer == 0 and machine.captures:
        for capture in machine.captures:
            if capture.origin.device == state.device and not capture.origin.non_blocking:
                capture.broken = "work on the null stream"
                raise CUDARuntimeError(906)


def unborn(machine, tenure, low, high, write, name):
    """Rejects reads of a graph's output before its first launch."""
    for part in tenure.unborn:
        if part[0] < high and low < part[1] and not write:
            machine.violate(
                NotLaunchedError, f"{name} reads what a graph computes that was not launched"
            )
    if write:
        tenure.unborn = [part for part in tenure.unborn if not (low <= part[0] and part[1] <= high)]


def perform(machine, state, uses, name, work):
    """Queues a work item: recorded in a capture, executed immediately otherwise."""
    with machine.lock:
        touch(machine, state, uses, name)
        if state.capture is not None:
            state.capture.add(work)
        else:
            work(state)


def refuse_under_capture(machine, state):
    """Rejects CuPy's copies between host and device while their stream is capturing."""
    if state.capture is not None:
        state.capture.broken = "a copy between host and device"
        raise RuntimeError(
            "the current stream is capturing, so synchronous API calls are disallowed"
        )


def check_host_memory(source):
    """Pageable memory is read when the copy executes, on hardware with direct access such as Grace Hopper."""
    machine = current.machine
    if not machine.takes_over and pinned_at(machine, source) is None:
        machine.violate(HostRaceError, "a copy that nobody waits for is taken from pageable memory")


def host_to_device(target, source, size, state, blocking=False, captured=False):
    """Copies `size` bytes of host memory at `source` to device memory at `target`."""
    machine = current.machine
    pinned = pinned_at(machine, source)
    if not captured or pinned is None:
        refuse_under_capture(machine, state)
    machine.counters.copies["h2d"] += 1
    tenure = device_range(machine, target, size, "a copy to the device")
    uses = [(tenure, target, target + size, True)]
    if pinned is None:
        data = raw(source, size).copy()

        def work(stream):
            raw(target, size)[...] = data
    else:
        uses.append((pinned, source, source + size, False))

        def work(stream):
            data = as_the_device_sees(machine, source, size)
            raw(target, size)[...] = data
            machine.arrivals.append(Unchanged(machine, stream, pinned, source, data))

    perform(machine, state, uses, "a copy to the device", work)
    if blocking:
        machine.sync("a copy to the device that waits")
        machine.learn(state.known)


def device_to_host(target, source, size, state, blocking=False, captured=False):
    """Copies `size` bytes of device memory at `source` to host memory at `target`."""
    machine = current.machine
    pinned = pinned_at(machine, target)
    if not captured or pinned is None:
        refuse_under_capture(machine, state)
    machine.counters.copies["d2h"] += 1
    tenure = device_range(machine, source, size, "a copy to the host")
    uses = [(tenure, source, source + size, False)]
    if pinned is None:
        perform(machine, state, uses, "a copy to the host", lambda stream: None)
        machine.sync("a copy to pageable host memory")
        machine.learn(state.known)
        raw(target, size)[...] = raw(source, size)
        return
    uses.append((pinned, target, target + size, True))

    def work(stream):
        data = raw(source, size).copy()
        check_unchanged(machine, target, size)
        garble(target, size)
        machine.arrivals.append(Arrival(machine, stream, pinned, target, data))

    perform(machine, state, uses, "a copy to the host", work)
    if blocking:
        machine.sync("a copy to the host that waits")
        machine.learn(state.known)


def device_to_device(target, source, size, state, kind="d2d"):
    """Copies `size` bytes of device memory, within a device or between two."""
    machine = current.machine
    machine.counters.copies[kind] += 1
    uses = [
        (device_range(machine, source, size, "a copy"), source, source + size, False),
        (device_range(machine, target, size, "a copy"), target, target + size, True),
    ]

    def work(stream):
        raw(target, size)[...] = raw(source, size)

    perform(machine, state, uses, "a copy on the device", work)


def fill(target, value, size, state):
    """Sets `size` bytes of device memory at `target`."""
    machine = current.machine
    uses = [(device_range(machine, target, size, "memset"), target, target + size, True)]

    def work(stream):
        raw(target, size)[...] = value & 0xFF

    perform(machine, state, uses, "memset", work)


class Arrival:
    """Bytes copied to pinned memory but not yet visible to the host."""

    def __init__(self, machine, stream, pinned, address, data):
        self.machine = machine
        self.stream = stream
        self.step = stream.step
        self.pinned = pinned
        self.low = address
        self.high = address + data.size
        self.data = data

    def __call__(self):
        if not self.pinned.alive:
            self.machine.violate(
                UseAfterFreeError, "pinned memory was given back before the copy to it had ended"
            )
        raw(self.low, self.data.size)[...] = self.data


class Unchanged:
    """The pinned source of a pending copy, which the host must not modify."""

    def __init__(self, machine, stream, pinned, address, data):
        self.machine = machine
        self.pinned = pinned
        self.stream = stream
        self.step = stream.step
        self.low = address
        self.high = address + data.size
        self.data = data

    def __call__(self):
        if not self.pinned.alive:
            self.machine.violate(
                UseAfterFreeError, "pinned memory was given back before the copy from it had ended"
            )
        if not np.array_equal(raw(self.low, self.data.size), self.data):
            self.machine.violate(
                HostRaceError, "pinned memory was changed before the copy from it had ended"
            )


def as_the_device_sees(machine, address, size):
    """Pinned memory including all copied bytes, whether visible to the host or not."""
    data = raw(address, size).copy()
    for arrival in machine.arrivals:
        if isinstance(arrival, Arrival):
            low, high = max(arrival.low, address), min(arrival.high, address + size)
            if low < high:
                part = arrival.data[low - arrival.low : high - arrival.low]
                data[low - address : high - address] = part
    return data


def check_unchanged(machine, address, size):
    """Checks pending reads of [address, address + size) before a later copy overwrites it."""
    pending = []
    for arrival in machine.arrivals:
        overlap = arrival.low < address + size and address < arrival.high
        if overlap and isinstance(arrival, Unchanged):
            seen = as_the_device_sees(machine, arrival.low, arrival.data.size)
            if not np.array_equal(seen, arrival.data):
                machine.violate(
                    HostRaceError, "pinned memory was changed before the copy from it had ended"
                )
            continue
        pending.append(arrival)
    machine.arrivals[:] = pending


current.copies = sys.modules[__name__]
