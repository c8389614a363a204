"""The architecture as a test: who lives on which level of tfmini/, and who may import whom.

A module imports only from lower levels or from its own package, and only at module top; what
shares a level does not know each other. `LEVELS` below is the one place where the house stands:
where the code teaches a better order, change the table in the same commit.
"""

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent

# Lowest first; a name is a folder or a file directly below tfmini/.
LEVELS = (
    ("locks", "records"),
    ("logs", "proto"),
    ("names",),
    ("errors", "dtypes", "shapes", "nest", "version"),
    ("graph", "backend", "formats"),
    ("autodiff",),
    ("ops",),
    ("variables",),
    ("linear_operators", "functions"),
    ("ctc",),
    ("runtime",),
    ("distributed",),
    ("session",),
    ("meta_graphs",),
    ("layers", "losses", "distributions", "tables", "events", "flags"),
    ("rnn", "metrics"),
    ("train",),
    ("saved_model", "graph_util", "profiles", "data", "debugger"),
    ("autograph", "distribute"),
    ("feature_column",),
    ("estimator",),
    ("keras",),
    ("horovod",),
    (
        *("nn", "math", "random", "io", "strings", "linalg", "image", "audio", "sparse", "app"),
        *("gfile", "logging", "test", "initializers", "bitwise", "debugging", "contrib", "compat"),
        *("config", "resource_loader", "sysconfig", "user_ops"),
        *("raw_ops", "manip", "lookup", "python_io", "quantization", "sets", "signal", "queue"),
        *("profiler", "ragged", "spectral", "summary"),
    ),
    ("startup",),
    ("__init__",),
    ("hook",),
    ("runner", "as_tensorflow"),
    ("check",),
    ("cli",),
    ("__main__",),
)

# The rooms of the large packages, lowest first; a name is a folder or a file directly below the package.
ROOMS = {
    "ops": (
        ("type_lists", "ufuncs", "bounds", "operands", "raw_functions", "failed_calls", "attempts"),
        ("lists",),
        ("state",),
        ("control_flow",),
        ("checks",),
        ("array",),
        ("math",),
        ("string",),
        ("sparse",),
        ("linalg",),
        ("random",),
        ("signal",),
        ("nn",),
        ("learners",),
        ("image",),
        ("quantization",),
        ("files",),
        ("lookup", "queues"),
        ("parsing",),
        ("ragged",),
        ("summaries",),
        ("functions", "collective", "trials"),
        ("datasets",),
        ("operators",),
        ("late_families",),
        ("__init__",),
    ),
    "runtime": (
        ("program",),
        ("state",),
        ("analysis",),
        ("placement",),
        ("passes",),
        ("codegen",),
        ("capture", "tracing"),
        ("pipeline",),
        ("schedule",),
        ("plan",),
        ("between_parts",),
        ("deadlines", "partial", "waiting"),
        ("compiling",),
        ("inline",),
        ("__init__",),
    ),
    "keras": (
        ("layer_data",),
        ("backend", "regularizers", "constraints", "initializers", "activations"),
        ("losses",),
        ("metrics", "optimizers"),
        ("mixed_precision",),
        ("heads",),
        ("utils",),
        ("preprocessing",),
        ("datasets",),
        ("callbacks",),
        ("saving",),
        ("engine",),
        ("layers",),
        ("reviving",),
        ("folders",),
        ("models", "applications"),
        ("exporting", "premade", "replicas", "canned"),
        ("experimental", "estimator"),
        ("wrappers",),
        ("__init__",),
    ),
    "train": (
        ("steps",),
        ("recording",),
        ("checkpoints",),
        ("optimizers",),
        ("feeding",),
        ("objects",),
        ("experimental",),
        ("monitored",),
        ("late", "queue_runner"),
        ("__init__",),
    ),
}

# Files directly below tfmini/ that are no public namespace made of imports alone.
WITH_CODE = ("__init__", "__main__", "dtypes", "errors", "logs", "version")

