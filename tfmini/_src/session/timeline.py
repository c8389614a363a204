"""Timelines: converts StepStats to JSON for chrome://tracing and Perfetto, with TensorFlow's events in its order."""

from __future__ import annotations

import json
import re
from collections import namedtuple
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from tfmini._src.base import logs, proto
from tfmini._src.graph.graph import Graph

AllocationMaximum = namedtuple("AllocationMaximum", ("timestamp", "num_bytes", "tensors"))
AllocationMaximum.__doc__ = (
    "The time of an allocator's peak memory use, its size in bytes, and the names of its tensors."
)

StepStatsAnalysis = namedtuple("StepStatsAnalysis", ("chrome_trace", "allocator_maximums"))
StepStatsAnalysis.__doc__ = (
    "A step's trace events, and the AllocationMaximum of each allocator by name."
)

_LABEL = re.compile(r"(.*) = (.*)\((.*)\)")


class ChromeTrace:
    """Trace events as dicts in the Chrome trace format, preceded by process names."""

    def __init__(self) -> None:
        self.events: list[dict[str, Any]] = []
        self.processes: list[dict[str, Any]] = []

    def name_process(self, pid: int, name: str) -> None:
        """Names a process: a device or another group of lanes."""
        args = {"name": name}
        self.processes.append({"name": "process_name", "ph": "M", "pid": pid, "args": args})

    def add(
        self, phase: str, category: str, name: str, pid: int, tid: int, time: int, **fields: object
    ) -> None:
        """Adds an event; `phase` is its type in the trace format."""
        event = {"ph": phase, "cat": category, "name": name, "pid": pid, "tid": tid, "ts": time}
        self.events.append({**event, **fields})

    def format_to_string(self, pretty: bool = False) -> str:
        """Returns the trace as JSON, indented if `pretty`."""
        trace = {"traceEvents": self.processes + self.events}
        if pretty:
            return json.dumps(trace, indent=4, separators=(",", ": "))
        return json.dumps(trace, separators=(",", ":"))


@dataclass
class _Tensor:
    """A node output: its allocator, and its production and last-use times."""

    object_id: int
    allocation_time: int
    pid: int
    allocator: str
    size: int
    producer: tuple[int, int, int]  # end, device and lane of its producer
    released: list[int] = field(default_factory=list)


