"""Value checks: `tf.assert_equal` and its variants.

Constants are checked at construction, other values at run time.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from tfmini._src.base.errors import invalid
from tfmini._src.base.names.signature import arguments_of
from tfmini._src.graph.convert_to_tensor import convert_to_tensor
from tfmini._src.graph.eager.execution_mode import executing_eagerly
from tfmini._src.graph.opdef import public
from tfmini._src.graph.operation import Operation
from tfmini._src.graph.scopes import name_scope
from tfmini._src.graph.static_values import get_static_value
from tfmini._src.graph.tensor import Tensor, TensorLike
from tfmini._src.ops import ops
from tfmini._src.ops.checks.asserts import Assert
from tfmini._src.ops.checks.eager_check_messages import display_name, raise_comparison_error
from tfmini._src.ops.control_flow.no_op_groups import no_op


def _raise_unless(condition: Any, data: list) -> None:
    if condition:
        return
    parts = []
    for item in data:
        value = get_static_value(item) if isinstance(item, Tensor) else item
        parts.append(item if value is None else str(value))
    invalid("\n".join(parts))


def _compare(
    symbol: str,
    op_name: str,
    test: Callable,
    static_test: Callable,
    x: Any,
    y: Any,
    data: Any,
    summarize: int | None,
    message: str | None,
    name: str | None,
) -> Operation:
    """Returns an Assert that fails unless `test` is true for all pairs of elements."""
    with name_scope(name, op_name, [x, y, data]):
        x = convert_to_tensor(x, name="x")
        y = convert_to_tensor(y, name="y")
        if executing_eagerly():
            is_true = test(x, y)
            if not ops.reduce_all(is_true):
                raise_comparison_error(symbol, x, y, is_true, data, summarize, message)
            return None  # type: ignore[return-value]
        if data is None:
            data = [
                f"Condition x {symbol} y did not hold element-wise:",
                f"x ({x.name}) = ",
                x,
                f"y ({y.name}) = ",
                y,
            ]
        if message is not None:
            data = [message, *data]
        condition = ops.reduce_all(test(x, y))
        x_value = get_static_value(x)
        y_value = get_static_value(y)
        if x_value is not None and y_value is not None:
            _raise_unless(np.all(static_test(x_value, y_value)), data)
        return Assert(condition, data, summarize=summarize)


@public
def assert_equal(
    x: TensorLike,
    y: TensorLike,
    data: Sequence[TensorLike] | None = None,
    summarize: int | None = None,
    message: str | None = None,
    name: str | None = None,
) -> Operation:
    """Returns an operation that fails unless `x == y` for every pair of (broadcast) elements.

    Args:
      x: numeric tensor.
      y: numeric tensor of the same dtype, broadcastable with `x`.
      data: the tensors to show in the error; by default a message and both tensors.
      summarize: the number of elements to show per tensor.
      message: the error message prefix.

    Returns:
      An operation to use as a control input (`tf.control_dependencies`).

    Raises:
      InvalidArgumentError (when run): if the check fails; at construction, if both are constants.
    """
    with name_scope(name, "assert_equal", [x, y, data]):
        if x is y:
            return None if executing_eagerly() else no_op()  # type: ignore[return-value]
    return _compare("==", "assert_equal", ops.equal, np.equal, x, y, data, summarize, message, name)


@public
@arguments_of(assert_equal)
def assert_none_equal(*args: Any) -> Operation:
    """Returns an operation that fails unless `x != y` for every pair of elements.

    Same arguments as `tf.assert_equal`.
    """
    return _compare("!=", "assert_none_equal", ops.not_equal, np.not_equal, *args)


@public
@arguments_of(assert_equal)
def assert_less(*args: Any) -> Operation:
    """Returns an operation that fails unless `x < y` for every pair of elements.

    Same arguments as `tf.assert_equal`.
    """
    return _compare("<", "assert_less", ops.less, np.less, *args)


@public
@arguments_of(assert_equal)
def assert_less_equal(*args: Any) -> Operation:
    """Returns an operation that fails unless `x <= y` for every pair of elements.

    Same arguments as `tf.assert_equal`.
    """
    return _compare("<=", "assert_less_equal", ops.less_equal, np.less_equal, *args)


@public
@arguments_of(assert_equal)
def assert_greater(*args: Any) -> Operation:
    """Returns an operation that fails unless `x > y` for every pair of elements.

    Same arguments as `tf.assert_equal`.
    """
    return _compare(">", "assert_greater", ops.greater, np.greater, *args)


@public
@arguments_of(assert_equal)
def assert_greater_equal(*args: Any) -> Operation:
    """Returns an operation that fails unless `x >= y` for every pair of elements.

    Same arguments as `tf.assert_equal`.
    """
    return _compare(">=", "assert_greater_equal", ops.greater_equal, np.greater_equal, *args)


def _compare_with_zero(
    title: str,
    relation: str,
    check: Callable[..., Operation],
    x: Any,
    data: Any,
    summarize: int | None,
    message: str | None,
    name: str | None,
) -> Operation:
    with name_scope(name, title, [x, data]):
        x = convert_to_tensor(x, name="x")
        if data is None:
            text, x_name = f"Condition x {relation} did not hold element-wise:", display_name(x)
            lines = [text, f"x ({x_name}) = "]
            if relation == "<= 0":  # TensorFlow joins these two.
                lines = ["".join(lines)]
            data = [message or "", *lines, x]
        zero = convert_to_tensor(0, dtype=x.dtype)
        pair = (zero, x) if relation.startswith(">") else (x, zero)
        return check(*pair, data=data, summarize=summarize)


@public
def assert_negative(
    x: TensorLike,
    data: Sequence[TensorLike] | None = None,
    summarize: int | None = None,
    message: str | None = None,
    name: str | None = None,
) -> Operation:
    """Returns an operation that fails unless every element of `x` is below 0.

    Args:
      x: numeric tensor.
      data: the tensors to show in the error; by default a message and `x`.
      summarize: the number of elements to show per tensor.
      message: the error message prefix.

    Returns:
      An operation to use as a control input.

    Raises:
      InvalidArgumentError (when run): if the check fails; at construction, if `x` is a constant.
    """
    return _compare_with_zero(
        "assert_negative", "< 0", assert_less, x, data, summarize, message, name
    )


@public
@arguments_of(assert_negative)
def assert_positive(*args: Any) -> Operation:
    """Returns an operation that fails unless every element of `x` is above 0.

    Same arguments as `tf.assert_negative`.
    """
    return _compare_with_zero("assert_positive", "> 0", assert_less, *args)


@public
@arguments_of(assert_negative)
def assert_non_negative(*args: Any) -> Operation:
    """Returns an operation that fails unless every element of `x` is at least 0.

    Same arguments as `tf.assert_negative`.
    """
    return _compare_with_zero("assert_non_negative", ">= 0", assert_less_equal, *args)


@public
@arguments_of(assert_negative)
def assert_non_positive(*args: Any) -> Operation:
    """Returns an operation that fails unless every element of `x` is at most 0.

    Same arguments as `tf.assert_negative`.
    """
    return _compare_with_zero("assert_non_positive", "<= 0", assert_less_equal, *args)


@public
def assert_near(
    x: TensorLike,
    y: TensorLike,
    rtol: TensorLike | None = None,
    atol: TensorLike | None = None,
    data: Sequence[TensorLike] | None = None,
    summarize: int | None = None,
    message: str | None = None,
    name: str | None = None,
) -> Operation:
    """Returns an operation that fails unless `|x - y| < atol + rtol * |y|` for every pair of elements.

    Takes the arguments of `tf.assert_equal`, for float or complex tensors.

    Args:
      rtol: the relative tolerance; by default 10 times the dtype's epsilon.
      atol: the absolute tolerance; by default 10 times the dtype's epsilon.
    """
    with name_scope(name, "assert_near", [x, y, rtol, atol, data]):
        x = convert_to_tensor(x, name="x")
        y = convert_to_tensor(y, name="y", dtype=x.dtype)
        default = 10 * np.finfo(x.dtype.as_numpy_dtype).eps
        rtol = convert_to_tensor(default if rtol is None else rtol, name="rtol", dtype=x.dtype)
        atol = convert_to_tensor(default if atol is None else atol, name="atol", dtype=x.dtype)
        if data is None:
            data = [
                message or "",
                f"x and y not equal to tolerance rtol = {rtol!s}, atol = {atol!s}",
                f"x ({display_name(x)}) = ",
                x,
                f"y ({display_name(y)}) = ",
                y,
            ]
        tolerance = atol + rtol * ops.abs(y)
        difference = ops.abs(x - y)
        condition = ops.reduce_all(ops.less(difference, tolerance))
        return Assert(condition, data, summarize=summarize)
