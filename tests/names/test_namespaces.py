"""Public modules show their public names: all of them, and nothing else."""

import types

import pytest

import tfmini as tf
from tests.conformance import test_api
from tfmini.names import namespaces


def public_modules():
    """(name, module) of every namespace of TensorFlow that tfmini has, `tf.contrib` and what is in it."""
    waiting = [("tf", tf)]
    while waiting:
        name, module = waiting.pop()
        yield name, module
        if module is tf.raw_ops:
            continue
        for part in getattr(module, "__all__", ()):
            value = getattr(module, part)
            if not isinstance(value, types.ModuleType) or value is tf:
                continue
            if value.__name__.startswith("tfmini"):  # tf.test.mock is Python's own
                waiting.append((f"{name}.{part}", value))


MODULES = dict(public_modules())


def test_every_namespace_is_looked_at():
    offered = {name for name in test_api.NAMESPACES if name in test_api.HERE}
    assert set(MODULES) >= offered | {"tf", "tf.contrib", "tf.contrib.rnn", "tf.compat"}


@pytest.mark.parametrize("name", sorted(set(MODULES) - {"tf.raw_ops"}))
def test_it_is_a_namespace(name):
    module = MODULES[name]
    assert hasattr(module, "__all__"), f"{module.__file__} lists no public names in __all__"
    how = f"{module.__file__} does not end with _namespace(globals()), of tfmini.names.namespaces"
    assert vars(module) in namespaces._modules, how


@pytest.mark.parametrize("name", MODULES)
def test_it_shows_its_public_names_and_nothing_else(name):
    module = MODULES[name]
    shown = [part for part in dir(module) if not part.startswith("__")]
    if module is tf.raw_ops:
        assert "MatMul" in shown and "GatherTree" not in shown
        return
    assert shown == sorted(module.__all__)
    assert len(set(shown)) == len(shown)
    assert {"__name__", "__doc__", "__file__"} <= set(dir(module))


def test_the_modules_of_tf_are_tensorflows():
    modules = {name for name in MODULES if name.count(".") == 1}
    assert modules - test_api.NAMESPACES == {"tf.contrib"}
