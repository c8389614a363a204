"""Ragged tensors from nested lists, and placeholders for ragged tensors."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from tfmini._src.base import dtypes
from tfmini._src.base.dtypes import DTypeLike
from tfmini._src.base.shapes import TensorShape
from tfmini._src.base.shapes.tensor_shape import ShapeLike
from tfmini._src.graph.eager.execution_mode import executing_eagerly
from tfmini._src.graph.literals import check_fills, make_literal
from tfmini._src.graph.opdef import public
from tfmini._src.graph.scopes import name_scope
from tfmini._src.graph.tensor import Tensor
from tfmini._src.ops import ops
from tfmini._src.ops.ragged.ragged_tensor import RaggedTensor
from tfmini._src.ops.ragged.ragged_tensor_value import RaggedTensorValue
from tfmini._src.ops.ragged.row_partition import is_ragged


@public(name="ragged_constant")
def constant(
    pylist: object,
    dtype: DTypeLike | None = None,
    ragged_rank: int | None = None,
    inner_shape: ShapeLike | None = None,
    name: str | None = None,
    row_splits_dtype: DTypeLike = dtypes.int64,
) -> Any:
    """Creates a ragged tensor from a nested list.

    Args:
      pylist: a nested list, tuple or array of numbers or strings at equal depth.
      dtype: the dtype of the values; by default inferred from the list.
      ragged_rank: the number of ragged dimensions; by default all except the first and the dimensions of `inner_shape`.
      inner_shape: the shape of the uniform inner dimensions.
      row_splits_dtype: int32 or int64.

    Returns:
      A RaggedTensor, or a Tensor if nothing is ragged.

    Raises:
      ValueError: if values are not at the same depth, or do not match `ragged_rank` or `inner_shape`.
      TypeError: if `pylist` itself is ragged, or its number of elements does not match `inner_shape`.

    Example: `tf.ragged.constant([[1, 2], [3]])`.
    """

    def divide(values: Any, splits: list[int]) -> RaggedTensor:
        row_splits = ops.constant(splits, dtype=row_splits_dtype)
        return RaggedTensor.from_row_splits(values, row_splits, validate=False)

    def tensor(items: Any, dtype: Any, shape: Any, name: str = "Const") -> Tensor:
        if shape is not None and not executing_eagerly():
            check_fills(make_literal(items, dtype), tuple(shape))
        return ops.constant(items, dtype, shape, name)

    with name_scope(name, "RaggedConstant"):
        return _convert_nested(divide, tensor, pylist, dtype, ragged_rank, inner_shape)


@public(name="ragged_constant_value")
def constant_value(
    pylist: Any,
    dtype: DTypeLike | None = None,
    ragged_rank: int | None = None,
    inner_shape: ShapeLike | None = None,
    row_splits_dtype: DTypeLike = "int64",
) -> Any:
    """Creates a RaggedTensorValue from a nested list without a graph, or an array if nothing is ragged.

    Arguments and errors are as in `tf.ragged.constant`; `dtype` is a numpy dtype.

    Example: `tf.ragged.constant_value([[1, 2], [3]]).to_list()` is [[1, 2], [3]].
    """
    if isinstance(dtype, dtypes.DType):
        dtype = dtype.as_numpy_dtype
    splits_dtype = dtypes.as_dtype(row_splits_dtype).as_numpy_dtype

    def divide(values: Any, splits: list[int]) -> RaggedTensorValue:
        return RaggedTensorValue(values, np.array(splits, splits_dtype))

    def array(items: Any, dtype: Any, shape: Any, name: str | None = None) -> Any:
        return np.reshape(np.array(items, dtype), shape)

    return _convert_nested(divide, array, pylist, dtype, ragged_rank, inner_shape)


def _is_list(value: Any) -> bool:
    return isinstance(value, list | tuple) or np.ndim(value) != 0


def _convert_nested(
    divide: Callable,
    inner: Callable,
    pylist: Any,
    dtype: Any,
    ragged_rank: int | None,
    inner_shape: Any,
) -> Any:
    """Converts nested lists: `inner` converts the flat values, `divide` partitions them into rows level by level."""
    if is_ragged(pylist):
        raise TypeError("pylist may not be a RaggedTensor or RaggedTensorValue.")
    wrong = f"Invalid pylist={pylist!r}: "
    if not _is_list(pylist):
        if ragged_rank:
            raise ValueError(f"{wrong}incompatible with ragged_rank={ragged_rank}")
        if inner_shape:
            raise ValueError(f"{wrong}incompatible with dim(inner_shape)={len(inner_shape)}")
        return inner(pylist, dtype, ())
    if ragged_rank is not None and ragged_rank < 0:
        raise ValueError(f"Invalid ragged_rank={ragged_rank!r}: must be nonnegative")
    scalars, max_depth = _depths(pylist)
    if scalars is not None and max_depth > scalars:
        raise ValueError(f"{wrong}empty list nesting is greater than scalar value nesting")
    if inner_shape is not None and ragged_rank is not None:
        expected = ragged_rank + len(inner_shape) + 1
        if expected != scalars if scalars is not None else expected < max_depth:
            raise ValueError(
                f"{wrong}incompatible with ragged_rank={ragged_rank} and dim(inner_shape)={len(inner_shape)}"
            )
    if ragged_rank is None:
        dense = max_depth < 2 or (inner_shape is not None and max_depth - len(inner_shape) < 2)
    else:
        dense = ragged_rank == 0
    if dense:
        return inner(pylist, dtype, inner_shape)
    if inner_shape is None:
        inner_shape = () if ragged_rank is None else _inner_shape(pylist, ragged_rank)
    if ragged_rank is None:
        depth = max_depth if scalars is None else scalars - len(inner_shape)
        ragged_rank = max(1, depth - 1)
    nested, values = [], pylist
    for _ in range(ragged_rank):
        ends = [0]
        for row in values:
            ends.append(ends[-1] + len(row))
        nested.append(ends)
        values = [item for row in values for item in row]
    result = inner(values, dtype=dtype, shape=(len(values), *inner_shape), name="values")
    for ends in reversed(nested):
        result = divide(result, ends)
    return result


def _depths(pylist: Any) -> tuple[int | None, int]:
    """Returns the nesting depths of the scalars (None without scalars) and of the deepest list."""
    if not _is_list(pylist):
        return 0, 0
    scalars, max_depth = None, 1
    for child in pylist:
        inner_depth, below = _depths(child)
        if inner_depth is not None:
            if scalars not in (None, inner_depth + 1):
                raise ValueError("all scalar values must have the same nesting depth")
            scalars = inner_depth + 1
        max_depth = max(max_depth, below + 1)
    return scalars, max_depth


def _inner_shape(pylist: Any, ragged_rank: int) -> tuple:
    """Returns the common shape inside the ragged dimensions; raises ValueError if the shapes differ."""
    values = pylist
    for depth in range(1, ragged_rank + 1):
        if not all(map(_is_list, values)):
            raise ValueError(
                f"pylist has scalar values depth {depth}, but ragged_rank={ragged_rank} requires scalar value depth "
                f"greater than {ragged_rank}"
            )
        values = [item for row in values for item in row]
    shape = _shape_of_first(values)
    _check_shape(values, shape)
    return shape[1:]


def _shape_of_first(item: Any) -> tuple:
    if not _is_list(item):
        return ()
    return (len(item), *_shape_of_first(item[0])) if len(item) else (0,)


def _check_shape(item: Any, shape: tuple) -> None:
    if _is_list(item) != bool(shape) or (shape and shape[0] != len(item)):
        raise ValueError("inner values have inconsistent shape")
    for child in item if shape else ():
        _check_shape(child, shape[1:])


@public(name="ragged_placeholder")
def placeholder(
    dtype: DTypeLike,
    ragged_rank: int,
    value_shape: ShapeLike | None = None,
    name: str | None = None,
) -> Any:
    """Creates a placeholder for a ragged tensor, to be fed with a RaggedTensorValue.

    Args:
      dtype: the dtype of the values.
      ragged_rank: the number of ragged dimensions.
      value_shape: the shape of the inner values.

    Returns:
      A RaggedTensor, or a Tensor if `ragged_rank` is 0.
    """
    if ragged_rank == 0:
        return ops.placeholder(dtype, value_shape, name)
    with name_scope(name, "RaggedPlaceholder", []):
        shape = TensorShape([None]).concatenate(value_shape)
        result: Any = ops.placeholder(dtype, shape, "flat_values")
        for level in reversed(range(ragged_rank)):
            splits = ops.placeholder(dtypes.int64, [None], f"row_splits_{level}")
            result = RaggedTensor(result, splits, internal=True)
        return result
