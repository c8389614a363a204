"""Times of GPU work measured by CUDA events: device time only, without host time."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any

from tfmini._src.base.records import dataclass

if TYPE_CHECKING:
    from tfmini._src.devices.cuda.device import LogicalGpu


@dataclass(frozen=True)
class _TimedWork:
    """Work of one kind between two events of a GPU's stream."""

    kind: str
    name: str
    gpu: LogicalGpu
    begin: Any  # CuPy events
    end: Any


class GpuTimes:
    """Measures consecutive spans of work on kernel streams.

        times.begin(gpu, "node", "dense/MatMul"); ...; times.end()
        for kind, name, milliseconds in times.read(): ...

    Nothing is measured during capture: an event would become part of the graph.
    """

    def __init__(self) -> None:
        self._completed_work: list[_TimedWork] = []
        self._open_work: tuple[str, str, LogicalGpu, object] | None = None

    def begin(self, gpu: LogicalGpu, kind: str, name: str) -> None:
        """Begins a span of work on a GPU, and ends the open span."""
        event = self.end(gpu)
        if not gpu.compute.is_capturing():
            self._open_work = kind, name, gpu, event or gpu.timed_mark(gpu.compute)

    def end(self, next_gpu: LogicalGpu | None = None) -> object | None:
        """Ends the open span; returns its end event if the next span, on `next_gpu`, starts there."""
        if self._open_work is None:
            return None
        kind, name, gpu, begin = self._open_work
        self._open_work = None
        if gpu.compute.is_capturing():
            return None
        end = gpu.timed_mark(gpu.compute)
        self._completed_work.append(_TimedWork(kind, name, gpu, begin, end))
        return end if gpu is next_gpu else None

    def add(self, gpu: LogicalGpu, kind: str, name: str, begin: object, end: object) -> None:
        """Adds a span of work between two events of any stream of the GPU."""
        self._completed_work.append(_TimedWork(kind, name, gpu, begin, end))

    def read(self) -> Iterator[tuple[str, str, float]]:
        """Yields the kind, name and milliseconds of each span, except on a lost GPU; waits for pending work."""
        stretches, self._completed_work, self._open_work = self._completed_work, [], None
        return _read_durations(stretches)


def _read_durations(stretches: Iterable[_TimedWork]) -> Iterator[tuple[str, str, float]]:
    for stretch in stretches:
        cuda = stretch.gpu.xp.cuda
        try:
            stretch.end.synchronize()
            duration = float(cuda.get_elapsed_time(stretch.begin, stretch.end))
        except cuda.runtime.CUDARuntimeError:
            continue
        yield stretch.kind, stretch.name, duration
