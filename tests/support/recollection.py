"""Recollection: a pytest-xdist worker keeps the ids of all tests, but the items and modules of the current files only.

Items and modules of the whole suite take 90 MB in each worker. They are released after the collection, and a file is
collected again when its first test runs, in some milliseconds.
"""

import sys
from collections.abc import Sequence

import pytest

from tests.support import isolation


class RecollectedItems(Sequence):
    """The items of a session after the collection, in place of its list."""

    def __init__(self, session):
        self._session = session
        self._ids = [(_item_module(item).nodeid, item.nodeid) for item in session.items]
        self._current = {}  # by file: its module node and its items by id
        self._parents = {}  # by file: the node of its folder, and its path
        modules = {_item_module(item) for item in session.items}
        session.items = self
        for module in modules:
            self._parents[module.nodeid] = module.parent, module.path
        self._release(modules)

    def __len__(self):
        return len(self._ids)

    def __getitem__(self, index):
        file, name = self._ids[index]
        if file not in self._current:
            self._current[file] = self._collect(file)
        module, items = self._current[file]
        if name not in items:
            test = name.removeprefix(f"{file}::")
            items[name] = pytest.Function.from_parent(module, name=test, callobj=_fail)
        return items[name]

    def forget(self, item, next_item):
        """Releases a test that has run, and its file unless the next test, or None, is in it too."""
        module = _item_module(item)
        file, items = module.nodeid, self._current[module.nodeid][1]
        vars(items.pop(item.nodeid)).clear()
        if next_item is None or _item_module(next_item) is not module:
            for each in items.values():
                vars(each).clear()
            del self._current[file]
            self._release([module])

    def _collect(self, file):
        parent, path = self._parents[file]
        module = pytest.Module.from_parent(parent, path=path)
        items = list(self._session.genitems(module))
        self._session._collection_cache.clear()
        config = self._session.config
        add_marks = config.hook.pytest_collection_modifyitems
        add_marks(session=self._session, config=config, items=list(items))
        return module, {item.nodeid: item for item in items}

    def _release(self, nodes):
        """Drops modules and their fixtures; recollection imports them again."""
        for module in [node._obj for node in nodes if hasattr(node, "_obj")]:  # that are imported
            isolation.forget_generators(module)
            if sys.modules.get(module.__name__) is module:
                del sys.modules[module.__name__]
                package, _, name = module.__name__.rpartition(".")
                vars(sys.modules[package]).pop(name, None)
        _forget_fixtures(self._session._fixturemanager, nodes)


def _fail():
    pytest.fail("This test is missing: its file has changed since the collection.", pytrace=False)


def _item_module(item):
    return item.getparent(pytest.Module)


def _forget_fixtures(manager, modules):
    """Unregisters the fixtures of modules and their classes, by node as in pytest 9 or by id as in pytest 8."""
    for by_node in [
        *getattr(manager, "_arg2node2fixturedefs", {}).values(),
        getattr(manager, "_node_autousenames", {}),
    ]:
        for node in [each for each in by_node if _item_module(each) in modules]:
            del by_node[node]
    files = {module.nodeid for module in modules}
    for definitions in getattr(manager, "_arg2fixturedefs", {}).values():
        definitions[:] = [d for d in definitions if d.baseid.partition("::")[0] not in files]
    for name in [n for n in manager._nodeid_autousenames if n.partition("::")[0] in files]:
        del manager._nodeid_autousenames[name]
    getattr(manager, "_holderobjseen", set()).clear()  # modules and classes collected so far
