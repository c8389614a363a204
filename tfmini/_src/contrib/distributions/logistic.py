"""The logistic distribution."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from tfmini._src.base.names.signature import arguments_of
from tfmini._src.contrib.distributions.deprecation import moved
from tfmini._src.graph.tensor import Tensor
from tfmini._src.ops import ops
from tfmini._src.probability.distributions.normal import Normal
from tfmini._src.probability.distributions.scalar import LocationScaleDistribution


class Logistic(LocationScaleDistribution):
    """Distribution with cumulative distribution function sigmoid((x - loc) / scale).

    Args:
      loc: the means, a float tensor.
      scale: the scales, of the same dtype, broadcasting with `loc`.
      validate_args: whether to check at run time that scales are positive.
      allow_nan_stats: see `tf.distributions.Distribution`.

    Raises:
      ValueError: if the dtypes differ or are not floats.
    """

    @moved
    @arguments_of(Normal, name="Logistic")
    def __init__(self, **kwargs: Any):
        super().__init__(kwargs)

    def _sample_n(self, n: Any, seed: Any = None) -> Tensor:
        uniform = ops.random_uniform(
            shape=ops.concat([[n], self.batch_shape_tensor()], 0),
            minval=np.finfo(self.dtype.as_numpy_dtype).tiny,  # log(0) is infinite
            maxval=1.0,
            dtype=self.dtype,
            seed=seed,
        )
        standard = ops.log(uniform) - ops.log1p(-1.0 * uniform)
        return standard * self.scale + self.loc

    def _log_prob(self, x: Tensor) -> Tensor:
        z = self._standardize(x)
        return -z - 2.0 * ops.softplus(-z) - ops.log(self.scale)

    def _log_cdf(self, x: Tensor) -> Tensor:
        return -ops.softplus(-self._standardize(x))

    def _cdf(self, x: Tensor) -> Tensor:
        return ops.sigmoid(self._standardize(x))

    def _log_survival_function(self, x: Tensor) -> Tensor:
        return -ops.softplus(self._standardize(x))

    def _survival_function(self, x: Tensor) -> Tensor:
        return ops.sigmoid(-self._standardize(x))

    def _entropy(self) -> Tensor:
        scale = self.scale * ops.ones_like(self.loc)
        return 2 + ops.log(scale)

    def _mean(self) -> Tensor:
        return self.loc * ops.ones_like(self.scale)

    def _stddev(self) -> Tensor:
        return self.scale * ops.ones_like(self.loc) * math.pi / math.sqrt(3)

    def _mode(self) -> Tensor:
        return self._mean()
