"""No import cycles: each file of tfmini/_src/ can be loaded after everything it imports, late imports included.

Imports under `TYPE_CHECKING` do not count. Functions that a lower file calls and a higher one defines are registered
with the lower one (`ops`, `variable_creator.create_by`).
"""

import ast
from graphlib import CycleError, TopologicalSorter
from pathlib import Path
from typing import Any

import pytest

from tests.repository.test_layers import HOLDS_STATEMENTS, ROOT, imports


class _WithoutTypes(ast.NodeTransformer):
    """Drops the blocks under `if TYPE_CHECKING:`."""

    def visit(self, node: ast.AST) -> Any:
        return super().visit(node) if isinstance(node, (ast.Module, *HOLDS_STATEMENTS)) else node

    def visit_If(self, node: ast.If) -> ast.AST | list[ast.stmt]:
        if isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING":
            return node.orelse
        self.generic_visit(node)
        return node


def imported_files(root: Path) -> dict[str, set[str]]:
    """The files of `tfmini/_src` that each file imports at run time, at its top or in functions, by dotted name."""
    files = {}
    for path in sorted((root / "tfmini" / "_src").rglob("*.py")):
        names = path.relative_to(root).with_suffix("").parts
        files[".".join(names[:-1] if names[-1] == "__init__" else names)] = path
    results = {}
    for name, path in files.items():
        tree = _WithoutTypes().visit(ast.parse(path.read_text(encoding="utf-8")))
        results[name] = {each.name for each in imports(tree, path, root)} & files.keys() - {name}
    return results


def circle(root: Path) -> str:
    """An import cycle as text, or ""."""
    try:
        TopologicalSorter(imported_files(root)).prepare()
    except CycleError as error:
        return " <- ".join(error.args[1])
    return ""


def test_imports_are_acyclic() -> None:
    assert not circle(ROOT)


TOP = "from tfmini._src.graph import b\n"
CIRCLES = [
    (TOP, "from tfmini._src.graph.a import x\n", True),
    (TOP, "def f():\n    from tfmini._src.graph.a import x\n", True),
    (TOP, "import tfmini._src.graph.a\n", True),
    (TOP, "if TYPE_CHECKING:\n    from tfmini._src.graph.a import x\n", False),
    (TOP, "from tfmini._src.graph import c\n", False),
]


@pytest.mark.parametrize("first, second, is_circle", CIRCLES)
def test_cycles_are_detected(tmp_path: Path, first: str, second: str, is_circle: bool) -> None:
    directory = tmp_path / "tfmini" / "_src" / "graph"
    directory.mkdir(parents=True)
    for name, text in (("__init__", ""), ("a", first), ("b", second), ("c", "")):
        (directory / f"{name}.py").write_text(text)
    assert bool(circle(tmp_path)) == is_circle
    if is_circle:
        assert circle(tmp_path).count("graph.a") + circle(tmp_path).count("graph.b") == 3
