"""Docstrings say what a thing is: none begins with "What"."""

import ast
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
DOCUMENTED = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)


def beginning_with_what(source: str) -> list[int]:
    """The lines of definitions whose docstrings do, 1 for a module's."""
    return [
        getattr(node, "lineno", 1)
        for node in ast.walk(ast.parse(source))
        if isinstance(node, DOCUMENTED) and (ast.get_docstring(node) or "").startswith("What ")
    ]


@pytest.mark.parametrize("folder", ["tfmini", "ci", "examples"])
def test_none_begins_with_what(folder):
    found = [
        f"{path.relative_to(ROOT)}:{line}"
        for path in sorted((ROOT / folder).rglob("*.py"))
        if "What " in (source := path.read_text(encoding="utf-8"))
        for line in beginning_with_what(source)
    ]
    assert found == []


def test_those_that_do_are_found():
    assert beginning_with_what('"""What."""\ndef f():\n    """What it does."""\n') == [2]
    assert beginning_with_what('"""What a file is."""\n') == [1]
