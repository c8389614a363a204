"""liveness: finds the slots that are live at the start and at the end of a segment.

A read of a variable known at compile time is neither an input nor an output of a segment: the read is repeated
inside or after the segment, so a graph never holds a variable's value from an earlier run.
"""

from __future__ import annotations

from tfmini._src.devices.cuda.capture.segments import Layout, Segment, is_known, is_read


def add_liveness(layout: Layout, segments: list[Segment]) -> None:
    """Sets the live slots and the rematerialized reads of segments, and adds these reads to the layout."""
    liveness = _Liveness(layout, segments)
    liveness.run()
    for index, segment in enumerate(segments):
        segment.live_in = tuple(liveness.live_in[index])
        segment.live_out = tuple(liveness.live_out[index])
        segment.rematerialized_inside = tuple(liveness.rematerialized_inside[index])
        segment.rematerialized_after = tuple(liveness.rematerialized_after[index])
        layout.segments[segment.start] = segment


class _Liveness:
    """The live slots by segment number; dicts serve as ordered sets.

    rematerialized_inside, rematerialized_after: the reads rematerialized in and after each segment, by node index.
    """

    def __init__(self, layout: Layout, segments: list[Segment]):
        self.program = layout.program
        self.live_in: list[dict[int, None]] = [{} for _ in segments]
        self.live_out: list[dict[int, None]] = [{} for _ in segments]
        self.rematerialized_inside: list[dict[int, None]] = [{} for _ in segments]
        self.rematerialized_after: list[dict[int, None]] = [{} for _ in segments]
        nodes = self.program.nodes
        self.segment_of = {
            step: index
            for index, segment in enumerate(segments)
            for step in range(segment.start, segment.end)
        }
        # By slot: the segment that produces it.
        self.producers = {
            slot: index for step, index in self.segment_of.items() for slot in nodes[step].outputs
        }
        self.known_slots = {slot for node in nodes if is_known(node) for slot in node.outputs}
        self.known_slots.update(slot for slot in self.program.feeds if slot in layout.cells)
        self.reads = {
            node.outputs[0]: step
            for step, node in enumerate(nodes)
            if is_read(node)
            and node.inputs[0] in self.known_slots
            and node.outputs[0] in self.program.memory
            and step not in layout.copied
        }

    def run(self) -> None:
        program = self.program
        for step, node in enumerate(program.nodes):
            for slot in node.inputs:
                self._record_use(slot, self.segment_of.get(step))
            for slot in node.predicates:
                self._record_use(slot, None)
        for slot in (*program.fetches, *program.fetch_predicates):
            self._record_use(slot, None)

    def _record_use(self, slot: int, node_index: int | None) -> None:
        """Records a use of a slot in segment number `node_index`, or outside of segments if None."""
        producer = self.producers.get(slot)
        if slot in self.known_slots or (producer is not None and producer == node_index):
            return
        read = self.reads.get(slot)
        if node_index is not None and read is None:
            self.live_in[node_index][slot] = None
        elif (
            node_index is not None
            and read is not None
            and read not in self.rematerialized_inside[node_index]
        ):
            self.rematerialized_inside[node_index][read] = None
            self._use_inputs(read, node_index)
        if producer is not None and read is None:
            self.live_out[producer][slot] = None
        elif producer is not None and read is not None and node_index is None:
            self.rematerialized_after[producer][read] = None
            self._use_inputs(read, None)

    def _use_inputs(self, step: int, node_index: int | None) -> None:
        for slot in self.program.nodes[step].inputs:
            self._record_use(slot, node_index)
