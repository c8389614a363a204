"""Restores old numpy results in a program's own source: integers, scalars next to arrays, comparisons of different
shapes.

`np.uint8(300)`, `np.array([-1], np.uint8)` and `a[0] = -1` wrapped around, and `pixels * -1` had a wider dtype; each is
an OverflowError since numpy 2. A numpy scalar combined with a Python number gave int64 or float64, so `labels.max() +
1` of bytes could be 256, and `total += loss` from 0.0 and `sum(losses)` were float64; numpy 2 keeps the dtype. A numpy
scalar next to an array took the array's dtype. `a == b` of arrays that do not broadcast was False, and is now a
ValueError.
"""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np

from tfmini._src.programs.hook.warn_once import warn_once
from tfmini._src.programs.runner.numpy_scalar_shims import (
    Scalars,
    call_with_array_dtype,
    to_array_dtype,
)

INTEGER_TYPES = tuple(f"{sign}int{bits}" for sign in ("", "u") for bits in (8, 16, 32, 64))
FILL_FUNCTIONS = ("full", "full_like")

_EQUAL, _NOT_EQUAL = "__tfmini_equal__", "__tfmini_other__"
_COMPUTE_NAME, _STORE_NAME = "__tfmini_computed__", "__tfmini_stored__"
_COMPUTE_IN_PLACE_NAME, _TOTAL_NAME = "__tfmini_grown__", "__tfmini_total__"
_CALL_WITH_DTYPE_NAME = "__tfmini_beside__"
_OPERATORS: dict[type[ast.operator], Callable] = {
    ast.Add: operator.add,
    ast.BitAnd: operator.and_,
    ast.BitOr: operator.or_,
    ast.BitXor: operator.xor,
    ast.Div: operator.truediv,
    ast.FloorDiv: operator.floordiv,
    ast.Mod: operator.mod,
    ast.Mult: operator.mul,
    ast.Pow: operator.pow,
    ast.Sub: operator.sub,
}
_OPERATORS_BY_NAME = {function.__name__: function for function in _OPERATORS.values()}
_INTEGER_DTYPES = [np.dtype(f"{kind}{size}") for size in (1, 2, 4, 8) for kind in "iu"]
_SAME_KIND_OPS = ("add", "mul", "sub")
_MAX_INT8 = 127  # largest number in every integer dtype
_NUMBERS = (np.integer, np.floating)
# Types that NumPy 1 and 2 combine alike, unless a Python integer is too large.
_AGREED = {int, float, np.int64, np.float64}
_DEFAULT_DTYPES = {int: np.dtype(np.int64), float: np.dtype(np.float64)}


class Numbers(ast.NodeTransformer):
    """Redirects comparisons, and operations whose result dtype differs in numpy 2, to the functions below."""

    def __init__(self, tree: ast.AST) -> None:
        self._scalars = Scalars(tree)

    def visit_Compare(self, node: ast.Compare) -> ast.AST:
        self.generic_visit(node)
        values = [node.left, *node.comparators]
        if len(values) != 2 or any(map(_is_no_array, values)):
            return node
        if isinstance(node.ops[0], ast.Eq):
            return call_by_name(_EQUAL, values, node)
        return (
            call_by_name(_NOT_EQUAL, values, node) if isinstance(node.ops[0], ast.NotEq) else node
        )

    def visit_BinOp(self, node: ast.BinOp) -> ast.AST:
        widens = self._may_widen(node.left, node.right) or self._may_widen(node.right, node.left)
        self.generic_visit(node)
        function = _OPERATORS.get(type(node.op))
        left, right = node.left, node.right
        if function is None or not (
            _may_widen_or_overflow(left, right) or _may_widen_or_overflow(right, left) or widens
        ):
            return node
        return call_by_name(
            _COMPUTE_NAME, [ast.Constant(function.__name__), node.left, node.right], node
        )

    def visit_AugAssign(self, node: ast.AugAssign) -> ast.AST:
        self.generic_visit(node)
        function_name, target = _OPERATORS.get(type(node.op)), node.target
        if (
            function_name is None
            or not isinstance(target, ast.Name)
            or isinstance(node.value, ast.Constant)
        ):
            return node
        if not self._scalars.starts_as_number(target.id):
            return node
        old = ast.copy_location(ast.Name(target.id, ast.Load()), node)
        value = call_by_name(
            _COMPUTE_IN_PLACE_NAME, [ast.Constant(function_name.__name__), old, node.value], node
        )
        return ast.copy_location(ast.Assign([target], value), node)

    def visit_Call(self, node: ast.Call) -> ast.AST:
        self.generic_visit(node)
        if getattr(node.func, "id", "") == "sum" and len(node.args) == 1 and not node.keywords:
            return call_by_name(_TOTAL_NAME, [node.func, *node.args], node)
        if self._scalars.may_mix_with_array(node):
            node.args.insert(0, node.func)
            node.func = ast.copy_location(ast.Name(_CALL_WITH_DTYPE_NAME, ast.Load()), node.func)
        return node

    def _may_widen(self, number: ast.expr, value: ast.expr) -> bool:
        """Whether a number may be a numpy scalar that would widen the other operand, if that is an array."""
        return not isinstance(value, (ast.Constant, ast.JoinedStr)) and self._scalars.may_be_scalar(
            number
        )

    def visit_Assign(self, node: ast.Assign) -> ast.AST:
        self.generic_visit(node)
        target = node.targets[0]
        is_item = len(node.targets) == 1 and isinstance(target, ast.Subscript)
        if not is_item or not _may_not_fit(node.value):
            return node
        assert isinstance(target, ast.Subscript)
        values = [node.value, target.value, as_value(target.slice)]
        return ast.copy_location(ast.Expr(call_by_name(_STORE_NAME, values, node)), node)


