"""replay: a segment of a plan as it runs: node by node at first, then as a CUDA graph.

What a graph depends on besides its inputs' shapes is checked before each replay: that the variables lie where they did
and nobody else still holds what it overwrites. A graph that does not suit any more is dropped, and recorded anew later.
Whatever keeps work from being recorded, the node by node way remains, with the same results.
"""

from __future__ import annotations

import sys
import weakref
from collections.abc import Callable, Sequence
from types import ModuleType
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from tfmini._src.devices.arrays import Array
from tfmini._src.devices.gpu.cuda_graph import Memory, described, record, rounded
from tfmini._src.devices.gpu.device import LogicalGpu
from tfmini._src.devices.gpu.errors import is_out_of_memory
from tfmini._src.devices.gpu.random_numbers import MovingStream, move_on
from tfmini._src.devices.gpu.staging import Stage, deliver
from tfmini._src.devices.numpy.philox import Stream
from tfmini._src.executor.state.resources import UNSHARED
from tfmini._src.ops.random.op_stream import OpStream

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from tfmini._src.compiler.kernel_context import Cell

_WARM_UP = 2  # runs before the one that records: kernels are compiled, memory is measured
_MOST_GRAPHS = 8  # of one segment, for as many sets of shapes
_MOST_KEYS = 256
_MOST_BYTES = 128  # of a value on the host that a graph may depend on
_PATIENCE = 4  # a graph that was dropped is recorded anew after so many times the runs
_LONGEST_WAIT = 1000
_NEVER = sys.maxsize

# `body(inputs, fixed)`, where `fixed(n, value)` gives a copy of a value on the host.
Body: TypeAlias = Callable[[list[Any], Callable[[int, Any], Array]], list[Any]]


class _Known:
    """The record of one set of shapes: how often it ran, after how many runs it is captured, its graph.

    size: the bytes that the graph needs for its arrays and its inputs.
    """

    __slots__ = ("runs", "needed", "graph", "size", "uploads", "outputs")

    def __init__(self) -> None:
        self.runs = 0
        self.needed = _WARM_UP
        self.graph: CudaGraph | None = None
        self.size = 0
        self.uploads: dict[int, Array] = {}
        self.outputs = 0

    def drop(self) -> None:
        self.graph = None
        self.runs = 0
        self.needed = min(self.needed * _PATIENCE, _LONGEST_WAIT)


