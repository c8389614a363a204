"""The architecture as a test: the package of each file of tfmini/_src/, and its permitted imports.

A module imports only from lower packages or its own (in large packages, only from lower parts), and only at its top.
Packages or parts on the same level do not import each other. The public namespaces, above all packages, are tables of
names without code; TensorFlow's private modules in tfmini/compat/python/ may import everything. The tables are in
`tests/repository/layers.py`.
"""

import ast
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.repository.layers import LATE, LAZY, LEVELS, PARTS

ROOT = Path(__file__).resolve().parents[2]

# Modules imported by computed names: those below `tensorflow`; those of public names and ops, by `load_module`; and
# those for which an import statement created a placeholder.
DYNAMIC = (
    "tfmini/_src/programs/hook/",
    "tfmini/_src/base/names/load_module.py",
    "tfmini/_src/base/names/public.py",
)

# The entire module of a public namespace, below its docstring; its names are in the stub next to it.
NAMESPACE = """from tfmini._src.base.names.public import attach as _attach

__getattr__, __dir__, __all__ = _attach(__name__, __file__)
"""
OTHER_PUBLIC = (
    "__init__.py",
    "__main__.py",
    "as_tensorflow/__init__.py",
    "compat/v1.py",
    "compat/v2/__init__.py",
    "raw_ops/__init__.py",
)

MAX_FILES = 45  # in a folder

LOCKS = ("Lock", "RLock", "Condition", "Semaphore", "BoundedSemaphore", "Barrier")

# Nodes that contain statements: no others have imports below them.
HOLDS_STATEMENTS = (ast.stmt, ast.ExceptHandler, ast.match_case)

LONGEST = 500  # maximum lines of a file, without imports and `__all__`: one name per line is a list, not a story


@dataclass(frozen=True)
class Import:
    """One imported module: its dotted name, the line, and whether it is at module top."""

    name: str
    line: int
    at_top: bool


def parts(path: Path, root: Path) -> tuple[str, ...]:
    """The dotted name of a file as a tuple: `tfmini/_src/ops/bounds.py` is (tfmini, ops, bounds)."""
    names = path.relative_to(root).with_suffix("").parts
    return names[:-1] if names[-1] == "__init__" and len(names) > 2 else names


def package(name: tuple[str, ...]) -> str:
    """The package of a module of tfmini._src in LEVELS, or the longest path of a folder in one."""
    paths = ["/".join(name[2:end]) for end in range(len(name), 3, -1)]
    own = next((path for path in paths if any(path in names for names in LEVELS)), None)
    return own or (name[2] if len(name) > 2 else "__init__")


def part(name: tuple[str, ...], large: str) -> str:
    """The part of the large package `large`, such as "models/keras", that a module belongs to."""
    below = name[2 + large.count("/") + 1 :]
    return below[0] if below else "__init__"


def absolute(node: ast.ImportFrom, path: Path, root: Path) -> str:
    """The module that `from X import ...` names, relative dots resolved."""
    if not node.level:
        return node.module or ""
    package = path.relative_to(root).parent.parts
    base = package[: len(package) - (node.level - 1)]
    return ".".join([*base, *([node.module] if node.module else [])])


def is_module(name: str, root: Path) -> bool:
    """Whether a dotted name is a module: tfmini's, or one of a library whose modules are listed."""
    base = root.joinpath(*name.split("."))
    is_ours = base.is_dir() or base.with_suffix(".py").exists()
    return is_ours or name.count(".") == 1 and name.partition(".")[0] in (*LATE, "tfmini")


def imports(tree: ast.Module, path: Path, root: Path) -> Iterator[Import]:
    """The imports of a file, statement by statement; `from package import module` is an import of the module."""

    def walk(node: ast.AST, at_top: bool) -> Iterator[Import]:
        inside = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
        for child in ast.iter_child_nodes(node):
            if isinstance(child, ast.Import):
                yield from (Import(alias.name, child.lineno, at_top) for alias in child.names)
            elif isinstance(child, ast.ImportFrom):
                module = absolute(child, path, root)
                for alias in child.names:
                    name = f"{module}.{alias.name}"
                    yield Import(name if is_module(name, root) else module, child.lineno, at_top)
            elif isinstance(child, HOLDS_STATEMENTS):
                yield from walk(child, at_top and not isinstance(child, inside))

    return walk(tree, True)


