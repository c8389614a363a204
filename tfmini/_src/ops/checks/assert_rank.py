"""Checks of ranks and shapes, at construction if the static shape suffices, else at run time."""

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence
from typing import Any

from tfmini._src.base import dtypes
from tfmini._src.base.names.signature import arguments_of
from tfmini._src.graph.convert_to_tensor import convert_to_tensor
from tfmini._src.graph.opdef import public
from tfmini._src.graph.operation import Operation
from tfmini._src.graph.scopes import name_scope
from tfmini._src.graph.static_values import get_static_value
from tfmini._src.graph.tensor import Tensor, TensorLike
from tfmini._src.ops import ops
from tfmini._src.ops.checks.assert_type import assert_type
from tfmini._src.ops.checks.asserts import Assert
from tfmini._src.ops.checks.eager_check_messages import name_in_ranks
from tfmini._src.ops.control_flow.no_op_groups import no_op, with_dependencies


def _assert_rank_condition(
    x: Tensor,
    ranks: tuple[Tensor, ...],
    accepts: Callable[[int, tuple], bool],
    condition: Callable[[Tensor], Tensor],
    failure: Callable[[tuple, int], str],
    data: list,
    summarize: int | None,
) -> Operation:
    """Returns a rank check: a NoOp or an error if the static rank decides it, else an Assert.

    accepts: whether a rank matches the values of `ranks`; condition: the same test as a tensor; failure:
    the error message.
    """
    for rank in ranks:
        assert_type(rank, dtypes.int32)
    values = tuple(get_static_value(rank) for rank in ranks)
    if all(value is not None for value in values):
        if any(value.ndim for value in values):
            raise ValueError("Rank must be a scalar.")
        actual = x.get_shape().ndims
        if actual is not None:
            if not accepts(actual, values):
                raise ValueError(failure(values, actual))
            return no_op(name="static_checks_determined_all_ok")
    is_true = condition(ops.rank(x))
    for rank, value in zip(ranks, values):
        if value is None:
            check = assert_rank(rank, 0, data=["Rank must be a scalar. Received rank: ", rank])
            is_true = with_dependencies([check], is_true)
    return Assert(is_true, data, summarize=summarize)


def _compare_rank(
    title: str,
    relation: str,
    static_test: Callable[[int, int], bool],
    test: Callable[[Tensor, Tensor], Tensor],
    x: Any,
    rank: Any,
    data: Any,
    summarize: int | None,
    message: str | None,
    name: str | None,
) -> Operation:
    with name_scope(name, title, (x, rank, *(data or []))):
        x = convert_to_tensor(x, name="x")
        rank = convert_to_tensor(rank, name="rank")
        title, expected = message or "", f"Tensor {name_in_ranks(x)} must have {relation}"
        if data is None:
            data = [title, expected, rank, "Received shape: ", ops.shape(x)]

        def failure(values: tuple, actual: int) -> str:
            shape = x.get_shape()
            return f"{title}.  {expected} {int(values[0])}.  Received rank {actual}, shape {shape}"

        return _assert_rank_condition(
            x,
            (rank,),
            lambda actual, values: static_test(actual, values[0]),
            lambda actual: test(actual, rank),
            failure,
            data,
            summarize,
        )


@public
def assert_rank(
    x: TensorLike,
    rank: TensorLike,
    data: Sequence[TensorLike] | None = None,
    summarize: int | None = None,
    message: str | None = None,
    name: str | None = None,
) -> Operation:
    """Returns an operation that fails unless `x` has rank `rank`.

    Args:
      x: a tensor.
      rank: int32 scalar.
      data: the tensors to show in the error; by default a message, the rank and the shape of `x`.
      summarize: the number of elements to show per tensor.
      message: the error message prefix.

    Returns:
      An operation to use as a control input; a NoOp if the static rank matches.

    Raises:
      ValueError: if the static rank differs; InvalidArgumentError (when run): if the run-time rank differs.
    """
    return _compare_rank(
        "assert_rank", "rank", operator.eq, ops.equal, x, rank, data, summarize, message, name
    )


@public
@arguments_of(assert_rank)
def assert_rank_at_least(*args: Any) -> Operation:
    """Returns an operation that fails unless `x` has at least rank `rank`.

    Same arguments as `tf.assert_rank`.
    """
    relation = "rank at least"
    return _compare_rank("assert_rank_at_least", relation, operator.ge, ops.greater_equal, *args)


@public
def assert_rank_in(
    x: TensorLike,
    ranks: Any,
    data: Any = None,
    summarize: int | None = None,
    message: str | None = None,
    name: str | None = None,
) -> Operation:
    """Returns an operation that fails unless the rank of `x` is one of `ranks`.

    Other arguments are as for `tf.assert_rank`.
    """
    ranks = tuple(ranks)
    with name_scope(name, "assert_rank_in", (x, *ranks, *(data or []))):
        x = convert_to_tensor(x, name="x")
        ranks = tuple(convert_to_tensor(rank, name="rank") for rank in ranks)
        title = message or ""
        if data is None:
            text = f"Tensor {name_in_ranks(x)} must have rank in"
            data = [title, text, *ranks, "Received shape: ", ops.shape(x)]

        def condition(actual: Tensor) -> Tensor:
            if not ranks:
                return convert_to_tensor(False)
            result = ops.equal(ranks[0], actual)
            for rank in ranks[1:]:
                result = ops.logical_or(result, ops.equal(rank, actual))
            return result

        def failure(values: tuple, actual: int) -> str:
            return (
                f"{title}.  Tensor {name_in_ranks(x)} must have rank in {values}.  Received rank {actual}, "
                f"shape {x.get_shape()}"
            )

        return _assert_rank_condition(
            x,
            ranks,
            lambda actual, values: actual in values,
            condition,
            failure,
            data,
            summarize,
        )