# Libraries that may be imported inside a function: they load a driver, start threads, or are
# optional, so the first use loads them. Each has one home.
LAZY = {
    "cupy": "tfmini/backend/",
    "cupyx": "tfmini/backend/",
    "pynvml": "tfmini/backend/",
    "cuda": "tfmini/backend/",
    "grpc": "tfmini/distributed/",
    "ray": "tfmini/distributed/",
    "mpi4py": "tfmini/horovod/message_passing.py",
    "google": "tfmini/proto/",
    "kubernetes": "tfmini/distribute/",
    "matplotlib": "tfmini/",
    "cramjam": "tfmini/formats/",
    "PIL": "tfmini/backend/pillow.py",
    "re2": "tfmini/backend/regular_expressions.py",
    "scipy": "tfmini/backend/scipy.py",
    "h5py": ("tfmini/keras/saving/hdf5.py", "tfmini/keras/utils/matrices.py"),
    "IPython": "tfmini/keras/utils/pictures.py",
    "yaml": "tfmini/keras/saving/yaml_configs.py",
    # Names of its own that most programs do not touch.
    "tfmini": (
        "tfmini/startup/late_names.py",
        "tfmini/linear_operators/late.py",
        "tfmini/nn/late.py",
        "tfmini/contrib/late.py",
        "tfmini/train/late.py",
        "tfmini/session/late_remote.py",
        "tfmini/cli/launch.py",
        "tfmini/test/clusters.py",
        "tfmini/data/experimental/__init__.py",
        "tfmini/ops/late_families.py",
        "tfmini/hook/child_processes.py",
    ),
    # What each child process would pay for when it starts.
    "importlib": ("tfmini/hook/child_processes.py", "tfmini/backend/onednn/library.py"),
    "hashlib": "tfmini/ops/queues/queue_objects.py",  # it loads OpenSSL
    **dict.fromkeys(
        (
            *(
                "base64",
                "concurrent",
                "difflib",
                "json",
                "ml_dtypes",
                "pathlib",
                "pprint",
                "random",
            ),
            *("tempfile", "uuid"),
        ),
        "tfmini/names/late_imports.py",
    ),
}

# Where modules are imported by computed names: those below `tensorflow`.
DYNAMIC = "tfmini/hook/"

# Libraries that every program would pay for and few use: `import scipy` takes 10 ms,
# `import scipy.linalg` 100 ms and 20 MB. Their home gives them as a module that loads at its first use.
LATE = ("scipy",)

LOCKS = ("Lock", "RLock", "Condition", "Semaphore", "BoundedSemaphore", "Barrier")

# What has statements in it: no other node of a tree has an import below it.
HOLDS_STATEMENTS = (ast.stmt, ast.ExceptHandler, ast.match_case)

LONGEST = 500  # lines in a file, without its imports and its `__all__`: one name a line is a list, not a story


@dataclass(frozen=True)
class Import:
    """One imported module: its dotted name, the line, and whether it stands at module top."""

    name: str
    line: int
    at_top: bool


def parts(path: Path, root: Path) -> tuple[str, ...]:
    """The dotted name of a file as a tuple: `tfmini/ops/arrays.py` is (tfmini, ops, arrays)."""
    names = path.relative_to(root).with_suffix("").parts
    return names[:-1] if names[-1] == "__init__" and len(names) > 2 else names


def home(name: tuple[str, ...]) -> str:
    """The name in LEVELS that a module of tfmini belongs to."""
    return name[1] if len(name) > 1 else "__init__"


def room(name: tuple[str, ...]) -> str:
    """The name in ROOMS that a module of a large package belongs to."""
    return name[2] if len(name) > 2 else "__init__"


