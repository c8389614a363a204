"""CuPy's memory pool: free lists per device and stream, best fit, splitting and merging."""

import bisect
import gc

from tests.support.fake_cupy import memory
from tests.support.fake_cupy.errors import CUDARuntimeError, OutOfMemoryError
from tests.support.fake_cupy.machine import current
from tests.support.fake_cupy.memory import UNIT, BaseMemory, MemoryPointer, Tenure
from tests.support.fake_cupy.shadow import Shadow


class Chunk:
    """A part of a segment in a pool; `previous` and `next` are adjacent chunks."""

    __slots__ = ("source", "ptr", "size", "stream", "previous", "next", "shadow", "garbled", "free")

    def __init__(self, source, ptr, size, stream):
        self.source = source
        self.ptr = ptr
        self.size = size
        self.stream = stream
        self.previous = self.next = None
        self.shadow = None
        self.garbled = False
        self.free = False

    def split(self, size):
        """Keeps the first `size` bytes; returns the rest, or None."""
        if self.size == size:
            return None
        rest = Chunk(self.source, self.ptr + size, self.size - size, self.stream)
        rest.garbled = self.garbled
        rest.shadow = self.shadow.split(rest.ptr)
        rest.previous, rest.next = self, self.next
        if self.next is not None:
            self.next.previous = rest
        self.next = rest
        self.size = size
        return rest

    def merge(self, following):
        """Merges the next chunk into this one."""
        self.size += following.size
        self.garbled = self.garbled and following.garbled
        self.shadow.join(following.shadow)
        self.next = following.next
        if self.next is not None:
            self.next.previous = self


class Arena:
    """The free chunks of one stream, by size."""

    def __init__(self):
        self.sizes = []
        self.by_size = {}

    def add(self, chunk):
        chunk.free = True
        chunks = self.by_size.get(chunk.size)
        if chunks is None:
            self.by_size[chunk.size] = [chunk]
            bisect.insort(self.sizes, chunk.size)
        else:
            chunks.append(chunk)

    def remove(self, chunk):
        chunk.free = False
        chunks = self.by_size[chunk.size]
        chunks.remove(chunk)
        if not chunks:
            del self.by_size[chunk.size]
            del self.sizes[bisect.bisect_left(self.sizes, chunk.size)]

    def take(self, size):
        """Removes and returns the smallest free chunk of at least `size` bytes, or None."""
        index = bisect.bisect_left(self.sizes, size)
        if index == len(self.sizes):
            return None
        chunk = self.by_size[self.sizes[index]][-1]
        self.remove(chunk)
        return chunk

    def chunks(self):
        return [chunk for chunks in self.by_size.values() for chunk in chunks]


class PooledMemory(BaseMemory):
    """Memory from a pool, returned to it on deletion."""

    def __init__(self, chunk, pool):
        self.chunk = chunk
        self._pool = pool
        self.ptr = chunk.ptr
        self.size = chunk.size
        self.device_id = chunk.source.device_id
        self.tenure = Tenure(chunk.source.segment, chunk.ptr, chunk.ptr + chunk.size, chunk.shadow)

    @property
    def pool(self):
        return self._pool

    def free(self):
        chunk, self.chunk = self.chunk, None
        if chunk is None:
            return
        hooks = list(current.machine.thread.hooks.values()) if current.machine else ()
        size, device_id, ptr = self.size, self.device_id, self.ptr
        for hook in hooks:
            hook.free_preprocess(device_id=device_id, mem_size=size, mem_ptr=ptr, pmem_id=id(self))
        self.tenure.end()
        self._pool.give_back(chunk)
        self.ptr = self.size = 0
        for hook in hooks:
            hook.free_postprocess(device_id=device_id, mem_size=size, mem_ptr=ptr, pmem_id=id(self))

    def __del__(self):
        if getattr(self, "chunk", None) is not None:
            self.free()


