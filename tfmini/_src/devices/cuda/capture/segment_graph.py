"""segment_graph: a segment of a plan as a CUDA graph, for one or several consecutive loop iterations.

Each iteration reads its own input buffers or the outputs of an earlier one (`Wiring`); loop invariants are in buffers
shared by all iterations. Results are delivered iteration by iteration.
"""

from __future__ import annotations

import sys
import weakref
from collections.abc import Callable, Mapping, Sequence
from types import ModuleType
from typing import Any, TypeAlias

import numpy as np

from tfmini._src.compiler.kernel_context import UNSHARED_REFCOUNT, Cell
from tfmini._src.devices.arrays import Array
from tfmini._src.devices.cuda.capture.result_arrays import ResultArrays, result_arrays
from tfmini._src.devices.cuda.cuda_graph import Memory, describe_graph, record
from tfmini._src.devices.cuda.device import LogicalGpu
from tfmini._src.devices.cuda.random_numbers import MovingStream, move_on
from tfmini._src.devices.cuda.staging import Stage, deliver
from tfmini._src.devices.numpy.philox import Stream
from tfmini._src.ops.random.op_stream import OpStream

# `body(inputs, fixed)`, where `fixed(n, value)` returns a device copy of a host value.
Body: TypeAlias = Callable[[list[Any], Callable[[int, Any], Array]], list[Any]]
# By iteration: input number -> (iteration, output number) that supplies it.
Wiring: TypeAlias = tuple[Mapping[int, tuple[int, int]], ...]
SINGLE_ITERATION: Wiring = ({},)


class _Draw:
    """A random node in a graph, with the stream positions at its recording and at its next run."""

    __slots__ = ("stream", "start", "blocks", "next", "moved")

    def __init__(self, stream: OpStream, moved_offsets: Array):
        self.stream = stream
        self.moved = moved_offsets
        self.start = 0
        self.blocks = 0
        self.next = 0