def as_value(written: ast.expr) -> ast.expr:
    """Converts an index expression to an ordinary value: slices become calls of `slice`."""
    if isinstance(written, ast.Slice):
        bounds = [
            part or ast.Constant(None) for part in (written.lower, written.upper, written.step)
        ]
        return ast.Call(ast.Name("slice", ast.Load()), bounds, [])
    if isinstance(written, ast.Tuple):
        return ast.Tuple([as_value(part) for part in written.elts], ast.Load())
    return written


def call_by_name(
    name: str, values: list[ast.expr], node: ast.AST, keywords: Sequence[ast.keyword] = ()
) -> ast.expr:
    """Returns a call of the function `name`, at the position of a node."""
    function = ast.copy_location(ast.Name(name, ast.Load()), node)
    return ast.copy_location(ast.Call(function, values, list(keywords)), node)


def _is_no_array(node: ast.expr) -> bool:
    """Whether the node is a number, text, size or shape, whose comparison needs no change."""
    if isinstance(node, (ast.Constant, ast.JoinedStr, ast.UnaryOp)):
        return True
    if isinstance(node, ast.Subscript):
        node = node.value
    if isinstance(node, ast.Call):
        return getattr(node.func, "id", "") in ("len", "type", "str", "int", "id")
    return isinstance(node, ast.Attribute) and node.attr in ("shape", "dtype", "ndim", "size")


def _may_widen_or_overflow(number: ast.expr, value: ast.expr) -> bool:
    """Whether a number may not fit the other operand's dtype, or widen it."""
    if isinstance(value, (ast.Constant, ast.JoinedStr)) or _may_not_fit(value):
        return False
    if isinstance(value, (ast.Call, ast.Subscript)) and isinstance(number, ast.Constant):
        return type(number.value) in (int, float)
    return _may_not_fit(number)


def _may_not_fit(node: ast.expr) -> bool:
    """Whether the node is an integer that some integer dtypes cannot hold."""
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        return isinstance(node.operand, ast.Constant) and type(node.operand.value) is int
    if isinstance(node, ast.BinOp) and isinstance(node.op, (ast.Pow, ast.LShift)):
        return all(_is_integer(part) for part in (node.left, node.right))
    return isinstance(node, ast.Constant) and type(node.value) is int and node.value > _MAX_INT8