def shadowed(tree: ast.Module, path: Path, root: Path) -> Iterator[tuple[int, str]]:
    """Names that a package's __init__ binds to something other than its own module of that name."""
    modules = {p.stem for p in path.parent.iterdir() if p.suffix == ".py" or p.is_dir()}
    package = ".".join(path.relative_to(root).parent.parts)
    for node in tree.body:
        if isinstance(node, ast.ImportFrom) and absolute(node, path, root) != package:
            bound = [alias.asname or alias.name for alias in node.names]
        elif isinstance(node, (ast.FunctionDef, ast.ClassDef)):
            bound = [node.name]
        else:
            continue
        yield from ((node.lineno, name) for name in bound if name in modules)


def dynamic_imports(tree: ast.Module, text: str) -> Iterator[int]:
    """Lines that call import_module or __import__, which would escape the rules."""
    if "import_module" not in text and "__import__" not in text:
        return
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            called = getattr(node.func, "attr", getattr(node.func, "id", ""))
            if called in ("import_module", "__import__"):
                yield node.lineno


def check_parts(path: Path, root: Path, large: str, found: Import) -> Iterator[str]:
    """The violation by an import between two parts of a large package."""
    rank = {name: i for i, names in enumerate(PARTS[large]) for name in names}
    where = f"{path.relative_to(root).as_posix()}:{found.line}"
    mine, theirs = part(parts(path, root), large), part(tuple(found.name.split(".")), large)
    rank["__init__"] = len(rank)
    for name in (mine, theirs):
        if name not in rank:
            yield f"{where}: '{large}/{name}' is not a part of {large}; add it to PARTS"
            return
    if mine != theirs and rank[theirs] == rank[mine]:
        yield f"{where}: imports {found.name}; '{mine}' and '{theirs}' share a level of {large}"
    elif rank[theirs] > rank[mine]:
        yield f"{where}: imports {found.name}; '{theirs}' is above '{mine}' in {large}"


def check_namespace(path: Path, root: Path) -> Iterator[str]:
    """The violations in a file outside tfmini/_src/, a public namespace."""
    where = path.relative_to(root).as_posix()
    text = path.read_text(encoding="utf-8")
    if where.removeprefix("tfmini/") in OTHER_PUBLIC or where.startswith("tfmini/compat/python/"):
        return
    body = ast.unparse(ast.parse(text).body[1:])
    if body.strip() != ast.unparse(ast.parse(NAMESPACE)).strip() or path.name != "__init__.py":
        yield f"{where}:1: contains code, which belongs in tfmini/_src/"
    elif not path.with_suffix(".pyi").exists():
        yield f"{where}:1: has no stub next to it"


def bare_locks(tree: ast.Module, text: str) -> Iterator[int]:
    """Lines that create a lock which stays held in a forked process."""
    if "threading" not in text:
        return
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            if getattr(node.func.value, "id", "") == "threading" and node.func.attr in LOCKS:
                yield node.lineno


def check_file(path: Path, root: Path) -> Iterator[str]:
    """The violations in one file of tfmini/_src/, one sentence each."""
    rank = {name: i for i, names in enumerate(LEVELS) for name in names}
    rank["__init__"] = len(rank)
    where = path.relative_to(root).as_posix()
    text = path.read_text(encoding="utf-8")
    tree = ast.parse(text)
    mine = package(parts(path, root))
    if mine not in rank:
        yield f"{where}: '{mine}' is not a package; add it to LEVELS"
        return
    if ast.get_docstring(tree) is None:
        yield f"{where}:1: has no docstring that describes its contents"
    inside = where.removeprefix("tfmini/_src/")
    large = [name for name in PARTS if inside.startswith(f"{name}/")]
    for found in imports(tree, path, root):
        here = f"{where}:{found.line}"
        library, *rest = found.name.split(".")
        if not found.at_top and not where.startswith(LAZY.get(library, "nowhere")):
            yield f"{here}: imports {found.name} inside a function or class; move it to the top"
        if library in LATE and found.at_top:
            yield f"{here}: imports {found.name} eagerly; import it from {LAZY[library]}"
        if library != "tfmini":
            continue
        if rest[:1] != ["_src"]:
            if mine != "programs" or rest[:1] not in ([], ["compat"]):
                yield f"{here}: imports {found.name}, a public namespace; import from the defining module"
            continue
        theirs = rest[1] if len(rest) > 1 else "__init__"
        if theirs not in rank:
            yield f"{here}: imports {found.name}, which is in no package"
        elif theirs != mine and rank[theirs] == rank[mine]:
            yield f"{here}: imports {found.name}; '{mine}' and '{theirs}' share a level"
        elif rank[theirs] > rank[mine]:
            yield f"{here}: imports {found.name}; '{theirs}' is above '{mine}'"
        for name in large:
            if "/".join(rest[1:]).startswith(name):
                yield from check_parts(path, root, name, found)
    for line in () if where.startswith(DYNAMIC) else dynamic_imports(tree, text):
        yield f"{where}:{line}: imports by a computed name; write an import statement"
    if inside.partition("/")[2].partition("/")[0] != "locks":
        for line in bare_locks(tree, text):
            yield f"{where}:{line}: creates a lock that stays held after a fork; use base/locks"
    if path.name == "__init__.py":
        for line, name in shadowed(tree, path, root):
            yield f"{where}:{line}: binds '{name}', which hides the module of that name"


