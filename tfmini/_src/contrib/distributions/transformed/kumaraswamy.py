"""The Kumaraswamy distribution: similar to the beta distribution, with a closed-form inverse CDF."""

from __future__ import annotations

import numpy as np

from tfmini._src.base.read_only import read_only
from tfmini._src.contrib.distributions.bijectors.kumaraswamy import (
    Kumaraswamy as KumaraswamyBijector,
)
from tfmini._src.contrib.distributions.deprecation import moved
from tfmini._src.contrib.distributions.prefer_static import common_broadcast_shape
from tfmini._src.contrib.distributions.transformed.transformed_distribution import (
    TransformedDistribution,
)
from tfmini._src.graph.convert_to_tensor import convert_to_tensor
from tfmini._src.graph.scopes import name_scope
from tfmini._src.graph.tensor import Tensor, TensorLike
from tfmini._src.ops import ops
from tfmini._src.probability.distributions.reparameterization import FULLY_REPARAMETERIZED
from tfmini._src.probability.distributions.uniform import Uniform


class Kumaraswamy(TransformedDistribution):
    """Distribution with density a b x^(a - 1) (1 - x^a)^(b - 1) for 0 < x < 1.

    Args:
      concentration1: a, a positive float tensor.
      concentration0: b, a positive float tensor.
      validate_args, allow_nan_stats: as in `tf.distributions.Distribution`.
    """

    concentration1: Tensor = read_only(
        "Parameter a: the larger it is, the lower the density near 0.", "bijector.concentration1"
    )
    concentration0: Tensor = read_only(
        "Parameter b: the larger it is, the lower the density near 1.", "bijector.concentration0"
    )

    @moved
    def __init__(
        self,
        concentration1: TensorLike | None = None,
        concentration0: TensorLike | None = None,
        validate_args: bool = False,
        allow_nan_stats: bool = True,
        name: str = "Kumaraswamy",
    ):
        with name_scope(name, values=[concentration1, concentration0]) as name:
            concentration1 = convert_to_tensor(concentration1, name="concentration1")
            concentration0 = convert_to_tensor(concentration0, name="concentration0")
        dtype = concentration1.dtype
        super().__init__(
            distribution=Uniform(
                low=ops.zeros([], dtype=dtype),
                high=ops.ones([], dtype=dtype),
                allow_nan_stats=allow_nan_stats,
            ),
            bijector=KumaraswamyBijector(
                concentration1=concentration1,
                concentration0=concentration0,
                validate_args=validate_args,
            ),
            batch_shape=common_broadcast_shape(concentration1, concentration0),
            name=name,
        )
        self._reparameterization_type = FULLY_REPARAMETERIZED

    def _entropy(self) -> Tensor:
        a, b = self.concentration1, self.concentration0
        start = 1 - 1.0 / a
        return start + (1 - 1.0 / b) * _harmonic_number(b) + ops.log(a) + ops.log(b)

    def _moment(self, n: int) -> Tensor:
        """Returns the mean of x^n: b B(1 + n / a, b)."""
        total = self.concentration1 + self.concentration0
        a = ops.ones_like(total, dtype=self.dtype) * self.concentration1
        b = ops.ones_like(total, dtype=self.dtype) * self.concentration0
        arguments = ops.stack([1 + n / a, b], -1)
        return ops.exp(ops.log(b) + ops.lbeta(arguments))

    def _mean(self) -> Tensor:
        return self._moment(1)

    def _variance(self) -> Tensor:
        return self._moment(2) - ops.square(self._moment(1))

    def _mode(self) -> Tensor:
        a, b = self.concentration1, self.concentration0
        mode = ((a - 1) / (a * b - 1)) ** (1.0 / a)
        if self.allow_nan_stats:
            value = np.array(np.nan, dtype=self.dtype.as_numpy_dtype)
            nan = ops.fill(self.batch_shape_tensor(), value, name="nan")
            return ops.where_v2((a > 1.0) & (b > 1.0), mode, nan)
        checks = [
            ops.assert_less(
                ops.ones([], dtype=concentration.dtype),
                concentration,
                message=f"Mode undefined for {name} <= 1.",
            )
            for name, concentration in (("concentration1", a), ("concentration0", b))
        ]
        return ops.with_dependencies(checks, mode)


@moved
def _harmonic_number(x: Tensor) -> Tensor:
    """Returns the harmonic number of x, extended to real x."""
    one = ops.ones([], dtype=x.dtype)
    return ops.digamma(x + one) - ops.digamma(one)
