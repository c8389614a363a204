"""Converts Python 2 sources to readable Python 3, using fissix's fixers."""

from __future__ import annotations

import ast
import logging
import os
import re
from collections.abc import Callable, Iterator
from typing import Any

from tfmini._src.programs.runner.python2 import syntax

_FIXES = "fissix.fixes"
_LEFT_OUT = ("buffer", "future", "idioms", "set_literal", "ws_comma")  # stylistic fixers


def convert(text: str, filename: str) -> str:
    """Converts Python 2 source code to Python 3; raises SyntaxError if it is not Python 2."""
    from fissix.pgen2 import parse, tokenize  # noqa: PLC0415
    from fissix.refactor import RefactoringTool, get_fixers_from_package  # noqa: PLC0415

    logging.getLogger("RefactoringTool").setLevel(logging.CRITICAL)
    names = (*_LEFT_OUT, "import") if _is_in_script_directory(filename) else _LEFT_OUT
    excluded_fixes = {f"{_FIXES}.fix_{name}" for name in names}
    fixers = [name for name in get_fixers_from_package(_FIXES) if name not in excluded_fixes]
    tool = RefactoringTool(fixers, {"print_function": syntax.has_print_function(text)})
    for fixer in (*tool.pre_order, *tool.post_order):
        if type(fixer).__name__ == "FixSorted":
            fixer.transform = _of_list_sorts(fixer.transform)
    try:
        return str(tool.refactor_string(syntax.expand_tabs(text), filename))
    except (parse.ParseError, tokenize.TokenError, IndentationError) as error:
        raise SyntaxError(str(error)) from None


def _of_list_sorts(transform: Callable) -> Callable:
    """Limits fissix's fixer of `x.sort(...)` to lists, not frames or arrays; deletes a comma that it leaves."""

    def limited(node: Any, results: Any) -> None:
        if not _may_sort_list(str(node).strip()):
            return
        transform(node, results)  # in place
        for leaf in list(node.leaves()):
            if leaf.value == "," and leaf.prev_sibling is None:
                leaf.next_sibling.prefix = ""
                leaf.remove()

    return limited


def _may_sort_list(expression: str) -> bool:
    """Whether the arguments of the calls of `sort` in an expression may be a list's: `cmp`, `key`, `reverse`."""
    try:
        nodes = list(ast.walk(ast.parse(expression, mode="eval")))
    except SyntaxError:
        return True
    calls = [node for node in nodes if isinstance(node, ast.Call)]
    return all(
        {keyword.arg for keyword in call.keywords} <= {"cmp", "key", "reverse"}
        and all(isinstance(cmp, (ast.Attribute, ast.Lambda, ast.Name)) for cmp in call.args[:1])
        for call in calls
        if getattr(call.func, "attr", "") == "sort"
    )


def _is_in_script_directory(filename: str) -> bool:
    """Whether a file's directory has an `__init__.py`, but its modules are imported without the directory's name."""
    directory = os.path.dirname(os.path.abspath(filename))
    parent, name = os.path.split(directory)
    if not _is_package(directory) or _is_package(parent):
        return False
    import_pattern = re.compile(
        rb"^\s*(?:from|import)\s[^#\n]*\b%s\b" % re.escape(name.encode()), re.M
    )
    return not any(map(import_pattern.search, (*_read_sources(parent), *_read_sources(directory))))


def _is_package(directory: str) -> bool:
    return os.path.isfile(os.path.join(directory, "__init__.py"))


def _read_sources(directory: str) -> Iterator[bytes]:
    for name in sorted(os.listdir(directory)):
        if name.endswith(".py"):
            with open(os.path.join(directory, name), "rb") as file:
                yield file.read()
