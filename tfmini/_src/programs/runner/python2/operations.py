"""Redirects Python 2 operations that Python 3 performs differently.

    a / b            __tfmini_python2_div__(a, b)
    a < b            __tfmini_python2_less__(a, b)
    d.keys()         __tfmini_python2_method__(d, "keys")
    import cPickle   cPickle = __tfmini_python2_import__("cPickle")

The functions are in `builtin_names`. A module's first statement, `__tfmini_python2__`, marks its code.
"""

from __future__ import annotations

import ast
import os
from collections.abc import Mapping
from typing import Any, TypeVar

from tfmini._src.programs.runner.python2 import library, methods
from tfmini._src.programs.runner.python2.exceptions import ATTRIBUTES
from tfmini._src.programs.runner.python2.language_version import MARK
from tfmini._src.programs.runner.python2.syntax import PATTERN, PREFIX, future_imports

_COMPARISONS: dict[type, str] = {
    ast.Lt: "less",
    ast.LtE: "less_equal",
    ast.Gt: "greater",
    ast.GtE: "greater_equal",
}
_TEXT_COMPARISONS: dict[type, str] = {ast.Eq: "equal", ast.In: "contained", ast.NotEq: "unequal"}
_FORMATTING_TYPES = ("bytearray", "bytes", "str", "unicode")
_BYTES_TYPES = ("c_char", "c_char_p")

Node = TypeVar("Node", bound=ast.AST)


def rewrite_operations(
    tree: ast.Module, patterns: Mapping[str, str], directory: str | None = None
) -> ast.Module:
    """Rewrites the tree to Python 2 semantics; its imports search the package directory first, if any."""
    tree = Operations(future_imports(tree), patterns, directory).visit(tree)
    mark = ast.Expr(ast.Name(MARK, ast.Load()))
    tree.body.insert(_first_statement(tree), _copy_line(mark, tree.body[0] if tree.body else None))
    ast.fix_missing_locations(tree)
    for node in ast.walk(tree):
        position: Any = node
        # Columns refer to the rewritten line, which tracebacks never show.
        if hasattr(node, "col_offset"):
            position.col_offset = position.end_col_offset = -1
            position.end_lineno = position.lineno
    return tree


def _first_statement(tree: ast.Module) -> int:
    """Returns the position after the docstring and the `__future__` imports."""
    index = 0
    for index, node in enumerate(tree.body):
        is_text = isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
        if not is_text and getattr(node, "module", "") != "__future__":
            return index
    return len(tree.body) and index + 1


def _copy_line(new: Node, old: Any) -> Node:
    """Sets the line of a new node and its descendants to the old node's where missing."""
    line = getattr(old, "lineno", 1)
    for node in ast.walk(new):
        if "lineno" in node._attributes and not hasattr(node, "lineno"):
            node.lineno = node.end_lineno = line  # type: ignore[attr-defined]
            node.col_offset = node.end_col_offset = 0  # type: ignore[attr-defined]
    return new


def _operation_call(name: str, *arguments: ast.expr) -> ast.Call:
    return ast.Call(ast.Name(f"{PREFIX}{name}__", ast.Load()), list(arguments), [])


def _globals() -> ast.Call:
    return ast.Call(ast.Name("globals", ast.Load()), [], [])


def _index_value(node: ast.expr) -> ast.expr:
    """Returns a subscript's index as a value: slices as calls of `slice`."""
    if isinstance(node, ast.Slice):
        parts = (node.lower, node.upper, node.step)
        return _operation_call("slice", *(part or ast.Constant(None) for part in parts))
    if isinstance(node, ast.Tuple):
        return ast.Tuple([_index_value(part) for part in node.elts], ast.Load())
    return node


