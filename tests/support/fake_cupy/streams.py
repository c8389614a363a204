"""cupy.cuda's streams and events, on the vector clocks of clocks.py."""

import threading

from tests.support.fake_cupy.capture import Capture
from tests.support.fake_cupy.clocks import StreamState
from tests.support.fake_cupy.copies import implicit
from tests.support.fake_cupy.errors import CUDARuntimeError
from tests.support.fake_cupy.machine import current

_NOT_READY = 600  # cudaErrorNotReady


def get_current_stream(device_id=-1):
    """This thread's current stream on the device (default: the current device)."""
    thread = current.machine.thread
    index = thread.device if device_id == -1 else device_id
    return thread.streams.get(index) or Stream.null


def get_elapsed_time(start_event, end_event):
    """Milliseconds between two events of one device that were recorded outside of captures and have completed, at one
    microsecond per work item.
    """
    if start_event.device != end_event.device:
        raise CUDARuntimeError(400)
    for event in (start_event, end_event):
        if event.capture is not None:
            raise CUDARuntimeError(907)
        if event.known is None or event.disable_timing:
            raise CUDARuntimeError(400)
        if not event.ended():
            raise CUDARuntimeError(_NOT_READY)
    return round(max(end_event.time - start_event.time, 0.0) * 1e3, 6)


class Event:
    """A point in a stream that other streams or the host can wait for."""

    def __init__(self, block=False, disable_timing=False, interprocess=False):
        if interprocess and not disable_timing:
            raise ValueError("Timing must be disabled for interprocess events")
        machine = current.machine
        self.ptr = machine.new_handle()
        machine.events[self.ptr] = self
        self.device = machine.thread.device
        self.disable_timing = disable_timing
        self.known = None
        self.capture = None
        self.polls = 0
        self.time = 0.0

    def ended(self):
        host = current.machine.host.known
        return all(host.get(key, 0) >= step for key, step in (self.known or {}).items())

    @property
    def done(self):
        """Whether the work has succeeded; never true after a failure or in a capture."""
        return query_event(current.machine, self) == 0

    def record(self, stream=None):
        """Marks the work queued so far on the stream (default: the current one)."""
        machine = current.machine
        state = machine.current_stream_state() if stream is None else stream.state()
        if self.device != state.device:
            raise CUDARuntimeError(400)
        with machine.lock:
            if state.capture is not None:
                self.capture = state.capture
                self.known = dict(state.capture.clock(state).known)
                return
            implicit(machine, state)
            self.capture = None
            state.advance(machine)
            self.known = dict(state.known)
            self.polls = 0
            self.time = state.step * 1e-6

    def synchronize(self):
        """Waits on the host."""
        machine = current.machine
        if self.capture is not None:
            raise CUDARuntimeError(907)
        machine.wait("Event.synchronize")
        if self.known is not None:
            if not machine.stuck.isdisjoint(self.known):
                raise RuntimeError("a wait without end: for work that waits for another process")
            with machine.lock:
                machine.learn(self.known)


def check_device(device_id):
    here = current.machine.thread.device
    if device_id == -1:
        return here
    if device_id != here:
        raise RuntimeError(
            f"The device that the stream is created on ({device_id})"
            f" does not match with the current device ({here})"
        )
    return device_id