def absolute(node: ast.ImportFrom, path: Path, root: Path) -> str:
    """The module that `from X import ...` names, relative dots resolved."""
    if not node.level:
        return node.module or ""
    package = path.relative_to(root).parent.parts
    base = package[: len(package) - (node.level - 1)]
    return ".".join([*base, *([node.module] if node.module else [])])


def imports(tree: ast.Module, path: Path, root: Path) -> Iterator[Import]:
    """Every import statement of a file, `from tfmini import x` read as an import of tfmini.x."""

    def walk(node: ast.AST, at_top: bool) -> Iterator[Import]:
        inside = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
        for child in ast.iter_child_nodes(node):
            if isinstance(child, ast.Import):
                yield from (Import(alias.name, child.lineno, at_top) for alias in child.names)
            elif isinstance(child, ast.ImportFrom):
                module = absolute(child, path, root)
                whole = module in ("tfmini", *LATE)
                names = [a.name for a in child.names] if whole else []
                for name in [f"{module}.{n}" for n in names] or [module]:
                    yield Import(name, child.lineno, at_top)
            elif isinstance(child, HOLDS_STATEMENTS):
                yield from walk(child, at_top and not isinstance(child, inside))

    return walk(tree, True)


def shadowed(tree: ast.Module, path: Path, root: Path) -> Iterator[tuple[int, str]]:
    """Names that a package's __init__ binds to something else than its own module of that name."""
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
    """Lines that call import_module or __import__, which would pass the rules unseen."""
    if "import_module" not in text and "__import__" not in text:
        return
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            called = getattr(node.func, "attr", getattr(node.func, "id", ""))
            if called in ("import_module", "__import__"):
                yield node.lineno


def definitions(tree: ast.Module) -> Iterator[int]:
    """Lines at which a module defines a function or a class of its own."""
    kinds = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
    hooks = ("__getattr__", "__dir__")
    for node in tree.body:
        if isinstance(node, kinds) and node.name not in hooks:
            yield node.lineno


def check_rooms(path: Path, root: Path, package: str, found: Import) -> Iterator[str]:
    """The breach of the order of a package's rooms by an import from one in another."""
    rank = {name: number for number, names in enumerate(ROOMS[package]) for name in names}
    where = f"{path.relative_to(root).as_posix()}:{found.line}"
    mine, theirs = room(parts(path, root)), room(tuple(found.name.split(".")))
    for name in (mine, theirs):
        if name not in rank:
            yield f"{where}: '{package}/{name}' is no room of {package}; give it a place in ROOMS"
            return
    if mine != theirs and rank[theirs] == rank[mine]:
        yield f"{where}: imports {found.name}; '{mine}' and '{theirs}' share a level of {package}"
    elif rank[theirs] > rank[mine]:
        yield f"{where}: imports {found.name}; '{theirs}' is above '{mine}' in {package}"


def bare_locks(tree: ast.Module, text: str) -> Iterator[int]:
    """Lines that make a lock which stays held in a forked process."""
    if "threading" not in text:
        return
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            if getattr(node.func.value, "id", "") == "threading" and node.func.attr in LOCKS:
                yield node.lineno


