"""Replaces abstract numpy types that a program's own source passes as dtypes.

`np.zeros(3, dtype=np.integer)` was int64 and `x.astype(np.floating)` float64; numpy 2 raises a TypeError.
"""

from __future__ import annotations

import ast
import re

_MODULES = ("np", "numpy")
_CONCRETE = {
    "character": "bytes_",
    "complexfloating": "complex128",
    "flexible": "void",
    "floating": "float64",
    "generic": "void",
    "inexact": "float64",
    "integer": "int64",
    "number": "float64",
    "signedinteger": "int64",
    "unsignedinteger": "uint64",
}
_POSITIONS = {
    "array": 1,
    "asarray": 1,
    "astype": 0,
    "dtype": 0,
    "empty": 1,
    "full": 2,
    "ones": 1,
    "zeros": 1,
}
_MAY_APPLY = re.compile(rf"\b(np|numpy)\.({'|'.join(_CONCRETE)})\b".encode())


def applies_to(source: bytes) -> bool:
    """Whether source code mentions an abstract numpy type."""
    return bool(_MAY_APPLY.search(source))


class Dtypes(ast.NodeTransformer):
    """Replaces abstract dtypes in calls of numpy functions and of `astype`."""

    def visit_Call(self, node: ast.Call) -> ast.AST:
        self.generic_visit(node)
        function = node.func
        if not isinstance(function, ast.Attribute):
            return node
        if function.attr != "astype" and getattr(function.value, "id", "") not in _MODULES:
            return node
        position = _POSITIONS.get(function.attr)
        if position is not None and position < len(node.args):
            node.args[position] = _concrete(node.args[position])
        for word in node.keywords:
            if word.arg == "dtype":
                word.value = _concrete(word.value)
        return node


def _concrete(dtype: ast.expr) -> ast.expr:
    """Returns the concrete type that older numpy used for an abstract one; other expressions are unchanged."""
    if isinstance(dtype, ast.Attribute) and getattr(dtype.value, "id", "") in _MODULES:
        dtype.attr = _CONCRETE.get(dtype.attr, dtype.attr)
    return dtype
