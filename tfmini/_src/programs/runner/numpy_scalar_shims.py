"""Finds numpy scalars in a program's own source whose dtype older numpy ignored next to an array.

`np.sqrt(2.0) * x`, `np.clip(x, 0, high.max())` and `rates[i] * x` with a float32 `x` are float32 in numpy 1, and
float64 in numpy 2, which does not fit float32 tensors.
"""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import Any

import numpy as np

_MODULES = ("np", "numpy")
_FUNCTIONS = frozenset(
    (
        *("sqrt", "cbrt", "square", "power", "exp", "expm1", "log", "log2", "log10", "log1p"),
        *("sin", "cos", "tan", "tanh", "arctan2", "hypot", "abs", "absolute", "fabs", "sign"),
        *("floor", "ceil", "round", "rint", "float_power", "deg2rad", "rad2deg", "divide"),
        *("float64", "int64", "float_", "double", "asscalar", "reciprocal", "count_nonzero"),
        *("sum", "mean", "std", "var", "prod", "min", "max", "amin", "amax", "median"),
        *("nansum", "nanmean", "nanstd", "nanmin", "nanmax", "percentile", "dot", "vdot"),
        *("maximum", "minimum", "argmax", "argmin", "trace", "average", "ptp", "add", "multiply"),
    )
)
_METHODS = frozenset(("sum", "mean", "std", "var", "prod", "min", "max", "dot", "ptp", "trace"))
_VALUE_FUNCTIONS = frozenset(
    (
        *("where", "clip", "maximum", "minimum", "fmax", "fmin", "add", "subtract", "multiply"),
        *("divide", "true_divide", "floor_divide", "power", "mod", "remainder", "fmod"),
        *("hypot", "arctan2", "logaddexp"),
    )
)
_BOUND_KEYWORDS = ("a_min", "a_max", "min", "max")


class Scalars(ast.NodeVisitor):
    """Names, attributes and functions of a module that may hold a numpy scalar."""

    def __init__(self, tree: ast.AST) -> None:
        self._names: set[str] = set()
        self._arrays: set[str] = set()
        self._numeric_names: set[str] = set()
        self._has_changed = True
        while self._has_changed:
            self._has_changed = False
            self.visit(tree)

    def visit_Assign(self, node: ast.Assign) -> None:
        self.generic_visit(node)
        for target in node.targets:
            self._note_number(target, node.value)
            if self.may_be_scalar(node.value):
                self._add(_name(target), self._names)
            if self._may_be_array(node.value):
                self._add(_name(target), self._arrays)

    def visit_For(self, node: ast.For | ast.comprehension) -> None:
        self.generic_visit(node)
        self._note_items(node.target, node.iter)

    visit_comprehension = visit_For

    def _note_items(self, target: ast.expr, values: ast.expr) -> None:
        if self._may_be_array(values):
            self._add(_name(target), self._names)
        elif isinstance(values, ast.Call) and isinstance(target, ast.Tuple):
            name = _name(values.func)
            if name == "enumerate" and values.args and len(target.elts) == 2:
                self._note_items(target.elts[1], values.args[0])
            elif name == "zip":
                for part, part_value in zip(target.elts, values.args):
                    self._note_items(part, part_value)

    def visit_FunctionDef(self, node: ast.FunctionDef) -> None:
        self.generic_visit(node)
        for part in ast.walk(node):
            if (
                isinstance(part, ast.Return)
                and part.value is not None
                and self.may_be_scalar(part.value)
            ):
                self._add(node.name, self._names)

    def _note_number(self, target: ast.expr, value: ast.expr) -> None:
        if isinstance(target, ast.Tuple) and isinstance(value, ast.Tuple):
            for part, part_value in zip(target.elts, value.elts):
                self._note_number(part, part_value)
        elif isinstance(value, ast.Constant) and type(value.value) in (int, float):
            self._numeric_names.add(getattr(target, "id", ""))

    def starts_as_number(self, name: str) -> bool:
        """Whether a name is assigned a Python number somewhere."""
        return name in self._numeric_names

    def _add(self, name: str, names: set[str]) -> None:
        if name and name not in names:
            names.add(name)
            self._has_changed = True

    def _may_be_array(self, node: ast.expr) -> bool:
        """Whether an expression's value may be an array with numpy scalars as items, judging by its form."""
        if isinstance(node, ast.BinOp):
            return self._may_be_array(node.left) or self._may_be_array(node.right)
        if isinstance(node, ast.Call):
            function = node.func
            while isinstance(function, ast.Attribute):
                if _name(function.value) in _MODULES:
                    return True
                function = function.value
            return False
        return _name(node) in self._arrays

    def may_be_scalar(self, node: ast.expr) -> bool:
        """Whether an expression's value may be a numpy scalar, judging by its form."""
        if isinstance(node, ast.BinOp):
            return self.may_be_scalar(node.left) or self.may_be_scalar(node.right)
        if isinstance(node, ast.UnaryOp):
            return self.may_be_scalar(node.operand)
        if isinstance(node, ast.IfExp):
            return self.may_be_scalar(node.body) or self.may_be_scalar(node.orelse)
        if isinstance(node, ast.Subscript):
            return not isinstance(node.slice, ast.Slice) and self._may_be_array(node.value)
        if not isinstance(node, ast.Call):
            return _name(node) in self._names
        function = node.func
        if not isinstance(function, ast.Attribute):
            return _name(function) in self._names
        if _name(function.value) in _MODULES:
            return function.attr in _FUNCTIONS
        return function.attr in _METHODS or function.attr in self._names

    def may_mix_with_array(self, node: ast.Call) -> bool:
        """Whether it may be a numpy function of an array and a numpy scalar, whose result dtype differs in numpy 2."""
        function = node.func
        if not isinstance(function, ast.Attribute) or function.attr not in _VALUE_FUNCTIONS:
            return False
        if _name(function.value) not in _MODULES and function.attr != "clip":
            return False
        return any(map(self.may_be_scalar, (*node.args, *(word.value for word in node.keywords))))


def _name(node: ast.expr) -> str:
    return getattr(node, "id", getattr(node, "attr", ""))


def to_array_dtype(number: Any, array: Any) -> Any:
    """Converts a numpy scalar wider than the array's dtype to a Python number, which takes that dtype."""
    if (
        isinstance(number, np.generic)
        and type(array) is np.ndarray
        and array.ndim
        and number.dtype.kind in "iuf"
        and array.dtype.kind in "iuf"
        and number.dtype != array.dtype
        and (number.dtype.kind != "f" or array.dtype.kind == "f")
    ):
        return number.item()
    return number


def call_with_array_dtype(function: Callable, /, *args: Any, **kwargs: Any) -> Any:
    """Calls `np.where`, `np.clip` or the like, with numpy scalars that take the arrays' dtype."""
    first = 1 if function is np.where else 0
    bounds = [name for name in _BOUND_KEYWORDS if name in kwargs]
    values = [*args[first:], *(kwargs[name] for name in bounds)]
    owner = getattr(function, "__self__", None)
    arrays = [v for v in (owner, *values) if type(v) is np.ndarray and v.ndim]
    if not arrays:
        return function(*args, **kwargs)
    array = max(arrays, key=lambda v: ("iuf".find(v.dtype.kind), v.dtype.itemsize))
    converted_values = [to_array_dtype(value, array) for value in values]
    words = kwargs | dict(zip(bounds, converted_values[len(args) - first :]))
    try:
        return function(*args[:first], *converted_values[: len(args) - first], **words)
    except OverflowError:
        return function(*args, **kwargs)
