"""Profile of a run: the slowest nodes by the program line that created them, copies and waits."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, TextIO

from tfmini._src.base.locks import make_lock
from tfmini._src.compiler.program.program import Node
from tfmini._src.executor.tracing.recorder import clock
from tfmini._src.executor.tracing.step_stats import Run, runs
from tfmini._src.graph.stack_traces import user_location
from tfmini._src.session.run_hooks import WatchedStep

_COPIES = {"copy": "copied to GPUs", "send": "copied from GPUs"}
_COMPUTING_KINDS = ("op", "fused", "updates", "read", "view", "joined")


@dataclass
class _Node:
    runs: int = 0
    time: int = 0
    longest_run: int = 0
    members: Counter[str] = field(default_factory=Counter)  # time by node name


class Profile:
    """Accumulates the times of all steps by line and node type."""

    def __init__(self) -> None:
        self._lock = make_lock()
        self._start_time = clock()
        self._lines: dict[Any, str] = {}
        self._nodes: dict[tuple[str, str], _Node] = {}
        self._copied_bytes: Counter[str] = Counter()
        self._copy_counts: Counter[str] = Counter()
        self._seen_nodes: dict[int, Node] = {}  # by identity: nodes of executed plans
        self.steps = self.compiled = self._compile_time = 0
        self.on_gpus = self.launches = self._gpu_time = 0
        self._step_time = self._node_time = self._wait_count = self._wait_time = 0

    def add(self, step: WatchedStep) -> None:
        """Adds a step."""
        with self._lock:
            self.steps += 1
            self._step_time += step.end_time - step.start_time
            nodes = {id(span.node): span.node for span in step.spans}
            if nodes and self._seen_nodes.keys().isdisjoint(nodes):  # the first step of its plan
                self.compiled += 1
                self._compile_time += min(span.start_time for span in step.spans) - step.start_time
            self._seen_nodes.update(nodes)
            for run in runs(step.spans):
                self._add_node(run, run.end_time - run.start_time)

    def _add_node(self, run: Run, duration: int) -> None:
        if run.kind in _COPIES:
            self._copy_counts[run.kind] += 1
            self._copied_bytes[run.kind] += sum(result.bytes for _, _, result in run.outputs)
        elif run.kind == "receive" or run.op.opdef.may_wait:
            self._wait_count += 1
            self._wait_time += duration
        elif "GPU" in run.device:
            self.on_gpus += 1
            self.launches += run.launches
            self._gpu_time += run.on_device
        self._node_time += duration
        key = (self._line(run.op), run.op.type if run.kind in _COMPUTING_KINDS else run.kind)
        node = self._nodes.setdefault(key, _Node())
        node.runs += 1
        node.time += duration
        node.longest_run = max(node.longest_run, duration)
        node.members[run.name] += duration

    def _line(self, op: Any) -> str:
        if op not in self._lines:
            line = user_location(op._frames)
            self._lines[op] = "?" if line is None else f"{_short(line.filename)}:{line.lineno}"
        return self._lines[op]

    def report(self, max_lines: int = 20) -> str:
        """Returns the text of the report: totals, then the most expensive lines, slowest first."""
        total = clock() - self._start_time
        lines = [
            f"{self.steps:,} step{'s' * (self.steps != 1)}, {self.compiled:,} of them compiled "
            f"({seconds(self._compile_time)}), took "
            f"{seconds(self._step_time)} of {seconds(total)}; their nodes {seconds(self._node_time)}; "
            "the rest is Python"
        ]
        if self.on_gpus or self._copy_counts:
            copies = [
                f"{self._copy_counts[kind]:,} times {direction}"
                + (f", {self._copied_bytes[kind]:,} bytes" if self._copied_bytes[kind] else "")
                for kind, direction in _COPIES.items()
            ]
            ran = (
                f"{self.on_gpus:,} nodes ran on GPUs, {seconds(self._gpu_time)} by CUDA "
                f"events, with {self.launches:,} launches in addition to CuPy's"
            )
            lines.append("; ".join([ran, *copies]))
        if self._wait_count:
            lines.append(f"{self._wait_count:,} waits took {seconds(self._wait_time)}")
        if not self._nodes:
            return "\n".join(lines)
        ordered = sorted(self._nodes.items(), key=lambda item: -item[1].time)
        rows = [("time", "share", "runs", "a run", "longest", "type", "line", "nodes")]
        for (line, kind), node in ordered[:max_lines]:
            names = ", ".join(name for name, _ in node.members.most_common(2))
            names += ", ..." if len(node.members) > 2 else ""
            rows.append(
                (
                    seconds(node.time),
                    f"{100 * node.time / max(1, self._node_time):.1f} %",
                    f"{node.runs:,}",
                    seconds(node.time // node.runs),
                    seconds(node.longest_run),
                    kind,
                    line,
                    names,
                )
            )
        lines += ["", *_aligned_lines(rows)]
        if len(ordered) > max_lines:
            remaining_time = sum(node.time for _, node in ordered[max_lines:])
            lines.append(
                f"... and {len(ordered) - max_lines:,} more, which took {seconds(remaining_time)}"
            )
        return "\n".join(lines)

    def show(self, file: TextIO) -> None:
        """Prints the report."""
        print(f"\ntfmini: profile\n{self.report()}", file=file)


def _short(path: str) -> str:
    """Returns a path relative to the current directory, if that is shorter."""
    relative = os.path.relpath(path)
    return relative if len(relative) < len(path) else path


def _aligned_lines(rows: Sequence[tuple[str, ...]]) -> list[str]:
    widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
    return [
        "  ".join(
            text.rjust(width) if i < 5 else text.ljust(width)
            for i, (text, width) in enumerate(zip(row, widths))
        ).rstrip()
        for row in rows
    ]


def seconds(nanoseconds: int) -> str:
    """Returns a duration in readable units: `1.25 s`, `310 ms`, `4.2 us`."""
    for unit, size in (("s", 10**9), ("ms", 10**6), ("us", 10**3)):
        if nanoseconds >= size:
            return (
                f"{nanoseconds / size:.3g} {unit}"
                if nanoseconds < 1000 * size
                else (f"{nanoseconds / size:,.0f} {unit}")
            )
    return f"{nanoseconds} ns"
