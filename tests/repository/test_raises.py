"""Tests of errors check the message as well: a class alone is raised for many reasons."""

import ast
from pathlib import Path

import pytest

FOLDER = Path(__file__).resolve().parents[1]

# Exceptions without a message.
SILENT = {"KeyboardInterrupt", "MalformedRecordError", "asyncio.CancelledError"}


def unread(tree):
    """The lines of `pytest.raises` without `match` whose caught exception is not examined either."""
    results = []

    def visit(node, loaded):
        if isinstance(node, ast.FunctionDef | ast.Lambda) and loaded is None:
            loaded = {n.id for n in ast.walk(node) if isinstance(n, ast.Name) and is_load(n)}
        caught = set()
        if isinstance(node, ast.With):
            names = [i.optional_vars for i in node.items if is_raises(i.context_expr)]
            caught = {name.id for name in names if isinstance(name, ast.Name)}
        if is_raises(node) and not any(k.arg in ("match", "check") for k in node.keywords):
            results.append(node)
        for child in ast.iter_child_nodes(node):
            visit(child, loaded)
        if caught & (loaded or set()):
            calls = [i.context_expr for i in node.items]
            results[:] = [call for call in results if call not in calls]

    visit(tree, None)
    return [call.lineno for call in results if ast.unparse(call.args[0]) not in SILENT]


def is_load(name):
    return isinstance(name.ctx, ast.Load)


def is_raises(node):
    match node:
        case ast.Call(func=ast.Attribute(value=ast.Name(id="pytest"), attr="raises")):
            return True
    return False


@pytest.mark.parametrize(
    "source, lines",
    [
        ("def f():\n with pytest.raises(ValueError):\n  g()", [2]),
        ("def f():\n with pytest.raises(ValueError, match='x'):\n  g()", []),
        ("def f():\n with pytest.raises(ValueError) as caught:\n  g()", [2]),
        ("def f():\n with pytest.raises(ValueError) as e:\n  g()\n assert e.value.op", []),
        ("def f():\n with a, pytest.raises((A, B)):\n  g()", [2]),
        ("def f():\n pytest.raises(ValueError, g)", [2]),
        ("def f():\n with pytest.raises(KeyboardInterrupt):\n  g()", []),
    ],
)
def test_unchecked_raises_are_detected(source, lines):
    assert unread(ast.parse(source)) == lines


def test_raises_check_error_text():
    result = [
        f"{path.relative_to(FOLDER)}:{line}"
        for path in sorted(FOLDER.rglob("*.py"))
        if "pytest.raises" in (text := path.read_text())
        for line in unread(ast.parse(text))
    ]
    assert result == [], "pytest.raises without match="