class _BaseStream:
    """A queue of work on a device."""

    def __init__(self, ptr, device_id):
        self.ptr = ptr
        self.device_id = device_id

    def state(self, device=None):
        """The stream's clock; a null stream has one on each device."""
        machine = current.machine
        if self.device_id == -1:
            return machine.devices[machine.thread.device if device is None else device].null
        return machine.handles[self.ptr]

    def __eq__(self, other):
        return self.ptr == other.ptr if isinstance(other, _BaseStream) else False

    def __hash__(self):
        return self.ptr

    def __repr__(self):
        return f"<{type(self).__name__} {self.ptr} (device {self.device_id})>"

    def __cuda_stream__(self):
        return 0, self.ptr

    def __enter__(self):
        device = check_device(self.device_id)
        thread = current.machine.thread
        thread.__dict__.setdefault("stack", []).append((device, self))
        thread.streams[device] = self
        return self

    def __exit__(self, *args):
        thread = current.machine.thread
        device, _ = thread.stack.pop()
        around = [stream for index, stream in thread.stack if index == device]
        if around:
            thread.streams[device] = around[-1]
        else:  # whatever `use` made current: that is not on the stack
            thread.streams.pop(device, None)

    def use(self):
        """Makes this the thread's current stream on its device."""
        device = check_device(self.device_id)
        current.machine.thread.streams[device] = self
        return self

    @property
    def done(self):
        """Whether all queued work has succeeded; never true after a failure or in a capture."""
        return query_stream(current.machine, self.state()) == 0

    def synchronize(self):
        """Waits on the host for all queued work."""
        machine = current.machine
        state = self.state()
        if state.capture is not None:
            raise CUDARuntimeError(900)
        machine.wait("Stream.synchronize")
        wait_for(machine, state)

    def add_callback(self, callback, arg):
        """Calls `callback(stream, status, arg)` on another thread after the work queued so far."""
        if self.state().capture is not None:
            raise CUDARuntimeError(900)
        host_function(self.state(), lambda: callback(self, 0, arg))

    def launch_host_func(self, callback, arg):
        """Calls `callback(arg)` on another thread after the work queued so far."""
        host_function(self.state(), lambda: callback(arg))

    def record(self, event=None):
        if event is None:
            event = Event()
        event.record(self)
        return event

    def wait_event(self, event):
        """Orders subsequently queued work after the event."""
        machine = current.machine
        state = self.state()
        with machine.lock:
            if event.capture in machine.captures:
                event.capture.wait(state, event.known)
                return
            if state.capture is not None:
                raise CUDARuntimeError(905)
            if event.capture is not None:
                raise CUDARuntimeError(901)
            if event.known is not None:
                state.join(event.known)

    def begin_capture(self, mode=None):
        """Starts recording work instead of running it."""
        if self.ptr in (0, 1):
            raise RuntimeError("cannot capture on the default (legacy) stream")
        machine = current.machine
        with machine.lock:
            state = self.state()
            if state.capture is not None:
                raise CUDARuntimeError(900)
            state.capture = Capture(machine, state)
            machine.captures.append(state.capture)

    def end_capture(self):
        """Ends the capture; returns its graph."""
        machine = current.machine
        with machine.lock:
            state = self.state()
            if state.capture is None or state.capture.origin is not state:
                raise CUDARuntimeError(900)
            return state.capture.end()

    def is_capturing(self):
        capture = self.state().capture
        if capture is not None and capture.broken is not None:
            raise RuntimeError(
                "the stream was capturing, but an error has invalidated the capture sequence"
            )
        return capture is not None

    @property
    def is_non_blocking(self):
        return self.state().non_blocking

    @property
    def priority(self):
        return self.state().priority


def query_event(machine, event):
    """The result of cudaEventQuery: 600 at first, and 0 once the work has completed; must be polled, as on hardware."""
    if event.capture is not None:
        event.capture.broken = "eventQuery"
        return 907
    lost = machine.devices[event.device].lost
    if lost is not None:
        return lost
    if event.known is None or event.ended():
        return 0
    if not machine.stuck.isdisjoint(event.known):
        return _NOT_READY
    event.polls += 1
    if event.polls <= machine.polls_before_done:
        return _NOT_READY
    with machine.lock:
        machine.learn(event.known)
    return 0


def query_stream(machine, state):
    """The result of cudaStreamQuery: 600 until all work queued on the stream has completed, then 0."""
    if state.capture is not None:
        state.capture.broken = "streamQuery"
        return 900
    lost = machine.devices[state.device].lost
    if lost is not None:
        return lost
    host = machine.host.known
    if all(host.get(key, 0) >= step for key, step in state.known.items()):
        return 0
    state.polls += 1
    if state.polls <= machine.polls_before_done:
        return _NOT_READY
    state.polls = 0
    with machine.lock:
        machine.learn(state.known)
    return 0


def wait_for(machine, state):
    """Makes the host wait for a stream: all work queued there is known to have ended."""
    with machine.lock:
        machine.learn(state.known)
        waiting, state.pending = state.pending, []
    for thread in waiting:
        thread.join()


def host_function(state, function):
    """Runs `function` on a separate thread, in stream order."""
    machine = current.machine

    def run():
        with machine.lock:
            machine.learn(known)
        for thread in earlier:
            thread.join()
        function()

    if state.capture is not None:
        state.capture.add_host_function(state, function)
        return
    with machine.lock:
        state.advance(machine)
        known = dict(state.known)
        earlier = list(state.pending)
        thread = threading.Thread(target=run, daemon=True)
        state.pending = [thread]
        thread.start()


class Stream(_BaseStream):
    """A new stream, or the null stream."""

    def __init__(self, null=False, non_blocking=False, ptds=False, priority=None):
        if null or ptds:
            super().__init__(0, -1)
            return
        machine = current.machine
        device = machine.thread.device
        ptr = machine.new_handle()
        super().__init__(ptr, device)
        state = StreamState((device, ptr), device, ptr, non_blocking)
        state.priority = 0 if priority is None else priority
        with machine.lock:
            machine.handles[ptr] = state
            machine.devices[device].streams.append(state)


Stream.null = Stream(null=True)
Stream.ptds = Stream.null


class ExternalStream(_BaseStream):
    """An externally owned stream, by its handle."""

    def __init__(self, ptr, device_id=-1):
        super().__init__(ptr, device_id)

    def state(self, device=None):
        machine = current.machine
        return machine.stream_state(self.ptr, device)
