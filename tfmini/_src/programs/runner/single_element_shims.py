"""Restores the conversion of one-element arrays to numbers: in item assignments, in text with `%`, and as sizes.

`a[i] = np.array([1.0])`, `a[i] += np.array([1.0])`, `a[0] = [2.0, np.array([1.0])]` and `"%f" % np.array([1.0])` used
the element; each is an error since numpy 2.4. `file.read(np.array([9]))` and `a.reshape(np.array([3]), 3)`, as in the
MNIST reader of TensorFlow 0.5, are errors since numpy 1.12.
"""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable
from typing import Any

import numpy as np

from tfmini._src.programs.hook.warn_once import warn_once
from tfmini._src.programs.runner.numpy_integer_shims import as_value, call_by_name

_STORE_NAME, _STORES_NAME = "__tfmini_item_stored__", "__tfmini_item_stores__"
_IN_PLACE_NAME, _CHANGES_NAME = "__tfmini_item_in_place__", "__tfmini_item_changes__"
_ERRORS_NAME = "__tfmini_item_errors__"
_FAILURES = (TypeError, ValueError)
_OPERATORS: dict[type[ast.operator], Callable] = {
    ast.Add: operator.iadd,
    ast.Sub: operator.isub,
    ast.Mult: operator.imul,
    ast.Div: operator.itruediv,
}
_OPERATORS_BY_NAME = {function.__name__: function for function in _OPERATORS.values()}
_NON_ARRAY_NODES = (
    ast.Constant,
    ast.Dict,
    ast.DictComp,
    ast.JoinedStr,
    ast.Lambda,
    ast.Set,
    ast.SetComp,
)
_NON_ARRAY_FUNCTIONS = (
    "bool",
    "dict",
    "float",
    "int",
    "len",
    "open",
    "range",
    "set",
    "sorted",
    "str",
)


class Items(ast.NodeTransformer):
    """Redirects assignments to single items of possible arrays to the functions below on failure.

    A statement whose parts can safely be evaluated twice is kept, in a `try` without overhead; others become calls.
    """

    def visit_Assign(self, node: ast.Assign) -> ast.AST:
        self.generic_visit(node)
        target = node.targets[0]
        if len(node.targets) > 1 or not _is_item(target) or not _may_be_array(node.value):
            return node
        assert isinstance(target, ast.Subscript)
        if _is_plain(node.value) and _is_plain(target):
            return _add_fallback(node, _STORES_NAME, [node.value, *_array_and_index(target)])
        return _store_call(node.value, target, node)

    def visit_AugAssign(self, node: ast.AugAssign) -> ast.AST:
        self.generic_visit(node)
        function_name, target = _OPERATORS.get(type(node.op)), node.target
        if function_name is None or not _is_item(target) or not _may_be_array(node.value):
            return node
        assert isinstance(target, ast.Subscript)
        name = ast.Constant(function_name.__name__)
        if not _is_plain(target):
            return node
        if _is_plain(node.value):
            return _add_fallback(node, _CHANGES_NAME, [name, node.value, *_array_and_index(target)])
        item = ast.Subscript(*_array_and_index(target), ast.Load())
        return _store_call(
            call_by_name(_IN_PLACE_NAME, [name, item, node.value], node), target, node
        )


def _array_and_index(target: ast.Subscript) -> tuple[ast.expr, ast.expr]:
    """Returns the array and the index of an item, as expressions."""
    return target.value, as_value(target.slice)


def _store_call(value: ast.expr, target: ast.Subscript, node: ast.stmt) -> ast.stmt:
    return ast.copy_location(
        ast.Expr(call_by_name(_STORE_NAME, [value, *_array_and_index(target)], node)), node
    )


def _add_fallback(node: ast.stmt, name: str, values: list[ast.expr]) -> ast.stmt:
    """Returns the statement, with a fallback call on failure that returns whether it handled it."""
    fallback_call = call_by_name(name, values, node)
    raise_statement = ast.If(ast.UnaryOp(ast.Not(), fallback_call), [ast.Raise(None, None)], [])
    handler = ast.ExceptHandler(ast.Name(_ERRORS_NAME, ast.Load()), None, [raise_statement])
    return ast.copy_location(ast.Try([node], [handler], [], []), node)


def _is_item(target: ast.expr) -> bool:
    """Whether the target may be one item or row of an array: an index without slices and field names."""
    if not isinstance(target, ast.Subscript):
        return False
    index = target.slice
    parts = index.elts if isinstance(index, ast.Tuple) else [index]
    return not any(
        isinstance(part, (ast.Slice, ast.Starred, ast.JoinedStr))
        or (isinstance(part, ast.Constant) and type(part.value) is not int)
        for part in parts
    )


def _may_be_array(value: ast.expr) -> bool:
    if isinstance(value, ast.UnaryOp):
        value = value.operand
    if isinstance(value, ast.Call):
        return getattr(value.func, "id", "") not in _NON_ARRAY_FUNCTIONS
    return not isinstance(value, _NON_ARRAY_NODES)