class Timeline:
    """Trace of one step's node times.

    Args:
      step_stats: the StepStats of a RunMetadata.
      graph: unused.

    Example:
      options = tf.RunOptions(trace_level=tf.RunOptions.FULL_TRACE)
      session.run(train, options=options, run_metadata=metadata)
      with open("step.json", "w") as file:
          file.write(Timeline(metadata.step_stats).generate_chrome_trace_format())
    """

    def __init__(self, step_stats: proto.StepStats, graph: Graph | None = None):
        self._step_stats = step_stats
        self._graph = graph
        self._trace = ChromeTrace()
        # By device: process IDs of nodes and of tensors.
        self._pids: dict[str, tuple[int, int]] = {}
        self._tensors: dict[str, _Tensor] = {}
        self._flows = 0

    def analyze_step_stats(
        self, show_dataflow: bool = True, show_memory: bool = True
    ) -> StepStatsAnalysis:
        """Returns the trace and peak memory per allocator.

        Args:
          show_dataflow: whether to draw arrows from nodes to consumers in other lanes.
          show_memory: whether to include tensors and memory use over time per allocator.

        Returns:
          A StepStatsAnalysis; its maxima are empty without `show_memory`.
        """
        self._name_devices()
        self._assign_lanes()
        for pids, stats in self._node_stats():
            self._add_tensors(pids, stats, show_memory)
        for pids, stats in self._node_stats():
            self._add_node(pids[0], stats, show_dataflow)
        maximums = self._add_memory() if show_memory else {}
        return StepStatsAnalysis(self._trace, maximums)

    def generate_chrome_trace_format(
        self, show_dataflow: bool = True, show_memory: bool = False
    ) -> str:
        """Returns the trace as JSON.

        Args:
          show_dataflow: whether to draw arrows from nodes to consumers in other lanes.
          show_memory: whether to include tensors and memory use over time per allocator.
        """
        analysis = self.analyze_step_stats(show_dataflow, show_memory)
        trace: ChromeTrace = analysis.chrome_trace
        return trace.format_to_string(pretty=True)

    def _name_devices(self) -> None:
        self._trace.name_process(0, "Allocators")
        for index, stats in enumerate(self._step_stats.dev_stats):
            pids = self._pids[stats.device] = (1 + 2 * index, 2 + 2 * index)
            for pid, contents in zip(pids, ("Compute", "Tensors")):
                self._trace.name_process(pid, f"{stats.device} {contents}")

    def _assign_lanes(self) -> None:
        """Assigns concurrent nodes to different lanes, by `thread_id`."""
        for device in self._step_stats.dev_stats:
            lane_ends = [0]
            for stats in device.node_stats:
                start, end = _start_and_end(stats)
                free = [lane for lane, last in enumerate(lane_ends) if start > last]
                lane = free[0] if free else len(lane_ends)
                lane_ends[lane : lane + 1] = [end]
                stats.thread_id = lane

    def _node_stats(self) -> Iterator[tuple[tuple[int, int], proto.NodeExecStats]]:
        for device in self._step_stats.dev_stats:
            for stats in device.node_stats:
                yield self._pids[device.device], stats

    def _add_tensors(self, pids: tuple[int, int], stats: proto.NodeExecStats, show: bool) -> None:
        start, end = _start_and_end(stats)
        lane = stats.thread_id
        for index, output in enumerate(stats.output):
            name = f"{stats.node_name}:{index}" if index else stats.node_name
            description = output.tensor_description
            allocation = description.allocation_description
            self._tensors[name] = tensor = _Tensor(
                len(self._tensors),
                start,
                pids[1],
                allocation.allocator_name,
                allocation.requested_bytes,
                (end, pids[0], lane),
                [end],
            )
            if show:
                text = str(description).replace('"', "")
                snapshot = {"snapshot": {"tensor_description": text}}
                fields = ("Tensor", name, pids[1], lane)
                self._trace.add("N", *fields, start, id=tensor.object_id)
                self._trace.add("O", *fields, end - 1, id=tensor.object_id, args=snapshot)

    def _add_node(self, pid: int, stats: proto.NodeExecStats, show_dataflow: bool) -> None:
        start, end = _start_and_end(stats)
        name, lane = stats.node_name, stats.thread_id
        inputs: list[str] = []
        is_stream = any(
            part in device
            for device, pids in self._pids.items()
            if pids[0] == pid
            for part in ("/stream:", "/memcpy")
        )
        parsed = _LABEL.match(stats.timeline_label)
        if is_stream:
            name, op_type = [*name.split(":"), "unknown"][:2]
        elif name == "RecvTensor":
            op_type = name
        elif parsed is None:
            op_type = "unknown"
        else:
            op_type, inputs = parsed[2], parsed[3].split(", ") if parsed[3] else []
        args = {"name": name, "op": op_type, **{f"input{i}": text for i, text in enumerate(inputs)}}
        duration = stats.all_end_rel_micros
        self._trace.add("X", "Op", op_type, pid, lane, start, dur=duration, args=args)
        for input_name in inputs:
            if input_name not in self._tensors and input_name.rfind("/_") > 0:
                input_name = input_name[: input_name.rfind("/_")]
            tensor = self._tensors.get(input_name)
            if tensor is None:
                logs.vlog(1, "Can't find tensor %s - removed by CSE?", input_name)
                continue
            tensor.released.append(end - 1)
            produced, other, producer_lane = tensor.producer
            if show_dataflow and (other, producer_lane) != (pid, lane):
                flow, self._flows = self._flows, self._flows + 1
                self._trace.add(
                    "s", "DataFlow", input_name, other, producer_lane, produced, id=flow
                )
                self._trace.add("t", "DataFlow", input_name, pid, lane, start, id=flow)

    def _add_memory(self) -> dict[str, AllocationMaximum]:
        """Adds each allocator's memory use over time; returns the peaks."""
        changes: dict[str, list[tuple[int, int, str]]] = {}
        for name, tensor in self._tensors.items():
            last = max(tensor.released)
            self._trace.add("D", "Tensor", name, tensor.pid, 0, last, id=tensor.object_id)
            allocator_changes = changes.setdefault(tensor.allocator, [])
            allocator_changes.append((tensor.allocation_time, tensor.size, name))
            allocator_changes.append((last, -tensor.size, name))
        maximums = {}
        for allocator, listed in changes.items():
            maximum, total = AllocationMaximum(0, 0, set()), 0
            live_names: set[str] = set()
            for time, size, name in sorted(listed):
                total += size
                if size < 0:
                    live_names.discard(name)
                else:
                    live_names.add(name)
                if total > maximum.num_bytes:
                    maximum = AllocationMaximum(time, total, set(live_names))
                args = {allocator: total}
                self._trace.add("C", "Memory", allocator, 0, 0, time, args=args)
            maximums[allocator] = maximum
        return maximums


def _start_and_end(stats: proto.NodeExecStats) -> tuple[int, int]:
    return stats.all_start_micros, stats.all_start_micros + stats.all_end_rel_micros
