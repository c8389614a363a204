"""Parts of the hook: the name table, lazily loaded modules, settings of other modules."""

import sys
import types

import pytest

from tfmini._src.base import logs
from tfmini._src.programs.hook import facade, lazy_loader, missing_names, module_names


@pytest.mark.parametrize(
    "name, path",
    [
        ("tensorflow", ""),
        ("tensorflow_core", ""),
        ("tensorflow.nn", "nn"),
        ("tensorflow_estimator.python.estimator", "python.estimator"),
        ("tensorflow.compat.v1", ""),
        ("tensorflow.compat.v1.nn.rnn_cell", "nn.rnn_cell"),
        ("tensorflow.compat.v1.compat.v1.nn", "nn"),
        ("tensorflow._api.v1.nn", "nn"),
        ("tensorflow._api", ""),
        ("tensorflow.compat.v2", "compat.v2"),
        ("tensorflow.compat.v2.nn", "compat.v2.nn"),
        ("tensorflow.compat.v2.compat.v1.nn", "nn"),
        ("tensorflow.python.keras.api._v1.keras.layers", "keras.layers"),
        (
            "tensorflow_estimator.python.estimator.api._v1.estimator",
            "estimator",
        ),
        ("tensorflow.python.keras._impl.keras.layers", "python.keras.layers"),
        ("tensorflow.python.keras._impl", "python.keras"),
        ("tensorflow.python.keras._implicit", "python.keras._implicit"),
        ("tensorflowx.nn", None),
        ("keras", None),
        ("", None),
    ],
)
def test_module_path(name, path):
    assert module_names.module_path(name) == path


TABLE = {
    "": "= tf.math abs\nfunction run\nclass Thing Other\n",
    "nn": "lists\n= tf.math relu abs=absolute\nfrom python.ops nn_ops math_ops=m\nbeside numpy.linalg n=numpy\n",
    "nn.cells": "value LIMIT -3\nvalue NAMES ('a', 'b c')\n",
    "python.ops": "raw add=Add(x,y) nothing=NoOp()\n",
    "compat.v2": "second mean=tf.math.reduce_mean(x,axis=None,dtype=dtypes.float32,keepdims=False)\n",
}


@pytest.fixture
def table(monkeypatch):
    cached = (module_names.module, module_names._submodules, module_names._public_users)
    for each in cached:
        each.cache_clear()
    monkeypatch.setattr(module_names, "_blocks", lambda: TABLE)
    yield
    for each in cached:
        each.cache_clear()


def test_table_entries(table):
    names = module_names
    assert names.module("").entries == {
        "abs": names.SameObject("tf.math", "abs"),
        "run": names.Definition("function"),
        "Thing": names.Definition("class"),
        "Other": names.Definition("class"),
    }
    nn = names.module("nn")
    assert nn.has_all and not names.module("").has_all
    assert nn.entries == {
        "relu": names.SameObject("tf.math", "relu"),
        "abs": names.SameObject("tf.math", "absolute"),
        "nn_ops": names.ImportedModule("python.ops.nn_ops"),
        "math_ops": names.ImportedModule("python.ops.m"),
        "numpy.linalg": names.ExternalName("numpy.linalg"),
        "n": names.ExternalName("numpy"),
    }
    assert names.module("nn.cells").entries == {
        "LIMIT": names.Value(-3),
        "NAMES": names.Value(("a", "b c")),
    }
    assert names.module("python.ops").entries == {
        "add": names.RawOp("Add", ("x", "y")),
        "nothing": names.RawOp("NoOp", ()),
    }
    (mean,) = names.module("compat.v2").entries.values()
    defaults = {"axis": None, "dtype": names.DType("float32"), "keepdims": False}
    assert mean == names.V2Function("tf.math", "reduce_mean", ("x", *defaults), defaults)


def test_modules_and_submodules(table):
    names = module_names
    assert names.is_module("nn") and names.is_module("") and not names.is_module("nn.other")
    assert names.module("nn").submodules == {"cells"}
    assert names.module("").submodules == {"nn"}
    assert names.is_package("nn") and not names.is_package("nn.cells")
    assert names.is_package("python.estimator.api")
    assert names.modules_below("nn") == ["nn", "nn.cells"]
    assert list(names.other_public_names("tf.math", "abs")) == [names.SameObject("tf", "abs")]
    assert list(names.other_public_names("tf.math", "relu")) == [names.SameObject("tf.nn", "relu")]
    assert names.module("none").entries == {} and not names.module("none").submodules


