"""Ragged overloads of public functions of dense tensors, and operators of ragged tensors."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tfmini._src.base import dtypes
from tfmini._src.base.names.deprecation import deprecated_argument_lookup
from tfmini._src.graph.public_functions import BINARY, NOT_HANDLED, UNARY, handler
from tfmini._src.graph.scopes import control_dependencies
from tfmini._src.ops import ops
from tfmini._src.ops.ragged import (
    ragged_array_ops,
    ragged_concat,
    ragged_gather,
    ragged_reductions,
    ragged_selection,
    ragged_tensor_shape,
)
from tfmini._src.ops.ragged.ragged_rows import RaggedRows
from tfmini._src.ops.ragged.ragged_tensor import RaggedTensor, match_splits_dtypes
from tfmini._src.ops.ragged.row_partition import is_ragged, splits_match

# Operand names, used for the constants created from them.
_OPERANDS = {
    "atan2": ("y", "x"),
    "complex": ("real", "imag"),
}


def _unary(name: str) -> Callable:
    def handle(args: tuple, kwargs: dict[str, Any]) -> Any:
        if args:
            value, *remaining = args
        else:
            kwargs = dict(kwargs)
            first = next(iter(kwargs), "")
            value, remaining = kwargs.pop(first, None), []
        if not is_ragged(value):
            return NOT_HANDLED
        return value.with_flat_values(getattr(ops, name)(value.flat_values, *remaining, **kwargs))

    return handle


def _binary(name: str) -> Callable:
    names = _OPERANDS.get(name, ("x", "y"))

    def handle(args: tuple, kwargs: dict[str, Any]) -> Any:
        kwargs = dict(kwargs)
        options = [*args[:2], *(kwargs.pop(key, None) for key in names[len(args) :])]
        if not any(map(is_ragged, options)):
            return NOT_HANDLED
        try:
            x, y = _operands(options[0], options[1], names)
        except (TypeError, ValueError):
            return NOT_HANDLED
        match_splits_dtypes(x, y)
        x, y = _broadcast(x, y)
        flat = [tensor.flat_values if is_ragged(tensor) else tensor for tensor in (x, y)]
        result = getattr(ops, name)(*flat, *args[2:], **kwargs)
        return (x if is_ragged(x) else y).with_flat_values(result)

    return handle


def _operands(x: Any, y: Any, names: tuple) -> tuple:
    """Converts both operands to tensors, at least one of which is ragged."""
    if not is_ragged(x):
        x = ops.convert_to_tensor(x, name=names[0], preferred_dtype=y.dtype)
    if not is_ragged(y):
        y = ops.convert_to_tensor(y, name=names[1], preferred_dtype=x.dtype)
    return x, y


def _broadcast(x: Any, y: Any) -> tuple:
    """Broadcasts both operands to the same rows, unless one is dense and broadcasts to the values of the other."""
    if not is_ragged(x):
        beside = y.flat_values.shape.ndims <= x.shape.ndims
    elif not is_ragged(y):
        beside = x.flat_values.shape.ndims <= y.shape.ndims
    else:
        beside = True
    if not beside:
        return x, y
    shape_of = ragged_tensor_shape.RaggedTensorDynamicShape.from_tensor
    shape = ragged_tensor_shape.broadcast_dynamic_shape(shape_of(x), shape_of(y))
    x = ragged_tensor_shape.broadcast_to(x, shape, broadcast_inner_dimensions=False)
    return x, ragged_tensor_shape.broadcast_to(y, shape, broadcast_inner_dimensions=False)


def _list_handler(name: str) -> Callable:
    """Returns the handler for a function of a list of tensors that all have the same rows."""

    def handle(args: tuple, kwargs: dict[str, Any]) -> Any:
        kwargs = dict(kwargs)
        values, *remaining = args or (kwargs.pop("inputs"),)
        match_splits_dtypes(*values)
        splits = [value.nested_row_splits for value in values if is_ragged(value)]
        flat = [value.flat_values if is_ragged(value) else value for value in values]
        with control_dependencies(splits_match(splits)):
            result = getattr(ops, name)(flat, *remaining, **kwargs)
            return RaggedTensor.from_nested_row_splits(result, splits[0], validate=False)

    return handle


def _adapt(function: Callable) -> Callable:
    return lambda args, kwargs: function(*args, **kwargs)


def _ragged_gather(
    params: Any,
    indices: Any,
    validate_indices: Any = None,
    name: Any = None,
    axis: Any = 0,
    batch_dims: Any = 0,
) -> Any:
    return ragged_gather.gather(params, indices, None, axis, batch_dims, name)


def _gather_nd(params: Any, indices: Any, name: Any = None, batch_dims: Any = 0) -> Any:
    return ragged_gather.gather_nd(params, indices, batch_dims, name)


def _expand_dims(input: Any, axis: Any = None, name: Any = None, dim: Any = None) -> Any:
    return ragged_array_ops.expand_dims(input, axis if dim is None else dim, name)


def _ragged_size(input: Any, name: Any = None, out_type: Any = dtypes.int32) -> Any:
    return ragged_array_ops.size(input, out_type, name)


def _squeeze(input: Any, axis: Any = None, name: Any = None, squeeze_dims: Any = None) -> Any:
    axis = deprecated_argument_lookup("axis", axis, "squeeze_dims", squeeze_dims)
    return ragged_array_ops.squeeze(input, axis, name)


def _dynamic_partition(data: Any, partitions: Any, num_partitions: Any, name: Any = None) -> Any:
    if not isinstance(num_partitions, int) or num_partitions < 0:
        raise TypeError("num_partitions must be a non-negative integer")
    rows = ragged_selection.stack_dynamic_partitions(data, partitions, num_partitions, name)
    return [rows[index] for index in range(num_partitions)]


def _reduction(function: Callable) -> Callable:
    def handle(
        input_tensor: Any,
        axis: Any = None,
        keepdims: Any = None,
        name: Any = None,
        reduction_indices: Any = None,
        keep_dims: Any = None,
    ) -> Any:
        axis = deprecated_argument_lookup("axis", axis, "reduction_indices", reduction_indices)
        keepdims = deprecated_argument_lookup("keepdims", keepdims, "keep_dims", keep_dims)
        return function(input_tensor, axis, keepdims, name)

    return handle


def _reduce_join(
    inputs: Any,
    axis: Any = None,
    keep_dims: Any = None,
    separator: str = "",
    name: Any = None,
    reduction_indices: Any = None,
    keepdims: Any = None,
) -> Any:
    axis = deprecated_argument_lookup("axis", axis, "reduction_indices", reduction_indices)
    keepdims = deprecated_argument_lookup("keepdims", keepdims, "keep_dims", keep_dims)
    return ragged_reductions.reduce_join(inputs, axis, keepdims, separator, name)


_FUNCTIONS: dict[str, Callable] = {
    "batch_gather": ragged_gather.batch_gather,
    "concat": ragged_concat.concat,
    "dynamic_partition": _dynamic_partition,
    "expand_dims": _expand_dims,
    "gather": _ragged_gather,
    "gather_nd": _gather_nd,
    "one_hot": ragged_array_ops.one_hot,
    "rank": ragged_array_ops.rank,
    "reduce_join": _reduce_join,
    "size": _ragged_size,
    "squeeze": _squeeze,
    "stack": ragged_concat.stack,
    "tile": ragged_array_ops.tile,
    "where": ragged_selection.where,
    **{
        f"reduce_{reduction}": _reduction(getattr(ragged_reductions, f"reduce_{reduction}"))
        for reduction in ("sum", "prod", "min", "max", "mean", "all", "any")
    },
    **{
        f"unsorted_segment_{reduction}": getattr(ragged_reductions, f"segment_{reduction}")
        for reduction in ("sum", "prod", "min", "max", "mean", "sqrt_n")
    },
}

for _name in UNARY:
    handler(_name)(_unary(_name))
for _name in BINARY:
    handler(_name)(_binary(_name))
for _name in ("add_n", "string_join"):
    handler(_name)(_list_handler(_name))
for _name, _function in _FUNCTIONS.items():
    handler(_name)(_adapt(_function))


def _operator(name: str, reflected: bool) -> Callable:
    """Returns a method that calls a public function with both operands."""

    def operator(x: Any, *operands: Any) -> Any:
        function = getattr(ops, name)
        return function(*operands, x) if reflected else function(x, *operands)

    return operator


_OPERATORS = {
    "ge": "greater_equal",
    "gt": "greater",
    "le": "less_equal",
    "lt": "less",
    "invert": "logical_not",
    "abs": "abs",
    "neg": "negative",
}
_REFLECTED_OPERATORS = {
    "and": "logical_and",
    "or": "logical_or",
    "xor": "logical_xor",
    "add": "add",
    "div": "div",
    "floordiv": "floordiv",
    "mod": "mod",
    "mul": "multiply",
    "pow": "pow",
    "sub": "subtract",
    "truediv": "truediv",
}

for _name, _public in {**_OPERATORS, **_REFLECTED_OPERATORS}.items():
    setattr(RaggedRows, f"__{_name}__", _operator(_public, reflected=False))
for _name, _public in _REFLECTED_OPERATORS.items():
    setattr(RaggedRows, f"__r{_name}__", _operator(_public, reflected=True))
