"""Syntax tree of a function, parsed from its source file with the original line numbers."""

from __future__ import annotations

import ast
import inspect
import linecache
import weakref
from types import CodeType
from typing import Any

from tfmini._src.graph.autograph_status import line_sources, rewriters

# By code and file, since code objects with the same text in another file are equal.
_lambdas: weakref.WeakKeyDictionary[CodeType, dict[str, ast.Lambda]] = weakref.WeakKeyDictionary()
_files: dict[str, tuple[str, dict[int, list[ast.Lambda]]]] = {}


def read(function: Any) -> ast.FunctionDef | ast.Lambda:
    """Parses a function or lambda.

    Raises:
      ValueError: if there is no source, or the lambda is ambiguous.
      NotImplementedError: for generators, coroutines, and mangled class-private names.
    """
    code: CodeType = function.__code__
    # Not inspect.findsource: it examines each module's file first.
    linecache.checkcache(code.co_filename)
    lines, first = (
        linecache.getlines(code.co_filename, function.__globals__),
        code.co_firstlineno - 1,
    )
    if not 0 <= first < len(lines):
        raise ValueError(
            f"Unable to locate the source code of {function}. Note that functions defined in certain environments, "
            "like the interactive Python shell do not expose their source code. If that is the case, you should to "
            "define them in a .py source file. If you are certain the code is graph-compatible, wrap the call using "
            "@tf.autograph.do_not_convert. Original error: could not get source code"
        )
    for source in line_sources:
        lines = source(function, lines)
    if function.__name__ == "<lambda>":
        node: Any = _find_lambda(function, lines)
    else:
        node = _find_def(code, lines, first)
    _check_convertible(node)
    if rewriters and _is_rewritten(code):
        statement = node if isinstance(node, ast.FunctionDef) else ast.Expr(node)
        for rewrite in rewriters:
            rewrite(ast.Module([statement], []), "".join(lines).encode())
        node = statement if isinstance(statement, ast.FunctionDef) else statement.value
    return node


def _is_rewritten(code: CodeType) -> bool:
    """Whether a source rewriter has changed this function."""
    inner = [const for const in code.co_consts if isinstance(const, CodeType)]
    return any(name.startswith("__tfmini_") for name in code.co_names) or any(
        _is_rewritten(const) for const in inner
    )


def _find_def(code: CodeType, lines: list[str], first: int) -> ast.FunctionDef:
    block = inspect.getblock(lines[first:])
    text, shift = "".join(block), first
    if block[0][:1].isspace():  # not dedented, so that strings in it keep their lines
        text, shift = "if 1:\n" + text, first - 1
    try:
        node = ast.parse(text).body[0]
    except SyntaxError as error:
        raise ValueError(
            f"Failed to parse source code of {code.co_name}, which Python reported as:\n{text}\n{error}"
        ) from None
    if isinstance(node, ast.If):
        node = node.body[0]
    if not isinstance(node, ast.FunctionDef):
        raise NotImplementedError(f"{type(node).__name__} is not supported by AutoGraph")
    ast.increment_lineno(node, shift)
    return node


def _find_lambda(function: Any, lines: list[str]) -> ast.Lambda:
    """Returns the lambda on a line with this signature and, if ambiguous, this code."""
    code: CodeType = function.__code__
    read_before = _lambdas.setdefault(code, {})
    if code.co_filename in read_before:
        return _copy_tree(read_before[code.co_filename])
    text = "".join(lines)
    cached = _files.get(code.co_filename)
    if cached is None or cached[0] != text:
        lambdas_by_line: dict[int, list[ast.Lambda]] = {}
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, ast.Lambda):
                lambdas_by_line.setdefault(node.lineno, []).append(node)
        cached = _files[code.co_filename] = (text, lambdas_by_line)
    nodes = [
        n
        for n in cached[1].get(code.co_firstlineno, ())
        if _argument_names(n) == _parameter_names(code)
    ]
    if len(nodes) > 1:
        nodes = [node for node in nodes if _same_code(_compile_function(node), code)] or nodes
        if len({ast.dump(node) for node in nodes}) == 1:
            nodes = nodes[:1]
    if len(nodes) != 1:
        line = lines[code.co_firstlineno - 1] if code.co_firstlineno <= len(lines) else ""
        raise ValueError(
            f"Unable to identify source code of lambda function {function}. It was defined on this line: {line}, "
            "which must contain a single lambda with matching signature. To avoid ambiguity, define each lambda in a "
            "separate expression."
        )
    read_before[code.co_filename] = nodes[0]
    return _copy_tree(nodes[0])


def _copy_tree(node: ast.Lambda) -> ast.Lambda:
    tree = ast.parse(ast.unparse(node), mode="eval").body
    for inner in ast.walk(tree):
        if isinstance(inner, ast.expr | ast.arg | ast.keyword):
            inner.lineno = inner.end_lineno = node.lineno
    assert isinstance(tree, ast.Lambda)
    return tree


def _parameter_names(code: CodeType) -> list[str]:
    count = code.co_argcount + code.co_kwonlyargcount
    count += bool(code.co_flags & inspect.CO_VARARGS) + bool(code.co_flags & inspect.CO_VARKEYWORDS)
    return sorted(code.co_varnames[:count])


def _argument_names(node: ast.Lambda) -> list[str]:
    return sorted([n.arg for n in ast.walk(node.args) if isinstance(n, ast.arg)])


def _compile_function(node: ast.Lambda) -> CodeType:
    outer = compile(ast.Expression(node), "<lambda>", "eval")
    return next(const for const in outer.co_consts if isinstance(const, CodeType))


def _same_code(a: CodeType, b: CodeType) -> bool:
    """Whether two lambdas are equivalent, ignoring which of their names are free."""
    values = [
        [(type(c), c) for c in code.co_consts if not isinstance(c, CodeType)] for code in (a, b)
    ]
    names = [{*code.co_names, *code.co_freevars} for code in (a, b)]
    return names[0] == names[1] and values[0] == values[1]


def _check_convertible(node: ast.AST) -> None:
    """Raises for functions that are not convertible."""
    for inner in ast.walk(node):
        if isinstance(inner, ast.Yield | ast.YieldFrom):
            raise NotImplementedError("Generators are not supported by AutoGraph")
        if isinstance(inner, ast.Await | ast.AsyncFor | ast.AsyncWith):
            raise NotImplementedError("Coroutines are not supported by AutoGraph")
        if isinstance(inner, ast.Attribute) and inner.attr.startswith("__"):
            if not inner.attr.endswith("__"):
                raise NotImplementedError("Mangled names are not yet supported by AutoGraph")
