"""Records GPU work as a CUDA graph, with the memory that the graph uses.

A graph repeats its launches on the same addresses, so all its results are in one block of the GPU's pool, owned by the
graph. A trial run with ordinary pool memory measures the block. During recording, each array is allocated from the
block, and freed parts are reused only by later arrays of the same graph.
"""

from __future__ import annotations

import bisect
import os
import re
from collections import Counter, deque
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from tfmini._src.base.read_only import read_only

if TYPE_CHECKING:
    from tfmini._src.devices.cuda.device import LogicalGpu

_ALIGNMENT = 512  # CUDA's alignment in bytes
# cudaGraphDebugDotPrint: its flag for details, and a node with its kind (KERNEL, MEMCPY, ...).
_DOT_FLAGS = 1
_NODE_PATTERN = re.compile(r'"graph_\d+_node_\d+"\[[^{\]]*\{\s*([A-Z_]+)')
_WORDS = {
    "KERNEL": ("kernel", "kernels"),
    "MEMCPY": ("copy", "copies"),
    "MEMSET": ("memset", "memsets"),
}


def is_enabled() -> bool:
    """Whether repeated work is recorded: true unless TFMINI_CUDA_GRAPHS is 0."""
    return os.environ.get("TFMINI_CUDA_GRAPHS", "") != "0"


def block_size(size: int) -> int:
    """Returns the size of the block that holds an array of this size."""
    return -(-size // _ALIGNMENT) * _ALIGNMENT


class Arena:
    """First-fit allocator for the parts of a block.

    extent: number of bytes used so far.
    """

    def __init__(self) -> None:
        self._free: list[tuple[int, int]] = []  # (start, end), in order
        self._freed: deque[tuple[int, int]] = deque()
        self.extent = 0

    def take(self, size: int) -> int:
        """Allocates `size` bytes; returns their start offset."""
        while self._freed:
            self._add(*self._freed.popleft())
        for index, (start, end) in enumerate(self._free):
            if end - start >= size or end == self.extent:
                if end - start > size:
                    self._free[index] = (start + size, end)
                else:
                    del self._free[index]
                    self.extent = max(self.extent, start + size)
                return start
        start = self.extent
        self.extent += size
        return start

    def free(self, start: int, size: int) -> None:
        """Frees a part; the garbage collector may call it at any time, even during `take`."""
        self._freed.append((start, start + size))

    def _add(self, start: int, end: int) -> None:
        free = self._free
        position = bisect.bisect_left(free, (start, end))
        if position < len(free) and free[position][0] == end:
            end = free.pop(position)[1]
        if position and free[position - 1][1] == start:
            position -= 1
            start = free.pop(position)[0]
        free.insert(position, (start, end))


class _Lease:
    """The part of an arena that an array occupies, with a reference to the memory."""

    __slots__ = ("arena", "start", "size", "memory")

    def __init__(self, arena: Arena, start: int, size: int, memory: Any):
        self.arena = arena
        self.start = start
        self.size = size
        self.memory = memory

    def __del__(self) -> None:
        self.arena.free(self.start, self.size)


class Memory:
    """An allocator for the arrays of recorded work.

    Without a block, it only measures: `extent` is then the required block size.

    block: at least `size` bytes, which may be shared with work that never runs concurrently; by default its own.
    """

    extent: int = read_only(attribute="_arena.extent")

    def __init__(self, gpu: LogicalGpu, size: int | None = None, block: Any = None):
        self._gpu = gpu
        self._arena = Arena()
        self._size = size or 0
        self._block = gpu.pool.malloc(size) if size is not None and block is None else block
        self._more: list[Any] = []

    def allocate(self, size: int) -> Any:
        """Allocates the memory of a CuPy array."""
        if not size:
            return self._gpu.pool.malloc(0)
        part = block_size(size)
        start = self._arena.take(part)
        block = self._block
        if block is None:
            block = self._gpu.allocate(size)
            address = block.ptr
        elif start + part <= self._size:
            address = block.ptr + start
        else:  # the recording deviates from the rehearsal
            block = self._gpu.pool.malloc(size)
            self._more.append(block)  # lives as long as the block
            address = block.ptr
        cuda = self._gpu.xp.cuda
        lease = _Lease(self._arena, start, part, block)
        return cuda.MemoryPointer(cuda.UnownedMemory(address, size, lease, self._gpu.ordinal), 0)


def record(gpu: LogicalGpu, memory: Memory, work: Callable[[], Any]) -> tuple[Any, Any]:
    """Records the launches of `work()` on the current GPU without running them; returns the graph and the return value.

    Propagates the exceptions of `work`, including errors of work that cannot be recorded.
    """
    stream = gpu.compute
    with gpu.xp.cuda.using_allocator(memory.allocate):
        stream.begin_capture()
        try:
            result = work()
        except BaseException:
            _end_failed_capture(gpu)
            raise
        return stream.end_capture(), result


def describe_graph(graph: Any) -> str:
    """Returns a readable summary of the work in a graph: "14 kernels, 1 memset"; "" if CUDA does not report it."""
    try:
        text = graph.debug_dot_str(_DOT_FLAGS)
    except (RuntimeError, OSError):  # lost GPU, or no space for the file
        return ""
    node_types = Counter(_NODE_PATTERN.findall(text))
    words = [
        (n, _WORDS.get(node_type, (node_type.lower(),) * 2)[n > 1])
        for node_type, n in node_types.items()
    ]
    return ", ".join(f"{n} {word}" for n, word in words)


def _end_failed_capture(gpu: LogicalGpu) -> None:
    """Ends a failed recording, ignoring the error that CUDA raises again."""
    try:
        gpu.compute.end_capture()
    except gpu.xp.cuda.runtime.CUDARuntimeError as error:
        if gpu.compute.is_capturing():
            raise error
