"""emit_segments: generates a plan's source with its segments as functions that CUDA graphs can replay.

    def plan(feeds): ...; t7, = captured0([t3, t4]); t9, = loop2(t1, t7); ...
    def segment0(inputs, fixed): t3, t4, = inputs; ...; return [t7]
    def loop2(t5, t6): run = DeferredIterations(8); while True: ...; t8, = captured1([t5, t6], run); ...

The names `captured0` ... are bound once the functions exist (`SegmentParts.made`). Loop bodies have segments
too; loop invariants are copied to the graph's memory once per run of the loop. Iterations may be batched:
`run.flush()` launches them before another node reads their results, and at the end of the loop.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import field, replace
from typing import TYPE_CHECKING, Any

from tfmini._src.base import dtypes
from tfmini._src.base.records import dataclass
from tfmini._src.compiler.analysis.ownership import analyze
from tfmini._src.compiler.codegen.call_expressions import Calls
from tfmini._src.compiler.codegen.emit import Emitter, LoopEmitter, emit
from tfmini._src.compiler.codegen.source import Source
from tfmini._src.compiler.kernel_context import Cell, PlanResources
from tfmini._src.compiler.program import debug
from tfmini._src.compiler.program.program import InvalidProgramError, Loop, Node, Program
from tfmini._src.compiler.program.validate import Validator
from tfmini._src.devices.arrays import Array
from tfmini._src.devices.cuda import cuda_graph
from tfmini._src.devices.cuda.capture.held_iterations import MAX_ITERATIONS, DeferredIterations
from tfmini._src.devices.cuda.capture.partition import partition
from tfmini._src.devices.cuda.capture.replay import CapturedSegment
from tfmini._src.devices.cuda.capture.segments import Layout, Segment, is_read, is_variable, writes
from tfmini._src.devices.cuda.device import LogicalGpu, select_gpus
from tfmini._src.ops.random.op_stream import OpStream, node_stream

if TYPE_CHECKING:
    from tfmini._src.devices.cuda.reports.gpu_report import GpuReport


# Ops that forward arrays unchanged. The sum of a second write to a gradient launches held iterations itself.
_FORWARDING_OPS = frozenset(
    (
        *("StackPushV2", "StackPopV2", "TensorArrayReadV3", "TensorArrayWriteV3"),
        *("TensorArrayGradV3", "TensorArraySizeV3"),
    )
)


@dataclass
class SegmentParts:
    """The name of a segment, the name of its function, and the GPU, variables and streams that it uses.

    invariants: as in a `CapturedSegment`.
    """

    name: str
    body: str
    gpu: LogicalGpu
    cells: list[tuple[Cell, bool]]
    streams: list[OpStream]
    invariants: frozenset[int] | None
    nodes: list[Node]

    def create(
        self,
        names: dict[str, Any],
        mark_uncapturable: Callable[[], Callable[[Exception], None] | None],
    ) -> CapturedSegment:
        """Returns the segment; removes its function from `names`."""
        body = names.pop(self.body)
        captured_segment = CapturedSegment(
            self.gpu, body, self.cells, self.streams, mark_uncapturable, self.invariants
        )
        first, last = (self.nodes[n].origin.name for n in (0, -1))
        where = "" if self.invariants is None else "of an iteration, "
        captured_segment.label = f"{where}{len(self.nodes)} nodes from {first} to {last}"
        return captured_segment


@dataclass
class _EmitterState:
    """State shared by the emitters of a plan and of its loops.

    uncapturable: the (kind, op) of nodes that cannot be captured.
    uploaded: the constants on GPUs by slot.
    report: `GpuReport` notified before each node runs, if any.
    parts, uncaptured: the result.
    """

    uncapturable: frozenset[tuple[str, str]]
    uploaded: dict[int, Array]
    report: GpuReport | None = None
    parts: list[SegmentParts] = field(default_factory=list)
    uncaptured: dict[Node, str] = field(default_factory=dict)

    def layout(self, program: Program, cells: Mapping[int, Node], is_loop: bool) -> Layout:
        """Returns the segments of a program, which belongs to the plan or to a loop."""

        if not cuda_graph.is_enabled():
            return Layout(program)

        def last_uses(ordered: Program) -> dict[int, int]:
            return analyze(ordered).last_reads()

        layout = partition(program, self.uncapturable, last_uses, cells, is_loop)
        if "check" in debug.FLAGS:
            _check_order(program, layout.program)
        self.uncaptured.update((node, reason.value) for node, reason in layout.uncaptured.items())
        return layout


def emit_segments(
    program: Program,
    resources: PlanResources,
    uncapturable: Iterable[tuple[str, str]],
    uploaded: dict[int, Array],
    report: GpuReport | None = None,
) -> tuple[Source, list[SegmentParts]]:
    """Returns the source of `plan(feeds)` for a program on GPUs, and its segments.

    Args:
      uncapturable: the (kind, op) of nodes found to be uncapturable.
      uploaded: GPU constants of an earlier source, by slot; updated to the constants of this source.
      report: a `GpuReport` of the plan's runs, if requested.
    """
    expected = cuda_graph.is_enabled() or report is not None
    if expected and "alias" not in debug.FLAGS:
        shared = _EmitterState(frozenset(uncapturable), uploaded, report)
        layout = shared.layout(program, {}, False)
        emitter = _SegmentEmitter(layout, resources, shared)
        source = emitter.source()
        if report is not None:
            report.cells = [(n, emitter.values.cell(n)) for n in program.nodes if is_variable(n)]
        source.uncaptured = shared.uncaptured
        return source, shared.parts
    return emit(program, resources), []


def _check_order(program: Program, ordered: Program) -> None:
    """Raises InvalidProgramError unless the order with segments is valid and preserves the order of effects."""
    validator = Validator()
    validator.check(program)
    try:
        validator.check(ordered)
    except InvalidProgramError as error:
        raise InvalidProgramError(f"after {partition.__name__}: {error}") from None


class _Segments(Emitter):
    """Common base class of the emitters of plans and loops."""

    layout: Layout
    shared: _EmitterState
    cells_of_loop: Mapping[int, Node]  # variables of the loop to be emitted next

    def _begin_segments(self, layout: Layout, shared: _EmitterState) -> None:
        self.layout = layout
        self.shared = shared
        self.leaves = self.leaves and shared.report is None
        self.inside: Segment | None = None
        self.outer = self.text
        self.outer_indent = 0
        self.outputs_of_reads = {
            node.outputs[0]
            for step, node in enumerate(layout.program.nodes)
            if is_read(node) and step not in layout.copied
        }
        self.uploads = 0

    def _constant_name(self, node: Node) -> str:
        slot = node.outputs[0]
        uploaded = self.shared.uploaded
        if slot in uploaded:
            return self.values.name("const_" + node.origin.name, uploaded[slot])
        name = super()._constant_name(node)
        if slot in self.program.memory:
            uploaded[slot] = self.values.names[name]
        return name

    def _loop_emitter(self, loop: Loop, name: str) -> LoopEmitter:
        return _SegmentLoopEmitter(loop, self, name)

    def _variable_nodes_in(self, node: Node) -> dict[int, Node]:
        """Returns the variable nodes that are fed to a loop node and remain the same cell in all its iterations."""
        count = node.loop.variables
        cells = {}
        for feed, slot in zip(node.loop.program.feeds[count:], node.inputs[count:]):
            producer = self.layout.cells.get(slot)
            if producer is not None and slot in self.values.cells:
                cells[feed] = producer
        return cells

    def _emit_while(self, node: Node) -> None:
        self.cells_of_loop = self._variable_nodes_in(node)
        super()._emit_while(node)

    def _emit_node(self, step: int, node: Node) -> None:
        segment = self.layout.segments.get(step)
        if segment is not None:
            self._begin_segment(segment)
        if self.shared.report is not None and node.kind not in ("const", "alive"):
            self._emit_report(node, self._launches(node))
        super()._emit_node(step, node)
        if step in self.layout.copied:
            slot = node.outputs[0]
            self._line(f"t{slot} = t{slot}.copy()")
            self.text.node_of_line[len(self.text.lines)] = node

    def _end_step(self, step: int, ends: dict[int, list[int]]) -> None:
        if self.inside is not None and step + 1 == self.inside.end:
            self._close_segment(ends)

    def _emit_transfer(self, node: Node) -> None:
        if self.inside is None or node.kind != "copy":
            super()._emit_transfer(node)
            return
        self._line(
            f"t{node.outputs[0]} = fixed({self.uploads}, {self.values.read(node.inputs[0])})"
        )
        self.uploads += 1

    def _begin_segment(self, segment: Segment) -> None:
        self._activate_device(segment.device)
        self.outer_indent = self.indent
        self.inside = segment
        self.outer, self.text = (
            self.text,
            Source(self.program, names=self.values.names, constants=self.values.constants),
        )
        self.indent = -self._open_blocks()
        self.uploads = 0
        self.text.lines.append(f"def segment{len(self.bodies)}(inputs, fixed):")
        if segment.live_in:
            self._line(f"{', '.join(self.values.read(s) for s in segment.live_in)}, = inputs")
            self._line("inputs.clear()")
        self._rematerialize(segment.rematerialized_inside)

    def _close_segment(self, ends: dict[int, list[int]]) -> None:
        segment = self.inside
        assert segment is not None
        self._line(f"return [{', '.join(self._live_out(s) for s in segment.live_out)}]")
        self.text.node_of_line[len(self.text.lines)] = self.program.nodes[segment.end - 1]
        self.bodies.append(self.text)
        self.text = self.outer
        self.indent = self.outer_indent
        self.inside = None
        index = len(self.bodies) - 1
        name = f"captured{index}"
        if self.shared.report is not None:
            first = self.shared.report.register(self.program.nodes[segment.start])
            self._line(f"at({first}, False, {len(self.shared.parts)})")
        self._line(f"inputs = [{', '.join(self.values.read(s) for s in segment.live_in)}]")
        nodes = self.program.nodes
        steps = range(segment.start, segment.end)
        slots = {*segment.live_in, *(nodes[s].outputs[0] for s in segment.rematerialized_inside)}
        self._emit_release([s for step in steps for s in ends.get(step, ()) if s in slots])
        results = "".join(f"t{s}, " for s in segment.live_out)
        self._line(f"{results + '= ' if results else ''}{name}(inputs{self._loop_run()})")
        self.text.calls.add(len(self.text.lines))
        self.text.node_of_line[len(self.text.lines)] = nodes[segment.start]
        self._rematerialize(segment.rematerialized_after)
        gpu = select_gpus(self.program.devices)[segment.device]
        body = [nodes[s] for s in (*segment.rematerialized_inside, *steps)]
        self.shared.parts.append(
            SegmentParts(
                name,
                f"segment{index}",
                gpu,
                self._read_cells(body),
                self._node_streams(body),
                self._segment_invariants(segment),
                body,
            )
        )

    def _emit_report(self, node: Node, launches: bool) -> None:
        """Emits a line that reports the next node, and whether it launches work."""
        report = self.shared.report
        assert report is not None
        self.values.names.update(at=report.enter_node, within=report.enter_segment_node)
        name = "at" if self.inside is None else "within"
        self._line(f"{name}({report.register(node)}, {launches})")

    def _launches(self, node: Node) -> bool:
        is_on_host = any(s in self.program.memory for s in node.outputs)
        return node.kind == "updates" or (
            node.kind in ("op", "fused")
            and is_on_host
            and not (node.opdef.view or node.opdef.depends_only_on_shapes)
            and not (node.opdef.makes_variable or node.has_own_state)
        )

    def _loop_run(self) -> str:
        """Returns the argument that identifies an execution of the loop; empty outside of loops."""
        return ""

    def _segment_invariants(self, segment: Segment) -> frozenset[int] | None:
        return None

    def _rematerialize(self, steps: Iterable[int]) -> None:
        for step in steps:
            super()._emit_node(step, self.program.nodes[step])

    def _live_out(self, slot: int) -> str:
        """Returns the expression of a segment's output, which must not be a variable's own array."""
        text = self.values.read(slot)
        read_variables = self.ownership.base.get(slot, frozenset()) & self.outputs_of_reads
        return f"{text}.copy()" if read_variables and slot in self.program.memory else text

    def _read_cells(self, nodes: list[Node]) -> list[tuple[Cell, bool]]:
        """Returns the variables of the nodes, and whether the nodes may change them."""
        cells: dict[int, tuple[Cell, bool]] = {}
        for node in nodes:
            written = writes(node, self.program)
            for slot in node.inputs:
                producer = self.layout.cells.get(slot)
                if producer is None:
                    continue
                cell = self.values.cell(producer)
                _, before = cells.get(id(cell), (cell, False))
                cells[id(cell)] = (cell, before or slot in written)
        return list(cells.values())

    def _node_streams(self, nodes: list[Node]) -> list[OpStream]:
        return [node_stream(self.values.resources, n.origin) for n in nodes if n.opdef.fixed_draws]


def _touches_gpu_arrays(node: Node, program: Program) -> bool:
    """Whether a node in a loop reads or changes arrays on a GPU; false if it only passes them through."""
    if node.kind in ("const", "alive", "read"):
        return False
    if node.kind == "copy":
        return bool(node.copied_from)
    if node.kind == "op" and (
        node.opdef.name in _FORWARDING_OPS or node.opdef.depends_only_on_shapes
    ):
        return False
    if node.kind == "op" and (node.opdef.is_merge or node.opdef.makes_variable):
        return False
    slots = (*node.inputs, *node.outputs)
    dtypes_of = (program.slots[s].dtype for s in slots)
    return (
        node.kind == "while"
        or any(s in program.memory for s in slots)
        or any(dtype._is_ref_dtype or dtype is dtypes.resource for dtype in dtypes_of)
    )


class _SegmentEmitter(_Segments):
    """Emits the function of a plan."""

    def __init__(self, layout: Layout, resources: PlanResources, shared: _EmitterState):
        super().__init__(layout.program, resources)
        self._begin_segments(layout, shared)
        outputs = [s for segment in layout.segments.values() for s in segment.live_out]
        # Owned by the graph, which overwrites them.
        self.ownership = self.ownership.release_ownership(outputs)
        self.calls = Calls(self.values, self.ownership)


class _SegmentLoopEmitter(_Segments, LoopEmitter):
    """Emits the function of a loop."""

    def __init__(self, loop: Loop, outer: _Segments, name: str):
        cells = outer.cells_of_loop
        layout = outer.shared.layout(loop.program, cells, True)
        super().__init__(replace(loop, program=layout.program), outer, name)
        self._begin_segments(layout, outer.shared)
        for slot, producer in cells.items():
            cell = self.values.cell(producer)
            self.values.cells[slot] = self.values.name("var_" + producer.origin.name, cell)

    def _begin_loop(self) -> None:
        if self.layout.segments:
            self.values.names["DeferredIterations"] = DeferredIterations
            # Launches use the current GPU, so they are deferred only if it is certainly the segment's GPU.
            self._line(
                f"run = DeferredIterations({MAX_ITERATIONS if len(self.program.devices) == 1 else 1})"
            )

    def _end_loop(self) -> None:
        if self.layout.segments:
            self._line("run.flush()")

    def _emit_node(self, step: int, node: Node) -> None:
        if self.layout.segments and self.inside is None and step not in self.layout.segments:
            if _touches_gpu_arrays(node, self.program):
                self._line("run.flush()")
        super()._emit_node(step, node)

    def _loop_run(self) -> str:
        return ", run"

    def _segment_invariants(self, segment: Segment) -> frozenset[int]:
        return frozenset(
            n for n, slot in enumerate(segment.live_in) if slot in self.loop_invariants
        )
