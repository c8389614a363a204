"""replay: runs a segment of a plan, node by node at first, then as a CUDA graph.

Before each replay, checks that the variables have not moved and that no other reference holds an array that the graph
overwrites. A stale graph is dropped and recorded again later. A segment that cannot be recorded runs node by node, with
the same results.
"""

from __future__ import annotations

import itertools
import sys
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from tfmini._src.compiler.kernel_context import UNSHARED_REFCOUNT, Cell
from tfmini._src.devices.arrays import Array
from tfmini._src.devices.cuda.capture.held_iterations import DeferredIteration, DeferredIterations
from tfmini._src.devices.cuda.capture.segment_graph import SINGLE_ITERATION, Body, CudaGraph, Wiring
from tfmini._src.devices.cuda.cuda_graph import Memory, block_size
from tfmini._src.devices.cuda.device import LogicalGpu
from tfmini._src.devices.cuda.errors import is_out_of_memory
from tfmini._src.ops.random.op_stream import OpStream

if TYPE_CHECKING:
    from numpy.typing import ArrayLike


_WARM_UP = 2  # number of runs before recording, which compile kernels and measure memory
_MAX_GRAPHS = 8  # maximum graphs per segment, one per set of shapes
_MAX_KEYS = 256
_MAX_LAYOUTS = 4096  # maximum number of array layouts
_MAX_BYTES = 128  # maximum size of a host value that a graph may depend on
_BACKOFF_FACTOR = 4  # delay, as a factor of the runs, before a dropped graph is recorded again
_MAX_BACKOFF = 1000
_NO_RECORDING = sys.maxsize
_MAX_JOINT = 8  # maximum multi-iteration graphs per set of shapes


class _ShapeRecord:
    """The state for one set of shapes: the number of runs so far, the runs required before capture, and the graph.

    size: bytes that the graph needs for its arrays and inputs.
    joint: the graphs of several iterations, by wiring; None if one could not be recorded.
    """

    __slots__ = ("runs", "runs_needed", "graph", "size", "uploads", "outputs", "joint")

    def __init__(self) -> None:
        self.runs = 0
        self.runs_needed = _WARM_UP
        self.graph: CudaGraph | None = None
        self.size = 0
        self.uploads: dict[int, Array] = {}
        self.outputs = 0
        self.joint: dict[object, CudaGraph] | None = {}

    def forget_graphs(self) -> None:
        self.graph = None
        if self.joint is not None:
            self.joint = {}

    def drop(self) -> None:
        self.forget_graphs()
        self.runs = 0
        self.runs_needed = min(self.runs_needed * _BACKOFF_FACTOR, _MAX_BACKOFF)


