"""held_iterations: launches several loop iterations as one CUDA graph.

A loop's predicate, counters, stacks and TensorArrays are on the host. If a captured segment is the only GPU work of an
iteration, iterations are deferred and up to eight are combined into one graph, which passes loop-carried values
between them. `flush` launches deferred iterations before other work reads their results.
"""

from __future__ import annotations

from collections.abc import Container, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from tfmini._src.devices.cuda.capture.segment_graph import CudaGraph

if TYPE_CHECKING:
    from tfmini._src.devices.cuda.capture.replay import CapturedSegment, _ShapeRecord

MAX_ITERATIONS = 8  # maximum iterations per graph


class DeferredIteration(NamedTuple):
    """A deferred iteration: its graph, its inputs, and the arrays for its outputs."""

    graph: CudaGraph
    inputs: list[Any]
    results: list[Any]


class DeferredIterations:
    """Iterations of one loop execution whose launch is deferred, up to `max_iterations` at a time."""

    def __init__(self, max_iterations: int = MAX_ITERATIONS):
        self._max_iterations = max_iterations
        self._segment: CapturedSegment | None = None
        self._record: _ShapeRecord | None = None
        self._iterations: list[DeferredIteration] = []

    def hold(
        self, segment: CapturedSegment, record: _ShapeRecord, iteration: DeferredIteration
    ) -> None:
        """Defers an iteration of a segment; `record` is the segment's record for its shapes."""
        if record is not self._record:
            self.flush()
            self._segment, self._record = segment, record
        self._iterations.append(iteration)
        if len(self._iterations) >= self._max_iterations:
            self.flush()
        else:
            segment.gpu.held_iterations = self

    def flush(self) -> None:
        """Launches the deferred iterations."""
        iterations, self._iterations = self._iterations, []
        if iterations and self._segment is not None and self._record is not None:
            self._segment.gpu.held_iterations = None
            self._segment.launch(self._record, iterations, self)

    @staticmethod
    def wires(
        iterations: Sequence[DeferredIteration], invariants: Container[int]
    ) -> list[tuple[int, int, int, int]]:
        """Returns (iteration, input number, earlier iteration, output number) for each wire; ignores `invariants`."""
        producers: dict[int, tuple[int, int]] = {}
        links = []
        read = [n for n in range(len(iterations[0].inputs)) if n not in invariants]
        for iteration, (graph, inputs, results) in enumerate(iterations):
            for n in read if producers else ():
                producer = producers.get(id(inputs[n]))
                if producer is not None:
                    links.append((iteration, n, *producer))
            for n in graph.delivered_outputs:
                producers[id(results[n])] = iteration, n
        return links
