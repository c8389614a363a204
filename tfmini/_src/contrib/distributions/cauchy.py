"""The Cauchy distribution: the ratio of two zero-mean normal variables."""

from __future__ import annotations

from typing import Any

import numpy as np

from tfmini._src.base.names.signature import arguments_of
from tfmini._src.contrib.distributions.deprecation import moved
from tfmini._src.graph.tensor import Tensor
from tfmini._src.ops import ops
from tfmini._src.probability.distributions.normal import Normal
from tfmini._src.probability.distributions.scalar import LocationScaleDistribution


class Cauchy(LocationScaleDistribution):
    """Distribution with density 1 / (pi scale (1 + z^2)), z = (x - loc) / scale; mean and variance are undefined.

    Args:
      loc: the medians, a float tensor.
      scale: the half widths at half maximum, of the same dtype, broadcasting with `loc`.
      validate_args: whether to check, at run time, that the scales are positive.
      allow_nan_stats: whether mean and deviation are NaN instead of errors.

    Raises:
      ValueError: if the dtypes differ or are not floats; from `mean` and `stddev`, unless `allow_nan_stats`.

    Example: `tf.contrib.distributions.Cauchy(0.0, 1.0).prob(0.0)` is 0.318.
    """

    @moved
    @arguments_of(Normal, name="Cauchy")
    def __init__(self, **kwargs: Any):
        super().__init__(kwargs)

    def _sample_n(self, n: Any, seed: Any = None) -> Tensor:
        shape = ops.concat([[n], self.batch_shape_tensor()], 0)
        return self._quantile(ops.random_uniform(shape, 0.0, 1.0, dtype=self.dtype, seed=seed))

    def _log_prob(self, x: Tensor) -> Tensor:
        unnormalized = -ops.log1p(ops.square(self._standardize(x)))
        return unnormalized - (np.log(np.pi) + ops.log(self.scale))

    def _cdf(self, x: Tensor) -> Tensor:
        return ops.atan(self._standardize(x)) / np.pi + 0.5

    def _log_cdf(self, x: Tensor) -> Tensor:
        return ops.log1p(2 / np.pi * ops.atan(self._standardize(x))) - np.log(2)

    def _entropy(self) -> Tensor:
        return (np.log(4 * np.pi) + ops.log(self.scale)) * ops.ones_like(self.loc)

    def _quantile(self, value: Tensor) -> Tensor:
        return self.loc + self.scale * ops.tan(np.pi * (value - 0.5))

    def _mode(self) -> Tensor:
        return self.loc * ops.ones_like(self.scale)

    def _mean(self) -> Tensor:
        return self._no_statistic("mean")

    def _stddev(self) -> Tensor:
        return self._no_statistic("stddev")

    def _no_statistic(self, statistic: str) -> Tensor:
        if not self.allow_nan_stats:
            raise ValueError(f"`{statistic}` is undefined for Cauchy distribution.")
        return ops.fill(self.batch_shape_tensor(), self.dtype.as_numpy_dtype(np.nan))
