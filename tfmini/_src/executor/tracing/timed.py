"""emit_timed: generates the source of a plan that records the start and end of each node.

    began = clock()
    t3 = matmul(t1, t2)
    note(7, began, t3)

On a device, each node is synchronized, and the device measures only its kernels:

    began = clock(); mark = device0.timed_mark()
    t3 = matmul(t1, t2)
    note_on_device(7, began, device0.since(mark), t3)
"""

from __future__ import annotations

from tfmini._src.compiler.codegen.emit import Emitter, LoopEmitter
from tfmini._src.compiler.codegen.source import Source
from tfmini._src.compiler.kernel_context import PlanResources
from tfmini._src.compiler.program.program import Loop, Node, Program
from tfmini._src.executor.tracing.recorder import Recorder, clock


def emit_timed(program: Program, resources: PlanResources, recorder: Recorder) -> Source:
    """Generates the source of `plan(feeds)`, which records to `recorder`."""
    return _TimedEmitter(program, resources, recorder).source()


class _BaseTimedEmitter(Emitter):
    recorder: Recorder

    def _emit_node(self, step: int, node: Node) -> None:
        if node.kind in ("const", "alive"):
            super()._emit_node(step, node)
            return
        self.values.names.update(clock=clock, note=self.recorder.note)
        device = "" if self.program.on_host(node) else self.values.device(node.device)
        is_timed = device and node.kind != "while"
        mark = f"; mark = {device}.timed_mark()" if is_timed else ""
        self._line(f"began = clock(){mark}")
        super()._emit_node(step, node)
        if node.kind == "while":  # the nodes of its body are recorded separately
            return
        outputs = [s for s in node.outputs if s in self.needed and s not in self.values.constants]
        values = "".join(f", t{s}" for s in outputs if s not in self.values.cells)
        index = self.recorder.register(node)
        if device:
            self.values.names.update(note_on_device=self.recorder.note_on_device)
            self._line(f"note_on_device({index}, began, {device}.since(mark){values})")
        else:
            self._line(f"note({index}, began{values})")

    def _loop_emitter(self, loop: Loop, name: str) -> LoopEmitter:
        return _TimedLoopEmitter(loop, self, name, self.recorder)


class _TimedEmitter(_BaseTimedEmitter):
    def __init__(self, program: Program, resources: PlanResources, recorder: Recorder):
        super().__init__(program, resources)
        self.recorder = recorder
        self.leaves = False


class _TimedLoopEmitter(_BaseTimedEmitter, LoopEmitter):
    def __init__(self, loop: Loop, outer: Emitter, name: str, recorder: Recorder):
        super().__init__(loop, outer, name)
        self.recorder = recorder