def import_lines(tree: ast.Module) -> int:
    """The number of lines of a file's imports at its top, and of its `__all__`."""
    result = [
        node
        for node in tree.body
        if isinstance(node, (ast.Import, ast.ImportFrom))
        or (isinstance(node, ast.Assign) and getattr(node.targets[0], "id", "") == "__all__")
    ]
    return sum((node.end_lineno or 0) - node.lineno + 1 for node in result)


def check_tree(root: Path) -> list[str]:
    """All violations below `root`, sorted."""
    result = [p for p in sorted((root / "tfmini").rglob("*.py")) if "__pycache__" not in p.parts]
    inside = [p for p in result if p.relative_to(root).parts[1] == "_src"]
    problems = [problem for path in inside for problem in check_file(path, root)]
    outside = sorted(set(result) - set(inside))
    problems += [b for path in outside for b in check_namespace(path, root)]
    for directory, count in Counter(path.parent for path in inside).items():
        if count > MAX_FILES:
            where = directory.relative_to(root).as_posix()
            problems.append(f"{where}/: {count} files, over {MAX_FILES}; move a family to a folder")
    for directory in ("tfmini", "tests", "examples", "ci"):
        for path in sorted((root / directory).rglob("*.py")):
            where = path.relative_to(root).as_posix()
            text = path.read_text(encoding="utf-8")
            lines = len(text.splitlines())
            if lines > LONGEST:
                lines -= import_lines(ast.parse(text))
            if lines > LONGEST:
                problems.append(f"{where}: {lines} lines, over {LONGEST}; split it by idea")
            named = path.stem in ("util", "utils", "helpers", "misc", "common")
            if named and not where.startswith("tfmini/compat/python/"):  # TensorFlow's own names
                problems.append(f"{where}: name the file after its contents, not '{path.stem}'")
    return sorted(problems)


def test_tree_follows_architecture() -> None:
    problems = check_tree(ROOT)
    assert not problems, "violations of the architecture:\n  " + "\n  ".join(problems)


@pytest.mark.parametrize("table", [LEVELS, *PARTS.values()])
def test_names_have_one_level(table: tuple[tuple[str, ...], ...]) -> None:
    names = [name for level in table for name in level]
    assert len(names) == len(set(names))


GOOD = '"""A module."""\n'

