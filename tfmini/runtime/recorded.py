"""recorded: the text of a plan whose stretches are functions of their own, which CUDA graphs can replay.

    def plan(feeds): ...; t7, = replayed0([t3, t4]); ...
    def stretch0(inputs, fixed): t3, t4, = inputs; ...; return [t7]

The names `replayed0` ... are added once the functions are made (`Parts.made`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from tfmini.backend.gpu import graphs
from tfmini.ops.streams import OpStream, stream_of
from tfmini.runtime import debug
from tfmini.runtime.emit import Emitter, Source, emit
from tfmini.runtime.ownership import analyse
from tfmini.runtime.program import Node, Program
from tfmini.runtime.replay import Replayed
from tfmini.runtime.stretches import RANDOM, Layout, Stretch, is_read, split, writes


@dataclass
class Parts:
    """What a stretch's name stands for: its function's name, and what it works on.

    line: that of its call in the plan.
    """

    name: str
    body: str
    gpu: Any
    cells: list[tuple[Any, bool]]
    streams: list[OpStream]
    line: int

    def made(self, names: dict[str, Any], refuse: Callable[[], Any]) -> Replayed:
        """The stretch, whose function is taken out of `names`."""
        return Replayed(self.gpu, names.pop(self.body), self.cells, self.streams, refuse)


def emit_recorded(
    program: Program,
    resources: Any,
    refused: Iterable[tuple[str, str]],
    uploaded: dict[int, Any],
) -> tuple[Source, list[Parts]]:
    """The source of `plan(feeds)`, and its stretches; none without GPUs.

    Args:
      refused: the (kind, op) of nodes that have turned out not to be recordable.
      uploaded: the constants on GPUs by slot: those of an earlier text, and afterwards those of this one.
    """
    if program.gpus and graphs.wanted() and "alias" not in debug.FLAGS:
        layout = split(program, refused, lambda ordered: analyse(ordered).ends())
        emitter = _StretchEmitter(layout, resources, uploaded)
        return emitter.source(), emitter.parts
    return emit(program, resources), []


class _StretchEmitter(Emitter):
    def __init__(self, layout: Layout, resources: Any, uploaded: dict[int, Any]):
        super().__init__(layout.program, resources)
        self.layout = layout
        self.uploaded = uploaded
        self.parts: list[Parts] = []
        self.inside: Stretch | None = None
        self.outer = self.text
        self.outputs_of_reads = {
            node.outputs[0]
            for step, node in enumerate(layout.program.nodes)
            if is_read(node) and step not in layout.copied
        }
        outputs = [s for stretch in layout.stretches.values() for s in stretch.outputs]
        self.ownership = self.ownership.lent(outputs)  # the graph's, which writes them again
        self.uploads = 0

    def _constant(self, node: Node) -> str:
        slot = node.outputs[0]
        if slot in self.uploaded:
            return self._name("const_" + node.origin.name, self.uploaded[slot])
        name = super()._constant(node)
        if slot in self.program.memory:
            self.uploaded[slot] = self.names[name]
        return name

    def _step(self, step: int, node: Node) -> None:
        stretch = self.layout.stretches.get(step)
        if stretch is not None:
            self._open(stretch)
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
        self._line(f"t{node.outputs[0]} = fixed({self.uploads}, {self._read(node.inputs[0])})")
        self.uploads += 1

    def _open(self, stretch: Stretch) -> None:
        self._use(stretch.device)
        self.inside = stretch
        self.outer, self.text = self.text, Source(names=self.names, constants=self.constants)
        self.indent -= self._blocks()
        self.uploads = 0
        self.text.lines.append(f"def stretch{len(self.bodies)}(inputs, fixed):")
        if stretch.inputs:
            self._line(f"{', '.join(self._read(s) for s in stretch.inputs)}, = inputs")
            self._line("inputs.clear()")
        self._again(stretch.again_inside)

    def _close(self, ends: dict[int, list[int]]) -> None:
        stretch = self.inside
        assert stretch is not None
        self._line(f"return [{', '.join(self._given(s) for s in stretch.outputs)}]")
        self.text.node_of_line[len(self.text.lines)] = self.program.nodes[stretch.end - 1]
        self.bodies.append(self.text)
        self.text = self.outer
        self.indent += self._blocks()
        self.inside = None
        number = len(self.bodies) - 1
        name = f"replayed{number}"
        self._line(f"inputs = [{', '.join(self._read(s) for s in stretch.inputs)}]")
        nodes = self.program.nodes
        steps = range(stretch.start, stretch.end)
        known = {*stretch.inputs, *(nodes[s].outputs[0] for s in stretch.again_inside)}
        self._release([s for step in steps for s in ends.get(step, ()) if s in known])
        results = "".join(f"t{s}, " for s in stretch.outputs)
        self._line(f"{results + '= ' if results else ''}{name}(inputs)")
        line = len(self.text.lines)
        self.text.node_of_line[line] = nodes[stretch.start]
        self._again(stretch.again_after)
        gpu = self.program.gpus[stretch.device]
        body = [nodes[s] for s in (*stretch.again_inside, *steps)]
        self.parts.append(
            Parts(name, f"stretch{number}", gpu, self._cells_of(body), self._streams(body), line)
        )

    def _again(self, steps: Iterable[int]) -> None:
        for step in steps:
            super()._step(step, self.program.nodes[step])

    def _given(self, slot: int) -> str:
        """An output: a graph must not hold on to a variable's own array."""
        text = self._read(slot)
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
                cell = self._cell(maker)
                _, before = cells.get(id(cell), (cell, False))
                cells[id(cell)] = (cell, before or slot in written)
        return list(cells.values())

    def _streams(self, nodes: list[Node]) -> list[OpStream]:
        return [stream_of(self.resources, n.origin) for n in nodes if n.opdef.name in RANDOM]
