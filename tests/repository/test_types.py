"""Packages with complete types (checked strictly by mypy, see `pyproject.toml`), and their remaining uses of `Any`.

`Any` turns mypy off for a value. A signature contains it only for a listed reason: a node's attrs are `Attrs`, not
`dict[str, Any]`, a value convertible to a tensor is a `TensorLike`, a message is `proto.NodeDef`, and so on.
"""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
SOURCES = ROOT / "tfmini" / "_src"
REASONS = Path(__file__).with_name("any_types.txt")
PACKAGES = sorted(
    set(re.findall(r'"tfmini\._src\.(\w+)\.\*"', (ROOT / "pyproject.toml").read_text("utf-8")))
)


def says_any(annotation: ast.expr | None) -> bool:
    """Whether an annotation contains `Any`, or is missing."""
    return annotation is None or any(
        isinstance(node, ast.Name) and node.id == "Any" for node in ast.walk(annotation)
    )


def parameters(function: ast.FunctionDef | ast.AsyncFunctionDef) -> Iterator[ast.arg]:
    """The parameters that need a type: all except `self` and `cls`."""
    inputs = function.args
    named = [*inputs.posonlyargs, *inputs.args, *inputs.kwonlyargs, inputs.vararg, inputs.kwarg]
    yield from (arg for arg in named if arg is not None and arg.arg not in ("self", "cls"))


def untyped(tree: ast.AST, prefix: str = "") -> Iterator[str]:
    """The functions of a file, `Class.method`, with `Any` in their signatures."""
    for node in ast.iter_child_nodes(tree):
        name = prefix
        if isinstance(node, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            name = f"{prefix}{node.name}."
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            is_constructor = node.returns is None and node.name == "__init__"
            if any(says_any(arg.annotation) for arg in parameters(node)) or (
                not is_constructor and says_any(node.returns)
            ):
                yield name[:-1]
        yield from untyped(node, name)


@pytest.mark.parametrize("package", PACKAGES)
def test_any_requires_reason(package):
    """Each signature with `Any` is in `tests/repository/any_types.txt` with its reason, and each entry has one."""
    is_constructor = {
        f"{path.relative_to(SOURCES).with_suffix('').as_posix()} {name}"
        for path in (SOURCES / package).rglob("*.py")
        for name in untyped(ast.parse(path.read_text(encoding="utf-8")))
    }
    rows = [
        f"{path} {name}"
        for line in REASONS.read_text(encoding="utf-8").splitlines()
        if line.startswith(" ")
        for path, *names in [line.split()]
        for name in names
        if path.startswith(f"{package}/")
    ]
    assert len(rows) == len(set(rows)), "a function is in two rows"
    assert sorted(is_constructor - set(rows)) == [], (
        "give these types, or a reason in tests/repository/any_types.txt"
    )
    assert sorted(set(rows) - is_constructor) == [], "these need no reason any more"
