"""Distributions concentrated at a single point."""

from __future__ import annotations

from typing import Any

from tfmini._src.base import dtypes
from tfmini._src.base.names.signature import arguments_of
from tfmini._src.base.read_only import read_only
from tfmini._src.base.shapes import TensorShape
from tfmini._src.contrib.distributions.deprecation import moved
from tfmini._src.graph.convert_to_tensor import convert_to_tensor
from tfmini._src.graph.scopes import control_dependencies, name_scope
from tfmini._src.graph.static_values import get_static_value
from tfmini._src.graph.tensor import Tensor, TensorLike
from tfmini._src.ops import ops
from tfmini._src.probability.distributions.distribution import Distribution
from tfmini._src.probability.distributions.reparameterization import NOT_REPARAMETERIZED


class _BaseDeterministic(Distribution):
    """Base class that stores the point and the tolerances of comparisons with it."""

    loc: Tensor = read_only("The point.")
    atol: Tensor = read_only("Absolute tolerance around the point.")
    rtol: Tensor = read_only("Tolerance around the point relative to its magnitude.")

    @moved
    def __init__(
        self,
        loc: TensorLike,
        atol: TensorLike | None = None,
        rtol: TensorLike | None = None,
        is_vector: bool = False,
        validate_args: bool = False,
        allow_nan_stats: bool = True,
        name: str = "_BaseDeterministic",
    ):
        parameters = dict(locals())
        with name_scope(name, values=[loc, atol, rtol]) as name:
            loc = convert_to_tensor(loc, name="loc")
            if is_vector and validate_args:
                loc = _as_vector(loc)
            self._loc = loc
            self._init(parameters, name, NOT_REPARAMETERIZED, [self._loc])
            self._atol = self._tolerance(atol)
            self._rtol = self._tolerance(rtol)
            self._slack = self._atol
            if rtol is not None:
                self._slack = self._atol + self._rtol * ops.abs(self.loc)

    def _tolerance(self, tolerance: Any) -> Tensor:
        if tolerance is None:
            return convert_to_tensor(0, dtype=self.loc.dtype)
        tolerance = convert_to_tensor(tolerance, dtype=self.loc.dtype)
        if not self.validate_args:
            return tolerance
        message = "Argument 'tol' must be non-negative"
        check = ops.assert_non_negative(tolerance, message=message)
        return ops.with_dependencies([check], tolerance)

    def _entropy(self) -> Tensor:
        return ops.zeros(self.batch_shape_tensor(), dtype=self.dtype)

    def _mean(self) -> Tensor:
        return ops.identity(self.loc)

    def _variance(self) -> Tensor:
        return ops.zeros_like(self.loc)

    def _mode(self) -> Tensor:
        return self.mean()

    def _sample_n(self, n: Any, seed: Any = None) -> Tensor:
        static = get_static_value(convert_to_tensor(n))
        rank = self.loc.get_shape().ndims
        if static is not None and rank is not None:
            multiples: Any = [static] + [1] * rank
        else:
            ones = ops.ones_like(ops.shape(self.loc))
            multiples = ops.concat(([n], ones), axis=0)
        return ops.tile(self.loc[None, ...], multiples=multiples)


def _as_vector(loc: Tensor) -> Tensor:
    message = "Argument loc must be at least rank 1."
    rank = loc.get_shape().ndims
    if rank is None:
        check = ops.assert_rank_at_least(loc, 1, message=message)
        return ops.with_dependencies([check], loc)
    if rank < 1:
        raise ValueError(message)
    return loc


class Deterministic(_BaseDeterministic):
    """Point mass at `loc`: the probability is 1 where |x - loc| <= atol + rtol |loc|, else 0.

    Args:
      loc: the points, a numeric tensor of the batch shape.
      atol: absolute tolerance; 0 by default.
      rtol: tolerance relative to |loc|; 0 by default.
      validate_args: whether to check, at run time, that tolerances are not negative.
      allow_nan_stats: see `tf.distributions.Distribution`.
    """

    @moved
    @arguments_of(_BaseDeterministic, "is_vector", name="Deterministic")
    def __init__(self, **kwargs: Any):
        super().__init__(**kwargs)

    def _batch_shape_tensor(self) -> Tensor:
        return ops.shape(self.loc)

    def _batch_shape(self) -> TensorShape:
        return self.loc.get_shape()

    def _event_shape_tensor(self) -> Tensor:
        return ops.constant([], dtype=dtypes.int32)

    def _event_shape(self) -> TensorShape:
        return TensorShape([])

    def _prob(self, x: Tensor) -> Tensor:
        return ops.cast(ops.abs(x - self.loc) <= self._slack, dtype=self.dtype)

    def _cdf(self, x: Tensor) -> Tensor:
        return ops.cast(x >= self.loc - self._slack, dtype=self.dtype)


class VectorDeterministic(_BaseDeterministic):
    """Point mass at the vector `loc`: the probability is 1 if all elements are within the tolerances.

    Args:
      loc: the vectors, a numeric tensor, [..., k].
      atol, rtol, validate_args, allow_nan_stats: as in `Deterministic`.

    Raises:
      ValueError: if `loc` is a scalar and `validate_args` is true.
    """

    @moved
    @arguments_of(_BaseDeterministic, "is_vector", name="VectorDeterministic")
    def __init__(self, **kwargs: Any):
        super().__init__(**kwargs, is_vector=True)

    def _batch_shape_tensor(self) -> Tensor:
        return ops.shape(self.loc)[:-1]

    def _batch_shape(self) -> TensorShape:
        return self.loc.get_shape()[:-1]

    def _event_shape_tensor(self) -> Tensor:
        return ops.shape(self.loc)[-1]

    def _event_shape(self) -> TensorShape:
        return self.loc.get_shape()[-1:]

    def _prob(self, x: Tensor) -> Tensor:
        if self.validate_args:
            is_vector = ops.assert_rank_at_least(x, 1)
            size = self.event_shape_tensor()
            message = "Argument 'x' not defined in the same space R^k as this distribution"
            gathered = ops.gather(ops.shape(x), ops.rank(x) - 1)
            same_space = ops.assert_equal(size, gathered, message=message)
            with control_dependencies([is_vector]), control_dependencies([same_space]):
                x = ops.identity(x)
        is_near = ops.abs(x - self.loc) <= self._slack
        return ops.cast(ops.reduce_all(is_near, axis=-1), dtype=self.dtype)