def check_file(path: Path, root: Path, levels: tuple[tuple[str, ...], ...]) -> Iterator[str]:
    """The breaches of the house's rules in one file of tfmini/, one sentence each."""
    rank = {name: number for number, names in enumerate(levels) for name in names}
    where = path.relative_to(root).as_posix()
    text = path.read_text(encoding="utf-8")
    tree = ast.parse(text)
    mine = home(parts(path, root))
    if mine not in rank:
        yield f"{where}: '{mine}' is on no level; give it one in LEVELS"
        return
    if ast.get_docstring(tree) is None:
        yield f"{where}:1: has no docstring that says what lives here"
    for found in imports(tree, path, root):
        here = f"{where}:{found.line}"
        library, *rest = found.name.split(".")
        if not found.at_top and not where.startswith(LAZY.get(library, "nowhere")):
            yield f"{here}: imports {found.name} inside a function or class; move it to the top"
        if library in LATE and found.at_top:
            yield f"{here}: imports {found.name} at once; take it from {LAZY[library]}"
        if library != "tfmini":
            continue
        theirs = rest[0] if rest else "__init__"
        if theirs not in rank:
            yield f"{here}: imports {found.name}, which is on no level (a name of tfmini itself?)"
        elif theirs != mine and rank[theirs] == rank[mine]:
            yield f"{here}: imports {found.name}; '{mine}' and '{theirs}' share a level"
        elif rank[theirs] > rank[mine]:
            yield f"{here}: imports {found.name}; '{theirs}' is above '{mine}'"
        if mine in ROOMS and theirs == mine:
            yield from check_rooms(path, root, mine, found)
    if len(path.relative_to(root).parts) == 2 and path.stem not in WITH_CODE:
        for line in definitions(tree):
            yield f"{where}:{line}: has code; a file here is a namespace, what has code is a package"
    for line in () if where.startswith(DYNAMIC) else dynamic_imports(tree, text):
        yield f"{where}:{line}: imports by a computed name; write an import statement"
    if mine != "locks":
        for line in bare_locks(tree, text):
            yield f"{where}:{line}: makes a lock that outlives a fork; take it from tfmini.locks"
    if path.name == "__init__.py":
        for line, name in shadowed(tree, path, root):
            yield f"{where}:{line}: binds '{name}', which hides the module of that name"


def import_lines(tree: ast.Module) -> int:
    """How many lines the imports at the top of a file have, and its `__all__`."""
    found = [
        node
        for node in tree.body
        if isinstance(node, (ast.Import, ast.ImportFrom))
        or (isinstance(node, ast.Assign) and getattr(node.targets[0], "id", "") == "__all__")
    ]
    return sum((node.end_lineno or 0) - node.lineno + 1 for node in found)


def check_house(root: Path, levels: tuple[tuple[str, ...], ...] = LEVELS) -> list[str]:
    """Everything below `root` that breaks a rule of the house, sorted."""
    found = [p for p in sorted((root / "tfmini").rglob("*.py")) if "__pycache__" not in p.parts]
    problems = [problem for path in found for problem in check_file(path, root, levels)]
    for folder in ("tfmini", "tests", "examples", "ci"):
        for path in sorted((root / folder).rglob("*.py")):
            where = path.relative_to(root).as_posix()
            text = path.read_text(encoding="utf-8")
            lines = len(text.splitlines())
            if lines > LONGEST:
                lines -= import_lines(ast.parse(text))
            if lines > LONGEST:
                problems.append(
                    f"{where}: {lines} lines, over {LONGEST}; split where the idea does"
                )
            if path.stem in ("util", "utils", "helpers", "misc", "common"):
                problems.append(f"{where}: a file is named after what it holds, not '{path.stem}'")
    return sorted(problems)


def test_the_house_stands() -> None:
    problems = check_house(ROOT)
    assert not problems, "the house of tfmini:\n  " + "\n  ".join(problems)


def test_a_name_has_one_level() -> None:
    names = [name for level in LEVELS for name in level]
    assert len(names) == len(set(names))


GOOD = '"""A module."""\n'

