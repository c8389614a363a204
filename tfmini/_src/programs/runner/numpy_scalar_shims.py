"""Finds the numpy scalars in a program's own source whose dtype older numpy ignored next to an array's.

`np.sqrt(2.0) * x` is float32 in numpy 1 if `x` is, and float64 in numpy 2, which a float32 placeholder's neighbors
refuse.
"""

from __future__ import annotations

import ast
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


class Scalars(ast.NodeVisitor):
    """Names, attributes and functions of a module that may hold a numpy scalar.

    Args:
      tree: the module.
    """

    def __init__(self, tree: ast.AST) -> None:
        self._names: set[str] = set()
        self._numbers: set[str] = set()
        self._found = True
        while self._found:
            self._found = False
            self.visit(tree)

    def visit_Assign(self, node: ast.Assign) -> None:
        self.generic_visit(node)
        for target in node.targets:
            self._note_number(target, node.value)
        if self.may_be(node.value):
            for target in node.targets:
                self._add(getattr(target, "id", getattr(target, "attr", "")))

    def visit_FunctionDef(self, node: ast.FunctionDef) -> None:
        self.generic_visit(node)
        for part in ast.walk(node):
            if isinstance(part, ast.Return) and part.value is not None and self.may_be(part.value):
                self._add(node.name)

    def _note_number(self, target: ast.expr, value: ast.expr) -> None:
        if isinstance(target, ast.Tuple) and isinstance(value, ast.Tuple):
            for part, of_part in zip(target.elts, value.elts):
                self._note_number(part, of_part)
        elif isinstance(value, ast.Constant) and type(value.value) in (int, float):
            self._numbers.add(getattr(target, "id", ""))

    def starts_as_number(self, name: str) -> bool:
        """Whether a Python number is assigned to a name somewhere."""
        return name in self._numbers

    def _add(self, name: str) -> None:
        if name and name not in self._names:
            self._names.add(name)
            self._found = True

    def may_be(self, node: ast.expr) -> bool:
        """Whether an expression's value may be a numpy scalar, judged by its form."""
        if isinstance(node, ast.BinOp):
            return self.may_be(node.left) or self.may_be(node.right)
        if isinstance(node, ast.UnaryOp):
            return self.may_be(node.operand)
        if isinstance(node, ast.IfExp):
            return self.may_be(node.body) or self.may_be(node.orelse)
        if not isinstance(node, ast.Call):
            return getattr(node, "id", getattr(node, "attr", "")) in self._names
        function = node.func
        if not isinstance(function, ast.Attribute):
            return getattr(function, "id", "") in self._names
        if getattr(function.value, "id", "") in _MODULES:
            return function.attr in _FUNCTIONS
        return function.attr in _METHODS or function.attr in self._names


def of_array(number: Any, array: Any) -> Any:
    """A numpy scalar as a Python number, which takes the array's dtype, if it only has a wider dtype."""
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
