"""Checks at graph construction: dtypes, scalars and iterables."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from tfmini._src.base import dtypes
from tfmini._src.base.dtypes import DTypeLike
from tfmini._src.graph.composite_values import SparseTensor
from tfmini._src.graph.convert_to_tensor import convert_to_tensor
from tfmini._src.graph.eager.eager_tensor import EagerTensor
from tfmini._src.graph.opdef import public
from tfmini._src.graph.operation import Operation
from tfmini._src.graph.scopes import name_scope
from tfmini._src.graph.tensor import Tensor, TensorLike
from tfmini._src.ops.checks.eager_check_messages import name_in_types
from tfmini._src.ops.control_flow.no_op_groups import no_op

_NUMERIC = (
    dtypes.float32,
    dtypes.float64,
    dtypes.int8,
    dtypes.int16,
    dtypes.int32,
    dtypes.int64,
    dtypes.uint8,
    dtypes.qint8,
    dtypes.qint32,
    dtypes.quint8,
    dtypes.complex64,
)


def is_numeric_tensor(tensor: TensorLike) -> bool:
    """Whether `tensor` is a Tensor of a dtype that TensorFlow considers numeric."""
    return isinstance(tensor, Tensor) and tensor.dtype in _NUMERIC


@public
def assert_proper_iterable(values: TensorLike) -> None:
    """Raises TypeError unless `values` is an iterable other than a tensor, array or string."""
    if isinstance(values, Tensor | SparseTensor | np.ndarray | str | bytes):
        raise TypeError(
            f'Expected argument "values" to be a "proper" iterable.  Found: {type(values)}'
        )
    if not hasattr(values, "__iter__"):
        raise TypeError(f'Expected argument "values" to be iterable.  Found: {type(values)}')


@public
def assert_integer(x: TensorLike, message: str | None = None, name: str | None = None) -> Operation:
    """Raises TypeError unless `x` has an integer dtype; returns a NoOp.

    Args:
      x: a tensor.
      message: the error message prefix.
      name: the name scope of the NoOp.
    """
    with name_scope(name, "assert_integer", [x]):
        x = convert_to_tensor(x, name="x")
        if not x.dtype.is_integer:
            raise TypeError(
                f'{message or ""}  Expected "x" to be integer type.  '
                f"Found: {name_in_types(x)} of dtype {x.dtype}"
            )
        return no_op("statically_determined_was_integer")


@public
def assert_type(
    tensor: TensorLike, tf_type: DTypeLike, message: str | None = None, name: str | None = None
) -> Operation:
    """Raises TypeError unless `tensor` has dtype `tf_type`; returns a NoOp.

    Args:
      tensor: a tensor.
      tf_type: a dtype.
      message: the error message prefix.
      name: the name scope of the NoOp.
    """
    with name_scope(name, "assert_type", [tensor]):
        tensor = convert_to_tensor(tensor, name="tensor")
        if tensor.dtype != tf_type:
            gap = " " if isinstance(tensor, EagerTensor) else "  "
            raise TypeError(
                f"{message or ''}{gap}{name_in_types(tensor)} must be of type {tf_type}"
            )
        return no_op("statically_determined_correct_type")


@public
def assert_scalar(
    tensor: TensorLike, name: str | None = None, message: str | None = None
) -> Tensor:
    """Raises ValueError unless `tensor` is statically a scalar; returns it as a tensor.

    Args:
      tensor: a tensor or a value convertible to one.
      message: the error message prefix.
    """
    with name_scope(name, "assert_scalar", [tensor]) as scope:
        tensor = convert_to_tensor(tensor, name=scope)
        shape = tensor.get_shape()
        if shape.ndims != 0:
            suffix = "" if isinstance(tensor, EagerTensor) else f" for {tensor.name}"
            raise ValueError(f"{message or ''}Expected scalar shape{suffix}, saw shape: {shape}.")
        return tensor


def _item_name(item: Any) -> str:
    return item.name if not isinstance(item, EagerTensor) and hasattr(item, "name") else str(item)


def _common_base_dtype(items: Iterable[Any], expected: Any) -> Any:
    first = None
    for item in items:
        if item is None:
            continue
        dtype = item.dtype.base_dtype
        if not expected:
            expected, first = dtype, item
        elif expected != dtype:
            origin = "" if first is None else f" as {_item_name(first)}"
            raise ValueError(
                f"{_item_name(item)}, type={dtype}, must be of the same type ({expected}){origin}."
            )
    return expected


@public
def assert_same_float_dtype(
    tensors: Iterable[TensorLike] | None = None, dtype: Any = None
) -> dtypes.DType:
    """Returns the common float dtype of `tensors`; float32 if nothing determines it.

    Args:
      tensors: tensors, some of which may be None.
      dtype: the required dtype.

    Raises:
      ValueError: if the dtypes differ or are not floating-point.
    """
    if tensors:
        dtype = _common_base_dtype(tensors, dtype)
    if not dtype:
        return dtypes.float32
    if not dtype.is_floating:
        raise ValueError(f"Expected floating point type, got {dtype}.")
    return dtype