BROKEN = [
    ("unknown.py", GOOD, "'unknown' is on no level"),
    ("errors.py", "X = 1\n", "has no docstring"),
    ("errors.py", GOOD + "from tfmini.graph import graph\n", "'graph' is above 'errors'"),
    ("errors.py", GOOD + "import tfmini\n", "'__init__' is above 'errors'"),
    ("errors.py", GOOD + "from tfmini import ops\n", "'ops' is above 'errors'"),
    ("errors.py", GOOD + "from tfmini import add\n", "tfmini.add, which is on no level"),
    ("errors.py", GOOD + "import tfmini.graph.opdef as o\n", "'graph' is above 'errors'"),
    ("errors.py", GOOD + "from . import graph\n", "'graph' is above 'errors'"),
    ("graph/scopes.py", GOOD + "from ..ops import arrays\n", "'ops' is above 'graph'"),
    ("graph/scopes.py", GOOD + "from tfmini.backend import cpu\n", "share a level"),
    ("errors.py", GOOD + "from tfmini import dtypes\n", "share a level"),
    ("ops/operands.py", GOOD + "def f():\n    from tfmini import errors\n", "inside a function"),
    ("ops/operands.py", GOOD + "def f():\n    import os\n", "inside a function"),
    ("ops/operands.py", GOOD + "def f():\n    import cupy\n", "inside a function"),
    ("ops/operands.py", GOOD + "class A:\n    import os\n", "inside a function or class"),
    ("ops/operands.py", GOOD + "if True:\n    from tfmini.runtime import plan\n", "above 'ops'"),
    (
        "ops/operands.py",
        GOOD + "try:\n    import tfmini.train\nexcept E:\n    pass\n",
        "above 'ops'",
    ),
    ("ops/operands.py", GOOD + "import importlib\nimportlib.import_module('x')\n", "computed name"),
    ("ops/operands.py", GOOD + "x = __import__('tfmini.train')\n", "computed name"),
    ("ops/operands.py", GOOD + "import scipy\n", "imports scipy at once"),
    ("ops/operands.py", GOOD + "import scipy.linalg\n", "imports scipy.linalg at once"),
    (
        "ops/operands.py",
        GOOD + "from scipy.special import gamma\n",
        "imports scipy.special at once",
    ),
    ("ops/operands.py", GOOD + "from scipy import special\n", "imports scipy.special at once"),
    ("ops/math/a.py", GOOD + "from tfmini.ops.nn import b\n", "'nn' is above 'math' in ops"),
    ("ops/operands.py", GOOD + "from tfmini.ops.bounds import x\n", "share a level of ops"),
    ("ops/a.py", GOOD + "from tfmini.ops.bounds import x\n", "'ops/a' is no room of ops"),
    ("math.py", GOOD + "def add():\n    pass\n", "a file here is a namespace"),
    ("ops/a.py", GOOD + "import threading\nx = threading.RLock()\n", "a lock that outlives a fork"),
    ("ops/utils.py", GOOD, "not 'utils'"),
    ("ops/long.py", GOOD + "\n" * 500, "501 lines, over 500"),
    ("ops/__init__.py", GOOD + "from tfmini.ops.math import math\n", "hides the module"),
]


@pytest.mark.parametrize("file, text, message", BROKEN)
def test_each_broken_rule_is_reported(tmp_path: Path, file: str, text: str, message: str) -> None:
    for name in ("__init__.py", "graph/__init__.py", "ops/__init__.py", "ops/math/math.py", file):
        path = tmp_path / "tfmini" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text if name == file else GOOD)
    problems = check_house(tmp_path)
    assert len(problems) == 1, problems
    assert message in problems[0]
    assert problems[0].startswith(f"tfmini/{file}:")


def test_a_good_house_is_clean(tmp_path: Path) -> None:
    files = {
        "__init__.py": GOOD + "from tfmini.ops.arrays import gather\nfrom tfmini import nest\n",
        "nest.py": GOOD + "import os\n",
        "graph/__init__.py": GOOD,
        "graph/graph.py": GOOD + "from tfmini import nest\nfrom tfmini.graph import scopes\n",
        "graph/scopes.py": GOOD + "import numpy as np\nfrom ..nest import flatten\n",
        "backend/gpu.py": GOOD + "def load():\n    import cupy\n    return cupy\n",
        "ops/__init__.py": GOOD + "from tfmini.ops import arrays\nfrom . import arrays as a\n",
        "ops/arrays.py": GOOD + "from tfmini.graph.graph import Graph\n",
    }
    for name, text in files.items():
        path = tmp_path / "tfmini" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    assert check_house(tmp_path) == []
