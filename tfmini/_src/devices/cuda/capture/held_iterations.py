"""held_iterations: launches several loop iterations as one CUDA graph.

A loop's predicate, counters, stacks and TensorArrays are on the host. If a captured segment is the only GPU work of an
iteration, its launches are held back and up to eight are combined into one graph, which passes loop-carried values
between them. `flush` launches held iterations before anything reads their results.
"""

from __future__ import annotations

from collections.abc import Container, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from tfmini._src.devices.cuda.capture.segment_graph import CudaGraph, Wiring

if TYPE_CHECKING:
    from tfmini._src.devices.cuda.capture.replay import CapturedSegment, _Known

MOST = 8  # maximum iterations per graph


class Held(NamedTuple):
    """A held iteration: its own graph, its inputs, and the arrays for its outputs."""

    graph: CudaGraph
    inputs: list[Any]
    results: list[Any]


class HeldIterations:
    """One run of a loop.

    Args:
      most: maximum number of held iterations.
    """

    def __init__(self, most: int = MOST):
        self._most = most
        self._segment: CapturedSegment | None = None
        self._known: _Known | None = None
        self._held: list[Held] = []

    def hold(self, segment: CapturedSegment, known: _Known, iteration: Held) -> None:
        """Holds an iteration of a segment; `known` is the segment's record for its shapes."""
        if known is not self._known:
            self.flush()
            self._segment, self._known = segment, known
        self._held.append(iteration)
        if len(self._held) >= self._most:
            self.flush()
        else:
            segment.gpu.held = self

    def flush(self) -> None:
        """Launches the held iterations."""
        held, self._held = self._held, []
        if held and self._segment is not None and self._known is not None:
            self._segment.gpu.held = None
            self._segment.launch(self._known, held, self)

    @staticmethod
    def wiring(held: Sequence[Held], invariants: Container[int]) -> Wiring:
        """Which inputs of iterations are outputs of earlier ones; `invariants` are not looked at."""
        result: dict[int, tuple[int, int]] = {}
        found = []
        for number, (graph, inputs, results) in enumerate(held):
            found.append(
                {
                    n: result[id(value)]
                    for n, value in enumerate(inputs)
                    if id(value) in result and n not in invariants
                }
            )
            result.update((id(results[n]), (number, n)) for n in graph.delivered)
        return tuple(found)