class CapturedSegment:
    """A segment: `segment([values of the inputs])` gives the values of the outputs.

    Args:
      gpu: where it runs; in use, and its lock held, at each call.
      body: runs the nodes: `body(inputs, fixed)`, where `fixed(n, value)` gives the n-th copy of a value on the host.
      cells: the variables that it uses, and whether it may change them.
      streams: those of its random nodes.
      mark_uncapturable: a reference to who is told of what kept it from being recorded.
      invariants: in the body of a loop, the numbers of the inputs that stay the same while the loop runs; None for
        others. What a body gives lasts beyond the next iteration, so it is copied out of the graph's memory.
    """

    def __init__(
        self,
        gpu: LogicalGpu,
        body: Body,
        cells: Sequence[tuple[Cell, bool]],
        streams: Sequence[OpStream],
        mark_uncapturable: Callable[[], Callable[[Exception], None] | None],
        invariants: frozenset[int] | None = None,
    ):
        self._gpu = gpu
        self._body = body
        self._cells = cells
        self._streams = streams
        self._mark_uncapturable = mark_uncapturable
        self._invariants = invariants
        self._known: dict[tuple[object, ...], _Known] = {}
        # The memory of all graphs: no two of them run at a time, and what one leaves is read before another runs.
        self._block: Any = None
        self._block_bytes = 0
        self._last: CudaGraph | None = None  # that has run
        self.label = ""  # of its nodes, for people
        self.recordings = 0
        self.replays = 0
        self.refusal = ""  # what kept it from being recorded

    def __call__(self, inputs: list[Any], loop: object = None) -> list[Any]:
        """Runs it; `loop` is an object that stands for the run of the loop around it."""
        key = _key(inputs, self._gpu.xp.ndarray)
        if key is None:
            return self._body(inputs, self._upload)
        known = self._known.get(key)
        if known is None:
            if len(self._known) >= _MOST_KEYS:
                self._known.clear()
            known = self._known[key] = _Known()
        graph = known.graph
        if graph is not None:
            if graph.suits(self._gpu):
                self.replays += 1
                return self._replay(graph, inputs, loop)
            if graph.moved():
                known.drop()
        self._gpu.release_finished()  # copies that are done keep variables from being changed where they are
        known.runs += 1
        if graph is not None or known.runs < known.needed:
            return self._body(inputs, self._upload)
        if known.runs == known.needed:
            return self._measure_memory(known, inputs)
        if any(cell.array is None for cell, _ in self._cells):
            known.runs = 0
            return self._body(inputs, self._upload)
        graph = self._record(known, inputs)
        if graph is None:
            return self._body(inputs, self._upload)
        known.graph = graph
        self.recordings += 1
        self._gpu.recorded.add(self)
        self._keep_few(known)
        return self._replay(graph, inputs, loop, False)

    def _replay(
        self, graph: CudaGraph, inputs: list[Any], loop: object, moves: bool = True
    ) -> list[Any]:
        whole = graph is not self._last  # another one has written to the memory
        self._last = graph
        return graph.replay(inputs, loop, whole, moves)

    def drop(self) -> bool:
        """Drops all graphs and their memory; returns whether there were any."""
        found = [known for known in self._known.values() if known.graph is not None]
        for known in found:
            known.drop()
        self._block = self._last = None
        self._block_bytes = 0
        return bool(found)

    def described(self) -> str:
        """A readable summary of its nodes and their state."""
        if self.refusal:
            return f"{self.label}: not captured: {self.refusal}"
        if not self.recordings:
            runs = max((known.runs for known in self._known.values()), default=0)
            return f"{self.label}: not captured before run {_WARM_UP + 1} with the same shapes, now run {runs}"
        times = "once" if self.recordings == 1 else f"{self.recordings} times"
        held = {graph.content() for graph in self._graphs()} - {""}
        return (
            f"{self.label}: captured {times}, replayed {self.replays + self.recordings} times"
            f"{', each ' + ' or '.join(sorted(held)) if held else ''}"
        )

    def bytes_of_graphs(self) -> int:
        """The memory that its graphs keep."""
        return self._block_bytes

    def _graphs(self) -> list[CudaGraph]:
        return [known.graph for known in self._known.values() if known.graph is not None]

    def _keep_few(self, newest: _Known) -> None:
        found = [known for known in self._known.values() if known.graph is not None]
        if len(found) > _MOST_GRAPHS:
            next(known for known in found if known is not newest).drop()

    def _upload(self, number: int, value: ArrayLike) -> Array:
        uploaded: Array = self._gpu.upload(value)
        return uploaded

    def _measure_memory(self, known: _Known, inputs: list[Any]) -> list[Any]:
        """A run that finds out how much memory a graph needs, and keeps copies of what comes from the host."""
        memory = Memory(self._gpu)
        known.uploads = {}

        def fixed(number: int, value: ArrayLike) -> Array:
            known.uploads[number] = self._gpu.upload(value)
            return known.uploads[number].copy()  # which the segment may write to

        sizes = [v.nbytes for v in inputs if isinstance(v, self._gpu.xp.ndarray)]
        with self._gpu.xp.cuda.using_allocator(memory.allocate):
            outputs = self._body(inputs, fixed)
        known.size = memory.extent + sum(map(rounded, sizes))
        known.outputs = len(outputs)
        return outputs

    def _reserve(self, size: int) -> Any:
        """Memory of at least so many bytes for a graph; if it is new, the other graphs are recorded again for it."""
        if self._block_bytes < size:
            for known in self._known.values():
                known.graph = None
            self._block = self._last = None
            self._block_bytes = 0
            self._block = self._gpu.pool.malloc(size)
            self._block_bytes = size
        return self._block

    def _refuse(self, known: _Known, error: Exception) -> None:
        """Notes that an error other than of short memory keeps it from being recorded."""
        self.refusal = f"{type(error).__name__}: {error}"
        mark_uncapturable = self._mark_uncapturable()
        if mark_uncapturable is not None:
            mark_uncapturable(error)
        known.needed = _NEVER

    def _record(self, known: _Known, inputs: list[Any]) -> CudaGraph | None:
        gpu = self._gpu
        positions = [stream.position for stream in self._streams]
        cells = [cell for cell, _ in self._cells]
        arrays = [cell.array for cell in cells]
        graph = CudaGraph(gpu, known.uploads, self._invariants)
        try:
            block = self._reserve(known.size)
            graph.prepare(Memory(gpu, known.size, block), inputs, self._streams)
            for cell in cells:
                cell.unshared = UNSHARED + 1  # `arrays` has it too
            graph.record(self._body, known.outputs)
        except Exception as error:
            if isinstance(error, MemoryError) or is_out_of_memory(error):
                known.drop()
            else:
                self._refuse(known, error)
        else:
            if all(cell.array is array for cell, array in zip(cells, arrays)):
                graph.note_addresses(self._cells)
                return graph
            known.drop()
        finally:
            for stream in self._streams:
                stream.recorder = None
            for cell, array in zip(cells, arrays):
                cell.array = array
                cell.unshared = UNSHARED
        for stream, position in zip(self._streams, positions):
            stream.rewind(position)
        return None


