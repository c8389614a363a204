"""The memory pool's rules, limits, allocation cost, and garbage in freed memory."""

import gc
import random

import numpy as np
import pytest

from tests.support import fake_cupy


@pytest.fixture
def pool(cp):
    return cp.cuda.MemoryPool()


def test_sizes_are_rounded_to_512(pool):
    a = pool.malloc(1)
    b = pool.malloc(513)
    assert pool.used_bytes() == 512 + 1024
    assert pool.total_bytes() == 512 + 1024
    assert a.mem.size == 512 and b.mem.size == 1024


def test_freed_blocks_are_cached_split_and_merged(pool):
    whole = pool.malloc(4096)
    del whole
    assert (pool.used_bytes(), pool.free_bytes(), pool.n_free_blocks()) == (0, 4096, 1)
    a, b = pool.malloc(512), pool.malloc(1024)
    assert pool.total_bytes() == 4096
    assert b.ptr == a.ptr + 512
    assert pool.n_free_blocks() == 1
    pool.free_all_blocks()
    assert pool.total_bytes() == 4096  # part of a larger block that is in use
    del a, b
    assert (pool.free_bytes(), pool.n_free_blocks()) == (4096, 1)
    pool.free_all_blocks()
    assert pool.total_bytes() == 0


def test_smallest_sufficient_block_is_reused(pool):
    blocks = [pool.malloc(size) for size in (4096, 1024, 2048)]
    pointers = [block.ptr for block in blocks]
    del blocks
    assert pool.malloc(1000).ptr == pointers[1]
    assert pool.malloc(2000).ptr == pointers[2]


def test_free_lists_are_per_stream(pool, cp):
    block = pool.malloc(4096)
    del block
    with cp.cuda.Stream(non_blocking=True):
        other = pool.malloc(4096)
    assert pool.total_bytes() == 8192
    assert pool.used_bytes() == 4096
    del other


def test_pool_matches_reference_model(pool, cp):
    rng = random.Random(0)
    streams = [cp.cuda.Stream(non_blocking=True) for _ in range(2)]
    held = {}
    for i in range(600):
        with rng.choice(streams):
            if held and rng.random() < 0.45:
                del held[rng.choice(list(held))]
            else:
                held[i] = pool.malloc(rng.randrange(1, 20000))
        spans = sorted((block.ptr, block.ptr + block.mem.size) for block in held.values())
        assert all(first[1] <= second[0] for first, second in zip(spans, spans[1:]))
        assert pool.used_bytes() == sum(high - low for low, high in spans)
        assert pool.total_bytes() == pool.used_bytes() + pool.free_bytes()
    held.clear()
    assert pool.used_bytes() == 0
    pool.free_all_blocks()
    gc.collect()
    assert pool.total_bytes() >= 0 and cp.cuda.Device().mem_info[0] + pool.total_bytes() == 1 << 30


def test_pool_limit(pool, cp):
    pool.set_limit(size=4096)
    assert pool.get_limit() == 4096
    block = pool.malloc(2048)
    with pytest.raises(cp.cuda.memory.OutOfMemoryError) as error:
        pool.malloc(4000)
    assert str(error.value) == (
        "Out of memory allocating 4,096 bytes (allocated so far: 2,048 bytes, limit set to: 4,096 bytes)."
    )
    assert (error.value._size, error.value._total, error.value._limit) == (4096, 2048, 4096)
    del block
    assert pool.malloc(4000) is not None  # free memory was returned first


def test_fractional_limit_applies_to_current_device(pool, cp):
    with cp.cuda.Device(1):
        pool.set_limit(fraction=0.25)
        assert pool.get_limit() == 1 << 28
    assert pool.get_limit() == 0
    with pytest.raises(ValueError, match="out of range"):
        pool.set_limit(fraction=1.5)
    with pytest.raises(ValueError, match="at one time"):
        pool.set_limit(size=1, fraction=0.5)


def test_device_memory_is_limited():
    with fake_cupy.install(devices=1, memory=1 << 20):
        cp = fake_cupy.MODULES["cupy"]
        a = cp.zeros(1 << 19, "u1")
        assert cp.cuda.Device(0).mem_info == (1 << 19, 1 << 20)
        with pytest.raises(
            cp.cuda.memory.OutOfMemoryError, match="allocated so far: 524,288 bytes"
        ):
            cp.zeros((1 << 19) + 1, "u1")
        with pytest.raises(cp.cuda.runtime.CUDARuntimeError) as error:
            cp.cuda.Memory(1 << 20)
        assert error.value.status == 2
        del a


def test_using_allocator_is_per_thread(cp, pool):
    with cp.cuda.using_allocator(pool.malloc):
        a = cp.ones(100, "f")
        assert pool.used_bytes() == 512
        with pytest.raises(ValueError, match="using_allocator"):
            cp.cuda.set_allocator(None)
    assert cp.get_default_memory_pool().used_bytes() == 0
    assert isinstance(a.data.mem, cp.cuda.memory.PooledMemory)


def test_uninitialized_and_freed_memory_holds_garbage(cp):
    a = cp.empty(4, "f")
    assert np.isnan(a.get()).all()
    b = cp.ones(4, "d")
    view = b._a
    del b
    gc.collect()
    assert np.isnan(view).all()


def test_recycled_memory_holds_garbage(cp, pool):
    with cp.cuda.using_allocator(pool.malloc):
        reserved = pool.malloc(100 << 20)
        del reserved
        for _ in range(2):
            a = cp.empty(1000, "float32")
            assert np.isnan(a.get()).all()
            a[...] = 1
            del a
        assert pool.total_bytes() == 100 << 20


def test_hooks_see_each_malloc(cp):
    class Hook(cp.cuda.MemoryHook):
        name = "Sizes"
        sizes = []

        def malloc_postprocess(self, **kwargs):
            self.sizes.append((kwargs["size"], kwargs["mem_size"], kwargs["device_id"]))

    with Hook() as hook:
        cp.empty(3, "f")
    assert hook.sizes == [(12, 512, 0)]


def test_memory_pointers(cp):
    memory = cp.cuda.alloc(1024)
    a = cp.ndarray((4,), "f", memory + 512)
    a[...] = 7
    assert a.data.ptr == memory.ptr + 512
    b = cp.ndarray((2,), "f", cp.cuda.MemoryPointer(memory.mem, 520))
    assert b.get().tolist() == [7, 7]
    unowned = cp.cuda.UnownedMemory(memory.ptr, 1024, memory)
    assert cp.ndarray((1,), "f", cp.cuda.MemoryPointer(unowned, 512)).get().tolist() == [7]


@pytest.mark.parametrize("size, rounded", [(1, 512), (513, 1024), (1025, 2048), (5 << 20, 8 << 20)])
def test_pinned_memory_is_rounded_to_powers_of_two(size, rounded, cp):
    """cupy/cuda/pinned_memory.pyx, PinnedMemoryPool.malloc: rounds by clp2 in units of 512 bytes."""
    assert cp.cuda.PinnedMemoryPool().malloc(size).size() == rounded
