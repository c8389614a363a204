"""The emulated machine: devices, stream clocks, and each thread's current device and stream.

A `Machine` lives as long as `installed()`. All work runs immediately, in call order; vector clocks (clocks.py)
determine what could overlap on hardware, so verdicts are deterministic.
"""

import collections
import contextlib
import math
import os
import threading
import weakref
from collections.abc import Mapping
from types import MappingProxyType

from tests.support.cuda_on_cpu import compile_module
from tests.support.fake_cupy import violations
from tests.support.fake_cupy.clocks import HostClock, StreamState
from tests.support.fake_cupy.errors import CUDARuntimeError

GIGABYTE = 1 << 30


class DeviceState:
    """A device: its number, memory, null stream and other streams."""

    def __init__(self, index, total):
        self.index = index
        self.total = total
        self.allocated = 0
        self.peak = 0  # peak allocation
        self.lost = None  # the status of every call after the device was lost
        self.segments = {}  # address -> Segment, for those still allocated
        self.null = StreamState(("null", index), index, 0, non_blocking=False)
        self.streams = [self.null]
        self.peers = set()


class _Thread(threading.local):
    """A host thread's current device and stream; CUDA starts each thread on device 0."""

    # Memory collected while a thread's own values are being initialized finds these.
    device = 0
    streams: Mapping = MappingProxyType({})
    allocator = None
    forbidding = 0
    hooks: Mapping = MappingProxyType({})

    def __init__(self):
        self.streams = {}  # device -> Stream
        self.hooks = {}


class Counters:
    """Counts of launches, copies and waits, with the names of launches and waits."""

    def __init__(self):
        self.reset()

    def reset(self):
        self.launches = 0
        self.copies = collections.Counter()  # "h2d", "d2h", "d2d", "p2p"
        self.syncs = 0  # implicit ones: a copy to pageable memory, a shape that depends on values
        self.waits = 0  # for an event, a stream, a device
        self.sync_names = []
        self.launch_names = collections.Counter()


