"""Compiles Python 2 sources to Python 3 syntax trees and code."""

from __future__ import annotations

import ast
import os
import warnings
from types import CodeType

from tfmini._src.programs.runner.python2 import operations, syntax


def parse_python2(source: bytes, filename: str) -> ast.Module:
    """Parses Python 2 source code, with Python 2 semantics; raises SyntaxError if it is not Python 2."""
    rewritten = syntax.rewrite(syntax.decode(source), filename)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # backslashes in text
        tree = ast.parse(rewritten.text, filename)
    return operations.rewrite_operations(tree, rewritten.patterns, _package_directory(filename))


def compile_source(source: bytes, filename: str, mode: str = "exec") -> CodeType:
    """Compiles Python 2 source code, without the runner's other rewrites."""
    module = parse_python2(source, filename)
    tree: ast.Module | ast.Expression | ast.Interactive = module
    if mode == "single":
        tree = ast.Interactive(module.body)
    elif mode == "eval":
        value = module.body[-1]
        if not isinstance(value, ast.Expr):
            raise SyntaxError("invalid syntax", (filename, 1, 1, ""))
        tree = ast.Expression(value.value)
    return compile(tree, filename, mode, dont_inherit=True)


def _package_directory(path: str) -> str | None:
    """Returns the directory of a source file, if it is a package."""
    directory = os.path.dirname(path)
    return directory if os.path.isfile(os.path.join(directory, "__init__.py")) else None
