"""Evidence of Python 2 in source code: statements that Python 3 does not parse, names that it lacks."""

from __future__ import annotations

import ast
import builtins
import functools
import re
import warnings
from collections.abc import Iterable, Iterator

from tfmini._src.base.names.python2 import BUILTINS, MEMBERS, METHODS, MODULES, is_python2
from tfmini._src.programs.runner.python2 import syntax


def _alternatives(names: Iterable[str]) -> bytes:
    return b"(?:" + "|".join(sorted(names)).encode() + b")"


# Built-in functions whose names are also words in comments: only their calls count.
_WORDS = ("apply", "cmp", "file", "intern", "reload")
_MODULE_MEMBERS = {name for names in MEMBERS.values() for name in names}

# Sources without any of these are not parsed: possible Python 2 syntax,
_MAY_BE_SYNTAX = re.compile(
    rb"^[^#\n]*\b(print|exec)\b(?!\s*(\(|=|\.))|^[^#\n]*\bprint\s*(\(\s*$|>>|#|$)|\bexcept\b[^:\n]*,"
    rb"|\braise\s+[\w.]+\s*,|<>|[=(,+%]\s*`[^`\n]+`|\b0\d|\d[lL]\b|\b[uU][rR]['\"]"
    rb"|\b(?:def\s+\w+\s*\(|lambda\b)[^:\n]*\(|^ *\t|^\t+ ",
    re.MULTILINE,
)
# And possible Python 2 names.
_MAY_BE_NAMES = re.compile(
    rb"^\s*print\s*(?:#|$)|\bprint\s*>>|(?<![.\w])"
    + _alternatives(_WORDS)
    + rb"\s*\(|\b"
    + _alternatives(set(BUILTINS).difference(_WORDS))
    + rb"\b|^\s*(?:import|from)\b[^\n]*\b"
    + _alternatives({*MODULES, *_MODULE_MEMBERS})
    + rb"\b|\."
    + _alternatives({*_MODULE_MEMBERS, *(name for name, _ in METHODS)})
    + rb"\b",
    re.MULTILINE,
)
_LONE_PRINT = re.compile(rb"^[^#\n]*\bprint\s*(?:[#;]|$)", re.MULTILINE)
_VERSIONS = {"PY2", "PY3", "hexversion", "version_info"}
_IMPORT_FALLBACK_ERRORS = {"AttributeError", "ImportError", "ModuleNotFoundError", "NameError"}
_DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
_ONLY_IN_PYTHON3 = (
    *(ast.AnnAssign, ast.AsyncFunctionDef, ast.Await, ast.JoinedStr, ast.MatMult, ast.NamedExpr),
    *(ast.Nonlocal, ast.YieldFrom),
)


@functools.lru_cache(maxsize=32)
def is_source(source: bytes, assumes_python3: bool = False) -> bool:
    """Whether source code is certainly Python 2.

    Args:
      assumes_python3: whether another module of the program is Python 3, so that a lone `print` is a no-op line.
    """
    may_have_names = bool(_MAY_BE_NAMES.search(source))
    if not may_have_names and not _MAY_BE_SYNTAX.search(source):
        return False
    try:
        tree = _tree(source)
    except SyntaxError as error:
        return is_python2(error) or _is_rewritten(source)
    except (ValueError, RecursionError, MemoryError):
        return False
    return has_names(tree, assumes_python3) if may_have_names else any(old_handlers(tree))


def may_print_alone(source: bytes) -> bool:
    """Whether source code may contain a lone `print`, which Python 3 ignores."""
    return bool(_LONE_PRINT.search(source))


def has_names(tree: ast.Module, assumes_python3: bool = False) -> bool:
    """Whether source code that Python 3 parses uses Python 2 names or `except A, b`."""
    if any(old_handlers(tree)):
        return True
    return any(_old_names(tree, assumes_python3)) and not _is_python3(tree)


@functools.lru_cache(maxsize=32)
def is_only_python2(source: bytes) -> bool:
    """Whether a program with this source code certainly fails on Python 3: `is_source`, judging by syntax."""
    if not is_source(source):
        return False
    try:
        return any(old_handlers(_tree(source)))
    except SyntaxError:
        return True


def _is_rewritten(source: bytes) -> bool:
    """Whether fissix, if installed, parses as Python 2 the source code, which Python 3 does not parse."""
    text = syntax.decode(source)
    try:
        return syntax.is_available() and syntax.rewrite(text).text != text
    except SyntaxError:
        return False


@functools.lru_cache(maxsize=32)
def is_python3(source: bytes, by_syntax: bool = False) -> bool:
    """Whether source code has syntax that Python 2 lacks.

    Args:
      by_syntax: judge by syntax only; else source code without Python 2 names and calls such as `print("a", 1)`
        also counts.
    """
    try:
        tree = _tree(source)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    if _is_python3(tree) or by_syntax:
        return _is_python3(tree)
    return _prints_several(tree) and not any(_old_names(tree))


def _is_python3(tree: ast.Module) -> bool:
    """Whether a tree has nodes that Python 2 does not parse."""
    if not _imports_print_function(tree):
        if any(_prints_with_keywords(node) for node in ast.walk(tree)):
            return True
    return any(_is_python3_syntax(node) for node in ast.walk(tree))


def _prints_with_keywords(node: ast.AST) -> bool:
    """Whether the node is a `print` call with keywords, such as `print("a", end="")`."""
    return (
        isinstance(node, ast.Call)
        and getattr(node.func, "id", "") == "print"
        and bool(node.keywords)
    )