class Machine:
    """All state of the emulator; `machine.current` is the one in use."""

    def __init__(self, devices=2, memory=GIGABYTE, compute_capability="90", driver=True):
        sizes = [memory] * devices if isinstance(memory, int) else list(memory)
        self.devices = [DeviceState(index, total) for index, total in enumerate(sizes)]
        self.compute_capability = compute_capability
        self.driver = driver
        self.peer_access = True
        self.takes_over = False  # whether the driver has read small copies from pageable memory before they return
        self.started_in = (
            None  # the process that initialized CUDA, which does not work in its forks
        )
        self.lock = threading.RLock()
        self.thread = _Thread()
        self.host = HostClock()
        self.counters = Counters()
        self.violations = []
        self.captures = []  # captures in progress
        self.default_allocator = None
        self.handles = {}  # stream pointer -> StreamState
        self.events = weakref.WeakValueDictionary()  # pointer -> Event
        self.next_handle = 0x7F0000000010
        self.polls_before_done = math.inf  # work that nothing waits for has not ended
        self.forbidden_everywhere = 0
        self.pinned = {}  # address -> PinnedTenure
        self.registered = {}  # likewise for externally owned memory
        self.arrivals = []  # copies not yet known to the host to have ended (see copies.py)
        self.closed = False  # uninstalled: later completions are not checked
        self.pinned_starts = []
        self.pinned_allocator = None
        self.compile_module = compile_module
        self.has_nvrtc = False  # until one thread has loaded it, others cannot compile, as with CUDA 13.0's wheel
        self.option_sets = set()  # CuPy compiles an empty program for each: 25 to 45 ms
        self.thread_order = (
            None  # the execution order of a kernel's threads; None: cuda_on_cpu's default
        )
        self.bases = []  # the sorted addresses of all segments
        self.physical_gpus = os.urandom(
            8
        ).hex()  # distinguishes its devices from those of another process
        self.stuck = set()  # the streams whose work never ends, as it waits for another process

    def violate(self, kind, message):
        """Raises `kind` and records it, so that it is raised again at the end if the caller swallows it."""
        error = kind(message)
        self.violations.append(error)
        raise error

    def learn(self, known):
        """Marks all of `known` as ended for the host, which makes copied bytes visible."""
        host = self.host
        if not host.join(known) and not self.arrivals:
            return
        arrivals, self.arrivals = self.arrivals, []
        if self.closed:
            return
        for arrival in arrivals:
            if host.known.get(arrival.stream.key, 0) >= arrival.step:
                arrival()
            else:
                self.arrivals.append(arrival)

    def lose(self, device, status=719):
        """Makes the device fail: further calls that need it raise CUDARuntimeError with this status."""
        self.devices[device].lost = status

    def start(self):
        """Initializes CUDA on the first call; after a fork of an initialized process, every call fails."""
        if self.started_in is None:
            self.started_in = os.getpid()
        if self.started_in != os.getpid():
            raise CUDARuntimeError(3)

    def check_there(self, device):
        self.start()
        status = self.devices[device].lost
        if status is not None:
            raise CUDARuntimeError(status)

    def new_handle(self):
        self.next_handle += 16
        return self.next_handle

    def wait(self, name):
        """Records an explicit wait of the host for an event, a stream or a device."""
        self.check_there(self.thread.device)
        capture = self.current_stream_state().capture if self.captures else None
        if capture is not None:
            capture.refuse_sync(name)
        if self.thread.forbidding > 1:
            self.violate(violations.HiddenSyncError, f"{name} where every wait is forbidden")
        self.counters.waits += 1
        self.counters.sync_names.append(name)

    def sync(self, name):
        """Records an implicit synchronization; a violation where these are forbidden."""
        thread = self.thread
        self.check_there(thread.device)
        capture = self.current_stream_state().capture if self.captures else None
        if capture is not None:
            capture.refuse_sync(name)
        if thread.forbidding or self.forbidden_everywhere:
            self.violate(
                violations.HiddenSyncError,
                f"{name} makes the host wait for the device inside forbid_sync()",
            )
        self.counters.syncs += 1
        self.counters.sync_names.append(name)

    @contextlib.contextmanager
    def forbid_sync(self, every_thread=False, waits=False):
        """Context in which implicit synchronization is a violation.

        every_thread: on all threads, not only this one. waits: also forbids explicit waits for events, streams and
        devices on this thread.
        """
        level = 2 if waits else 1
        if every_thread:
            self.forbidden_everywhere += 1
        self.thread.forbidding += level
        try:
            yield
        finally:
            if every_thread:
                self.forbidden_everywhere -= 1
            self.thread.forbidding -= level

    @contextlib.contextmanager
    def allow_sync(self):
        """Context that permits synchronization again inside forbid_sync(), for the test's own use."""
        thread = self.thread
        saved, everywhere = thread.forbidding, self.forbidden_everywhere
        thread.forbidding = self.forbidden_everywhere = 0
        try:
            yield
        finally:
            thread.forbidding, self.forbidden_everywhere = saved, everywhere

    @contextlib.contextmanager
    def expected(self, kind, match=None):
        """Context in which a violation of `kind` must occur; it is cleared afterwards."""
        before = len(self.violations)
        try:
            yield
        except violations.Violation:
            pass
        raised = self.violations[before:]
        del self.violations[before:]
        if not any(isinstance(error, kind) and (match or "") in str(error) for error in raised):
            raise AssertionError(f"no {kind.__name__} with {match!r} happened, but: {raised}")

    def current_stream_state(self, device=None):
        """The state of this thread's current stream on `device` (default: the current device)."""
        thread = self.thread
        index = thread.device if device is None else device
        stream = thread.streams.get(index)
        return self.devices[index].null if stream is None else stream.state(index)

    def stream_state(self, pointer, device=None):
        """The state of the stream with this handle; 0 and 1 are the device's null stream."""
        if pointer in (0, 1, 2):
            return self.devices[self.thread.device if device is None else device].null
        return self.handles[pointer]


class _Current:
    """The machine in use, and late-bound references to modules that import this one."""

    machine = None
    cupy = None
    ndarray = None
    device_class = None
    copies = None


current = _Current()