class _Draw:
    """A random node in a graph: where its stream was when it was recorded, and will be when the graph runs next."""

    __slots__ = ("stream", "start", "blocks", "next", "moved")

    def __init__(self, stream: OpStream, moved: Array):
        self.stream = stream
        self.moved = moved
        self.start = 0
        self.blocks = 0
        self.next = 0


class CudaGraph:
    """A segment as a CUDA graph.

    Args:
      gpu: where it runs.
      uploads: the copies of values on the host that it reads.
      invariants: as those of a `CapturedSegment`.
    """

    def __init__(
        self, gpu: LogicalGpu, uploads: dict[int, Array], invariants: frozenset[int] | None
    ):
        self._gpu = gpu
        self._uploads = uploads
        self._invariants = invariants
        self._buffers: list[Any] = []
        self._copies: list[int] = []  # the inputs that are copied
        self._moving: list[int] = []  # those of them that change while a loop runs
        self._stages: dict[bool, Stage] = {}  # by whether they copy all
        self._loop: object = None  # the run of a loop whose invariants are in the buffers
        self._outputs: list[Any] = []
        self._delivered: list[int] = []  # the outputs that are copied
        self._places: Array | None = None
        self._cells: list[tuple[Cell, weakref.ref[Array], bool]] = []
        self._draws: list[_Draw] = []
        self._memory: Memory | None = None
        self._graph: Any = None
        self._content = ""

    def content(self) -> str:
        """A readable summary of the work that a replay launches: "14 kernels, 1 memset"."""
        if not self._content:
            self._content = described(self._graph)
        return self._content

    def prepare(self, memory: Memory, inputs: list[Any], streams: Sequence[OpStream]) -> None:
        """Allocates the buffers for the inputs from the memory that it will work in."""
        gpu = self._gpu
        xp = gpu.xp
        self._copies = [n for n, value in enumerate(inputs) if isinstance(value, xp.ndarray)]
        self._moving = [n for n in self._copies if n not in (self._invariants or ())]
        self._memory = memory
        self._buffers = list(inputs)
        with xp.cuda.using_allocator(self._memory.allocate):
            for n in self._copies:
                self._buffers[n] = xp.empty_like(inputs[n])
        if streams:
            moved = gpu.upload(np.zeros(len(streams), np.uint64))
            self._draws = [_Draw(s, moved[n : n + 1]) for n, s in enumerate(streams)]

    def record(self, body: Body, count: int) -> None:
        """Records what `body` does with these inputs, which gives `count` outputs."""
        gpu = self._gpu
        xp = gpu.xp
        delivers = self._invariants is not None
        if delivers and count:
            self._places = gpu.upload(np.zeros(count, np.int64))

        def work() -> list[Any]:
            for draw in self._draws:
                draw.stream.recorder = _recorder(draw)
            outputs = body(list(self._buffers), lambda n, _: self._uploads[n].copy())
            for draw in self._draws:
                move_on(xp, draw.moved, draw.blocks)
            if delivers:
                outputs = [_without_gaps(xp, value) for value in outputs]
                self._delivered = [
                    n for n, value in enumerate(outputs) if isinstance(value, xp.ndarray)
                ]
                deliver(xp, [outputs[n] for n in self._delivered], self._places)
            return outputs

        assert self._memory is not None
        self._graph, self._outputs = record(gpu, self._memory, work)
        for whole, numbers in ((True, self._copies), (False, self._moving)):
            buffers = [self._buffers[n] for n in numbers]
            self._stages[whole] = Stage(xp, buffers, len(self._delivered), self._places)

    def note_addresses(self, cells: Sequence[tuple[Cell, bool]]) -> None:
        """Remembers where the variables lie."""
        self._cells = [(cell, weakref.ref(cell.array), written) for cell, written in cells]

    def moved(self) -> bool:
        """Whether a variable lies elsewhere now."""
        return any(
            cell.array is None or cell.array is not known() for cell, known, _ in self._cells
        )

    def suits(self, gpu: LogicalGpu) -> bool:
        """Whether it can be replayed now: all variables are where they were, and no one else has what it changes."""
        for cell, known, written in self._cells:
            array = cell.array
            if array is None or array is not known():
                return False
            if written and sys.getrefcount(array) > UNSHARED + 1:
                gpu.release_finished()
                if sys.getrefcount(array) > UNSHARED + 1:
                    return False
        return True

    def replay(self, inputs: list[Any], loop: object, whole: bool, moves: bool) -> list[Any]:
        """Runs it on these inputs.

        Args:
          loop: the run of the loop around it, if it is in one.
          whole: whether the buffers no longer have what stays the same in that run.
          moves: the random streams have not been moved on for this run.
        """
        gpu = self._gpu
        gpu.wait_for_readers()
        whole = whole or loop is None or loop is not self._loop
        self._loop = loop
        results = list(self._outputs)
        for n in self._delivered:
            results[n] = gpu.xp.empty_like(results[n])
        self._stage(inputs, [results[n] for n in self._delivered], whole)
        inputs.clear()
        if moves:
            for draw in self._draws:
                self._move(draw)
        gpu.launch(self._graph, self._memory, self._buffers, self._uploads, self._draws)
        return results

    def _stage(self, inputs: list[Any], results: list[Array], whole: bool) -> None:
        """Copies the inputs to their buffers, and tells the graph where its results go: a launch, if the inputs have
        no gaps; the one input of a graph that keeps its results is a copy.
        """
        copied = self._copies if whole else self._moving
        arrays = []
        for n in copied:
            buffer, value = self._buffers[n], inputs[n]
            if _has_gaps(value):
                self._gpu.xp.copyto(buffer, value)
                arrays.append(buffer)  # onto itself
            else:
                arrays.append(value)
        if len(copied) == 1 and not results:
            if arrays[0] is not self._buffers[copied[0]]:
                buffer, value = self._buffers[copied[0]], arrays[0]
                buffer.data.copy_from_device_async(value.data, value.nbytes, self._gpu.compute)
        else:
            self._stages[whole].run(arrays, results)

    def _move(self, draw: _Draw) -> None:
        """Takes the next part of the stream; updates the graph if others have drawn from it since."""
        offset = draw.stream.reserve(draw.blocks).offset
        if offset != draw.next:
            offset_on_gpu = np.array([(offset - draw.start) % 2**64], np.uint64)
            self._gpu.xp.copyto(draw.moved, self._gpu.upload(offset_on_gpu))
        draw.next = (offset + draw.blocks) % 2**64


