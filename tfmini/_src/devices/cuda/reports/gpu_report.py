"""gpu_report: a readable report of a plan's run on its GPUs, printed with `TFMINI_DEBUG=gpu`.

    <tfmini plan 3> on GPU:0, run 5
      segment 0: 21 nodes from dense/MatMul to Adam: captured once, replayed 2 times, each 14 kernels, 1 memset
      not captured: copy Placeholder: it copies a value that each run may change
      conv2d/Conv2D: cuDNN's algorithm 1 of Forward, channels last, workspace 0.1 MiB, measured 0.021 ms
      launches: 1 graph, 1 of our own kernels
      copies: 1 to the GPU, 40.00KiB; 1 to the host, 4B
      the host waits for: loss 0.02 ms
      3.10 ms on the host; by CUDA events: graphs 0.310 ms, copies 0.012 ms
        segment 0 0.310 ms
      memory at its peak, after dense/BiasAdd: 3.52MiB
        ...

The plan's source reports each node before it runs, and reads the memory usage.
"""

from __future__ import annotations

import contextlib
import sys
import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Protocol

from tfmini._src.compiler.kernel_context import Cell
from tfmini._src.compiler.oom_report import format_report, readable, usage
from tfmini._src.compiler.program.program import Node, Program
from tfmini._src.devices.cuda.active_gpus import gpu_in_use
from tfmini._src.devices.cuda.device import LogicalGpu, select_gpus
from tfmini._src.devices.cuda.reports.gpu_times import GpuTimes
from tfmini._src.devices.launch_hooks import watch_launches

_MAX_RUNS = 6  # number of first runs reported per plan; after these, every hundredth run
_MAX_NAMED = 8
_WORDS_BY_KIND = {"graph": "graphs", "node": "nodes beside them", "copy": "copies"}


class Segment(Protocol):
    """Nodes that may run as one CUDA graph."""

    def describe(self) -> str: ...