@pytest.mark.parametrize(
    "path, name",
    [
        ("nn", "tensorflow._api.v1.nn"),
        ("keras.layers", "tensorflow.python.keras.api._v1.keras.layers"),
        ("estimator", "tensorflow_estimator.python.estimator.api._v1.estimator"),
        *((path, None) for path in ("", "contrib.layers", "python.ops", "compat.v2", "no.such")),
        *((path, None) for path in ("app.flags", "flags", "core.framework")),
    ],
)
def test_module_own_name(path, name):
    assert module_names.own_name(path) == name


def test_lazy_module_loads_on_first_use(monkeypatch):
    module = types.ModuleType("made_for_this_test")
    module.value = 3
    monkeypatch.setitem(sys.modules, "made_for_this_test", module)
    warned = []
    monkeypatch.setattr(logs, "warning", warned.append)
    names = {}
    names["late"] = late = lazy_loader.LazyLoader("late", names, "made_for_this_test", "It is old.")
    assert not warned and late.__name__ == "made_for_this_test" and names["late"] is late
    assert late.value == 3
    assert names["late"] is module and warned == ["It is old."]
    assert late.value == 3 and "value" in dir(late) and warned == ["It is old."]
    with pytest.raises(AttributeError, match="other"):
        late.other  # noqa: B018
    quiet = lazy_loader.LazyLoader("quiet", names, "made_for_this_test")
    assert "value" in dir(quiet) and names["quiet"] is module and warned == ["It is old."]


def test_forwarded_setting(monkeypatch):
    held = types.SimpleNamespace(real=1)
    monkeypatch.setattr(facade, "FORWARDED_SETTINGS", {"nn": {"setting": (held, "real")}})
    module = facade.Facade("tensorflow.nn")
    assert module.setting == 1
    for real in (2, 3):
        held.real = real
        assert module.setting == real
        module.setting = 5
        module.setting = 6
        assert held.real == 6 and module.setting == 6
        del module.setting
        assert held.real == real and module.setting == real
    module.other = 7
    assert module.other == 7 and "other" in dir(module) and "relu" in dir(module)
    del module.other
    with pytest.raises(AttributeError, match="has no attribute 'other'"):
        module.other  # noqa: B018


def test_facade_module_attributes():
    module = facade.Facade("tensorflow.compat.v1.nn")
    assert module.__name__ == "tensorflow._api.v1.nn"
    assert module.__doc__ == "`tensorflow.compat.v1.nn` of TensorFlow 1.15.5, by tfmini."
    assert facade.Facade("tensorflow.contrib.layers").__name__ == "tensorflow.contrib.layers"
    assert module.__reduce__()[1] == ("tensorflow._api.v1.nn",)
    with pytest.raises(AttributeError, match="__nothing__"):
        module.__nothing__  # noqa: B018


def test_members_of_missing_name_are_missing():
    missing = missing_names.missing("tf.some.thing", "function")
    assert missing is missing_names.missing("tf.some.thing", "function")
    assert repr(missing) == "<missing tf.some.thing>" and missing.__name__ == "thing"
    assert repr(missing.part.of) == "<missing tf.some.thing.part.of>"
    with pytest.raises(AttributeError, match=r"tf\.some\.thing"):
        missing.__wrapped__  # noqa: B018
    for use in (
        lambda: missing(),
        lambda: missing + 1,
        lambda: 1 - missing,
        lambda: missing / 2,
        lambda: missing[0],
        lambda: list(missing),
        lambda: len(missing),
        lambda: 1 in missing,
        lambda: int(missing),
        lambda: float(missing),
        lambda: missing < 3,
        lambda: missing >= 3,
        lambda: missing.__enter__(),
    ):
        with pytest.raises(NotImplementedError, match=r"tf\.some\.thing"):
            use()
    with pytest.raises(NotImplementedError, match=r"tf\.some\.thing"):
        missing[0] = 1
    kind = missing_names.missing("tf.some.Kind", "class")
    assert (kind.__name__, kind.__module__) == ("Kind", "tf.some") and isinstance(kind, type)
    assert repr(kind.part) == "<missing tf.some.Kind.part>"
    with pytest.raises(AttributeError, match="^type object 'Kind' has no attribute '_part'$"):
        kind._part  # noqa: B018
    with pytest.raises(NotImplementedError, match=r"tf\.some\.Kind"):
        kind(1)
