"""The Laplace distribution."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from tfmini._src.base.names.signature import arguments_of
from tfmini._src.graph.tensor import Tensor
from tfmini._src.ops import ops
from tfmini._src.probability.distributions.deprecation import moved
from tfmini._src.probability.distributions.ndtr import log_cdf_laplace
from tfmini._src.probability.distributions.normal import Normal
from tfmini._src.probability.distributions.scalar import LocationScaleDistribution


class Laplace(LocationScaleDistribution):
    """Laplace distributions with density exp(-|x - loc| / scale) / (2 scale).

    Args:
      loc: the means, a float tensor.
      scale: the scales, of the same dtype and broadcastable with `loc`.
      validate_args: whether to check at run time that scales are positive.
      allow_nan_stats: see `Distribution`.

    Raises:
      ValueError: if the dtypes differ or are not floats.
    """

    @moved
    @arguments_of(Normal, name="Laplace")
    def __init__(self, **kwargs: Any):
        super().__init__(kwargs)

    def _sample_n(self, n: Any, seed: Any = None) -> Tensor:
        shape = ops.concat([[n], self.batch_shape_tensor()], 0)
        # In (-1, 1): at -1 the logarithm below would be infinite.
        scalar = self.dtype.as_numpy_dtype
        lowest_value = np.nextafter(scalar(-1.0), scalar(0.0))
        uniform = ops.random_uniform(
            shape=shape, minval=lowest_value, maxval=1.0, dtype=self.dtype, seed=seed
        )
        return self.loc - self.scale * ops.sign(uniform) * ops.log1p(-ops.abs(uniform))

    def _log_prob(self, x: Tensor) -> Tensor:
        exponent = -ops.abs(self._standardize(x))
        return exponent - (math.log(2.0) + ops.log(self.scale))

    def _prob(self, x: Tensor) -> Tensor:
        return ops.exp(self._log_prob(x))

    def _log_cdf(self, x: Tensor) -> Tensor:
        return log_cdf_laplace(self._standardize(x))

    def _log_survival_function(self, x: Tensor) -> Tensor:
        return log_cdf_laplace(-self._standardize(x))

    def _cdf(self, x: Tensor) -> Tensor:
        z = self._standardize(x)
        return 0.5 + 0.5 * ops.sign(z) * (1.0 - ops.exp(-ops.abs(z)))

    def _entropy(self) -> Tensor:
        scale = self.scale + ops.zeros_like(self.loc)
        return math.log(2.0) + 1.0 + ops.log(scale)

    def _mean(self) -> Tensor:
        return self.loc + ops.zeros_like(self.scale)

    def _stddev(self) -> Tensor:
        return math.sqrt(2.0) * self.scale + ops.zeros_like(self.loc)

    def _mode(self) -> Tensor:
        return self._mean()

    def _standardize(self, x: Tensor) -> Tensor:
        return (x - self.loc) / self.scale
