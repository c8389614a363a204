"""Broadcasting of weights to values: scalars, or the same rank with dimensions that are equal or 1."""

from __future__ import annotations

from typing import Any

from tfmini._src.graph.opdef import public
from tfmini._src.graph.operation import Operation
from tfmini._src.graph.scopes import control_dependencies, name_scope
from tfmini._src.graph.static_values import get_static_value
from tfmini._src.graph.tensor import Tensor, TensorLike
from tfmini._src.ops import ops

_PROBLEM = "weights can not be broadcast to values."


def _text_parts(name: str, value: Any) -> tuple[Tensor, Tensor, Tensor]:
    """Returns a tensor, its shape and its rank, in a separate name scope."""
    with name_scope(None, name, (value,)) as scope:
        tensor = ops.convert_to_tensor(value, name=scope)
        return tensor, ops.shape(tensor, name="shape"), ops.rank(tensor, name="rank")


def _dims_fit(weights_shape: Tensor, values_shape: Tensor) -> Tensor:
    """Whether all dimensions of the weights are 1 or equal the values' dimensions, tested with one-row set ops."""
    with name_scope(None, "has_invalid_dims", (weights_shape, values_shape)) as scope:
        column = ops.expand_dims(values_shape, -1)
        allowed = ops.concat((column, ops.ones_like(column)), axis=1)
        weights_column = ops.expand_dims(weights_shape, -1)
        invalid_dims = ops.set_difference(weights_column, allowed)
        count = ops.size(invalid_dims.values, name="num_invalid_dims")
        return ops.equal(0, count, name=scope)


def _shape_fits(weights: tuple, values: tuple) -> Tensor:
    """Whether the rank equals the rank of the values and all dimensions are compatible."""
    (_, weights_shape, weights_rank), (_, values_shape, values_rank) = weights, values
    inputs = (weights_rank, weights_shape, values_rank, values_shape)
    with name_scope(None, "has_valid_nonscalar_shape", inputs) as scope:
        same_rank = ops.equal(values_rank, weights_rank, name="is_same_rank")
        return ops.cond(
            same_rank, lambda: _dims_fit(weights_shape, values_shape), lambda: same_rank, name=scope
        )


def _static_check(weights: tuple, values: tuple) -> str | None:
    """Checks static shapes; returns a name for the successful check or None if unknown, or raises ValueError."""
    weights_rank, values_rank = get_static_value(weights[2]), get_static_value(values[2])
    if weights_rank is None or values_rank is None:
        return None
    if weights_rank == 0:
        return "static_scalar_check_success"
    if weights_rank != values_rank:
        raise ValueError(
            f"{_PROBLEM} values.rank={values_rank}. weights.rank={weights_rank}."
            f" values.shape={values[0].shape}. weights.shape={weights[0].shape}."
        )
    weights_shape, values_shape = get_static_value(weights[1]), get_static_value(values[1])
    if weights_shape is None or values_shape is None:
        return None
    for dim, (weight, size) in enumerate(zip(weights_shape, values_shape)):
        if weight not in (1, size):
            raise ValueError(
                f"{_PROBLEM} Mismatch at dim {dim}. values.shape={values_shape}"
                f" weights.shape={weights_shape}."
            )
    return "static_dims_check_success"


@public
def assert_broadcastable(weights: TensorLike, values: TensorLike) -> Operation:
    """Returns an operation that fails unless weights are broadcastable to values.

    Args:
      weights: a scalar, or a tensor of the same rank as `values` whose dimensions are equal or 1.
      values: a tensor.

    Returns:
      An operation to use as a control input; a no-op if the static shapes suffice.

    Raises:
      ValueError: at construction, if the static shapes are incompatible.
      InvalidArgumentError (when run): if the shapes are incompatible.
    """
    with name_scope(None, "assert_broadcastable", (weights, values)) as scope:
        weights_text, values_text = _text_parts("weights", weights), _text_parts("values", values)
        static_result = _static_check(weights_text, values_text)
        if static_result is not None:
            return ops.no_op(name=static_result)
        is_scalar = ops.equal(0, weights_text[2], name="is_scalar")
        data = (
            *(_PROBLEM, "weights.shape=", weights_text[0].name, weights_text[1]),
            *("values.shape=", values_text[0].name, values_text[1], "is_scalar=", is_scalar),
        )
        is_broadcastable = ops.cond(
            is_scalar,
            lambda: is_scalar,
            lambda: _shape_fits(weights_text, values_text),
            name="is_valid_shape",
        )
        return ops.Assert(is_broadcastable, data, name=scope)


@public
def broadcast_weights(weights: TensorLike, values: TensorLike) -> Tensor:
    """Broadcasts weights to the shape of the values.

    Args:
      weights: as for `assert_broadcastable`.
      values: a tensor.

    Returns:
      A tensor of the dtype and shape of `values`, or the weights themselves if their static shape is already equal.

    Raises:
      ValueError: if the static shapes are incompatible.
      InvalidArgumentError (when run): if the shapes are incompatible.
    """
    with name_scope(None, "broadcast_weights", (weights, values)) as scope:
        values = ops.convert_to_tensor(values, name="values")
        weights = ops.convert_to_tensor(weights, dtype=values.dtype.base_dtype, name="weights")
        if (
            weights.shape.is_fully_defined()
            and values.shape.is_fully_defined()
            and weights.shape.is_compatible_with(values.shape)
        ):
            return weights
        with control_dependencies((assert_broadcastable(weights, values),)):
            return ops.multiply(weights, ops.ones_like(values), name=scope)
