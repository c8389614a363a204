"""Removed names of a module: added once, and again when the module is loaded again."""

import importlib
import sys

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
    """A module of a name, a method and a registry that are gone; what the registry holds is `module.registered`."""
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


def test_a_module_is_supplied_once(module):
    supply(module)
    found, push = module.__getattr__, module.Stack.push
    supply(module)
    assert module.__getattr__ is found and module.Stack.push is push
    check(module)


def test_a_module_that_is_loaded_again_has_them_again(module):
    supply(module)
    check(module)
    for _ in range(3):
        module = importlib.reload(module)
        supply(module)
        check(module)
        del module.Integer
    assert module.Text is str


def test_installed_once_with_the_messages_of_an_old_protoc(monkeypatch):
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