def _recorder(draw: _Draw) -> Callable[[Stream, int], Stream]:
    def recorder(start: Stream, blocks: int) -> Stream:
        draw.start = start.offset
        draw.blocks = blocks
        draw.next = (start.offset + blocks) % 2**64
        return MovingStream(start.key, start.high, start.offset, draw.moved)

    return recorder


def _has_gaps(array: Array) -> bool:
    """Whether the elements do not fill a stretch of memory in the order in which `empty_like` lays them out."""
    flags = array.flags
    return not flags.c_contiguous and not flags.f_contiguous


def _without_gaps(xp: ModuleType, value: Array) -> Array:
    """An output, or a copy of it whose elements lie as `empty_like` lays them out."""
    return value.copy("K") if isinstance(value, xp.ndarray) and _has_gaps(value) else value


def _key(inputs: list[Any], on_device: type[Array]) -> tuple[object, ...] | None:
    """The key of a graph: the layout of arrays, and the values on the host; None if these are too large."""
    key: list[object] = []
    for value in inputs:
        kind = type(value)
        if isinstance(value, on_device):
            whole = value.flags.c_contiguous
            key.append((value.dtype, value.shape, None if whole else value.strides))
        elif kind is np.ndarray or isinstance(value, np.generic):
            if value.nbytes > _MOST_BYTES or value.dtype.hasobject:
                return None
            key.append((value.dtype, value.shape, value.tobytes()))
        elif kind in (int, bool, float):
            key.append((kind, value))
        elif hasattr(value, "unshared"):  # a variable's cell, which is known
            key.append(None)
        else:
            return None
    return tuple(key)
