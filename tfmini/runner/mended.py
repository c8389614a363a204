"""What a program's own calls do otherwise than in its time: ragged lists, pickles of Python 2, empty matches.

`np.array([[1], [1, 2]])` was an array of objects and is an error; `pickle.load` of what Python 2 wrote needs an
encoding; `np.fromstring` took bytes; `re.split` did not split where its pattern matches nothing; scikit-learn's TSNE
had an argument `n_iter`, `np.reshape` one `newshape`. The calls in a program's own source, its modules beside it too,
are made to do what they did then where they fail, or do something else, now; nothing is replaced for others.
"""

from __future__ import annotations

import ast
import builtins
import importlib.machinery
import inspect
import os
import pickle
import re
import sys
from collections.abc import Callable
from types import CodeType
from typing import Any

import numpy as np

from tfmini.hook.additions import is_strict
from tfmini.hook.said import say_once

_CALL = "__tfmini_call__"
_NAMES = ("array", "asarray", "fromstring", "load", "loads", "TSNE")
_MAY_CALL = re.compile(rb"\b(array|asarray|fromstring|loads?|re\.split|TSNE)\s*\(|\bnewshape\s*=")


class _Calls(ast.NodeTransformer):
    """Has calls of functions by these names go through `call`."""

    def visit_Call(self, node: ast.Call) -> ast.AST:
        self.generic_visit(node)
        if _may_change(node.func) or any(word.arg == "newshape" for word in node.keywords):
            node.args.insert(0, node.func)
            node.func = ast.copy_location(ast.Name(_CALL, ast.Load()), node.func)
        return node


def _may_change(function: ast.expr) -> bool:
    if isinstance(function, ast.Attribute) and function.attr == "split":
        return isinstance(function.value, ast.Name) and function.value.id == "re"
    return getattr(function, "attr", getattr(function, "id", "")) in _NAMES


def compiled(source: str | bytes, filename: str) -> CodeType:
    """The code of a program's source; with --strict, or without such calls, as Python compiles it."""
    data = source if isinstance(source, bytes) else source.encode("utf-8", "replace")
    code = compile(source, filename, "exec", dont_inherit=True)
    if is_strict() or not _MAY_CALL.search(data):
        return code
    return compile(mended(ast.parse(source, filename)), filename, "exec", dont_inherit=True)


def mended(tree: ast.Module) -> ast.Module:
    """The tree with such calls made to do what they did; as it is with --strict."""
    if is_strict():
        return tree
    setattr(builtins, _CALL, call)
    return _Calls().visit(tree)


def call(function: Callable, /, *args: Any, **kwargs: Any) -> Any:
    """`function(*args, **kwargs)`, and what it did in 2018 where it fails."""
    if function is np.array or function is np.asarray:
        return _array(function, args, kwargs)
    if function is np.fromstring:
        return _from_bytes(args, kwargs)
    if function is pickle.load or function is pickle.loads:
        return _unpickled(function, args, kwargs)
    if function is re.split:
        return _split(*args, **kwargs)
    if function is np.reshape and "newshape" in kwargs:
        return _reshaped(args, kwargs)
    if "n_iter" in kwargs and getattr(function, "__module__", "").startswith("sklearn.manifold"):
        return _embedding(function, args, kwargs)
    return function(*args, **kwargs)


def _array(function: Callable, args: tuple, kwargs: dict[str, Any]) -> Any:
    try:
        return function(*args, **kwargs)
    except ValueError as error:
        if "inhomogeneous" not in str(error) or len(args) > 1 or "dtype" in kwargs:
            raise
    say_once(
        "ragged",
        "numpy makes no array of lists of unequal lengths unless it is told dtype=object, as here.",
    )
    return function(*args, dtype=object, **kwargs)


def _from_bytes(args: tuple, kwargs: dict[str, Any]) -> Any:
    try:
        return np.fromstring(*args, **kwargs)
    except ValueError as error:
        if "binary mode" not in str(error):
            raise
    say_once(
        "fromstring", "np.fromstring of bytes is gone; a copy of np.frombuffer stands in for it."
    )
    return np.frombuffer(*args[:3], **{k: v for k, v in kwargs.items() if k != "sep"}).copy()


def _unpickled(function: Callable, args: tuple, kwargs: dict[str, Any]) -> Any:
    is_file = function is pickle.load
    place = args[0].tell() if is_file and args and _can_seek(args[0]) else None
    try:
        return function(*args, **kwargs)
    except UnicodeDecodeError:
        if "encoding" in kwargs or (is_file and place is None):
            raise
    if place is not None:
        args[0].seek(place)
    say_once("pickle", "Python 2 wrote this pickle; encoding='latin1' reads it, as here.")
    return function(*args, encoding="latin1", **kwargs)


def _split(pattern: Any, string: Any, maxsplit: int = 0, flags: int = 0) -> list:
    expression = re.compile(pattern, flags)
    if not expression.fullmatch(string[:0]):
        return expression.split(string, maxsplit)
    say_once("split", "re.split splits at empty matches since Python 3.7, but not here.")
    parts: list[Any] = []
    at = 0
    for found in expression.finditer(string):
        if found[0] and not (maxsplit and len(parts) >= maxsplit * (1 + expression.groups)):
            parts += [string[at : found.start()], *found.groups()]
            at = found.end()
    return [*parts, string[at:]]


def _embedding(function: Callable, args: tuple, kwargs: dict[str, Any]) -> Any:
    if "n_iter" not in inspect.signature(function).parameters:
        say_once("TSNE", "TSNE(n_iter=...) is gone; max_iter=... stands in for it.")
        kwargs["max_iter"] = kwargs.pop("n_iter")
    return function(*args, **kwargs)


def _reshaped(args: tuple, kwargs: dict[str, Any]) -> Any:
    if "newshape" not in inspect.signature(np.reshape).parameters:
        say_once("newshape", "np.reshape(newshape=...) is gone; shape=... stands in for it.")
        kwargs["shape"] = kwargs.pop("newshape")
    return np.reshape(*args, **kwargs)


def _can_seek(file: Any) -> bool:
    return hasattr(file, "seekable") and file.seekable()


class _Loader(importlib.machinery.SourceFileLoader):
    """Compiles a module of the program, and keeps no byte code of what is mended: Python itself would take it."""

    def get_code(self, fullname: str) -> CodeType | None:
        data = self.get_data(self.path)
        return compiled(data, self.path) if _MAY_CALL.search(data) else super().get_code(fullname)


class _Beside(importlib.machinery.PathFinder):
    """Finds the modules in the program's folder and below it, but for installed ones."""

    def __init__(self, folder: str) -> None:
        self._folder = os.path.join(os.path.realpath(folder), "")

    def find_spec(self, fullname: str, path: Any = None, target: Any = None) -> Any:  # type: ignore[override]
        spec = importlib.machinery.PathFinder.find_spec(fullname, path, target)
        if spec is None or type(spec.loader) is not importlib.machinery.SourceFileLoader:
            return None
        place = os.path.realpath(spec.loader.path)
        if not place.startswith(self._folder) or "site-packages" in place:
            return None
        spec.loader = _Loader(fullname, spec.loader.path)
        return spec


def mend_beside(folder: str | None) -> None:
    """Has modules in the program's folder compiled as the program itself."""
    if folder is not None and not is_strict():
        at = [getattr(f, "__name__", "") for f in sys.meta_path].index("PathFinder")
        sys.meta_path.insert(at, _Beside(folder))