class CudaGraph:
    """A segment as a CUDA graph.

    Args:
      gpu: the GPU of the segment.
      uploads: copies of the host values that the segment reads. invariants: as for `CapturedSegment`. wiring:
        connections between consecutive iterations.
    """

    def __init__(
        self,
        gpu: LogicalGpu,
        uploads: dict[int, Array],
        invariants: frozenset[int] | None,
        wiring: Wiring = SINGLE_ITERATION,
    ):
        self._gpu = gpu
        self._uploads = uploads
        self._invariants = invariants
        self._wiring = wiring
        self._buffers: list[list[Any]] = []  # by iteration
        self._copies: list[tuple[int, int]] = []  # copied inputs, by iteration
        self._loop_copies: list[tuple[int, int]] = []  # copied inputs that change during a loop
        self._gaps: frozenset[int] = frozenset()  # the inputs that have gaps
        self._stages: dict[bool, Stage] = {}  # by whether they copy all inputs
        self._loop: object = None  # identifies the loop run whose invariants are in the buffers
        self._outputs: list[Any] = []  # outputs of the first iteration
        self.delivered_outputs: list[
            int
        ] = []  # output numbers that are copied after each iteration
        self._arrays: list[ResultArrays] = []  # for the delivered outputs
        self._output_addresses: Array | None = None
        self._cells: list[tuple[Cell, weakref.ref[Array], bool]] = []
        self._draws: list[_Draw] = []
        self._memory: Memory | None = None
        self._graph: Any = None
        self._content = ""

    def content(self) -> str:
        """Returns a readable summary of the work that a replay launches: "14 kernels, 1 memset"."""
        if not self._content:
            self._content = describe_graph(self._graph)
        return self._content

    def prepare(
        self, memory: Memory, inputs: Sequence[list[Any]], streams: Sequence[OpStream]
    ) -> None:
        """Allocates the input buffers of each iteration from the graph's own memory."""
        gpu = self._gpu
        xp = gpu.xp
        arrays = [n for n, value in enumerate(inputs[0]) if isinstance(value, xp.ndarray)]
        self._gaps = frozenset(n for n in arrays if _has_gaps(inputs[0][n]))
        lasting_indices = [n for n in arrays if n in (self._invariants or ())]
        self._copies = [
            (iteration, n)
            for iteration, wired in enumerate(self._wiring)
            for n in arrays
            if n not in wired and (not iteration or n not in lasting_indices)
        ]
        self._loop_copies = [
            (iteration, n) for iteration, n in self._copies if n not in lasting_indices
        ]
        self._memory = memory
        self._buffers = [list(values) for values in inputs]
        with xp.cuda.using_allocator(self._memory.allocate):
            for iteration, n in self._copies:
                self._buffers[iteration][n] = xp.empty_like(inputs[iteration][n])
        for buffers, wired in zip(self._buffers, self._wiring):
            for n in lasting_indices:
                buffers[n] = self._buffers[0][n]
            for n in wired:
                buffers[n] = None
        if streams:
            moved_offsets = gpu.upload(np.zeros(len(streams), np.uint64))
            self._draws = [_Draw(s, moved_offsets[n : n + 1]) for n, s in enumerate(streams)]

    def record(self, body: Body, count: int) -> None:
        """Records `body`, which returns `count` outputs, with the input buffers."""
        gpu = self._gpu
        xp = gpu.xp
        has_invariants = self._invariants is not None
        if has_invariants and count:
            self._output_addresses = gpu.upload(np.zeros(count * len(self._wiring), np.int64))
        read_later = {output for wired in self._wiring for output in wired.values()}

        def work() -> list[Any]:
            for draw in self._draws:
                draw.stream.recorder = _draw_recorder(draw)
            results_of_iterations: list[list[Any]] = []
            for iteration, wired in enumerate(self._wiring):
                values = list(self._buffers[iteration])
                for n, (earlier, output) in wired.items():
                    values[n] = results_of_iterations[earlier][output]
                outputs = body(values, lambda n, _: self._uploads[n].copy())
                if has_invariants:
                    outputs = self._add_delivery(iteration, outputs)
                if iteration:
                    outputs = [
                        value if (iteration, n) in read_later else None
                        for n, value in enumerate(outputs)
                    ]
                results_of_iterations.append(outputs)
            for draw in self._draws:
                move_on(xp, draw.moved, draw.blocks)
            return results_of_iterations[0]

        assert self._memory is not None
        self._graph, self._outputs = record(gpu, self._memory, work)
        if len(self._wiring) == 1:
            delivered_arrays = [self._outputs[n] for n in self.delivered_outputs]
            self._arrays = result_arrays(xp, delivered_arrays)
        results = len(self.delivered_outputs) * len(self._wiring)
        for copies_all, copied in ((True, self._copies), (False, self._loop_copies)):
            buffers = [self._buffers[iteration][n] for iteration, n in copied]
            self._stages[copies_all] = Stage(xp, buffers, results, self._output_addresses)

    def _add_delivery(self, iteration: int, outputs: list[Any]) -> list[Any]:
        """Returns the contiguous outputs of an iteration, after the launch that copies them to their destinations."""
        xp = self._gpu.xp
        outputs = [_compact(xp, value) for value in outputs]
        self.delivered_outputs = [
            n for n, value in enumerate(outputs) if isinstance(value, xp.ndarray)
        ]
        if self.delivered_outputs:
            assert self._output_addresses is not None
            first = iteration * len(self.delivered_outputs)
            deliver(
                xp, [outputs[n] for n in self.delivered_outputs], self._output_addresses[first:]
            )
        return outputs

    def note_addresses(self, cells: Sequence[tuple[Cell, bool]]) -> None:
        """Records the addresses of variables."""
        self._cells = [(cell, weakref.ref(cell.array), written) for cell, written in cells]

    def has_moved(self) -> bool:
        """Whether the address of a variable has changed."""
        return any(
            cell.array is None or cell.array is not recorded() for cell, recorded, _ in self._cells
        )

    def can_replay(self, gpu: LogicalGpu) -> bool:
        """Whether the graph can be replayed: all variables have the same addresses, and written arrays are unshared."""
        for cell, recorded, written in self._cells:
            array = cell.array
            if array is None or array is not recorded():
                return False
            if written and sys.getrefcount(array) > UNSHARED_REFCOUNT + 1:
                gpu.release_finished()
                if sys.getrefcount(array) > UNSHARED_REFCOUNT + 1:
                    return False
        return True

    def results(self) -> list[Any]:
        """Returns the results of an iteration, with new arrays in place of those it delivers."""
        results = list(self._outputs)
        for n, arrays in zip(self.delivered_outputs, self._arrays):
            results[n] = arrays.take()
        return results

    def unused_bytes(self) -> int:
        """Returns the number of bytes held for the results of later iterations."""
        return sum(arrays.unused_bytes() for arrays in self._arrays)

    def replay(
        self,
        inputs: Sequence[list[Any]],
        results: Sequence[list[Any]],
        loop: object,
        copies_all: bool,
        moves_arrays: bool,
    ) -> None:
        """Replays the graph with the inputs of its iterations.

        Args:
          results: the results of each iteration, from the method `results`.
          loop: the execution of the enclosing loop, if any.
          copies_all: whether loop invariants must be copied to the buffers, which no longer hold them.
          moves_arrays: whether the random streams must still be advanced for this run.
        """
        gpu = self._gpu
        gpu.wait_for_readers()
        copies_all = copies_all or loop is None or loop is not self._loop
        self._loop = loop
        self._stage(
            inputs, [values[n] for values in results for n in self.delivered_outputs], copies_all
        )
        for values in inputs:
            values.clear()
        if moves_arrays:
            for draw in self._draws:
                self._advance_stream(draw)
        gpu.launch(self._graph, self._memory, self._buffers, self._uploads, self._draws)

    def _stage(self, inputs: Sequence[list[Any]], results: list[Array], copies_all: bool) -> None:
        """Copies the inputs to their buffers and sets the addresses of the results, in one launch if the inputs are
        contiguous; a single input of a graph without delivered results is copied directly.
        """
        copied = self._copies if copies_all else self._loop_copies
        arrays = [inputs[iteration][n] for iteration, n in copied]
        if self._gaps:
            for index, (iteration, n) in enumerate(copied):
                if n in self._gaps:
                    buffer = self._buffers[iteration][n]
                    self._gpu.xp.copyto(buffer, arrays[index])
                    arrays[index] = buffer  # copies onto itself
        if len(copied) == 1 and not results:
            iteration, n = copied[0]
            buffer, value = self._buffers[iteration][n], arrays[0]
            if value is not buffer:
                buffer.data.copy_from_device_async(value.data, value.nbytes, self._gpu.compute)
        else:
            self._stages[copies_all].run(arrays, results)

    def _advance_stream(self, draw: _Draw) -> None:
        """Advances a random stream; updates the graph if other nodes have since drawn from the stream."""
        offset = draw.stream.reserve(draw.blocks).offset
        if offset != draw.next:
            offset_on_gpu = np.array([(offset - draw.start) % 2**64], np.uint64)
            self._gpu.xp.copyto(draw.moved, self._gpu.upload(offset_on_gpu))
        draw.next = (offset + draw.blocks) % 2**64


def _draw_recorder(draw: _Draw) -> Callable[[Stream, int], Stream]:
    def recorder(start: Stream, blocks: int) -> Stream:
        if not draw.blocks:
            draw.start = start.offset
        draw.blocks += blocks
        draw.next = (start.offset + blocks) % 2**64
        return MovingStream(start.key, start.high, start.offset, draw.moved)

    return recorder


def _has_gaps(array: Array) -> bool:
    """Whether the elements are not contiguous in the layout of `empty_like`."""
    flags = array.flags
    return not flags.c_contiguous and not flags.f_contiguous


def _compact(xp: ModuleType, value: Array) -> Array:
    """Returns an output, or a copy of it in the memory layout of `empty_like`."""
    return value.copy("K") if isinstance(value, xp.ndarray) and _has_gaps(value) else value
