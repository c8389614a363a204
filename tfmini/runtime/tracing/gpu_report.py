"""gpu_report: what a run of a plan does on its GPUs, for people: `TFMINI_DEBUG=gpu`.

    <tfmini plan 3> on GPU:0, run 5
      segment 0: 21 nodes from dense/MatMul to Adam: captured once, replayed 2 times
      not captured: copy Placeholder: it copies a value that each run may change
      conv2d/Conv2D: cuDNN's algorithm 1 of Forward, channels last, workspace 0.1 MiB, measured 0.021 ms
      0 nodes beside graphs, 1 graphs launched
      copies: 1 to the GPU, 40.00KiB; 1 to the host, 4B
      the host waits for: loss 0.02 ms
      memory at its peak, after dense/BiasAdd: 3.52MiB
        ...

The plan's text says before each node which it is, and asks what memory there is.
"""

from __future__ import annotations

import contextlib
import sys
import time
from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

from tfmini.runtime.program.program import Node, Program
from tfmini.runtime.state.oom_report import readable, usage_report

_MOST_RUNS = 6  # of a plan that are told of, and every hundredth after these
_NAMED = 8


class GpuReport:
    """Counts what happens between `begin` and `end`, on the GPUs of a program.

    uncaptured: by node, why it is in no segment.
    """

    def __init__(self, program: Program):
        self.program = program
        self.uncaptured: Mapping[Node, str] = {}
        self.runs = 0
        self._chosen: dict[str, str] = {}
        self._nodes: list[Node] = []
        self._clear()

    def _clear(self) -> None:
        self._node: Node | None = None
        self._copies: Counter[str] = Counter()
        self._bytes: Counter[str] = Counter()
        self._waits: dict[str, float] = {}
        self._graphs = 0
        self._launching = 0
        self._peak = -1
        self._at_peak = ""
        self._usage = ""

    def number(self, node: Node) -> int:
        """The number by which `at` knows a node."""
        self._nodes.append(node)
        return len(self._nodes) - 1

    def at(self, number: int, launches: bool) -> None:
        """Said by the plan's text before a node; its variables tell who holds the memory that the last one has left."""
        before, self._node = self._node, self._nodes[number]
        self._launching += launches
        used = sum(gpu.pool.used_bytes() for gpu in self.program.gpus.values())
        if used > self._peak:
            self._peak = used
            self._at_peak = before.origin.name if before is not None else "the start"
            variables = sys._getframe(1).f_locals
            reports = [usage_report(self.program, variables, name) for name in self.program.gpus]
            self._usage = "\n".join(reports)

    def within(self, number: int) -> None:
        """Said before a node of a segment, where that runs node by node or is captured."""
        self._node = self._nodes[number]

    def copied(self, direction: str, size: int) -> None:
        """Said by a GPU of each copy: "to the GPU", "to the host" or "between GPUs"."""
        self._copies[direction] += 1
        self._bytes[direction] += size

    def wait(self, done: Any) -> None:
        """Waits for an event in a GPU's place, and notes for how long and for which node."""
        began = time.perf_counter()
        done.synchronize()
        name = self._node.origin.name if self._node is not None else "?"
        self._waits[name] = self._waits.get(name, 0.0) + time.perf_counter() - began

    def chose(self, algorithm: str) -> None:
        """Said by a GPU of the algorithm that a node takes; one in a graph has it from before."""
        if self._node is not None:
            self._chosen[self._node.origin.name] = algorithm

    def replayed(self) -> None:
        """Said by a GPU of each graph that it starts."""
        self._graphs += 1

    @contextlib.contextmanager
    def of_run(self, name: str, segments: list[Any]) -> Iterator[None]:
        """Within it a plan runs; then what there is to say is printed, of the first runs and after that of some."""
        self.runs += 1
        self._clear()
        for gpu in self.program.gpus.values():
            gpu.report = self
        try:
            yield
        finally:
            for gpu in self.program.gpus.values():
                gpu.report = None
            if self.runs <= _MOST_RUNS or self.runs % 100 == 0:
                print(self.text(name, segments), file=sys.stderr)

    def text(self, name: str, segments: list[Any]) -> str:
        """What the last run did. segments: the plan's, with what has become of them."""
        devices = ", ".join(device.rpartition("device:")[2] for device in self.program.gpus)
        lines = [f"{name} on {devices}, run {self.runs}"]
        for number, segment in enumerate(segments):
            lines.append(f"  segment {number}: {segment.described()}")
        reasons: dict[tuple[str, str], list[str]] = {}
        for node, why in self.uncaptured.items():
            kind = node.opdef.name if node.kind == "op" else node.kind
            reasons.setdefault((kind, why), []).append(node.origin.name)
        for (kind, why), names in reasons.items():
            more = f" and {len(names) - 1} more" if len(names) > 1 else ""
            lines.append(f"  not captured: {kind} {names[0]}{more}: {why}")
        lines += [f"  {node}: {algorithm}" for node, algorithm in self._chosen.items()]
        lines.append(f"  {self._launching} nodes beside graphs, {self._graphs} graphs launched")
        copies = [f"{n} {way}, {readable(self._bytes[way])}" for way, n in self._copies.items()]
        lines.append(f"  copies: {'; '.join(copies) or 'none'}")
        waits = sorted(self._waits.items(), key=lambda item: -item[1])
        told = [f"{node} {1000 * seconds:.2f} ms" for node, seconds in waits[:_NAMED]]
        lines.append(f"  the host waits for: {', '.join(told) or 'nothing'}")
        if self._peak >= 0:
            lines.append(f"  memory at its peak, after {self._at_peak}: {readable(self._peak)}")
            lines += ["    " + line for line in self._usage.splitlines()]
        return "\n".join(lines)
