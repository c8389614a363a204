"""Memory left by tests is returned to the system."""

import functools
import linecache
from types import SimpleNamespace

import numpy as np
import pytest

from tests.support import isolation


@functools.cache
def recording():
    return np.ones(2 * isolation.MUCH // 8)


@pytest.mark.skipif(not isolation._resident(), reason="this system says no process's memory")
@pytest.mark.parametrize(
    ("collect", "much"),
    [(isolation.give_back_memory, "MUCH"), (isolation.end, "MUCH_OF_A_TEST")],
)
def test_garbage_of_large_arrays_is_collected(monkeypatch, collect, much):
    monkeypatch.setattr(isolation, much, much := 6 << 20)
    collect()
    before = isolation._resident()
    cycle = [np.ones(2 * much // 8)]
    cycle.append(cycle)
    del cycle
    assert isolation._resident() > before + much
    collect()
    assert isolation._resident() < before + much // 2


def test_completed_test_is_released():
    items = ["before"]
    items.append(item := SimpleNamespace(session=SimpleNamespace(items=items)))
    item.keywords = {"node": item}
    isolation.forget_test(item)
    assert items == ["before", None] and vars(item) == {}


@pytest.mark.skipif(not isolation._resident(), reason="this system says no process's memory")
def test_large_test_caches_are_cleared():
    isolation.give_back_memory()
    cached = linecache.getlines(__file__)
    linecache.cache["<cell>"] = 2, None, ["x\n"], "<cell>"
    recording()
    isolation.give_back_memory()
    assert recording.cache_info().currsize == 0 and __file__ not in linecache.cache
    assert linecache.getlines(__file__) == cached and linecache.cache.pop("<cell>")