BROKEN = [
    ("_src/unknown/a.py", GOOD, "'unknown' is not a package"),
    ("_src/base/errors.py", "X = 1\n", "has no docstring"),
    (
        "_src/base/errors.py",
        GOOD + "from tfmini._src.graph import graph\n",
        "'graph' is above 'base'",
    ),
    ("_src/base/errors.py", GOOD + "import tfmini\n", "a public namespace"),
    ("_src/base/errors.py", GOOD + "from tfmini import nn\n", "tfmini.nn, a public namespace"),
    ("_src/base/errors.py", GOOD + "from tfmini.nn import relu\n", "a public namespace"),
    (
        "_src/base/errors.py",
        GOOD + "import tfmini._src.graph.opdef as o\n",
        "'graph' is above 'base'",
    ),
    ("_src/base/errors.py", GOOD + "from ..graph import graph\n", "'graph' is above 'base'"),
    ("_src/graph/scopes.py", GOOD + "from ..ops import arrays\n", "'ops' is above 'graph'"),
    ("_src/graph/scopes.py", GOOD + "from tfmini._src.formats import record\n", "share a level"),
    (
        "_src/base/errors.py",
        GOOD + "from tfmini._src.base.nest import x\n",
        "share a level of base",
    ),
    (
        "_src/ops/operands.py",
        GOOD + "def f():\n    from tfmini._src.base import errors\n",
        "inside a function",
    ),
    ("_src/ops/operands.py", GOOD + "def f():\n    import os\n", "inside a function"),
    ("_src/ops/operands.py", GOOD + "def f():\n    import cupy\n", "inside a function"),
    ("_src/ops/operands.py", GOOD + "class A:\n    import os\n", "inside a function or class"),
    (
        "_src/ops/operands.py",
        GOOD + "if True:\n    from tfmini._src.executor import plan\n",
        "above 'ops'",
    ),
    (
        "_src/ops/operands.py",
        GOOD + "try:\n    import tfmini._src.train\nexcept E:\n    pass\n",
        "above 'ops'",
    ),
    (
        "_src/ops/operands.py",
        GOOD + "import importlib\nimportlib.import_module('x')\n",
        "computed name",
    ),
    ("_src/ops/operands.py", GOOD + "x = __import__('tfmini.train')\n", "computed name"),
    ("_src/ops/operands.py", GOOD + "import scipy\n", "imports scipy eagerly"),
    ("_src/ops/operands.py", GOOD + "import scipy.linalg\n", "imports scipy.linalg eagerly"),
    (
        "_src/ops/operands.py",
        GOOD + "from scipy.special import gamma\n",
        "imports scipy.special eagerly",
    ),
    ("_src/ops/operands.py", GOOD + "from scipy import special\n", "imports scipy.special eagerly"),
    (
        "_src/ops/math/a.py",
        GOOD + "from tfmini._src.ops.nn import b\n",
        "'nn' is above 'math' in ops",
    ),
    (
        "_src/ops/operands.py",
        GOOD + "from tfmini._src.ops.bounds import x\n",
        "share a level of ops",
    ),
    (
        "_src/ops/a.py",
        GOOD + "from tfmini._src.ops.bounds import x\n",
        "'ops/a' is not a part of ops",
    ),
    (
        "_src/models/keras/losses/a.py",
        GOOD + "from tfmini._src.models.keras.engine import x\n",
        "in models/keras",
    ),
    ("math.py", GOOD + "def add():\n    pass\n", "contains code"),
    ("math/__init__.py", GOOD + NAMESPACE + "add = 1\n", "contains code"),
    ("math/__init__.py", GOOD + NAMESPACE, "has no stub"),
    (
        "_src/ops/a.py",
        GOOD + "import threading\nx = threading.RLock()\n",
        "a lock that stays held after a fork",
    ),
    ("_src/ops/utils.py", GOOD, "not 'utils'"),
    ("_src/ops/long.py", GOOD + "\n" * 500, "501 lines, over 500"),
    ("_src/ops/__init__.py", GOOD + "from tfmini._src.ops.math import math\n", "hides the module"),
]


@pytest.mark.parametrize("file, text, message", BROKEN)
def test_violations_are_reported(tmp_path: Path, file: str, text: str, message: str) -> None:
    good = (
        "_src/__init__.py",
        "_src/graph/__init__.py",
        "_src/ops/__init__.py",
        "_src/ops/math/math.py",
    )
    for name in (*good, file):
        path = tmp_path / "tfmini" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text if name == file else GOOD)
    problems = check_tree(tmp_path)
    assert len(problems) == 1, problems
    assert message in problems[0]
    assert problems[0].startswith(f"tfmini/{file}:")


def test_crowded_folder_is_reported(tmp_path: Path) -> None:
    for i in range(46):
        path = tmp_path / "tfmini" / "_src" / "graph" / f"file_{i}.py"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(GOOD)
    assert check_tree(tmp_path) == [
        "tfmini/_src/graph/: 46 files, over 45; move a family to a folder"
    ]


def test_valid_tree_passes(tmp_path: Path) -> None:
    files = {
        "__init__.py": GOOD + "import tfmini._src.programs\n",
        "nn/__init__.py": GOOD + NAMESPACE,
        "nn/__init__.pyi": "from tfmini._src.ops.nn.relu import relu as relu\n",
        "_src/__init__.py": GOOD,
        "_src/base/nest.py": GOOD + "import os\n",
        "_src/graph/__init__.py": GOOD,
        "_src/graph/graph.py": GOOD
        + "from tfmini._src.base import nest\nfrom tfmini._src.graph import scopes\n",
        "_src/graph/scopes.py": GOOD + "import numpy as np\nfrom ..base.nest import flatten\n",
        "_src/devices/gpu.py": GOOD + "def load():\n    import cupy\n    return cupy\n",
        "_src/ops/__init__.py": GOOD
        + "from tfmini._src.ops import array\nfrom . import array as a\n",
        "_src/ops/array/gather.py": GOOD + "from tfmini._src.graph.graph import Graph\n",
    }
    for name, text in files.items():
        path = tmp_path / "tfmini" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    assert check_tree(tmp_path) == []


def test_package_contains_only_namespaces() -> None:
    shown = {p.name for p in (ROOT / "tfmini").iterdir() if p.name != "__pycache__"}
    files = {name for name in shown if (ROOT / "tfmini" / name).is_file()}
    assert files == {
        "__init__.py",
        "__init__.pyi",
        "__main__.py",
        "py.typed",
    }
    packages = [names for names in LEVELS if not any("/" in name for name in names)]
    assert "_src" in shown and len(packages) <= 22
