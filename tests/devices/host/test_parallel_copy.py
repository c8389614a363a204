"""Multithreaded copies: every byte once, and no threads for small arrays."""

import numpy as np
import pytest

from tfmini._src.devices.host import parallel_copy, threads


@pytest.mark.parametrize("size, started", [(0, 0), (199, 0), (200, 2), (201, 2), (777, 2)])
def test_large_copy_is_split_across_threads(monkeypatch, size, started):
    pool = threads._Threads()
    pool.count = 3
    monkeypatch.setattr(threads, "_threads", pool)
    monkeypatch.setattr(parallel_copy, "_PART", 100)
    source = np.random.RandomState(size).randint(0, 255, size).astype(np.uint8)
    target = np.zeros(size + 2, np.uint8)
    parallel_copy.copy_bytes(target[1:-1], source)
    assert target.tolist() == [0, *source.tolist(), 0]
    assert pool.started == started