def _prints_several(tree: ast.Module) -> bool:
    """Whether Python 2 would print a tuple for a call such as `print("a", 1)`."""
    if _imports_print_function(tree):
        return False
    return any(
        isinstance(n, ast.Call) and getattr(n.func, "id", "") == "print" and len(n.args) > 1
        for n in ast.walk(tree)
    )


def _imports_print_function(tree: ast.Module) -> bool:
    return any(isinstance(n, ast.alias) and n.name == "print_function" for n in ast.walk(tree))


def _tree(source: bytes) -> ast.Module:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # backslashes in old programs
        return ast.parse(source)


def _is_python3_syntax(node: ast.AST) -> bool:
    if isinstance(node, ast.Raise):
        return node.cause is not None
    if isinstance(node, ast.FunctionDef):
        return bool(node.returns or node.args.kwonlyargs or node.args.posonlyargs)
    if isinstance(node, ast.arg):
        return node.annotation is not None
    if isinstance(node, ast.Call):
        return getattr(node.func, "id", "") == "super" and not node.args
    if isinstance(node, ast.Starred):
        return isinstance(node.ctx, ast.Store)
    return isinstance(node, _ONLY_IN_PYTHON3)


def _bound_names(tree: ast.Module) -> set[str]:
    """Returns all names that a module binds anywhere."""
    names: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load):
            names.add(node.id)
        elif isinstance(node, ast.arg):
            names.add(node.arg)
        elif isinstance(node, _DEFINITIONS):
            names.add(node.name)
        elif isinstance(node, ast.alias):
            names.add((node.asname or node.name).partition(".")[0])
    return names


def _names_in(node: ast.AST | None) -> set[str]:
    return {getattr(n, "id", getattr(n, "attr", "")) for n in ast.walk(node)} if node else set()


def _unguarded_nodes(node: ast.AST) -> Iterator[ast.AST]:
    """Yields all nodes except those guarded for one Python version: branches, decorators, handled imports."""
    yield node
    if isinstance(node, (ast.If, ast.IfExp)) and _VERSIONS & _names_in(node.test):
        return
    if isinstance(node, _DEFINITIONS) and any(
        _VERSIONS & _names_in(d) for d in node.decorator_list
    ):
        return
    skipped: list[ast.stmt] = []
    if isinstance(node, ast.Try):
        caught_names = set().union(*(_names_in(handler.type) for handler in node.handlers))
        catches_all = any(handler.type is None for handler in node.handlers)
        imports = any(isinstance(n, (ast.Import, ast.ImportFrom)) for n in node.body)
        if caught_names & _IMPORT_FALLBACK_ERRORS or (
            imports and (catches_all or "Exception" in caught_names)
        ):
            skipped = [*node.body, *(n for handler in node.handlers for n in handler.body)]
    for child in ast.iter_child_nodes(node):
        if child not in skipped and not (skipped and isinstance(child, ast.ExceptHandler)):
            yield from _unguarded_nodes(child)


def _old_names(tree: ast.Module, assumes_python3: bool = False) -> Iterator[bool]:
    bound = _bound_names(tree)
    has_stars = any(isinstance(n, ast.alias) and n.name == "*" for n in ast.walk(tree))
    # If so, a lone `print` is a no-op line.
    has_print_function = assumes_python3 or _prints_several(tree)
    for node in _unguarded_nodes(tree):
        if isinstance(node, ast.Name):
            yield node.id in BUILTINS and node.id not in bound and not has_stars
        elif isinstance(node, ast.Import):
            yield any(alias.name.partition(".")[0] in MODULES for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and not node.level:
            module_name = node.module or ""
            yield module_name in MODULES
            yield any(alias.name in MEMBERS.get(module_name, {}) for alias in node.names)
        elif isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
            yield node.attr in MEMBERS.get(node.value.id, {})
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            arguments = len(node.args) + len(node.keywords)
            is_own = node.func.attr in bound or "pandas" in bound or "pd" in bound
            yield (node.func.attr, arguments) in METHODS and not is_own
        elif isinstance(node, ast.Expr):
            is_lone_print = isinstance(node.value, ast.Name) and node.value.id == "print"
            yield is_lone_print and not has_print_function
        elif isinstance(node, ast.BinOp):
            yield isinstance(node.op, ast.RShift) and getattr(node.left, "id", "") == "print"


def old_handlers(tree: ast.Module) -> Iterator[ast.ExceptHandler]:
    """Yields the handlers `except A, b:`, which Python 3.14 parses as two exceptions."""
    handlers = [
        n
        for n in ast.walk(tree)
        if isinstance(n, ast.ExceptHandler) and isinstance(n.type, ast.Tuple)
    ]
    if not handlers:
        return
    bound = _bound_names(tree)
    for handler in handlers:
        if _is_unbound_name(handler.type, bound):
            yield handler


def _is_unbound_name(exceptions: ast.expr | None, bound: set[str]) -> bool:
    """Whether the second of two unparenthesized exceptions is an unbound name."""
    if not isinstance(exceptions, ast.Tuple) or len(exceptions.elts) != 2:
        return False
    first, last = exceptions.elts
    has_brackets = exceptions.col_offset != first.col_offset
    return (
        not has_brackets
        and isinstance(last, ast.Name)
        and last.id not in bound
        and not hasattr(builtins, last.id)
    )
