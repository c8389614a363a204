"""Removed names of a module: added once, and again after a reload."""

import importlib
import sys
import warnings
from types import SimpleNamespace

import pytest

from tfmini._src.programs.hook import legacy_protobuf, removed_names
from tfmini._src.programs.hook.removed_names import supply

PLAIN = """
class Stack(list):
    pass
"""
WITH_ITS_OWN = (
    PLAIN
    + """
def __getattr__(name):
    if name == "lazy":
        return 7
    raise AttributeError(name)
"""
)


@pytest.fixture(params=[PLAIN, WITH_ITS_OWN], ids=["plain", "with its own"])
def module(request, tmp_path, monkeypatch):
    """A module with a removed name, method and registry; `module.registered` is the registry's contents."""
    registered = []
    monkeypatch.setitem(
        removed_names.NAMES, "made_up", {"Integer": "builtins.int", "Text": "builtins.str"}
    )
    monkeypatch.setitem(removed_names.METHODS, "made_up.Stack", {"push": "append"})
    monkeypatch.setitem(removed_names.REGISTRIES, "made_up", "made_up_registry.add")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, "made_up", raising=False)
    registry = type(sys)("made_up_registry")
    registry.add = lambda: registered.append("made_up")
    monkeypatch.setitem(sys.modules, "made_up_registry", registry)
    (tmp_path / "made_up.py").write_text(request.param)
    module = importlib.import_module("made_up")
    module.registered = registered
    yield module
    sys.modules.pop("made_up", None)


def check(module):
    stack = module.Stack()
    stack.push(3)
    assert (stack, module.Integer, module.registered) == ([3], int, ["made_up"])
    if hasattr(module, "lazy"):
        assert module.lazy == 7
    with pytest.raises(AttributeError, match="nothing$|'nothing'"):
        module.nothing  # noqa: B018


def test_module_is_patched_once(module):
    supply(module)
    result, push = module.__getattr__, module.Stack.push
    supply(module)
    assert module.__getattr__ is result and module.Stack.push is push
    check(module)


def test_reloaded_module_is_patched_again(module):
    supply(module)
    check(module)
    for _ in range(3):
        module = importlib.reload(module)
        supply(module)
        check(module)
        del module.Integer
    assert module.Text is str


def test_hook_installs_once_with_protobuf_support(monkeypatch):
    home = removed_names.__name__
    others = [finder for finder in sys.meta_path if type(finder).__module__ != home]
    monkeypatch.setattr(sys, "meta_path", others)
    installed = []
    monkeypatch.setattr(legacy_protobuf, "install", lambda: installed.append(True))
    removed_names.install()
    removed_names.install()
    assert installed == [True]
    ours = [type(finder).__module__ == home for finder in sys.meta_path]
    assert ours[0] and ours[-1] and not any(ours[1:-1])


def test_last_finder_creates_removed_modules(monkeypatch):
    """Modules removed from Python and from installed libraries; no library itself, and no other name."""
    monkeypatch.setattr(removed_names, "_TABLE_MODULES", {"imp", "scipy", "scipy.misc", "a.b"})
    finder = removed_names._ModuleFinder()
    for name in ("imp", "scipy.misc", "a.b"):
        spec = finder.find_spec(name, None, None)
        assert (spec.name, spec.loader, spec.submodule_search_locations) == (name, finder, [])
    for name in ("scipy", "scipy.other", "other", "a"):
        assert finder.find_spec(name) is None
    supplied = []
    monkeypatch.setattr(removed_names, "supply", supplied.append)
    created = type(sys)("imp")
    finder.exec_module(created)
    assert supplied == [created]


@pytest.fixture
def notices(monkeypatch):
    result = []
    monkeypatch.setattr(removed_names, "warn_once", lambda key, text: result.append((key, text)))
    return result


def made_module(monkeypatch, name, **names):
    module = type(sys)(name)
    vars(module).update(names)
    monkeypatch.setitem(sys.modules, name, module)
    return module


def test_names_resolve_and_warn_once(monkeypatch, notices):
    """Its own `__getattr__` runs first, without its removal warnings."""

    def own(name):
        if not name.startswith("__"):
            warnings.warn(f"{name} is gone", DeprecationWarning, stacklevel=2)
        if name == "Kept":
            return 5
        if name == "dropped":
            raise ImportError("dropped")
        raise AttributeError(name)

    names = {
        "Kept": "builtins.int",
        "dropped": "builtins.str",
        "old": "tfmini._src.base.dtypes.int8",
    }
    monkeypatch.setitem(removed_names.NAMES, "made_up", names)
    module = made_module(monkeypatch, "made_up", __getattr__=own)
    supply(module)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert module.Kept == 5 and module.dropped is str
        assert module.old.name == "int8"
        with pytest.raises(DeprecationWarning, match="other is gone"):
            module.other  # noqa: B018
    assert notices == [
        ("made_up.dropped", "made_up.dropped was removed; str replaces it."),
        ("made_up.old", "made_up.old was removed; tfmini's int8 replaces it."),
    ]
    assert vars(module)["old"] is module.old and "Kept" not in vars(module)
    assert module.dropped is str and len(notices) == 2


