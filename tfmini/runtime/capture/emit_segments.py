"""emit_segments: the text of a plan whose segments are functions of their own, which CUDA graphs can replay.

    def plan(feeds): ...; t7, = captured0([t3, t4]); ...
    def segment0(inputs, fixed): t3, t4, = inputs; ...; return [t7]

The names `captured0` ... are added once the functions are made (`SegmentParts.made`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from tfmini.backend.gpu import graphs
from tfmini.ops.random.streams import OpStream, stream_of
from tfmini.runtime.analysis.ownership import analyse
from tfmini.runtime.capture.partition import RANDOM, partition
from tfmini.runtime.capture.replay import CapturedSegment
from tfmini.runtime.capture.segments import Layout, Segment, is_read, writes
from tfmini.runtime.codegen.call_expressions import Calls
from tfmini.runtime.codegen.emit import Emitter, Source, emit
from tfmini.runtime.program import debug
from tfmini.runtime.program.program import InvalidProgramError, Node, Program
from tfmini.runtime.program.validate import Validator


@dataclass
class SegmentParts:
    """A segment's name, its function's name, and the GPU, variables and streams that it works on.

    line: that of its call in the plan.
    """

    name: str
    body: str
    gpu: Any
    cells: list[tuple[Any, bool]]
    streams: list[OpStream]
    line: int

    def made(self, names: dict[str, Any], mark_uncapturable: Callable[[], Any]) -> CapturedSegment:
        """The segment, whose function is taken out of `names`."""
        return CapturedSegment(
            self.gpu, names.pop(self.body), self.cells, self.streams, mark_uncapturable
        )


def emit_segments(
    program: Program,
    resources: Any,
    uncapturable: Iterable[tuple[str, str]],
    uploaded: dict[int, Any],
) -> tuple[Source, list[SegmentParts]]:
    """The source of `plan(feeds)`, and its segments; none without GPUs.

    Args:
      uncapturable: the (kind, op) of nodes that have turned out to be uncapturable.
      uploaded: the constants on GPUs by slot: those of an earlier text, and afterwards those of this one.
    """
    if program.gpus and graphs.wanted() and "alias" not in debug.FLAGS:
        layout = partition(program, uncapturable, lambda ordered: analyse(ordered).ends())
        if "check" in debug.FLAGS:
            _check_order(program, layout.program)
        emitter = _SegmentEmitter(layout, resources, uploaded)
        source = emitter.source()
        source.uncaptured = {node: reason.value for node, reason in layout.uncaptured.items()}
        return source, emitter.parts
    return emit(program, resources), []


def _check_order(program: Program, ordered: Program) -> None:
    """Whether the order with segments keeps the rules of a program, and that of its effects."""
    validator = Validator()
    validator.check(program)
    try:
        validator.check(ordered)
    except InvalidProgramError as error:
        raise InvalidProgramError(f"after {partition.__name__}: {error}") from None


class _SegmentEmitter(Emitter):
    def __init__(self, layout: Layout, resources: Any, uploaded: dict[int, Any]):
        super().__init__(layout.program, resources)
        self.layout = layout
        self.uploaded = uploaded
        self.parts: list[SegmentParts] = []
        self.inside: Segment | None = None
        self.outer = self.text
        self.outputs_of_reads = {
            node.outputs[0]
            for step, node in enumerate(layout.program.nodes)
            if is_read(node) and step not in layout.copied
        }
        outputs = [s for segment in layout.segments.values() for s in segment.live_out]
        self.ownership = self.ownership.lent(outputs)  # the graph's, which writes them again
        self.calls = Calls(self.values, self.ownership)
        self.uploads = 0

    def _constant(self, node: Node) -> str:
        slot = node.outputs[0]
        if slot in self.uploaded:
            return self.values.name("const_" + node.origin.name, self.uploaded[slot])
        name = super()._constant(node)
        if slot in self.program.memory:
            self.uploaded[slot] = self.values.names[name]
        return name

    def _step(self, step: int, node: Node) -> None:
        segment = self.layout.segments.get(step)
        if segment is not None:
            self._open(segment)
        super()._step(step, node)
        if step in self.layout.copied:
            slot = node.outputs[0]
            self._line(f"t{slot} = t{slot}.copy()")
            self.text.node_of_line[len(self.text.lines)] = node

    def _stepped(self, step: int, ends: dict[int, list[int]]) -> None:
        if self.inside is not None and step + 1 == self.inside.end:
            self._close(ends)

    def _emit_transfer(self, node: Node) -> None:
        if self.inside is None or node.kind != "copy":
            super()._emit_transfer(node)
            return
        self._line(
            f"t{node.outputs[0]} = fixed({self.uploads}, {self.values.read(node.inputs[0])})"
        )
        self.uploads += 1

    def _open(self, segment: Segment) -> None:
        self._use(segment.device)
        self.inside = segment
        self.outer, self.text = (
            self.text,
            Source(names=self.values.names, constants=self.values.constants),
        )
        self.indent -= self._blocks()
        self.uploads = 0
        self.text.lines.append(f"def segment{len(self.bodies)}(inputs, fixed):")
        if segment.live_in:
            self._line(f"{', '.join(self.values.read(s) for s in segment.live_in)}, = inputs")
            self._line("inputs.clear()")
        self._rematerialize(segment.rematerialized_inside)

    def _close(self, ends: dict[int, list[int]]) -> None:
        segment = self.inside
        assert segment is not None
        self._line(f"return [{', '.join(self._live_out(s) for s in segment.live_out)}]")
        self.text.node_of_line[len(self.text.lines)] = self.program.nodes[segment.end - 1]
        self.bodies.append(self.text)
        self.text = self.outer
        self.indent += self._blocks()
        self.inside = None
        number = len(self.bodies) - 1
        name = f"captured{number}"
        self._line(f"inputs = [{', '.join(self.values.read(s) for s in segment.live_in)}]")
        nodes = self.program.nodes
        steps = range(segment.start, segment.end)
        known = {*segment.live_in, *(nodes[s].outputs[0] for s in segment.rematerialized_inside)}
        self._release([s for step in steps for s in ends.get(step, ()) if s in known])
        results = "".join(f"t{s}, " for s in segment.live_out)
        self._line(f"{results + '= ' if results else ''}{name}(inputs)")
        line = len(self.text.lines)
        self.text.node_of_line[line] = nodes[segment.start]
        self._rematerialize(segment.rematerialized_after)
        gpu = self.program.gpus[segment.device]
        body = [nodes[s] for s in (*segment.rematerialized_inside, *steps)]
        self.parts.append(
            SegmentParts(
                name, f"segment{number}", gpu, self._cells_of(body), self._streams(body), line
            )
        )

    def _rematerialize(self, steps: Iterable[int]) -> None:
        for step in steps:
            super()._step(step, self.program.nodes[step])

    def _live_out(self, slot: int) -> str:
        """An output: a graph must not hold on to a variable's own array."""
        text = self.values.read(slot)
        of_variables = self.ownership.base.get(slot, frozenset()) & self.outputs_of_reads
        return f"{text}.copy()" if of_variables and slot in self.program.memory else text

    def _cells_of(self, nodes: list[Node]) -> list[tuple[Any, bool]]:
        """The variables that the nodes use, and whether they may change them."""
        cells: dict[int, tuple[Any, bool]] = {}
        for node in nodes:
            written = writes(node, self.program)
            for slot in node.inputs:
                maker = self.layout.cells.get(slot)
                if maker is None:
                    continue
                cell = self.values.cell(maker)
                _, before = cells.get(id(cell), (cell, False))
                cells[id(cell)] = (cell, before or slot in written)
        return list(cells.values())

    def _streams(self, nodes: list[Node]) -> list[OpStream]:
        return [stream_of(self.values.resources, n.origin) for n in nodes if n.opdef.name in RANDOM]
