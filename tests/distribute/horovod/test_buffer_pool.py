"""Reuse of large array buffers."""

import gc

import numpy as np
import pytest

from tfmini._src.distribute.horovod import buffer_pool
from tfmini._src.distribute.horovod.buffer_pool import ArrayPool

STEP = 1 << 20


@pytest.fixture
def allocations(monkeypatch):
    """The sizes of new allocations."""
    sizes, new = [], buffer_pool._new

    def noted(size):
        sizes.append(size)
        return new(size)

    monkeypatch.setattr(buffer_pool, "_new", noted)
    return sizes


def gone():
    gc.collect()


def test_memory_of_collected_array_is_reused(allocations):
    pool = ArrayPool()
    first = pool.empty(STEP, np.dtype("f"))
    assert first.shape == (STEP,) and first.dtype == np.float32 and first.flags.writeable
    second = pool.empty(STEP, np.dtype("f"))
    assert allocations == [4 * STEP] * 2 and not np.shares_memory(first, second)
    where = first.ctypes.data
    part = first[10:20]
    del first
    gone()
    pool.empty(STEP, np.dtype("f"))
    assert len(allocations) == 3  # a part of it exists
    gone()
    part = None
    gone()
    again = pool.empty(STEP // 2, np.dtype("d"))
    assert len(allocations) == 3 and again.dtype == np.float64 and again.ctypes.data == where
    del part, second


def test_sizes_are_rounded_to_megabytes(allocations):
    pool = ArrayPool()
    pool.empty(STEP + 1, np.dtype("u1"))
    gone()
    pool.empty(2 * STEP, np.dtype("u1"))
    gone()
    pool.empty(2 * STEP + 1, np.dtype("u1"))
    assert allocations == [2 * STEP, 3 * STEP]


def test_small_and_object_arrays_are_not_pooled(allocations):
    pool = ArrayPool()
    assert pool.empty(STEP, np.dtype("u1")).size == STEP
    assert pool.empty(STEP, np.dtype(object)).dtype == object
    assert pool.empty(0, np.dtype("f")).size == 0 and allocations == []


def test_free_memory_is_bounded(allocations, monkeypatch):
    monkeypatch.setattr(buffer_pool, "_MAX_FREE", 5 * STEP)
    pool = ArrayPool()
    arrays = [pool.empty(n * STEP, np.dtype("u1")) for n in (2, 3, 4)]
    while arrays:
        arrays.pop(0)
        gone()
    assert [len(memory) for memory in pool._free] == [4 * STEP]
    pool.empty(9 * STEP, np.dtype("u1"))
    gone()
    assert [len(memory) for memory in pool._free] == [9 * STEP]  # one of any size


def test_copies_are_flat(allocations):
    pool = ArrayPool()
    for shape in ((2, 3), (600, 700), ()):
        values = np.arange(float(np.prod(shape))).reshape(shape).T
        copied = pool.copy(values)
        assert copied.shape == (values.size,) and not np.shares_memory(copied, values)
        np.testing.assert_array_equal(copied, values.ravel())
    assert allocations == [4 * STEP]


class Shrinking(list):
    """Free buffers, the oldest of which another thread releases at each access."""

    def __getitem__(self, index):
        result = super().__getitem__(index)
        self.pop(0)
        return result

    def copy(self):
        result = super().copy()
        self.pop(0)
        return result


def test_concurrently_taken_memory_is_skipped(allocations):
    pool = ArrayPool()
    kept = buffer_pool._new(4 * STEP)
    pool._free = Shrinking([buffer_pool._new(2 * STEP), kept])
    assert pool.empty(STEP, np.dtype("f")).base.obj is kept
    pool._free = Shrinking([kept])
    assert pool.empty(STEP, np.dtype("f")).base.obj is not kept
    assert allocations == [4 * STEP, 2 * STEP, 4 * STEP]