class Operations(ast.NodeTransformer):
    """Redirects operations, depending on the imports from `__future__` and the module's package directory, if any."""

    def __init__(
        self, futures: set[str], patterns: Mapping[str, str], directory: str | None
    ) -> None:
        self._has_true_division = "division" in futures
        self._directory = None if "absolute_import" in futures else directory
        self._parameter_patterns = patterns

    def visit_BinOp(self, node: ast.BinOp) -> ast.AST:
        self.generic_visit(node)
        if isinstance(node.op, ast.Div) and not self._has_true_division:
            if not (_is_float(node.left) or _is_float(node.right)):
                return _copy_line(_operation_call("div", node.left, node.right), node)
        elif isinstance(node.op, ast.Mod) and (
            _is_text(node.left) or isinstance(node.right, (ast.Tuple, ast.Dict))
        ):
            return _copy_line(_operation_call("percent", node.left, node.right), node)
        elif isinstance(node.op, ast.Add) and _is_text(node.left) != _is_text(node.right):
            return _copy_line(_operation_call("add", node.left, node.right), node)
        return node

    def visit_AugAssign(self, node: ast.AugAssign) -> ast.AST:
        self.generic_visit(node)
        if not isinstance(node.op, ast.Div) or self._has_true_division or _is_float(node.value):
            return node
        target = node.target
        if isinstance(target, ast.Name):
            value = _operation_call("idiv", ast.Name(target.id, ast.Load()), node.value)
            return _copy_line(ast.Assign([target], value), node)
        if isinstance(target, ast.Attribute):
            name = ast.Constant(target.attr)
            return _copy_line(
                ast.Expr(_operation_call("idiv_attribute", target.value, name, node.value)), node
            )
        index = _index_value(target.slice)
        return _copy_line(
            ast.Expr(_operation_call("idiv_item", target.value, index, node.value)), node
        )

    def visit_Compare(self, node: ast.Compare) -> ast.AST:
        self.generic_visit(node)
        if len(node.ops) == 1 and type(node.ops[0]) in _TEXT_COMPARISONS:
            if _is_text(node.left) or _is_text(node.comparators[0]):
                name = _TEXT_COMPARISONS[type(node.ops[0])]
                return _copy_line(_operation_call(name, node.left, node.comparators[0]), node)
        if not any(type(op) in _COMPARISONS for op in node.ops):
            return node
        if len(node.ops) == 1:
            return _copy_line(_compare(node.left, node.ops[0], node.comparators[0]), node)
        if not all(map(_is_simple, node.comparators[:-1])):
            return node
        left, parts = node.left, []
        for op, right in zip(node.ops, node.comparators):
            parts.append(_compare(left, op, right))
            left = right
        return _copy_line(ast.BoolOp(ast.And(), parts), node)

    def visit_Call(self, node: ast.Call) -> ast.AST:
        self.generic_visit(node)
        function = node.func
        if isinstance(function, ast.Name) and function.id in _FORMATTING_TYPES:
            node.args.insert(0, function)
            node.func = ast.Name(f"{PREFIX}text__", ast.Load())
        elif isinstance(function, ast.Attribute) and function.attr in methods.NAMES:
            node.args[:0] = [function.value, ast.Constant(function.attr)]
            node.func = ast.Name(f"{PREFIX}method__", ast.Load())
        elif getattr(function, "attr", getattr(function, "id", "")) in _BYTES_TYPES:
            node.args.insert(0, function)
            node.func = ast.Name(f"{PREFIX}of_bytes__", ast.Load())
        return _copy_line(node, node)

    def visit_Attribute(self, node: ast.Attribute) -> ast.AST:
        self.generic_visit(node)
        if node.attr not in ATTRIBUTES or not isinstance(node.ctx, ast.Load):
            return node
        return _copy_line(_operation_call("attribute", node.value, ast.Constant(node.attr)), node)

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        self.generic_visit(node)
        unpacked = [
            self._unpacking(argument.arg, node)
            for argument in node.args.args
            if argument.arg.startswith(PATTERN)
        ]
        has_docstring = ast.get_docstring(node, clean=False) is not None
        node.body[int(has_docstring) : int(has_docstring)] = unpacked
        return node

    def _unpacking(self, name: str, node: ast.AST) -> ast.Assign:
        target = ast.parse(f"{self._parameter_patterns[name]} = 0").body[0].targets[0]  # type: ignore[attr-defined]
        new = ast.Assign([target], ast.Name(name, ast.Load()))
        for inner in ast.walk(new):
            if hasattr(inner, "lineno"):
                inner.lineno = inner.end_lineno = node.lineno  # type: ignore[attr-defined]
        return _copy_line(new, node)

    def visit_Lambda(self, node: ast.Lambda) -> ast.AST:
        self.generic_visit(node)
        for argument in reversed(node.args.args):
            if argument.arg.startswith(PATTERN):
                assign = self._unpacking(argument.arg, node)
                values = ast.List([ast.Name(argument.arg, ast.Load())], ast.Load())
                loop = ast.comprehension(assign.targets[0], values, [], 0)
                body = ast.Subscript(ast.ListComp(node.body, [loop]), ast.Constant(0), ast.Load())
                node.body = _copy_line(body, node)
        return node

    def visit_ExceptHandler(self, node: ast.ExceptHandler) -> ast.AST:
        self.generic_visit(node)
        if node.name and node.name.startswith(PATTERN):
            unpacking = self._unpacking(node.name, node)
            if isinstance(unpacking.targets[0], (ast.Tuple, ast.List)):
                unpacking.value = _copy_line(
                    ast.Attribute(unpacking.value, "args", ast.Load()), node
                )
            node.body.insert(0, unpacking)
        elif isinstance(node.type, ast.Tuple) and node.type.col_offset == (
            node.type.elts[0].col_offset if node.type.elts else -1
        ):  # `except A, b`, if it is also valid Python 3
            node.type, target = node.type.elts
            node.name = getattr(target, "id", None)
        return node

    def visit_ClassDef(self, node: ast.ClassDef) -> ast.AST:
        self.generic_visit(node)
        for statement in node.body:
            if isinstance(statement, ast.Assign) and any(
                getattr(target, "id", "") == "__metaclass__" for target in statement.targets
            ):
                node.keywords.append(ast.keyword("metaclass", statement.value))
                node.body[node.body.index(statement)] = _copy_line(ast.Pass(), statement)
        name = "class" if node.bases or node.keywords else "classic_class"
        node.decorator_list.append(_copy_line(ast.Name(f"{PREFIX}{name}__", ast.Load()), node))
        return node

    def visit_Import(self, node: ast.Import) -> Any:
        modules = [self._replace_import(alias, node) for alias in node.names]
        return (
            node
            if len(modules) == 1 and modules[0] is None
            else [
                _copy_line(new or ast.Import([alias]), node)
                for new, alias in zip(modules, node.names)
            ]
        )

    def _replace_import(self, alias: ast.alias, node: ast.Import) -> ast.stmt | None:
        """Returns the replacement statement of one import; None if Python 3's import is equivalent."""
        root = alias.name.partition(".")[0]
        if self._is_sibling(root):
            module_name, _, name = alias.name.rpartition(".")
            value = (
                _operation_call(
                    "sibling_from", ast.Constant(module_name), ast.Constant(name), _globals()
                )
                if alias.asname and module_name
                else _operation_call("sibling", ast.Constant(alias.name), _globals())
            )
            return ast.Assign([ast.Name(alias.asname or root, ast.Store())], value)
        if root not in library.MODULES or (alias.asname and alias.name not in library.MODULES):
            return None
        value = _operation_call("import", ast.Constant(alias.name))
        return ast.Assign([ast.Name(alias.asname or root, ast.Store())], value)

    def visit_ImportFrom(self, node: ast.ImportFrom) -> Any:
        module_name = node.module or ""
        if node.level or not module_name:
            return node
        prefix = "sibling" if self._is_sibling(module_name.partition(".")[0]) else "import"
        if prefix == "import" and module_name not in library.MODULES:
            return node
        if any(alias.name == "*" for alias in node.names):
            return _copy_line(
                ast.Expr(_operation_call(f"{prefix}_star", ast.Constant(module_name), _globals())),
                node,
            )
        return [
            _copy_line(
                ast.Assign(
                    [ast.Name(alias.asname or alias.name, ast.Store())],
                    _operation_call(
                        f"{prefix}_from", *map(ast.Constant, (module_name, alias.name)), _globals()
                    ),
                ),
                node,
            )
            for alias in node.names
        ]

    def _is_sibling(self, root: str) -> bool:
        if self._directory is None:
            return False
        module_path = os.path.join(self._directory, root)
        return os.path.isfile(f"{module_path}.py") or os.path.isfile(
            os.path.join(module_path, "__init__.py")
        )


def _is_simple(node: ast.expr) -> bool:
    """Whether the node can safely be evaluated twice."""
    if isinstance(node, ast.Attribute):
        return _is_simple(node.value)
    if isinstance(node, ast.Subscript):
        return _is_simple(node.value) and _is_simple(node.slice)
    return isinstance(node, (ast.Constant, ast.Name))


def _is_float(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and isinstance(node.value, (float, complex))


def _is_text(node: ast.expr) -> bool:
    """Whether the node is a text literal, or a sum with one."""
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
        return _is_text(node.left) or _is_text(node.right)
    return isinstance(node, ast.Constant) and isinstance(node.value, str)


def _compare(left: ast.expr, op: ast.cmpop, right: ast.expr) -> ast.expr:
    name = _COMPARISONS.get(type(op))
    if name is None:
        return ast.Compare(left, [op], [right])
    return _operation_call(name, left, right)
