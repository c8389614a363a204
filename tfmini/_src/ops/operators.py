"""Operators of `Tensor`: the op that an operator such as `x + y` adds, and conversion of its other operand."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tfmini._src.base import dtypes
from tfmini._src.graph import raw
from tfmini._src.graph.composite_values import SparseTensor
from tfmini._src.graph.convert_to_tensor import convert_to_tensor
from tfmini._src.graph.eager.execution_mode import executing_eagerly
from tfmini._src.graph.scopes import eager_scope, name_scope
from tfmini._src.graph.tensor import Tensor
from tfmini._src.ops import ops


def _binary(name: str, function: Callable, is_op: bool = False) -> None:
    """Installs `__name__` and `__rname__` on Tensor; nodes are called `name`, constant operands `name/y` or `name/x`.

    is_op: whether the operator adds a single node for two tensors, which needs no scope.
    """

    def operator(x: Any, y: Any) -> Any:
        if is_op and x.__class__ is Tensor and y.__class__ is Tensor:
            return function(x, y, name=name)
        if x.__class__ is y.__class__ and x.__class__ is not Tensor and executing_eagerly():
            return function(x, y, name=eager_scope(name))
        with name_scope(None, name, [x, y]) as scope:
            if not isinstance(y, Tensor | SparseTensor):
                try:
                    y = convert_to_tensor(y, dtype_hint=x.dtype.base_dtype, name="y")
                except TypeError:
                    # The other operand may support tensors.
                    if hasattr(type(y), f"__r{name}__"):
                        return NotImplemented
                    raise
            return function(x, y, name=scope)

    def reflect(y: Any, x: Any) -> Any:
        with name_scope(None, name, [x, y]) as scope:
            x = convert_to_tensor(x, dtype=y.dtype.base_dtype, name="x")
            return function(x, y, name=scope)

    operator.__name__, reflect.__name__ = f"__{name}__", f"__r{name}__"
    Tensor._override_operator(f"__{name}__", operator)
    Tensor._override_operator(f"__r{name}__", reflect)


def _add_tensors(x: Tensor, y: Tensor, name: str) -> Tensor:
    add = raw.Add if x.dtype.base_dtype is dtypes.string else raw.AddV2
    return add(x, y, name=name)


def _mul(x: Tensor, y: Any, name: str) -> Any:
    if isinstance(y, SparseTensor):
        values = raw.SparseDenseCwiseMul(y.indices, y.values, y.dense_shape, x, name=name)
        return SparseTensor(y.indices, values, y.dense_shape)
    return raw.Mul(x, y, name=name)


_binary("add", _add_tensors, is_op=True)
_binary("sub", lambda x, y, name: raw.Sub(x, y, name=name), is_op=True)
_binary("mul", _mul, is_op=True)
_binary("div", lambda x, y, name: ops.div_python2(x, y, name))
_binary("truediv", lambda x, y, name: ops.truediv(x, y, name))
_binary("floordiv", lambda x, y, name: ops.floordiv(x, y, name))
_binary("mod", lambda x, y, name: raw.FloorMod(x, y, name=name), is_op=True)
_binary("pow", lambda x, y, name: ops.pow(x, y, name))
_binary("and", lambda x, y, name: raw.LogicalAnd(x, y, name=name), is_op=True)
_binary("or", lambda x, y, name: raw.LogicalOr(x, y, name=name), is_op=True)
_binary("xor", lambda x, y, name: ops.logical_xor(x, y, name))
_binary("matmul", lambda x, y, name: ops.matmul(x, y, name=name))

Tensor._override_operator("__neg__", lambda x: raw.Neg(x))
Tensor._override_operator("__abs__", lambda x: ops.abs(x))
Tensor._override_operator("__invert__", lambda x: raw.LogicalNot(x))
Tensor._override_operator("__lt__", lambda x, y: raw.Less(x, y))
Tensor._override_operator("__le__", lambda x, y: raw.LessEqual(x, y))
Tensor._override_operator("__gt__", lambda x, y: raw.Greater(x, y))
Tensor._override_operator("__ge__", lambda x, y: raw.GreaterEqual(x, y))
