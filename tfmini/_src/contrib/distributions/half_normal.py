"""The half-normal distribution: absolute values of zero-mean normal variables."""

from __future__ import annotations

from typing import Any

import numpy as np

from tfmini._src.base.read_only import read_only
from tfmini._src.contrib.distributions.deprecation import moved
from tfmini._src.graph.scopes import control_dependencies, name_scope
from tfmini._src.graph.tensor import Tensor, TensorLike
from tfmini._src.ops import ops
from tfmini._src.probability.distributions.ndtri import ndtri
from tfmini._src.probability.distributions.reparameterization import FULLY_REPARAMETERIZED
from tfmini._src.probability.distributions.scalar import ScalarDistribution


class HalfNormal(ScalarDistribution):
    """Distribution with density sqrt(2 / pi) / scale exp(-(x / scale)^2 / 2) for x >= 0.

    Args:
      scale: the standard deviations of the underlying normals, a float tensor of positive numbers.
      validate_args: whether to check the scales at run time.
      allow_nan_stats: see `tf.distributions.Distribution`.

    Example: `tf.contrib.distributions.HalfNormal(1.0).mean()` is 0.798.
    """

    scale: Tensor = read_only("Standard deviations of the underlying normal distribution.")
    _shape_parameters = ("scale",)

    @moved
    def __init__(
        self,
        scale: TensorLike,
        validate_args: bool = False,
        allow_nan_stats: bool = True,
        name: str = "HalfNormal",
    ):
        parameters = dict(locals())
        with name_scope(name, values=[scale]) as name:
            with control_dependencies([ops.assert_positive(scale)] if validate_args else []):
                self._scale = ops.identity(scale, name="scale")
        self._init(parameters, name, FULLY_REPARAMETERIZED, [self._scale])

    def _sample_n(self, n: Any, seed: Any = None) -> Tensor:
        shape = ops.concat([[n], self.batch_shape_tensor()], 0)
        normal = ops.random_normal(shape, mean=0.0, stddev=1.0, dtype=self.dtype, seed=seed)
        return ops.abs(normal * self.scale)

    def _prob(self, x: Tensor) -> Tensor:
        height = np.sqrt(2) / self.scale / np.sqrt(np.pi)
        density = height * ops.exp(-0.5 * (x / self.scale) ** 2)
        return density * ops.cast(x >= 0, self.dtype)

    def _cdf(self, x: Tensor) -> Tensor:
        return ops.erf(ops.relu(x) / self.scale / np.sqrt(2.0))

    def _entropy(self) -> Tensor:
        return 0.5 * ops.log(np.pi * self.scale**2.0 / 2.0) + 0.5

    def _mean(self) -> Tensor:
        return self.scale * np.sqrt(2.0) / np.sqrt(np.pi)

    def _quantile(self, p: Tensor) -> Tensor:
        stretch = np.sqrt(2.0) * self.scale
        with name_scope("erfinv", values=[p]):
            inverse = ndtri((p + 1.0) / 2.0) / np.sqrt(2)
        return stretch * inverse

    def _mode(self) -> Tensor:
        return ops.zeros(self.batch_shape_tensor())

    def _variance(self) -> Tensor:
        return self.scale**2.0 * (1.0 - 2.0 / np.pi)
