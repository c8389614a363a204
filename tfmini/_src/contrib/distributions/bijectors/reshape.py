"""Bijector that reshapes events."""

from __future__ import annotations

from typing import Any

import numpy as np

from tfmini._src.base import dtypes
from tfmini._src.base.shapes import TensorShape, dimension_value
from tfmini._src.contrib.distributions.bijectors.bijector import Bijector
from tfmini._src.contrib.distributions.deprecation import moved
from tfmini._src.graph.convert_to_tensor import convert_to_tensor
from tfmini._src.graph.scopes import control_dependencies, name_scope
from tfmini._src.graph.static_values import get_static_value, static_shape
from tfmini._src.graph.tensor import Tensor, TensorLike
from tfmini._src.ops import ops


class Reshape(Bijector):
    """Reshapes the events of x from `event_shape_in` to `event_shape_out`.

    Args:
      event_shape_out: the shape of y's events, a vector of ints; at most one -1 (inferred).
      event_shape_in: the shape of x's events, by default vectors of any size.
      validate_args: whether to check shapes at run time.
      name: the name scope of the nodes, "reshape" by default.

    Raises:
      TypeError: if a shape does not consist of integers.
      ValueError: if a shape is not a vector, or events of x have a different shape.

    Example: `Reshape([2, 2]).forward([[1, 2, 3, 4]])` has the shape [1, 2, 2].
    """

    @moved
    def __init__(
        self,
        event_shape_out: TensorLike,
        event_shape_in: TensorLike = (-1,),
        validate_args: bool = False,
        name: str | None = None,
    ):
        with name_scope(name, "reshape", values=[event_shape_out, event_shape_in]):
            event_shape_out = convert_to_tensor(
                event_shape_out, name="event_shape_out", preferred_dtype=dtypes.int32
            )
            event_shape_in = convert_to_tensor(
                event_shape_in, name="event_shape_in", preferred_dtype=dtypes.int32
            )
            checks = _shape_checks(event_shape_out, validate_args)
            checks += _shape_checks(event_shape_in, validate_args)
            self._assertions = checks
            self._event_shape_in = event_shape_in
            self._event_shape_out = event_shape_out
            super().__init__(
                forward_min_event_ndims=0,
                is_constant_jacobian=True,
                validate_args=validate_args,
                name=name or "reshape",
            )

    def _reshape_event(self, x: Tensor, shape_in: Tensor, shape_out: Tensor) -> Tensor:
        known_ndims = dimension_value(shape_in.shape.with_rank_at_least(1)[0])
        event_ndims = ops.shape(shape_in)[0]
        rank: Any = ops.rank(x)
        x_shape = None
        known_rank = x.shape.ndims
        if known_ndims is not None and known_rank is not None:
            x_shape = x.shape.with_rank_at_least(known_ndims)[known_rank - known_ndims :]
        if x_shape is not None and x_shape.is_fully_defined():
            checks = self._match(np.array(x_shape.as_list(), np.int32), shape_in)
        else:
            checks = self._match_when_run(ops.shape(x)[rank - event_ndims :], shape_in)
        if checks:
            x = ops.with_dependencies(checks, x)
        batch_shape = ops.shape(x)
        rank = ops.rank(x) if known_rank is None else known_rank
        batch_shape = batch_shape[: rank - ops.abs(event_ndims)]
        if known_ndims is not None and known_rank == known_ndims:
            return ops.reshape(x, shape_out)
        return ops.reshape(x, ops.concat([batch_shape, shape_out], axis=0))

    def _match(self, x_shape: np.ndarray, shape_in: Tensor) -> list[Any]:
        """Checks the event shape of x, statically if known; returns runtime checks."""
        expected = get_static_value(shape_in)
        if expected is None:
            return self._match_when_run(x_shape, shape_in)
        actual = expected >= 0
        if not np.equal(x_shape[actual], expected[actual]).all():
            raise ValueError(
                f"Input `event_shape` does not match `event_shape_in` ({x_shape} vs {expected})."
            )
        return []

    def _match_when_run(self, x_shape: Any, shape_in: Tensor) -> list[Any]:
        if not self.validate_args:
            return []
        reshaped = ops.reshape(shape_in >= 0, [-1])
        message = "Input `event_shape` does not match `event_shape_in`."
        x_shape, expected = (
            ops.boolean_mask(x_shape, reshaped),
            ops.boolean_mask(shape_in, reshaped),
        )
        return [ops.assert_equal(x_shape, expected, message=message)]

    def _forward(self, x: Tensor) -> Tensor:
        with control_dependencies(self._assertions):
            return self._reshape_event(x, self._event_shape_in, self._event_shape_out)

    def _inverse(self, y: Tensor) -> Tensor:
        with control_dependencies(self._assertions):
            return self._reshape_event(y, self._event_shape_out, self._event_shape_in)

    def _inverse_log_det_jacobian(self, y: Tensor) -> Tensor:
        with control_dependencies(self._assertions):
            return ops.constant(0.0, dtype=y.dtype)

    def _forward_log_det_jacobian(self, x: Tensor) -> Tensor:
        with control_dependencies(self._assertions):
            return ops.constant(0.0, dtype=x.dtype)

    def _forward_event_shape(self, input_shape: TensorShape) -> TensorShape:
        with control_dependencies(self._assertions):
            return self.forward(ops.zeros(dtype=dtypes.float32, shape=input_shape)).shape

    def _inverse_event_shape(self, output_shape: Any) -> TensorShape:
        with control_dependencies(self._assertions):
            return self.inverse(ops.zeros(dtype=dtypes.float32, shape=output_shape)).shape

    def _forward_event_shape_tensor(self, input_shape: Any) -> Tensor:
        with control_dependencies(self._assertions):
            zeros = ops.zeros(dtype=dtypes.float32, shape=input_shape)
            return ops.shape(self.forward(zeros))

    def _inverse_event_shape_tensor(self, output_shape: Any) -> Tensor:
        with control_dependencies(self._assertions):
            zeros = ops.zeros(dtype=dtypes.float32, shape=output_shape)
            return ops.shape(self.inverse(zeros))


def _shape_checks(shape: Tensor, validate_args: bool) -> list[Any]:
    """Rejects an invalid shape; returns runtime checks."""
    if not shape.dtype.is_integer:
        raise TypeError(f"{shape} dtype ({shape.dtype.name}) should be `int`-like.")
    checks = []
    rank = ops.rank(shape)
    known_rank = get_static_value(rank)
    if known_rank is not None and known_rank > 1:
        raise ValueError(f"`{shape}` rank ({known_rank}) should be <= 1.")
    if validate_args:
        checks.append(ops.assert_less_equal(rank, 1, message=f"`{shape}` rank should be <= 1."))
    is_known = static_shape(shape).is_fully_defined()  # raises ValueError for a scalar
    if validate_args and not is_known:
        count = ops.reduce_sum(ops.cast(ops.equal(shape, -1), dtypes.int32))
        message = f"`{shape}` elements must have at most one `-1`."
        checks.append(ops.assert_less_equal(count, 1, message=message))
        message = f"`{shape}` elements must be either positive integers or `-1`."
        checks.append(ops.assert_greater_equal(shape, -1, message=message))
    return checks
