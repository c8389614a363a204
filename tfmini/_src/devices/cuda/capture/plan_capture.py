"""The CUDA graphs of one plan: its source, its segments, and the ops found to be uncapturable."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager, nullcontext
from typing import TYPE_CHECKING, Any

from tfmini._src.compiler.codegen.source import Source
from tfmini._src.compiler.kernel_context import PlanResources
from tfmini._src.compiler.program import debug
from tfmini._src.compiler.program.program import Node, Program
from tfmini._src.devices.arrays import Array
from tfmini._src.devices.capture import Capture
from tfmini._src.devices.cuda.capture import emit_segments, uncapturable_ops
from tfmini._src.devices.cuda.reports import gpu_report

if TYPE_CHECKING:
    from tfmini._src.devices.cuda.capture.emit_segments import SegmentParts
    from tfmini._src.devices.cuda.capture.replay import CapturedSegment
    from tfmini._src.devices.cuda.reports.gpu_report import GpuReport


class PlanCapture(Capture):
    """The CUDA graphs of the plan for `program`, and the reports of its runs for `TFMINI_DEBUG=gpu`."""

    def __init__(self, program: Program):
        self._program = program
        # (node kind, op type) pairs that cannot be captured.
        self._uncapturable = set(uncapturable_ops.KNOWN_UNCAPTURABLE)
        self._uploaded: dict[int, Array] = {}  # constants on GPUs
        self._parts: list[SegmentParts] = []
        self._segments: list[CapturedSegment] = []
        self._report: GpuReport | None = None
        if "gpu" in debug.FLAGS:
            self._report = gpu_report.GpuReport(program, uncapturable_ops.BLOCKING_OPS)

    def emit(self, resources: PlanResources) -> Source:
        source, self._parts = emit_segments.emit_segments(
            self._program, resources, self._uncapturable, self._uploaded, self._report
        )
        if self._report is not None:
            self._report.uncaptured = source.uncaptured
        return source

    def segments(
        self,
        names: dict[str, Any],
        mark_uncapturable: Callable[[], Callable[[Exception], None] | None],
    ) -> Mapping[str, CapturedSegment]:
        results = {parts.name: parts.create(names, mark_uncapturable) for parts in self._parts}
        self._segments = list(results.values())
        return results

    def leave_out(self, node: Node) -> None:
        self._uncapturable.add((node.kind, node.opdef.name))

    def running(self, plan: str) -> AbstractContextManager[None]:
        return (
            nullcontext() if self._report is None else self._report.report_run(plan, self._segments)
        )
