"""Memory left by tests is returned to the system."""

import functools
import linecache
import sys
from types import SimpleNamespace

import numpy as np
import pytest

from tests.support import isolation, recollection


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


def test_a_file_is_collected_again_when_its_test_runs(request, tmp_path):
    items = []
    text = "import pytest\n@pytest.fixture\ndef five(): return 5\ndef test_it(five): pass\n"
    for name in ("test_one", "test_other"):
        (path := tmp_path / f"{name}.py").write_text(text)
        items += pytest.Module.from_parent(request.session, path=path).collect()
    manager, config = request.session._fixturemanager, request.config
    session = SimpleNamespace(items=items, config=config, _fixturemanager=manager)
    session.genitems, session._collection_cache = pytest.Module.collect, {}
    collected = {item.module.__name__ for item in items}
    assert collected <= sys.modules.keys()
    recollected = recollection.RecollectedItems(session)
    assert len(recollected) == 2 and session.items is recollected
    assert not collected & sys.modules.keys() and not manager.getfixturedefs("five", items[0])
    one, other = recollected
    assert one.nodeid == items[0].nodeid
    assert [each.func() for each in manager.getfixturedefs("five", one)] == [5]
    recollected.forget(one, other)
    assert vars(one) == {} and recollected[1] is other
    assert collected & sys.modules.keys() == {other.module.__name__}
    recollected.forget(other, None)
    assert not collected & sys.modules.keys()
    path.write_text("")
    with pytest.raises(pytest.fail.Exception, match="its file has changed"):
        recollected[1].runtest()
    recollected.forget(recollected[1], None)
