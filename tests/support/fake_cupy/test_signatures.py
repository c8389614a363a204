"""The emulator's API is a subset of the real CuPy's, with the same parameters."""

import inspect
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

from tests.support import fake_cupy
from tests.support.fake_cupy import signatures, write_signatures

ROOT = Path(__file__).resolve().parents[3]
# Names that the real package creates on demand, or has in modules that need CUDA's libraries.
BEYOND_THE_TABLE = (
    "cupy.cuda.nccl",
    "cupy.cuda.compiler",
    "cupy.cuda.driver",
    "cupy.cuda.memory_hook",
)
needs_cupy = pytest.mark.skipif(find_spec("cupy") is None, reason="needs CuPy")
HELD_TO_ACCOUNT = [
    name for name in fake_cupy.MODULES if name not in BEYOND_THE_TABLE and signatures.names(name)
]


def own_names(module):
    return [
        name
        for name in vars(fake_cupy.MODULES[module])
        if not name.startswith("_") and f"{module}.{name}" not in fake_cupy.MODULES
    ]


@pytest.mark.parametrize("module", HELD_TO_ACCOUNT)
def test_all_names_exist_in_cupy(module):
    table = signatures.table()
    assert [name for name in own_names(module) if f"{module}.{name}" not in table] == []


@pytest.mark.parametrize("module", HELD_TO_ACCOUNT)
def test_parameters_match_cupy(module):
    table, wrong = signatures.table(), []
    for name in own_names(module):
        result = getattr(fake_cupy.MODULES[module], name)
        row = table.get(f"{module}.{name}")
        if row is None or row.parameters in ("?", "") or not inspect.isfunction(result):
            continue
        mine = write_signatures._plain(inspect.signature(result))
        if mine.replace("kwargs", "").endswith("*args, **") or mine == "*args":
            continue  # checked at each call
        if not accepts_no_more(mine, row.parameters):
            wrong.append((name, mine, row.parameters))
    assert wrong == []


def accepts_no_more(mine, real):
    """Each parameter of the emulator is one of the real function, in the same position."""
    mine, real = mine.split(", "), real.split(", ")
    plain = [part for part in real if part not in ("/", "*")]
    allowed = {part.partition("=")[0] for part in plain}
    order = [part.partition("=")[0] for part in mine if part not in ("/", "*")]
    positions = [part.partition("=")[0] for part in plain]
    variable = any(part.startswith("**") for part in real)
    return all(name in allowed or variable or name.startswith("*") for name in order) and [
        name for name in positions if name in order
    ] == [name for name in order if name in positions]


@pytest.mark.parametrize(
    "name",
    [
        "cupy.ndarray",
        "cupy.cuda.Device",
        "cupy.cuda.Stream",
        "cupy.cuda.Event",
        "cupy.cuda.Graph",
        "cupy.cuda.MemoryPool",
        "cupy.cuda.MemoryPointer",
        "cupy.cuda.PinnedMemoryPool",
        "cupy.RawModule",
        "cupy.RawKernel",
    ],
)
def test_public_methods_match_cupy(name):
    module, _, short = name.rpartition(".")
    owner = getattr(fake_cupy.MODULES[module], short)
    table, wrong = signatures.table(), []
    for method in dir(owner):
        if method.startswith("_") or method in INSIDE:
            continue
        row = table.get(f"{name}.{method}")
        if row is None:
            wrong.append(method)
            continue
        result = inspect.getattr_static(owner, method)
        if inspect.isfunction(result) and row.parameters not in ("?", ""):
            mine = write_signatures._plain(inspect.signature(result))
            if not mine.startswith("*args") and not accepts_no_more(
                mine.partition(", ")[2], row.parameters.partition(", ")[2]
            ):
                wrong.append((method, mine, row.parameters))
    assert wrong == []


# Attributes that the fake's objects need internally.
INSIDE = frozenset(("tenure", "bounds", "device_view", "state", "ended"))


def test_unsupported_parameters_are_rejected(cp):
    a = cp.ones((2, 3))
    with pytest.raises(TypeError, match="keyword"):
        cp.sum(a, where=a > 0)
    with pytest.raises(TypeError, match="keyword"):
        cp.take(a, a.astype("i"), mode="clip")
    with pytest.raises(TypeError, match="Wrong arguments {'where': "):
        cp.exp(a, where=a > 0)
    with pytest.raises(AttributeError, match="no attribute 'block'"):
        cp.block()
    assert not hasattr(a, "itemset")


@needs_cupy
def test_signature_table_matches_installed_cupy():
    """The whole table for the version that generated it; for other versions, the emulated subset."""
    # In another process, since CuPy takes 20 MB.
    program = "import cupy; from tests.support.fake_cupy import write_signatures as its"
    program += "; print(cupy.__version__, *its.rows(), sep=chr(10))"
    done = subprocess.check_output([sys.executable, "-c", program], text=True, cwd=ROOT)
    version, *real = done.splitlines()
    first, *table = signatures.PATH.read_text().splitlines()
    if first == f"# CuPy {version}":
        assert table == real
    installed = {line.split("\t")[0]: (line + "\t\t").split("\t")[2] for line in real}
    wrong = []
    for name, row in signatures.table().items():
        if not is_offered(name):
            continue
        there = installed.get(name)
        if there is None or (
            row.parameters not in ("?", "") and not accepts_no_more(row.parameters, there)
        ):
            wrong.append((name, row.parameters, there))
    assert wrong == []


def is_offered(name):
    """Whether the emulator has the name in a line of the table."""
    module, _, short = name.rpartition(".")
    if module in fake_cupy.MODULES:
        return hasattr(fake_cupy.MODULES[module], short)
    module, _, owner = module.rpartition(".")
    kind = getattr(fake_cupy.MODULES.get(module), owner, None)
    return isinstance(kind, type) and hasattr(kind, short)
