"""Checks of parameters and arguments, added if `validate_args` is true.

Each function returns its argument with control dependencies on the checks.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from tfmini._src.base import dtypes
from tfmini._src.graph.convert_to_tensor import convert_to_tensor
from tfmini._src.graph.operation import Operation
from tfmini._src.graph.scopes import name_scope
from tfmini._src.graph.tensor import Tensor
from tfmini._src.ops import ops

_INTEGER_DTYPES = {
    dtypes.float16: dtypes.int16,
    dtypes.float32: dtypes.int32,
    dtypes.float64: dtypes.int64,
}
_SIGNED_DTYPES = (*_INTEGER_DTYPES, dtypes.int8, dtypes.int16, dtypes.int32, dtypes.int64)
_UNSIGNED_DTYPES = (dtypes.bool, dtypes.uint8, dtypes.uint16)


def assert_integer_form(x: Any, message: str, int_dtype: dtypes.DType | None = None) -> Operation:
    """Checks that floats have integer values."""
    name = "assert_integer_form"
    with name_scope(name, values=[x, None]):
        x = convert_to_tensor(x, name="x")
        if x.dtype.is_integer:
            return ops.no_op()
        if int_dtype is None:
            int_dtype = _INTEGER_DTYPES.get(x.dtype.base_dtype)
            if int_dtype is None:
                raise TypeError(f"Unrecognized type {x.dtype.name}")
        truncated = ops.cast(ops.cast(x, int_dtype), x.dtype)
        return ops.assert_equal(x, truncated, message=message, name=name)


def counts(x: Any) -> Tensor:
    """Checks that values are nonnegative integers."""
    with name_scope("embed_check_nonnegative_integer_form", values=[x]):
        x = convert_to_tensor(x, name="x")
        checks = [ops.assert_non_negative(x, message=f"'{x}' must be non-negative.")]
        if not x.dtype.is_integer:
            checks.append(assert_integer_form(x, f"'{x}' cannot contain fractional components."))
        return ops.with_dependencies(checks, x)


def positive(x: Tensor, message: str, validate_args: bool = True) -> Tensor:
    """Returns `x`, checked at run time to be positive if `validate_args` is true."""
    if not validate_args:
        return x
    return ops.with_dependencies([ops.assert_positive(x, message=message)], x)


def trials(x: Tensor) -> Tensor:
    """Checks that numbers of trials are nonnegative integers."""
    message = "total_count cannot contain fractional components."
    checks = [
        ops.assert_non_negative(x, message="total_count must be non-negative."),
        assert_integer_form(x, message),
    ]
    return ops.with_dependencies(checks, x)


def _is_known(dtype: dtypes.DType) -> bool:
    return dtype.base_dtype in _SIGNED_DTYPES or dtype.base_dtype in _UNSIGNED_DTYPES


def _largest_integer(dtype: dtypes.DType) -> int:
    """Returns the largest integer n such that the dtype represents 0, ..., n exactly."""
    if not _is_known(dtype):
        raise TypeError(f"Unrecognized dtype: {dtype.name}")
    if dtype.is_floating:
        return int(2 ** (np.finfo(dtype.as_numpy_dtype).nmant + 1))
    return int(np.iinfo(dtype.as_numpy_dtype).max) if dtype.is_integer else 1


def _is_integer_like(dtype: dtypes.DType) -> bool:
    if not _is_known(dtype):
        raise TypeError(f"Unrecognized dtype: {dtype.name}")
    return dtype.is_integer or dtype.base_dtype == dtypes.bool


def categories(param: Any) -> Tensor:
    """Checks a per-class parameter: it must have at least two classes, and at most as many as its dtype can count.

    Raises:
      TypeError: if its dtype is not floating-point.
      ValueError: if its static shape has too few or too many classes.
    """
    with name_scope("embed_check_categorical_event_shape", values=[param]):
        x = convert_to_tensor(param, name="categorical_param")
        dtype = x.dtype.base_dtype
        largest = _largest_integer(dtype) if dtype.is_floating else 0
        if not largest:
            raise TypeError(f"Unable to validate size of unrecognized dtype ({dtype.name}).")
        no_dimension = "A categorical-distribution parameter must have at least 1 dimension."
        too_few = "A categorical-distribution parameter must have at least 2 events."
        try:
            shape = x.get_shape().with_rank_at_least(1)
        except ValueError:
            raise ValueError(no_dimension) from None
        size = None if shape.dims is None else shape.dims[-1].value
        if size is not None:
            if size < 2:
                raise ValueError(too_few)
            if size > largest:
                raise ValueError(
                    f"Number of classes exceeds `dtype` precision, i.e., {dtype.name} implies "
                    f"shape ({size}) cannot exceed {largest}."
                )
            return x
        event_size = ops.shape(x, name="x_shape")[-1]
        too_many = (
            f"Number of classes exceeds `dtype` precision, i.e., {dtype.name} dtype cannot exceed "
            f"{largest} shape."
        )
        checks = [
            ops.assert_rank_at_least(x, 1, message=no_dimension),
            ops.assert_greater_equal(ops.shape(x)[-1], 2, message=too_few),
            ops.assert_less_equal(event_size, largest, message=too_many),
        ]
        return ops.with_dependencies(checks, x)


def check_cast(x: Any, target: dtypes.DType) -> Tensor:
    """Checks that a cast of nonnegative numbers to `target` is lossless; one of the two dtypes is an integer."""
    with name_scope("embed_check_casting_closed", values=[x]):
        x = convert_to_tensor(x, name="x")
        if not any([_is_integer_like(x.dtype), _is_integer_like(target)]):  # both must be known
            raise TypeError(
                f"At least one of {x}.dtype ({x.dtype.name}) and target_dtype ({target.name}) "
                "must be integer-type."
            )
        checks = [ops.assert_non_negative(x, message="Elements must be non-negative.")]
        if x.dtype.is_floating:
            message = f"Elements must be {target.name}-equivalent."
            checks.append(assert_integer_form(x, message, target))
        elif _largest_integer(x.dtype) > _largest_integer(target):
            largest = _largest_integer(target)
            message = f"Elements cannot exceed {largest}."
            checks.append(ops.assert_less_equal(x, largest, message=message))
        return ops.with_dependencies(checks, x)