def test_module_replacement(monkeypatch, notices):
    monkeypatch.setitem(removed_names.MODULES, "made_up", "made_up_new")
    new = made_module(monkeypatch, "made_up_new", value=3)
    module = made_module(monkeypatch, "made_up")
    supply(module)
    assert module.value == 3 == vars(module)["value"]
    new.value = 4
    assert module.value == 3
    assert notices == [("made_up", "made_up was removed; made_up_new replaces it.")]
    with pytest.raises(AttributeError, match="^module 'made_up' has no attribute '__wrapped__'$"):
        module.__wrapped__  # noqa: B018
    with pytest.raises(AttributeError, match="module 'made_up_new' has no attribute 'nothing'"):
        module.nothing  # noqa: B018


def test_lazily_loaded_modules(monkeypatch, notices):
    """A former package gets a path again if it has submodules."""
    monkeypatch.setitem(removed_names.LAZY_SUBMODULES, "made_up", ("part",))
    monkeypatch.setattr(removed_names, "_TABLE_MODULES", {"made_up", "made_up.part"})
    part = made_module(monkeypatch, "made_up.part")
    module, other = made_module(monkeypatch, "made_up"), made_module(monkeypatch, "made_up_too")
    supply(module)
    supply(other)
    assert module.part is part and module.__path__ == [] and not notices
    assert not hasattr(other, "__path__")
    with pytest.raises(
        AttributeError, match="^module 'made_up' has no attribute 'more'$"
    ) as caught:
        module.more  # noqa: B018
    assert caught.value.name == "more" and caught.value.obj is module


def test_class_methods_and_properties(monkeypatch, notices):
    """Renamed ones, values, and functions of tfmini; existing members and attributes of objects stay."""

    class Own(list):
        own = 7

    monkeypatch.setitem(
        removed_names.METHODS, "made_up.Own", {"push": "append", "size": "tfmini._src.own.size"}
    )
    monkeypatch.setitem(removed_names.METHODS["made_up.Own"], "pop", "append")
    monkeypatch.setitem(
        removed_names.PROPERTIES,
        "made_up.Own",
        {"value": "[()]", "mine": "own", "count_of": "tfmini._src.own.size", "own": "nothing"},
    )
    made_module(monkeypatch, "tfmini._src.own", size=lambda self, more=0: len(self) + more)
    module = made_module(monkeypatch, "made_up", Own=Own)
    Own.__getitem__ = lambda self, key: ("whole", key)
    supply(module)
    instance = Own()
    assert instance.push(3) is None and instance.size(more=2) == 3 and instance.count_of == 1
    assert instance.mine == 7 == instance.own and instance.value == ("whole", ())
    assert instance.pop() == 3 and Own.push.__name__ == "push"
    instance.mine = 5  # as networkx 1 assigns graph.node
    assert instance.mine == 5
    texts = {
        "push": "append",
        "size": "tfmini's size",
        "count_of": "tfmini's size",
        "mine": "own",
        "value": "[()]",
    }
    assert notices == [
        (f"made_up.Own.{old}", f"made_up.Own.{old} was removed; {new} replaces it.")
        for old, new in texts.items()
    ]


def test_module_is_patched_after_loading(monkeypatch):
    """By the first other finder that finds it; a loader without that method, or a class, is left alone."""
    monkeypatch.setattr(removed_names, "_TABLE_MODULES", {"made_up"})
    done, finder = [], removed_names._NameInstaller()
    monkeypatch.setattr(removed_names, "supply", lambda module: done.append(("supply", module)))
    loader = SimpleNamespace(exec_module=lambda module: done.append(("load", module)))
    spec = SimpleNamespace(loader=loader)
    requests = []

    def finds(answer):
        return SimpleNamespace(find_spec=lambda *args: requests.append(args) or answer)

    path = [removed_names._ModuleFinder(), object(), finder, finds(None), finds(spec), finds(3)]
    monkeypatch.setattr(sys, "meta_path", path)
    assert finder.find_spec("other", "p", "t") is None and not requests
    assert finder.find_spec("made_up", "p", "t") is spec
    assert requests == [("made_up", "p", "t")] * 2
    spec.loader.exec_module("module")
    assert done == [("load", "module"), ("supply", "module")]
    monkeypatch.setattr(sys, "meta_path", [finder, finds(None)])
    assert finder.find_spec("made_up") is None
    for untouched in (int, SimpleNamespace(load=1), None):
        removed_names._wrap_loader(untouched)
    assert not hasattr(int, "exec_module")