class CapturedSegment:
    """A segment of a plan: `segment([input values])` returns the output values.

    Args:
      gpu: the GPU of the segment, which is current and locked during each call.
      body: runs the nodes: `body(inputs, fixed)`, where `fixed(n, value)` returns the n-th copy of a host value.
      cells: the segment's variables, and whether it may change them.
      streams: the streams of its random nodes.
      mark_uncapturable: a weak reference to a callback that receives the reason if recording fails.
      invariants: in a loop body, the indices of loop-invariant inputs; None elsewhere. Outputs of a loop body outlive
        the next iteration, so they are copied out of the memory of the graph.
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
        self.gpu = gpu
        self._body = body
        self._cells = cells
        self._streams = streams
        self._mark_uncapturable = mark_uncapturable
        self._invariants = invariants
        self._changes_variables = any(changes for _, changes in cells)
        self._records: dict[tuple[object, ...], _ShapeRecord] = {}
        self._layouts: dict[tuple[object, ...], int] = {}
        # Never reused, because keys may contain numbers from before the layouts were cleared.
        self._layout_ids = itertools.count()
        # Memory pool shared by all graphs: no two run concurrently, and results are read before another graph runs.
        self._block: Any = None
        self._block_bytes = 0
        self._last_graph: CudaGraph | None = None  # the graph that ran last
        self.label = ""  # readable list of its nodes
        self.recordings = 0
        self.replays = 0
        self.refusal = ""  # why it could not be recorded

    def __call__(self, inputs: list[Any], loop: DeferredIterations | None = None) -> list[Any]:
        """Runs the segment; `loop` identifies the execution of the enclosing loop.

        A loop iteration may be launched later, together with other iterations; see `DeferredIterations`.
        """
        key = self._graph_key(inputs)
        record = None if key is None else self._shape_record(key)
        graph = None if record is None else record.graph
        if record is not None and graph is not None and graph.can_replay(self.gpu):
            self.replays += 1
            results = graph.results()
            if loop is not None and not self._changes_variables:
                loop.hold(self, record, DeferredIteration(graph, inputs, results))
                return results
            if loop is not None:
                loop.flush()
            self._replay(graph, [inputs], [results], loop)
            return results
        if loop is not None:
            loop.flush()
        if record is None:
            return self._body(inputs, self._upload)
        if graph is not None and graph.has_moved():
            record.drop()
        # Releases finished copies, which block in-place updates of variables.
        self.gpu.release_finished()
        record.runs += 1
        if graph is not None or record.runs < record.runs_needed:
            return self._body(inputs, self._upload)
        if record.runs == record.runs_needed:
            return self._measure_memory(record, inputs)
        if any(cell.array is None for cell, _ in self._cells):
            record.runs = 0
            return self._body(inputs, self._upload)
        graph = self._record_graph(record, [inputs], record.size)
        if graph is None:
            return self._body(inputs, self._upload)
        record.graph = graph
        self.recordings += 1
        self.gpu.recorded.add(self)
        self._limit_graphs(record)
        results = graph.results()
        self._replay(graph, [inputs], [results], loop, False)
        return results

    def _graph_key(self, inputs: list[Any]) -> tuple[object, ...] | None:
        """Returns the key of a graph: the layouts of arrays and the values on the host; None if these are too large."""
        key: list[object] = []
        on_device = self.gpu.xp.ndarray
        layouts = self._layouts
        for value in inputs:
            cls = type(value)
            if isinstance(value, on_device):
                layout = value.dtype, value.shape, value.strides
                layout_id = layouts.get(layout)
                key.append(self._layout_number(value, layout) if layout_id is None else layout_id)
            elif cls is np.ndarray or isinstance(value, np.generic):
                if value.nbytes > _MAX_BYTES or value.dtype.hasobject:
                    return None
                key.append((value.dtype, value.shape, value.tobytes()))
            elif cls in (int, bool, float):
                key.append((cls, value))
            elif hasattr(value, "unshared"):  # a variable's storage, already known
                key.append(None)
            else:
                return None
        return tuple(key)

    def _layout_number(self, array: Array, layout: tuple[object, ...]) -> int:
        """Returns the number of an array's layout, which all contiguous arrays of a dtype and shape share."""
        if len(self._layouts) >= _MAX_LAYOUTS:
            self._layouts.clear()
            self._records.clear()
        canonical = (*layout[:2], None) if array.flags.c_contiguous else layout
        layout_id = self._layouts.get(canonical)
        if layout_id is None:
            layout_id = self._layouts[canonical] = next(self._layout_ids)
        self._layouts[layout] = layout_id
        return layout_id

    def _shape_record(self, key: tuple[object, ...]) -> _ShapeRecord:
        record = self._records.get(key)
        if record is None:
            if len(self._records) >= _MAX_KEYS:
                self._records.clear()
            record = self._records[key] = _ShapeRecord()
        return record

    def _replay(
        self,
        graph: CudaGraph,
        inputs: Sequence[list[Any]],
        results: Sequence[list[Any]],
        loop: object,
        moves_arrays: bool = True,
    ) -> None:
        copies_all = graph is not self._last_graph  # another graph has overwritten the memory
        self._last_graph = graph
        graph.replay(inputs, results, loop, copies_all, moves_arrays)

    def launch(
        self,
        record: _ShapeRecord,
        iterations: Sequence[DeferredIteration],
        loop: DeferredIterations,
    ) -> None:
        """Launches the iterations in order, using graphs that each cover a power-of-two number of iterations."""
        while iterations:
            size = 1 << (len(iterations).bit_length() - 1)
            some, iterations = iterations[:size], iterations[size:]
            joint = None
            if size > 1 and record.joint is not None:
                joint = self._joint_graph(record, record.joint, some, loop)
            if joint is not None:
                self._replay(joint, [e.inputs for e in some], [e.results for e in some], loop)
                continue
            for iteration in some:
                self._replay(iteration.graph, [iteration.inputs], [iteration.results], loop)

    def _joint_graph(
        self,
        record: _ShapeRecord,
        graphs: dict[object, CudaGraph],
        iterations: Sequence[DeferredIteration],
        loop: DeferredIterations,
    ) -> CudaGraph | None:
        """Returns the graph of several iterations, recorded at first use; None if they must be launched one by one."""
        invariants = self._invariants or frozenset()
        wires = loop.wires(iterations, invariants)
        key = (len(iterations), *wires)
        graph = graphs.get(key)
        if graph is not None and graph.can_replay(self.gpu):
            return graph
        graphs.pop(key, None)
        if len(graphs) >= _MAX_JOINT:
            return None
        array_type = self.gpu.xp.ndarray
        iteration_inputs = [
            v for e in iterations[1:] for n, v in enumerate(e.inputs) if n not in invariants
        ]
        iteration_inputs += [v for e in iterations[1:] for v in e.results]
        size = record.size + sum(
            block_size(v.nbytes) for v in iteration_inputs if isinstance(v, array_type)
        )
        wiring = tuple(
            {n: (earlier, output) for index, n, earlier, output in wires if index == iteration}
            for iteration in range(len(iterations))
        )
        graph = self._record_graph(record, [e.inputs for e in iterations], size, wiring)
        if graph is not None and record.joint is not None:
            record.joint[key] = graph
        return graph

    def drop(self) -> bool:
        """Drops all graphs and their memory; returns whether there were any."""
        records = [record for record in self._records.values() if record.graph or record.joint]
        for record in records:
            record.drop()
        self._block = self._last_graph = None
        self._block_bytes = 0
        return bool(records)

    def describe(self) -> str:
        """Returns a readable summary of the segment's nodes and their state."""
        if self.refusal:
            return f"{self.label}: not captured: {self.refusal}"
        if not self.recordings:
            runs = max((record.runs for record in self._records.values()), default=0)
            return f"{self.label}: not captured before run {_WARM_UP + 1} with the same shapes, now run {runs}"
        times = "once" if self.recordings == 1 else f"{self.recordings} times"
        contents = {graph.content() for graph in self._graphs()} - {""}
        return (
            f"{self.label}: captured {times}, replayed {self.replays + self.recordings} times"
            f"{', each ' + ' or '.join(sorted(contents)) if contents else ''}"
        )

    def graph_bytes(self) -> int:
        """Returns the number of bytes held by the segment's graphs."""
        graphs = [record.graph for record in self._records.values() if record.graph is not None]
        return self._block_bytes + sum(graph.unused_bytes() for graph in graphs)

    def _graphs(self) -> list[CudaGraph]:
        graphs = [record.graph for record in self._records.values() if record.graph is not None]
        return graphs + [g for r in self._records.values() for g in (r.joint or {}).values()]

    def _limit_graphs(self, newest: _ShapeRecord) -> None:
        records = [record for record in self._records.values() if record.graph is not None]
        if len(records) > _MAX_GRAPHS:
            next(record for record in records if record is not newest).drop()

    def _upload(self, index: int, value: ArrayLike) -> Array:
        uploaded: Array = self.gpu.upload(value)
        return uploaded

    def _measure_memory(self, record: _ShapeRecord, inputs: list[Any]) -> list[Any]:
        """Runs the segment, measures the graph's memory and caches copies of host values."""
        memory = Memory(self.gpu)
        record.uploads = {}

        def fixed(index: int, value: ArrayLike) -> Array:
            record.uploads[index] = self.gpu.upload(value)
            return record.uploads[index].copy()  # a copy that the segment may overwrite

        sizes = [v.nbytes for v in inputs if isinstance(v, self.gpu.xp.ndarray)]
        with self.gpu.xp.cuda.using_allocator(memory.allocate):
            outputs = self._body(inputs, fixed)
        record.size = memory.extent + sum(map(block_size, sizes))
        record.outputs = len(outputs)
        return outputs

    def _reserve_block(self, size: int) -> Any:
        """Returns at least `size` bytes of memory for a graph; new memory invalidates the other graphs."""
        if self._block_bytes < size:
            for record in self._records.values():
                record.forget_graphs()
            self._block = self._last_graph = None
            self._block_bytes = 0
            self._block = self.gpu.pool.malloc(size)
            self._block_bytes = size
        return self._block

    def _record_refusal(self, record: _ShapeRecord, error: Exception) -> None:
        """Records that an error other than out of memory prevents the capture of the segment."""
        self.refusal = f"{type(error).__name__}: {error}"
        mark_uncapturable = self._mark_uncapturable()
        if mark_uncapturable is not None:
            mark_uncapturable(error)
        record.runs_needed = _NO_RECORDING

    def _record_graph(
        self,
        record: _ShapeRecord,
        inputs: Sequence[list[Any]],
        size: int,
        wiring: Wiring = SINGLE_ITERATION,
    ) -> CudaGraph | None:
        """Records the graph of one iteration per element of `inputs`, in `size` bytes; None if recording fails."""
        gpu = self.gpu
        positions = [stream.position for stream in self._streams]
        cells = [cell for cell, _ in self._cells]
        arrays = [cell.array for cell in cells]
        graph = CudaGraph(gpu, record.uploads, self._invariants, wiring)
        try:
            block = self._reserve_block(size)
            graph.prepare(Memory(gpu, size, block), inputs, self._streams)
            for cell in cells:
                cell.unshared = UNSHARED_REFCOUNT + 1  # `arrays` holds a second reference
            graph.record(self._body, record.outputs)
        except Exception as error:
            if len(inputs) > 1:
                record.joint = None
            elif isinstance(error, MemoryError) or is_out_of_memory(error):
                record.drop()
            else:
                self._record_refusal(record, error)
        else:
            if all(cell.array is array for cell, array in zip(cells, arrays)):
                graph.note_addresses(self._cells)
                return graph
            record.drop()
        finally:
            for stream in self._streams:
                stream.recorder = None
            for cell, array in zip(cells, arrays):
                cell.array = array
                cell.unshared = UNSHARED_REFCOUNT
            if len(inputs) > 1:  # the first replay also advances them
                for stream, position in zip(self._streams, positions):
                    stream.rewind(position)
        for stream, position in zip(self._streams, positions):
            stream.rewind(position)
        return None
