"""Student's t-distribution."""

from __future__ import annotations

from typing import Any

import numpy as np

from tfmini._src.base.read_only import read_only
from tfmini._src.graph.scopes import control_dependencies, name_scope
from tfmini._src.graph.tensor import Tensor, TensorLike
from tfmini._src.ops import ops
from tfmini._src.probability.distributions.deprecation import moved
from tfmini._src.probability.distributions.parameters import new_seed
from tfmini._src.probability.distributions.reparameterization import FULLY_REPARAMETERIZED
from tfmini._src.probability.distributions.scalar import ScalarDistribution


class StudentT(ScalarDistribution):
    """Student's t-distributions with `df` degrees of freedom, shifted by `loc` and scaled by `scale`.

    With y = (x - loc) / scale, the density is proportional to (1 + y^2 / df)^(-(df + 1) / 2). The mean is `loc` for
    df > 1; the variance is scale^2 df / (df - 2) for df > 2, and infinite for 1 < df <= 2. Undefined values are NaN, or
    an error if `allow_nan_stats` is False.

    Args:
      df: degrees of freedom, a positive float tensor.
      loc: centers, of the same dtype.
      scale: the scales, of the same dtype; the three shapes broadcast with each other.
      validate_args: whether to check at run time that `df` is positive.
      allow_nan_stats: see `Distribution`.

    Raises:
      ValueError: if the dtypes differ or are not floats.
    """

    df: Tensor = read_only("The degrees of freedom.")
    loc: Tensor = read_only("The locations.")
    scale: Tensor = read_only("The scales.")
    _shape_parameters = ("df", "loc", "scale")

    @moved
    def __init__(
        self,
        df: TensorLike,
        loc: TensorLike,
        scale: TensorLike,
        validate_args: bool = False,
        allow_nan_stats: bool = True,
        name: str = "StudentT",
    ):
        parameters = dict(locals())
        with name_scope(name, values=[df, loc, scale]) as name:
            with control_dependencies([ops.assert_positive(df)] if validate_args else []):
                self._df = ops.identity(df, name="df")
                self._loc = ops.identity(loc, name="loc")
                self._scale = ops.identity(scale, name="scale")
                ops.assert_same_float_dtype((self._df, self._loc, self._scale))
        parents = [self._df, self._loc, self._scale]
        self._init(parameters, name, FULLY_REPARAMETERIZED, parents, dtype=self._scale.dtype)

    def _ones(self) -> Tensor:
        return ops.ones(self.batch_shape_tensor(), dtype=self.dtype)

    def _number(self, value: float) -> Any:
        return np.array(value, self.dtype.as_numpy_dtype())

    def _sample_n(self, n: Any, seed: Any = None) -> Tensor:
        """Returns a normal sample divided by the square root of a chi-squared sample."""
        shape = ops.concat([[n], self.batch_shape_tensor()], 0)
        normal = ops.random_normal(shape, dtype=self.dtype, seed=seed)
        df = self.df * self._ones()
        seed = new_seed(seed, salt="student_t")
        gamma = ops.random_gamma([n], 0.5 * df, beta=0.5, dtype=self.dtype, seed=seed)
        return normal * ops.rsqrt(gamma / df) * self.scale + self.loc

    def _log_prob(self, x: Tensor) -> Tensor:
        y = (x - self.loc) / self.scale
        unnormalized = -0.5 * (self.df + 1.0) * ops.log1p(y**2.0 / self.df)
        constant = (
            ops.log(ops.abs(self.scale))
            + 0.5 * ops.log(self.df)
            + 0.5 * np.log(np.pi)
            + ops.lgamma(0.5 * self.df)
            - ops.lgamma(0.5 * (self.df + 1.0))
        )
        return unnormalized - constant

    def _cdf(self, x: Tensor) -> Tensor:
        y = (x - self.loc) / ops.abs(self.scale)
        x_t = self.df / (y**2.0 + self.df)
        tail = 0.5 * ops.betainc(0.5 * self.df, 0.5, x_t)
        return ops.where_v2(ops.less(y, 0.0), tail, 1.0 - tail)

    def _entropy(self) -> Tensor:
        v = self._ones()[..., None]
        u = v * self.df[..., None]
        halves = ops.concat([u, v], -1) / 2.0
        scale = ops.log(ops.abs(self.scale)) + 0.5 * ops.log(self.df) + ops.lbeta(halves)
        weight = 0.5 * (self.df + 1.0)
        slope = ops.digamma(0.5 * (self.df + 1.0)) - ops.digamma(0.5 * self.df)
        return scale + weight * slope

    def _value_or_undefined(self, statistic: str, value: Tensor) -> Tensor:
        """Returns `value` where df > 1, elsewhere the undefined value."""
        if self.allow_nan_stats:
            nan = self._number(np.nan)
            is_defined = ops.greater(self.df, self._ones())
            nans = ops.fill(self.batch_shape_tensor(), nan, name="nan")
            return ops.where_v2(is_defined, value, nans)
        one = ops.ones([], dtype=self.dtype)
        message = f"{statistic} not defined for components of df <= 1"
        check = ops.assert_less(one, self.df, message=message)
        return ops.with_dependencies([check], value)

    def _mean(self) -> Tensor:
        return self._value_or_undefined("mean", self.loc * self._ones())

    def _variance(self) -> Tensor:
        # No division by 0 in the unselected branch: its gradient would be NaN.
        above_2 = ops.greater(self.df, 2.0)
        denominator = ops.where_v2(above_2, self.df - 2.0, ops.ones_like(self.df))
        finite = self._ones() * ops.square(self.scale) * self.df / denominator
        is_finite = self.df > ops.fill(self.batch_shape_tensor(), 2.0)
        infinity = ops.fill(self.batch_shape_tensor(), self._number(np.inf), name="inf")
        return self._value_or_undefined("variance", ops.where_v2(is_finite, finite, infinity))

    def _mode(self) -> Tensor:
        return ops.identity(self.loc)
