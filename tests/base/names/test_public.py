"""Public namespaces have exactly the names in their stubs; each object has one home."""

import ast
import functools
import importlib
import pickle
import pkgutil
import subprocess
import sys
import textwrap
import types
from collections import Counter
from pathlib import Path

import pytest

import tfmini as tf
from tests.conformance import test_api
from tests.support import cases
from tfmini._src.base.names import public

ROOT = Path(tf.__file__).parent
STUBS = sorted(
    path
    for path in ROOT.rglob("__init__.pyi")
    if path.parent not in (ROOT / "compat" / "v1", ROOT / "raw_ops")
)


def named(path):
    """A namespace's dotted name, from its stub."""
    return ".".join(path.parent.relative_to(ROOT.parent).parts)


@functools.cache
def modules():
    """The TensorFlow namespaces in tfmini, by name, including `tf.contrib` and its contents."""
    result, waiting = {}, [("tf", tf)]
    while waiting:
        name, module = waiting.pop()
        result[name] = module
        if module is tf.raw_ops:
            continue
        for part in getattr(module, "__all__", ()):
            value = getattr(module, part)
            if not isinstance(value, types.ModuleType) or value is tf:
                continue
            if (
                value.__name__ == "tfmini.compat.v2"
            ):  # TensorFlow's own tables create them at run time
                continue
            if value.__name__.startswith("tfmini"):  # tf.test.mock is Python's own
                waiting.append((f"{name}.{part}", value))
    return result


def test_every_namespace_is_covered():
    offered = {name for name in test_api.namespaces() if name in test_api.here()}
    assert set(modules()) >= offered | {"tf", "tf.contrib", "tf.contrib.rnn", "tf.compat"}
    reached = {module.__name__ for module in modules().values()} - {"tfmini.raw_ops"}
    assert reached <= {named(path) for path in STUBS}


def test_namespaces_list_public_names_only():
    others = {}
    for name, module in modules().items():
        shown = [part for part in dir(module) if not part.startswith("__")]
        if module is tf.raw_ops:
            assert "MatMul" in shown and "GatherTree" not in shown
            continue
        if shown != sorted(module.__all__) or len(set(shown)) != len(shown):
            others[name] = set(shown) ^ set(module.__all__)
        assert {"__name__", "__doc__", "__file__"} <= set(dir(module)), name
    assert others == {}
    assert len(modules()) > 250


@cases.in_one_test
@pytest.mark.parametrize("path", STUBS, ids=named)
def test_stub_rows_are_imports(path):
    read = {}
    for line in path.read_text().splitlines():
        row, *renamed = ast.parse(line).body
        assert isinstance(row, ast.Import | ast.ImportFrom), line
        (alias,) = row.names
        name = alias.asname
        for assignment in renamed:  # _name, which is private, under its public name
            name = assignment.targets[0].id
            assert alias.asname == assignment.value.id == f"_{name}", line
        assert renamed or name == alias.name or name.startswith("_"), line
        read[name] = (getattr(row, "module", ""), alias.name)
    assert read == public._read_stub(str(path))
    assert list(read) == sorted(read)


# For each namespace, the rows that refer to tfmini/_src: name, defining module, name there.
HOMES = {
    named(path): [
        (name, module, attribute)
        for name, (module, attribute) in public._read_stub(str(path)).items()
        if module.startswith("tfmini._src.")
    ]
    for path in STUBS
}


def test_every_object_has_one_home():
    positions = Counter(row[1:] for rows in HOMES.values() for row in rows)
    assert [location for location, number in positions.items() if number > 1] == []


def test_objects_report_and_pickle_by_home():
    rows = [(space, name) for space in sorted(HOMES, reverse=True) for name, *_ in HOMES[space]]
    assert len(rows) > 2000
    for namespace, name in rows:
        value = getattr(importlib.import_module(namespace), name)
        if not isinstance(value, type | types.FunctionType) or value.__qualname__ != name:
            continue
        if not value.__module__.startswith("tfmini"):  # absl's
            continue
        assert value.__module__ in (namespace, "tfmini._src.base.proto"), (namespace, name)
        assert pickle.loads(pickle.dumps(value)) is value, (namespace, name)


def test_internally_created_classes_have_public_home():
    assert type(tf.constant(1)).__module__ == "tfmini"
    with pytest.raises(tf.errors.InvalidArgumentError) as raised, tf.Session() as session:
        session.run(tf.constant(1) // tf.constant(0))
    assert type(raised.value).__module__ == "tfmini.errors"


def test_public_modules_match_tensorflow():
    first = {name for name in modules() if name.count(".") == 1}
    assert first - test_api.namespaces() == {"tf.contrib"}


def test_slim_aliases_report_original_package():
    assert public.public_name(tf.contrib.slim.get_or_create_global_step) == (
        "tf.contrib.framework.get_or_create_global_step"
    )


def test_compat_v1_is_tf():
    import tfmini.compat.v1 as compat_v1  # noqa: PLC0415  the statement that programs have

    assert compat_v1 is tf is tf.compat.v1
    is_package = {module.name: module.ispkg for module in pkgutil.iter_modules(tf.compat.__path__)}
    assert not is_package["v1"]  # pkgutil.walk_packages would descend forever


def test_modules_import_without_docstrings():
    program = "import tfmini as tf; tf.layers.dense(tf.ones([1, 2]), 1); tf.keras.metrics.Recall"
    subprocess.run([sys.executable, "-OO", "-W", "ignore", "-c", program], check=True, timeout=200)


def test_namespace_is_a_mapping():
    layers = public.PublicNames("tfmini.keras.layers", str.isalnum)
    assert layers["Dense"] is tf.keras.layers.Dense
    assert "Dense" in layers and "nothing" not in layers and len(layers) == len(list(layers)) > 100
    with pytest.raises(KeyError, match="nothing"):
        layers["nothing"]


def test_namespace_dict_contains_its_names():
    """dir() loads none of them."""
    program = """
        import sys
        import tfmini as tf
        before = len(sys.modules)
        dir(tf.train), dir(tf), tf.train.__name__, hasattr(tf.train, "__file__")
        print(len(sys.modules) - before)
        print(tf.logging.__dict__["INFO"], vars(tf.train)["Saver"] is tf.train.Saver)
        print({n for n in dir(tf.train) if n not in tf.train.__dict__})
        tf.train.__dict__["added"] = 3
        print(tf.train.added)
        """
    command = [sys.executable, "-c", textwrap.dedent(program)]
    process = subprocess.run(command, capture_output=True, text=True, check=True)
    loaded, *rest = process.stdout.splitlines()
    assert int(loaded) < 5
    assert rest == ["20 True", "set()", "3"]
