"""Distributions rounded up to integers."""

from __future__ import annotations

from typing import Any

import numpy as np

from tfmini._src.base.read_only import read_only
from tfmini._src.base.shapes import TensorShape
from tfmini._src.contrib.distributions.deprecation import moved
from tfmini._src.graph.convert_to_tensor import convert_to_tensor
from tfmini._src.graph.scopes import control_dependencies, name_scope
from tfmini._src.graph.tensor import Tensor, TensorLike
from tfmini._src.ops import ops
from tfmini._src.probability.distributions import checks
from tfmini._src.probability.distributions.distribution import Distribution
from tfmini._src.probability.distributions.reparameterization import NOT_REPARAMETERIZED


class QuantizedDistribution(Distribution):
    """The distribution of ceil(x), clipped to [low, high].

    Args:
      distribution: the distribution of x, which implements `cdf`.
      low: the minimum, an integral tensor, or None.
      high: the maximum, likewise.
      validate_args: whether to check limits and arguments at run time.

    Example:
      c = tf.contrib.distributions
      c.QuantizedDistribution(c.Normal(128.0, 40.0), low=0.0, high=255.0)  # of bytes
    """

    distribution: Any = read_only("The distribution of x.", "_dist")
    low: Tensor | None = read_only("Lower limit, or None.")
    high: Tensor | None = read_only("Upper limit, or None.")

    @moved
    def __init__(
        self,
        distribution: Distribution,
        low: TensorLike | None = None,
        high: TensorLike | None = None,
        validate_args: bool = False,
        name: str = "QuantizedDistribution",
    ):
        parameters = dict(locals())
        values = [*distribution.parameters.values(), low, high]
        with name_scope(name, values=values) as name:
            self._dist = distribution
            low = None if low is None else convert_to_tensor(low, name="low")
            high = None if high is None else convert_to_tensor(high, name="high")
            ops.assert_same_float_dtype(tensors=[distribution, low, high])
            order = []
            if validate_args and low is not None and high is not None:
                message = "low must be strictly less than high."
                order.append(ops.assert_less(low, high, message=message))
            self._validate_args = validate_args
            with control_dependencies(order):
                self._low = None if low is None else self._check_integer(low)
                self._high = None if high is None else self._check_integer(high)
        finite_bounds = [end for end in (self._low, self._high) if end is not None]
        super().__init__(
            dtype=distribution.dtype,
            reparameterization_type=NOT_REPARAMETERIZED,
            validate_args=validate_args,
            allow_nan_stats=distribution.allow_nan_stats,
            parameters=parameters,
            graph_parents=[*distribution._graph_parents, *finite_bounds],
            name=name,
        )

    def _batch_shape_tensor(self) -> Tensor:
        return self.distribution.batch_shape_tensor()

    def _batch_shape(self) -> TensorShape:
        return self.distribution.batch_shape

    def _event_shape_tensor(self) -> Tensor:
        return self.distribution.event_shape_tensor()

    def _event_shape(self) -> TensorShape:
        return self.distribution.event_shape

    def _sample_n(self, n: Any, seed: Any = None) -> Tensor:
        with name_scope("transform"):
            n = convert_to_tensor(n, name="n")
            x = self.distribution.sample(n, seed=seed)
            ones = ops.ones_like(x)
            y = ops.ceil(x)
            if self._low is not None:
                y = ops.where(y < self._low, self._low * ones, y)
            if self._high is not None:
                y = ops.where(y > self._high, self._high * ones, y)
            return y

    def _log_prob(self, y: Tensor) -> Tensor:
        """Returns the log probability of y, computed from the tail on y's side for accuracy."""
        y = self._check_integer(y)
        try:
            above, log_survival_before = (
                self.log_survival_function(y),
                self.log_survival_function(y - 1),
            )
        except NotImplementedError:
            return _log_difference(self.log_cdf(y), self.log_cdf(y - 1))
        log_cdf_here, below_less = self.log_cdf(y), self.log_cdf(y - 1)
        big = ops.where(above < log_cdf_here, log_survival_before, log_cdf_here)
        small = ops.where(above < log_cdf_here, above, below_less)
        return _log_difference(big, small)

    def _prob(self, y: Tensor) -> Tensor:
        y = self._check_integer(y)
        try:
            above, survival_before = self.survival_function(y), self.survival_function(y - 1)
        except NotImplementedError:
            return self.cdf(y) - self.cdf(y - 1)
        cdf_here, below_less = self.cdf(y), self.cdf(y - 1)
        return ops.where(above < cdf_here, survival_before - above, cdf_here - below_less)

    def _log_cdf(self, y: Tensor) -> Tensor:
        j = ops.floor(y)
        result = self.distribution.log_cdf(j)
        j += ops.zeros_like(result)
        if self._low is not None:
            minus_infinity = -np.inf * ops.ones_like(result)
            result = ops.where(j < self._low, minus_infinity, result)
        if self._high is not None:
            result = ops.where(j >= self._high, ops.zeros_like(result), result)
        return result

    def _cdf(self, y: Tensor) -> Tensor:
        j = ops.floor(y)
        result = self.distribution.cdf(j)
        j += ops.zeros_like(result)
        if self._low is not None:
            result = ops.where(j < self._low, ops.zeros_like(result), result)
        if self._high is not None:
            result = ops.where(j >= self._high, ops.ones_like(result), result)
        return result

    def _log_survival_function(self, y: Tensor) -> Tensor:
        j = ops.ceil(y)
        result = self.distribution.log_survival_function(j)
        j += ops.zeros_like(result)
        if self._low is not None:
            result = ops.where(j < self._low, ops.zeros_like(result), result)
        if self._high is not None:
            minus_infinity = -np.inf * ops.ones_like(result)
            result = ops.where(j >= self._high, minus_infinity, result)
        return result

    def _survival_function(self, y: Tensor) -> Tensor:
        j = ops.ceil(y)
        result = self.distribution.survival_function(j)
        j += ops.zeros_like(result)
        if self._low is not None:
            result = ops.where(j < self._low, ops.ones_like(result), result)
        if self._high is not None:
            result = ops.where(j >= self._high, ops.zeros_like(result), result)
        return result

    def _check_integer(self, value: Any) -> Tensor:
        with name_scope("check_integer", values=[value]):
            value = convert_to_tensor(value, name="value")
            if not self._validate_args:
                return value
            check = checks.assert_integer_form(value, "value has non-integer components.")
            return ops.with_dependencies([check], value)


@moved
def _log_difference(big: Tensor, small: Tensor) -> Tensor:
    """Returns log(exp(big) - exp(small))."""
    with name_scope("logsum_expbig_minus_expsmall", values=[small, big]):
        return ops.log(1.0 - ops.exp(small - big)) + big