def _is_integer(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and type(node.value) is int


def equal(a: Any, b: Any, /) -> Any:
    """Implements `a == b`."""
    try:
        return a == b
    except ValueError as error:
        _check_shapes(a, b, error)
        return False


def not_equal(a: Any, b: Any, /) -> Any:
    """Implements `a != b`."""
    try:
        return a != b
    except ValueError as error:
        _check_shapes(a, b, error)
        return True


def _check_shapes(a: Any, b: Any, error: ValueError) -> None:
    is_array = isinstance(a, np.ndarray) or isinstance(b, np.ndarray)
    if not is_array or "could not be broadcast" not in str(error):
        raise error
    warn_once(
        "==", "numpy no longer compares arrays of incompatible shapes; they compare unequal here."
    )


def compute(name: str, a: Any, b: Any, /) -> Any:
    """Returns the binary operation with a number that may not fit the other operand's dtype, or may widen it."""
    function = _OPERATORS_BY_NAME[name]
    if type(a) in _AGREED and type(b) in _AGREED:
        try:
            return function(a, b)
        except OverflowError:
            pass
    a, b = to_array_dtype(a, b), to_array_dtype(b, a)
    if isinstance(a, _NUMBERS) and type(b) in _DEFAULT_DTYPES:
        return function(_widen(a, b), b)
    if isinstance(b, _NUMBERS) and type(a) in _DEFAULT_DTYPES:
        return function(a, _widen(b, a))
    try:
        return function(a, b)
    except OverflowError:
        array, number = (b, a) if type(a) is int else (a, b)
        if not isinstance(array, np.ndarray) or type(number) is not int:
            raise
        dtype = _former_result_dtype(name, array.dtype, number)
        _warn_of_wrapping(number, array.dtype)
    wider, value = array.astype(dtype), dtype.type(number)
    return function(value, wider) if array is b else function(wider, value)


def compute_in_place(name: str, a: Any, b: Any, /) -> Any:
    """Implements in-place operators such as `a += b` for a Python number and a numpy scalar."""
    if type(a) in _DEFAULT_DTYPES and isinstance(b, _NUMBERS):
        return compute(name, a, b)
    return getattr(operator, f"i{name.rstrip('_')}")(a, b)


def total(function: Callable, values: Iterable[Any], /) -> Any:
    """Implements `sum(values)`, a float64 or int64 for numpy scalars of other dtypes in numpy 1."""
    if function is not sum:
        return function(values)
    iterator = iter(values)
    for first in iterator:
        return sum(iterator, _widen(first, 0) if isinstance(first, _NUMBERS) else 0 + first)
    return 0


def _former_result_dtype(name: str, dtype: np.dtype, number: int) -> np.dtype:
    """Returns the former result dtype of an array and a Python number that does not fit the array's dtype.

    It was the smallest dtype for both: for sums and products, unsigned if both are.
    """
    is_unsigned = name in _SAME_KIND_OPS and dtype.kind == "u" and number >= 0
    for candidate in _INTEGER_DTYPES:
        limits = np.iinfo(candidate)
        if np.can_cast(dtype, candidate) and limits.min <= number <= limits.max:
            if candidate.kind == "u" or not is_unsigned:
                return candidate
    return np.promote_types(dtype, np.min_scalar_type(number))


def _widen(value: Any, number: int | float) -> Any:
    """Returns a numpy scalar, widened for a Python number; a Python number itself next to a large integer."""
    if type(number) is int and not -(2**63) <= number < 2**63:
        return value.item()
    return value.astype(np.promote_types(value.dtype, _DEFAULT_DTYPES[type(number)]))


def store(value: int, array: Any, index: Any, /) -> None:
    """Implements `array[index] = value`."""
    try:
        array[index] = value
    except OverflowError:
        if not isinstance(array, np.ndarray):
            raise
        _warn_of_wrapping(value, array.dtype)
        array[index] = np.array(value).astype(array.dtype)


def is_handled(function: Any) -> bool:
    """Whether `call` handles the function."""
    is_type = isinstance(function, type) and issubclass(function, np.integer)
    return is_type or function is np.full or function is np.full_like


def call(function: Any, args: tuple, kwargs: dict[str, Any]) -> Any:
    """Calls `function(*args, **kwargs)`, a function accepted by `is_handled`."""
    try:
        return function(*args, **kwargs)
    except OverflowError:
        if isinstance(function, type):
            return wrap_around(args[0], np.dtype(function))[()]
        options = inspect_filled(function, args, kwargs)
        if options is None:
            raise
    array, value = options
    store(value, array, ...)
    return array


def inspect_filled(function: Any, args: tuple, kwargs: dict[str, Any]) -> tuple | None:
    """Returns an empty array with the shape and dtype of `np.full`, and the value; None if it is not an integer."""
    words = dict(zip(("shape" if function is np.full else "a", "fill_value", "dtype"), args))
    words |= kwargs
    value = words.pop("fill_value", None)
    if type(value) is not int:
        return None
    empty = np.empty if function is np.full else np.empty_like
    return empty(*[words.pop(name) for name in ("shape", "a") if name in words], **words), value


def wrap_around(values: Any, dtype: np.dtype) -> np.ndarray:
    """Wraps integers around to a dtype's range; raises OverflowError for integers beyond a C long."""
    array = np.array(values)
    if dtype != array.dtype and (array.dtype == object or (array >= 2**63).any()):
        raise OverflowError("Python int too large to convert to C long")
    _warn_of_wrapping(values, dtype)
    return array.astype(dtype)


def _warn_of_wrapping(values: Any, dtype: np.dtype) -> None:
    text = f"numpy rejects integers that do not fit {dtype}, such as {values!r:.40}; here they wrap or widen as before."
    warn_once("fit", text)


FUNCTIONS = {
    _EQUAL: equal,
    _NOT_EQUAL: not_equal,
    _COMPUTE_NAME: compute,
    _STORE_NAME: store,
    _COMPUTE_IN_PLACE_NAME: compute_in_place,
    _TOTAL_NAME: total,
    _CALL_WITH_DTYPE_NAME: call_with_array_dtype,
}
