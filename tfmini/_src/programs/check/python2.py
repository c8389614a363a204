"""Python 2 in a program: its syntax, and functions, methods and modules removed in Python 3."""

from __future__ import annotations

import ast

from tfmini._src.base.names.python2 import (
    BUILTINS,
    MEMBERS,
    METHODS,
    MODULES,
    NEEDS,
    is_python2,
)
from tfmini._src.programs.check.findings import Problem
from tfmini._src.programs.runner.python2 import evidence, syntax as python2_syntax

CONVERSION_ADVICE = "tfmini run converts it"


def syntax(error: SyntaxError) -> Problem:
    """Returns the problem with a file that does not parse."""
    source = getattr(error, "source", "")
    data = source.encode("utf-8", "replace") if isinstance(source, str) else source
    if is_python2(error) or evidence.is_source(data):
        return _conversion_problem((error.text or error.msg).strip())
    return Problem("unreadable", "no Python", error.msg or "invalid syntax")


def handler(node: ast.ExceptHandler) -> Problem:
    """Returns the problem with `except A, b:`, which Python 3.14 parses."""
    exceptions = node.type.elts if isinstance(node.type, ast.Tuple) else []
    return _conversion_problem(f"except {', '.join(map(ast.unparse, exceptions))}:")


def _conversion_problem(code: str) -> Problem:
    advice = CONVERSION_ADVICE if python2_syntax.is_available() else NEEDS
    return Problem("Python 2", code if len(code) <= 50 else code[:47] + "...", advice)


def builtin(name: str) -> Problem:
    """Returns the problem with using a Python 2 built-in function."""
    return Problem("Python 2", name, f"{BUILTINS[name]} in Python 3")


def module(name: str) -> Problem:
    """Returns the problem with importing a Python 2 standard library module."""
    return Problem("Python 2", name, f"{MODULES[name]} in Python 3")


def member(module: str, name: str) -> Problem | None:
    """Returns the problem with a name in a module that exists in Python 3."""
    new = MEMBERS.get(module, {}).get(name)
    return Problem("Python 2", f"{module}.{name}", f"{new} in Python 3") if new else None


def method(name: str, arguments: int) -> Problem | None:
    """Returns the problem with calling a removed dict method."""
    new = METHODS.get((name, arguments))
    return Problem("Python 2", f"dict.{name}", f"{new} in Python 3") if new else None


def print_to_file() -> Problem:
    """Returns the problem with `print >>file, x`, which parses but fails at run time."""
    return Problem("Python 2", "print >>", "print(x, file=file) in Python 3")
