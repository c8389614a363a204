"""Stream capture and graphs: work is recorded as functions, which a launch runs on the same memory.

Captured streams have their own clocks, so that a race between two branches of the graph is reported during capture.
A launch is a single work item on its stream that touches all memory of the graph.
"""

import threading

from tests.support.fake_cupy.clocks import StreamState
from tests.support.fake_cupy.errors import CUDARuntimeError
from tests.support.fake_cupy.machine import current
from tests.support.fake_cupy.shadow import Shadow
from tests.support.fake_cupy.violations import RaceError, UseAfterFreeError

# Work that is not a kernel.
_KINDS = {
    "a copy to the device": "MEMCPY",
    "a copy to the host": "MEMCPY",
    "a copy on the device": "MEMCPY",
    "memset": "MEMSET",
    "a host function": "HOST",
}


_INSTANTIATED = 64 << 10  # GPU bytes taken by a graph, in addition to its working memory


class Capture:
    """Work recorded on streams between begin_capture and end_capture."""

    def __init__(self, machine, origin):
        self.machine = machine
        self.origin = origin
        self.clocks = {}
        self.works = []
        self.uses = []  # (tenure, low, high, write, name)
        self.names = []  # by work item
        self.shadows = {}  # tenure -> the uses inside the capture
        self.broken = None
        self.thread = threading.get_ident()
        self.clock(origin)

    def clock(self, state):
        """The clock of `state` inside the capture."""
        clock = self.clocks.get(state.key)
        if clock is None:
            clock = StreamState(
                ("capture", *state.key), state.device, state.pointer, True, state.name
            )
            self.clocks[state.key] = clock
        return clock

    def wait(self, state, known):
        """Makes `state` wait for an event of the capture, which it joins."""
        if state.capture is None:
            state.capture = self
        self.clock(state).join(known)

    def refuse_sync(self, name):
        """Raises: the host cannot synchronize during a capture."""
        self.broken = name
        raise RuntimeError(
            f"the current stream is capturing, so synchronous API calls are disallowed: {name}"
        )

    def use(self, state, uses, name):
        """Records memory accesses of a work item: uses are (tenure, low, high, write)."""
        if threading.get_ident() != self.thread:
            self.machine.violate(
                RaceError, f"{name} of another thread slips into a capture on {state.name}"
            )
        clock = self.clock(state)
        clock.step += 1
        clock.known[clock.key] = clock.step
        self.names.append(name)
        for tenure, low, high, write in uses:
            shadow = self.shadows.get(tenure)
            if shadow is None:
                shadow = self.shadows[tenure] = Shadow(tenure.low, tenure.high)
            shadow.note(self.machine, low, high, write, clock, name)
            self.uses.append((tenure, low, high, write, name))

    def add(self, work):
        self.works.append(work)

    def add_host_function(self, state, function):
        self.use(state, (), "a host function")
        self.works.append(lambda state: function())

    def end(self):
        machine = self.machine
        machine.captures.remove(self)
        for key in self.clocks:
            machine.handles[key[1]].capture = None
        if self.broken is not None:
            raise CUDARuntimeError(901)
        known = self.clock(self.origin).known
        for clock in self.clocks.values():
            if known.get(clock.key, 0) < clock.step:
                raise CUDARuntimeError(904)
        return Graph._create(self)


class Graph:
    """A captured graph, ready to be launched."""

    _taken = 0  # GPU bytes

    def __init__(self, *args, **kwargs):
        raise NotImplementedError("currently this class cannot be initiated by the user")

    @classmethod
    def _create(cls, capture):
        graph = object.__new__(cls)
        machine = capture.machine
        graph.machine = machine
        graph.works = capture.works
        graph.device = capture.origin.device
        graph.uses = _merge(capture.uses)
        graph.names = capture.names
        graph.graph = machine.new_handle()
        graph.graphExec = machine.new_handle()
        graph.capture = capture
        graph.launches = 0
        there = machine.devices[graph.device]
        if there.allocated + _INSTANTIATED > there.total:
            raise CUDARuntimeError(2)
        graph._taken = _INSTANTIATED
        there.allocated += graph._taken
        return graph

    def __del__(self):
        if self._taken:
            self.machine.devices[self.device].allocated -= self._taken

    def launch(self, stream=None):
        """Launches the graph once on the stream (default: the current one)."""
        machine = current.machine
        state = machine.current_stream_state() if stream is None else stream.state()
        if state.device != self.device:
            raise CUDARuntimeError(400)
        machine.check_there(state.device)
        with machine.lock:
            machine.counters.launches += 1
            machine.counters.launch_names["graph"] += 1
            if state.capture is not None:
                raise CUDARuntimeError(900)
            state.advance(machine)
            for tenure, low, high, write, name in self.uses:
                if not tenure.alive:
                    machine.violate(
                        UseAfterFreeError,
                        f"a graph is launched after memory that its {name} uses was given back",
                    )
                tenure.shadow.note(machine, low, high, write, state, f"{name} in a graph")
                if write and tenure.unborn:
                    tenure.unborn = [part for part in tenure.unborn if part[2] is not self.capture]
            for work in self.works:
                work(state)
            self.launches += 1

    def upload(self, stream=None):
        """Uploads the graph, which is a no-op here."""

    def debug_dot_str(self, flags=0):
        """The output of cudaGraphDebugDotPrint; with flags=1 it includes each node's kind."""
        lines = ["digraph dot {", "subgraph cluster_1 {", 'label="graph_1" graph[style="dashed"];']
        for index, name in enumerate(self.names):
            node = f'"graph_1_node_{index}"'
            if not flags:
                lines.append(f'{node}[style="bold" shape="octagon" label="{index}\n{name}\n"];')
                continue
            node_type = _KINDS.get(name, "KERNEL")
            first = node_type if node_type == "KERNEL" else f"\n{node_type}"
            label = f"{{{first}\n| {{ID | {index} (topoId: {index}) | {name}}}\n}}"
            lines.append(f'{node}[style="bold" shape="record" label="{label}"];')
        lines += [
            f'"graph_1_node_{n}" -> "graph_1_node_{n + 1}";' for n in range(len(self.names) - 1)
        ]
        return "\n".join([*lines, "}", "}", ""])


def _merge(uses):
    """Merges uses of the same memory range; a merged use writes if any of them does."""
    merged = {}
    for tenure, low, high, write, name in uses:
        key = (tenure, low, high)
        if key not in merged or (write and not merged[key][0]):
            merged[key] = (write, name)
    return [(*key, write, name) for key, (write, name) in merged.items()]