class GpuReport:
    """Counts the events of a run (`report_run`) on the GPUs of a program.

    Args:
      program: the program of the plan.
      waiting: the ops whose CuPy functions wait for the GPU.

    uncaptured: why nodes are in no segment. cells: the nodes of variables, and their cells.
    """

    def __init__(self, program: Program, waiting: frozenset[str]):
        self.program = program
        self._gpus = select_gpus(program.devices)
        self._waiting = waiting
        self.uncaptured: Mapping[Node, str] = {}
        self.cells: Sequence[tuple[Node, Cell]] = ()
        self.runs = 0
        self._chosen_algorithms: dict[str, str] = {}
        self._nodes: list[Node] = []
        self._clear_node()

    def _clear_node(self) -> None:
        self._node: Node | None = None
        self._segment = 0  # the next segment to run
        self._copies: Counter[str] = Counter()
        self._bytes: Counter[str] = Counter()
        self._waits: dict[str, float] = {}
        self._launch_counts: Counter[str] = Counter()  # by library; "" for tfmini's own kernels
        self._sync_start = 0.0  # start time of a node whose CuPy functions synchronize
        # Whether the node launches kernels that have not been reported yet.
        self._is_capturing = False
        self._cupy_calls: Counter[str] = Counter()  # by node
        self._graphs = 0
        self._times = GpuTimes()
        self._host_time = 0.0
        self._peak_bytes = -1
        self._peak_node = ""
        self._usage = ""

    def register(self, node: Node) -> int:
        """Registers a node; returns its index for `enter_node`."""
        self._nodes.append(node)
        return len(self._nodes) - 1

    def enter_node(self, index: int, launches: bool, segment: int = -1) -> None:
        """Called by the plan's source before a node, or before a segment with its first node; the source's variables
        hold the memory that the previous node has left.
        """
        previous_node = self._node
        self.enter_segment_node(index, launches)
        self._segment = segment
        used = sum(gpu.pool.used_bytes() for gpu in self._gpus.values())
        if used > self._peak_bytes:
            self._peak_bytes = used
            self._peak_node = (
                previous_node.origin.name if previous_node is not None else "the start"
            )
            variables = sys._getframe(1).f_locals
            reports = [self._memory_report(variables, name) for name in self._gpus]
            self._usage = "\n".join(reports)
            # A copy held by frames before Python 3.13, with all arrays.
            if isinstance(variables, dict):
                variables.clear()

    def enter_segment_node(self, index: int, launches: bool) -> None:
        """Called before each node of a segment that runs node by node or is being captured."""
        self._end_node()
        node = self._node = self._nodes[index]
        gpu = self._gpus.get(node.device)
        if gpu is None or not launches:
            self._times.end()
        else:
            self._is_capturing = not gpu.compute.is_capturing()
            if node.kind == "op" and node.opdef.name in self._waiting:
                self._sync_start = time.perf_counter()
            self._times.begin(gpu, "node", node.origin.name)

    def _end_node(self) -> None:
        """Records that the previous node has run."""
        if self._is_capturing and self._node is not None:
            self._cupy_calls[self._node.origin.name] += 1
        self._is_capturing = False
        if self._sync_start:
            self._add_wait(time.perf_counter() - self._sync_start)
            self._sync_start = 0.0

    def _memory_report(self, variables: Mapping[str, object], device: str) -> str:
        """Returns a report of the objects that hold a GPU's memory."""
        gpu = self._gpus[device]
        sizes = usage(self.program, variables, device)
        for node, cell in self.cells:
            if node.device == device and cell.array is not None:
                sizes.setdefault(node.origin.name, cell.array.nbytes)
        sizes.update(gpu.own_memory())
        remaining = gpu.pool.used_bytes() - sum(sizes.values())
        if remaining > 0:
            sizes["others: other plans, code around loops, copies in flight"] = remaining
        return format_report(sizes, device)

    def started(self, library: str, name: str) -> None:
        """Called for each launch of tfmini's kernels and each library call, except while recording."""
        gpu = gpu_in_use()
        if gpu is not None and not gpu.compute.is_capturing():
            self._launch_counts[library] += 1
            self._is_capturing = False

    @contextlib.contextmanager
    def copying(self, gpu: LogicalGpu, direction: str, size: int, stream: object) -> Iterator[None]:
        """Context manager around each copy of a GPU; the direction is "to the GPU", "to the host" or "between GPUs"."""
        self._copies[direction] += 1
        self._bytes[direction] += size
        begin = None if gpu.compute.is_capturing() else gpu.timed_mark(stream)
        yield
        if begin is not None:
            self._times.add(gpu, "copy", direction, begin, gpu.timed_mark(stream))

    def wait(self, done_event: Any) -> None:
        """Waits for an event, recording the duration and the waiting node."""
        start_time = time.perf_counter()
        done_event.synchronize()
        self._add_wait(time.perf_counter() - start_time)

    def _add_wait(self, seconds: float) -> None:
        name = self._node.origin.name if self._node is not None else "?"
        self._waits[name] = self._waits.get(name, 0.0) + seconds

    def record_algorithm(self, algorithm: str) -> None:
        """Records the algorithm of a node, as reported by a GPU; nodes in a graph have chosen theirs before."""
        if self._node is not None:
            self._chosen_algorithms[self._node.origin.name] = algorithm

    @contextlib.contextmanager
    def replaying(self, gpu: LogicalGpu) -> Iterator[None]:
        """Context manager around each graph launch."""
        self._graphs += 1
        self._times.begin(gpu, "graph", f"segment {self._segment}")
        yield
        self._times.end()

    @contextlib.contextmanager
    def report_run(self, name: str, segments: Sequence[Segment]) -> Iterator[None]:
        """Context manager around a run that prints a report after the first runs and occasionally later."""
        self.runs += 1
        self._clear_node()
        for gpu in self._gpus.values():
            gpu.report = self
        start_time = time.perf_counter()
        try:
            with watch_launches(self.started):
                yield
        finally:
            self._host_time = time.perf_counter() - start_time
            self._end_node()
            self._times.end()
            for gpu in self._gpus.values():
                gpu.report = None
            if self.runs <= _MAX_RUNS or self.runs % 100 == 0:
                print(self.text(name, segments), file=sys.stderr)

    def text(self, name: str, segments: Sequence[Segment]) -> str:
        """Returns the report of the last run; `segments` are the segments of the plan, with their current state."""
        devices = ", ".join(device.rpartition("device:")[2] for device in self._gpus)
        lines = [f"{name} on {devices}, run {self.runs}"]
        for index, segment in enumerate(segments):
            lines.append(f"  segment {index}: {segment.describe()}")
        reasons: dict[tuple[str, str], list[str]] = {}
        for node, reason in self.uncaptured.items():
            node_type = node.opdef.name if node.kind == "op" else node.kind
            reasons.setdefault((node_type, reason), []).append(node.origin.name)
        for (node_type, reason), names in reasons.items():
            suffix = f" and {len(names) - 1} more" if len(names) > 1 else ""
            lines.append(f"  not captured: {node_type} {names[0]}{suffix}: {reason}")
        lines += [f"  {node}: {algorithm}" for node, algorithm in self._chosen_algorithms.items()]
        lines.append(f"  launches: {self._launches()}")
        copies = [
            f"{n} {direction}, {readable(self._bytes[direction])}"
            for direction, n in self._copies.items()
        ]
        lines.append(f"  copies: {'; '.join(copies) or 'none'}")
        waits = sorted(self._waits.items(), key=lambda item: -item[1])
        entries = [f"{node} {1000 * seconds:.2f} ms" for node, seconds in waits[:_MAX_NAMED]]
        lines.append(f"  the host waits for: {', '.join(entries) or 'nothing'}")
        lines += self._time_lines()
        if self._peak_bytes >= 0:
            lines.append(f"  peak memory, after {self._peak_node}: {readable(self._peak_bytes)}")
            lines += ["    " + line for line in self._usage.splitlines()]
        return "\n".join(lines)

    def _launches(self) -> str:
        parts = [f"{self._graphs} graph{'s' * (self._graphs > 1)}"] if self._graphs else []
        for library, count in self._launch_counts.items():
            parts.append(f"{count} by {library}" if library else f"{count} of our own kernels")
        if self._cupy_calls:
            most_frequent = sorted(self._cupy_calls.items(), key=lambda item: -item[1])[:_MAX_NAMED]
            named = ", ".join(name if n == 1 else f"{name} {n} times" for name, n in most_frequent)
            suffix = ", ..." if len(self._cupy_calls) > _MAX_NAMED else ""
            nodes = self._cupy_calls.total()
            parts.append(f"CuPy functions of {nodes} node{'s' * (nodes > 1)}: {named}{suffix}")
        return ", ".join(parts) or "none"

    def _time_lines(self) -> list[str]:
        """Returns the lines that list the GPU time of each kind of work, longest first."""
        totals: dict[str, float] = {}
        single: dict[str, tuple[float, int]] = {}
        for kind, name, duration in self._times.read():
            totals[kind] = totals.get(kind, 0.0) + duration
            if kind != "copy":
                total_seconds, runs = single.get(name, (0.0, 0))
                single[name] = total_seconds + duration, runs + 1
        parts = [
            f"{word} {totals[kind]:.3f} ms"
            for kind, word in _WORDS_BY_KIND.items()
            if kind in totals
        ]
        line = f"  {1000 * self._host_time:.2f} ms on the host; by CUDA events: {', '.join(parts)}"
        longest_kernels = sorted(single.items(), key=lambda item: -item[1][0])[:_MAX_NAMED]
        return [
            line if parts else line.partition(";")[0],
            *(
                f"    {name} {duration:.3f} ms{f', {runs} times' if runs > 1 else ''}"
                for name, (duration, runs) in longest_kernels
            ),
        ]