def _is_plain(node: ast.AST) -> bool:
    """Whether the node can safely be evaluated twice: names, numbers, their items and arithmetic."""
    node_types = (ast.Name, ast.Attribute, ast.Constant, ast.Subscript, ast.Tuple, ast.BinOp)
    neutral_types = (ast.UnaryOp, ast.operator, ast.unaryop, ast.expr_context)
    return all(isinstance(part, (*node_types, *neutral_types)) for part in ast.walk(node))


def store(value: Any, array: Any, index: Any, /) -> None:
    """Implements `array[index] = value`, with one-element arrays as numbers."""
    try:
        array[index] = value
    except _FAILURES:
        if not stores(value, array, index):
            raise


def stores(value: Any, array: Any, index: Any, /) -> bool:
    """Retries a failed `array[index] = value` with one-element arrays as numbers; returns whether any were found."""
    converted = _elements_as_scalars(value) if isinstance(array, np.ndarray) else value
    if converted is value or (_is_complex(converted) and not _is_complex(array)):
        return False
    warn_single_element()
    array[index] = converted
    return True


def changes(name: str, value: Any, array: Any, index: Any, /) -> bool:
    """Same as `stores`, for `array[index] += value` and other in-place operators."""
    item = array[index] if isinstance(array, np.ndarray) else None
    return isinstance(item, np.generic) and stores(in_place(name, item, value), array, index)


def in_place(name: str, item: Any, value: Any, /) -> Any:
    """Returns the result of an in-place operator."""
    return _OPERATORS_BY_NAME[name](item, value)


def single_element(value: Any) -> Any:
    """Returns the element of a one-element array; other values unchanged."""
    is_array = isinstance(value, np.ndarray) and value.ndim and value.size == 1
    return value.item() if is_array else value


def _elements_as_scalars(value: Any) -> Any:
    """Converts one-element arrays to scalars, also in lists and tuples; a value without such arrays is unchanged."""
    if isinstance(value, np.ndarray):
        return np.asarray(value).reshape(()) if value.ndim and value.size == 1 else value
    return map_list(_elements_as_scalars, value)


def _is_complex(value: Any) -> bool:
    return isinstance(value, np.ndarray) and value.dtype.kind == "c"


def map_list(function: Callable[[Any], Any], value: Any) -> Any:
    """Applies a function to the elements of a list or tuple; the value itself if nothing changes."""
    if type(value) not in (list, tuple):
        return value
    parts = [function(part) for part in value]
    is_same = all(part is old for part, old in zip(parts, value, strict=True))
    return value if is_same else type(value)(parts)


def to_scalars(values: Any) -> Any:
    """Converts one-element arrays in nested lists to numbers; lists without such arrays are unchanged."""
    converted = map_list(_elements_as_scalars, values)
    if converted is not values:
        warn_single_element()
    return converted


def warn_single_element() -> None:
    """Warns once that a one-element array was converted to a number."""
    warn_once(
        "single", "numpy no longer converts a one-element array to a number; it is converted here."
    )


class _Number:
    """A one-element array as an operand of `%`: converts to a number."""

    def __init__(self, array: np.ndarray) -> None:
        self._array = array

    def __float__(self) -> float:
        return float(self._array.item())

    def __int__(self) -> int:
        return int(self._array.item())

    def __str__(self) -> str:
        return str(self._array)

    def __repr__(self) -> str:
        return repr(self._array)


def percent(text: Any, values: Any, /) -> Any:
    """Implements `text % values`, with one-element arrays converted to numbers."""
    try:
        return text % values
    except TypeError as error:
        if "0-dimensional" not in str(error) and "real number" not in str(error):
            raise
        if isinstance(values, dict):
            converted: Any = {key: _as_number(value) for key, value in values.items()}
            is_same = all(converted[key] is value for key, value in values.items())
        else:
            operands = values if isinstance(values, tuple) else (values,)
            converted = map_list(_as_number, operands)
            is_same = converted is operands
        if is_same:
            raise
    warn_single_element()
    return text % converted


def call_with_sizes(function: Any, /, *args: Any, **kwargs: Any) -> Any:
    """Calls `function(*args, **kwargs)`, with one-element arrays converted to integers."""
    try:
        return function(*args, **kwargs)
    except TypeError as error:
        if "integer scalar arrays" not in str(error):
            raise
        converted_args = tuple(map(single_element, args))
        if all(converted is value for converted, value in zip(converted_args, args, strict=True)):
            raise
    warn_single_element()
    return function(*converted_args, **kwargs)


def _as_number(value: Any) -> Any:
    return _Number(value) if single_element(value) is not value else value


FUNCTIONS: dict[str, Any] = {
    **{_STORE_NAME: store, _STORES_NAME: stores, _IN_PLACE_NAME: in_place, _CHANGES_NAME: changes},
    _ERRORS_NAME: _FAILURES,
}