class SingleDeviceMemoryPool:
    """Memory pool implementation for single device."""

    def __init__(self, allocator=None):
        self.machine = current.machine
        self.device = self.machine.thread.device
        self._allocator = allocator or _plain
        self._total = 0
        self._limit = 0
        self._used = 0
        self._arenas = {}
        self._sources = set()

    def malloc(self, size):
        rounded = (size + UNIT - 1) // UNIT * UNIT
        hooks = self.machine.thread.hooks
        if not hooks:
            return self._malloc(rounded)
        for hook in list(hooks.values()):
            hook.malloc_preprocess(device_id=self.device, size=size, mem_size=rounded)
        pointer = None
        try:
            pointer = self._malloc(rounded)
        finally:
            for hook in list(hooks.values()):
                hook.malloc_postprocess(
                    device_id=self.device,
                    size=size,
                    mem_size=rounded,
                    mem_ptr=pointer.ptr if pointer else 0,
                    pmem_id=id(pointer.mem) if pointer else 0,
                )
        return pointer

    def _malloc(self, size):
        if size == 0:
            return MemoryPointer(memory.Memory(0), 0)
        machine = self.machine
        with machine.lock:
            collecting = gc.isenabled()
            gc.disable()
            try:
                stream = machine.current_stream_state(self.device).pointer
                arena = self._arenas.setdefault(stream, Arena())
                chunk = arena.take(size)
                if chunk is not None:
                    rest = chunk.split(size)
                    if rest is not None:
                        arena.add(rest)
            finally:
                if collecting:
                    gc.enable()
            if chunk is None:
                source = self._new_source(size)
                chunk = Chunk(source, source.ptr, size, stream)
                chunk.shadow = Shadow(chunk.ptr, chunk.ptr + size)
            if not chunk.garbled:
                chunk.garbled = chunk.source.segment.garble(chunk.ptr, chunk.size)
            pooled = PooledMemory(chunk, self)
            self._used += size
            # From here on, the segment is held by the pooled memory.
            chunk.source.segment.leave(chunk.ptr)
            chunk.source.segment.enter(pooled)
            return MemoryPointer(pooled, 0)

    def _new_source(self, size):
        """Allocates by cudaMalloc within the limit; if out of memory, frees the pool's free chunks first."""
        if not self._fits(size):
            self.free_all_blocks()
            if not self._fits(size):
                gc.collect()
                self.free_all_blocks()
                if not self._fits(size):
                    raise OutOfMemoryError(size, self._total, self._limit)
        for attempt in range(3):
            try:
                source = self._allocator(size).mem
                break
            except CUDARuntimeError as error:
                if error.status != 2:
                    raise
                if attempt == 2:
                    raise OutOfMemoryError(size, self._total, self._limit) from None
                if attempt == 1:
                    gc.collect()
                self.free_all_blocks()
        self._total += size
        # Otherwise the collector would destroy an array and its memory in any order.
        self._sources.add(source)
        return source

    def _fits(self, size):
        return not self._limit or self._total + size <= self._limit

    def give_back(self, chunk):
        """Frees a chunk: fills it with garbage and merges it with free neighbors of the same stream."""
        with self.machine.lock:
            collecting = gc.isenabled()
            gc.disable()
            try:
                segment = chunk.source.segment
                segment.leave(chunk.ptr)
                chunk.garbled = segment.garble(chunk.ptr, chunk.size)
                chunk.shadow.forget(self.machine.host)
                self._used -= chunk.size
                arena = self._arenas.setdefault(chunk.stream, Arena())
                for other in (chunk.next, chunk.previous):
                    if other is None or not other.free or other.stream != chunk.stream:
                        continue
                    arena.remove(other)
                    if other is chunk.next:
                        chunk.merge(other)
                    else:
                        other.merge(chunk)
                        chunk = other
                arena.add(chunk)
            finally:
                if collecting:
                    gc.enable()

    def free_all_blocks(self, stream=None):
        """Frees all segments without chunks in use."""
        released = []
        with self.machine.lock:
            if stream is None:
                arenas = list(self._arenas.values())
            else:
                arenas = [self._arenas.get(stream.ptr, Arena())]
            with memory.without_collection():
                for arena in arenas:
                    for chunk in arena.chunks():
                        if chunk.previous is None and chunk.next is None:
                            arena.remove(chunk)
                            self._total -= chunk.size
                            self._sources.discard(chunk.source)
                            released.append(chunk)
        del released

    def n_free_blocks(self):
        return sum(len(arena.chunks()) for arena in self._arenas.values())

    def used_bytes(self):
        return self._used

    def free_bytes(self):
        return sum(chunk.size for arena in self._arenas.values() for chunk in arena.chunks())

    def total_bytes(self):
        return self._total

    def set_limit(self, size=None, fraction=None):
        if size is None:
            if fraction is None:
                size = 0
            else:
                if not 0 <= fraction <= 1:
                    raise ValueError(f"memory limit fraction out of range: {fraction}")
                size = int(fraction * self.machine.devices[self.device].total)
        elif fraction is not None:
            raise ValueError("size and fraction cannot be specified at one time")
        if size < 0:
            raise ValueError(f"memory limit size out of range: {size}")
        self._limit = int(size)

    def get_limit(self):
        return self._limit


def _plain(size):
    return MemoryPointer(memory.Memory(size), 0)


class MemoryPool:
    """Memory pool for all GPU devices on the host."""

    def __init__(self, allocator=None):
        self._source = allocator
        self._pools = {}

    def _here(self):
        device = current.machine.thread.device
        pool = self._pools.get(device)
        if pool is None:
            pool = self._pools[device] = SingleDeviceMemoryPool(self._source)
        return pool

    def malloc(self, size):
        return self._here().malloc(size)

    def free_all_blocks(self, stream=None):
        self._here().free_all_blocks(stream)

    def n_free_blocks(self):
        return self._here().n_free_blocks()

    def used_bytes(self):
        return self._here().used_bytes()

    def free_bytes(self):
        return self._here().free_bytes()

    def total_bytes(self):
        return self._here().total_bytes()

    def set_limit(self, size=None, fraction=None):
        self._here().set_limit(size, fraction)

    def get_limit(self):
        return self._here().get_limit()


class MemoryHook:
    """Base class of memory hooks, active on the current thread inside `with`."""

    name = "MemoryHook"

    def __enter__(self):
        hooks = current.machine.thread.hooks
        if self.name in hooks:
            raise KeyError(f"memory hook {self.name} already exists")
        hooks[self.name] = self
        return self

    def __exit__(self, *_):
        del current.machine.thread.hooks[self.name]

    def alloc_preprocess(self, **kwargs):
        pass

    def alloc_postprocess(self, **kwargs):
        pass

    def malloc_preprocess(self, **kwargs):
        pass

    def malloc_postprocess(self, **kwargs):
        pass

    def free_preprocess(self, **kwargs):
        pass

    def free_postprocess(self, **kwargs):
        pass
