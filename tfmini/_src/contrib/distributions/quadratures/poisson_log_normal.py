"""The Poisson distribution with a log-normal rate, as a mixture of a few Poisson distributions."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from tfmini._src.base.read_only import read_only
from tfmini._src.base.shapes import TensorShape
from tfmini._src.contrib.distributions import prefer_static
from tfmini._src.contrib.distributions.deprecation import moved
from tfmini._src.contrib.distributions.poisson import Poisson
from tfmini._src.contrib.distributions.quadratures.schemes import (
    quadrature_scheme_lognormal_quantiles,
)
from tfmini._src.graph.convert_to_tensor import convert_to_tensor
from tfmini._src.graph.scopes import name_scope
from tfmini._src.graph.tensor import Tensor, TensorLike
from tfmini._src.ops import ops
from tfmini._src.probability.distributions.categorical import Categorical
from tfmini._src.probability.distributions.distribution import Distribution
from tfmini._src.probability.distributions.parameters import new_seed
from tfmini._src.probability.distributions.reparameterization import NOT_REPARAMETERIZED
from tfmini._src.probability.distributions.sample_shapes import pick_vector


class PoissonLogNormalQuadratureCompound(Distribution):
    """Distribution of Poisson counts with a log-normal rate, approximated by quadrature over the rate.

    Args:
      loc: the mean of the rate's logarithm, a float tensor.
      scale: its standard deviation, of the same dtype.
      quadrature_size: number of rates, an int.
      quadrature_fn: function that returns rates and weights, such as
        `quadrature_scheme_lognormal_gauss_hermite`.
      validate_args, allow_nan_stats: as in `tf.distributions.Distribution`.

    Raises:
      TypeError: if the dtypes of rates and weights differ.
    """

    mixture_distribution: Categorical = read_only("The distribution that selects the rate.")
    distribution: Poisson = read_only("The Poisson distributions, one for each rate.")
    loc: Tensor = read_only("The mean of the rate's logarithm.")
    scale: Tensor = read_only("The standard deviation of the rate's logarithm.")
    quadrature_size: int = read_only("Number of rates in the quadrature.")

    @moved
    def __init__(
        self,
        loc: TensorLike,
        scale: TensorLike,
        quadrature_size: int = 8,
        quadrature_fn: Callable[..., Any] = quadrature_scheme_lognormal_quantiles,
        validate_args: bool = False,
        allow_nan_stats: bool = True,
        name: str = "PoissonLogNormalQuadratureCompound",
    ):
        parameters = dict(locals())
        with name_scope(name, values=[loc, scale]) as name:
            if loc is not None:
                loc = convert_to_tensor(loc, name="loc")
            if scale is not None:
                dtype = None if loc is None else loc.dtype
                scale = convert_to_tensor(scale, dtype=dtype, name="scale")
            grid, probs = quadrature_fn(loc, scale, quadrature_size, validate_args)
            if grid.dtype.base_dtype != probs.dtype.base_dtype:
                raise TypeError(
                    f"Quadrature grid dtype ({grid.dtype.name}) does not match quadrature "
                    f"probs dtype ({probs.dtype.name})."
                )
            self._distribution = Poisson(
                log_rate=grid, validate_args=validate_args, allow_nan_stats=allow_nan_stats
            )
            self._mixture_distribution = Categorical(
                logits=ops.log(probs),
                validate_args=validate_args,
                allow_nan_stats=allow_nan_stats,
            )
            self._loc, self._scale = loc, scale
            self._quadrature_size = quadrature_size
            self._init(parameters, name, NOT_REPARAMETERIZED, [loc, scale], dtype=grid.dtype)

    def _batch_shape_tensor(self) -> Tensor:
        batch_shape = self.distribution.batch_shape_tensor()
        return ops.broadcast_dynamic_shape(
            batch_shape, ops.shape(self.mixture_distribution.logits)
        )[:-1]

    def _batch_shape(self) -> TensorShape:
        logits = self.mixture_distribution.logits
        return ops.broadcast_static_shape(self.distribution.batch_shape, logits.shape)[:-1]

    def _event_shape(self) -> TensorShape:
        return TensorShape([])

    def _sample_n(self, n: Any, seed: Any = None) -> Tensor:
        batch_size: Any = self.batch_shape.num_elements()
        if batch_size is None:
            batch_size = ops.reduce_prod(self.batch_shape_tensor())
        none = np.array([], np.int32)
        is_scalar = self.mixture_distribution.is_scalar_batch()
        shape = _vector([n], pick_vector(is_scalar, [batch_size], none))
        own_seed = new_seed(seed, "poisson_lognormal_quadrature_compound")
        ids = self._mixture_distribution.sample(sample_shape=shape, seed=own_seed)
        trailing = pick_vector(self.is_scalar_batch(), none, np.array([-1], np.int32))
        ids = ops.reshape(ids, shape=_vector([n], trailing))
        size = self._quadrature_size
        ids += ops.range(start=0, limit=batch_size * size, delta=size, dtype=ids.dtype)
        rate = ops.gather(ops.reshape(self.distribution.rate, shape=[-1]), ids)
        rate = ops.reshape(rate, shape=_vector([n], self.batch_shape_tensor()))
        return ops.random_poisson(lam=rate, shape=[], dtype=self.dtype, seed=seed)

    def _log_prob(self, x: Tensor) -> Tensor:
        logits = self.mixture_distribution.logits
        return ops.reduce_logsumexp(logits + self.distribution.log_prob(x[..., None]), axis=-1)

    def _mean(self) -> Tensor:
        logits = self.mixture_distribution.logits
        return ops.exp(ops.reduce_logsumexp(logits + self.distribution.log_rate, axis=-1))

    def _variance(self) -> Tensor:
        return ops.exp(self._log_variance())

    def _stddev(self) -> Tensor:
        return ops.exp(0.5 * self._log_variance())

    def _log_variance(self) -> Tensor:
        """Returns log(mean of the variances + variance of the means)."""
        distance = self.distribution.mean() - self._mean()[..., None]
        log_square = 2.0 * ops.log(ops.abs(distance))
        parts = ops.stack([self.distribution.log_rate, log_square], axis=-1)
        return ops.reduce_logsumexp(
            self.mixture_distribution.logits[..., None] + parts, axis=[-2, -1]
        )


def _vector(*parts: Any) -> Any:
    """Returns the concatenated vectors, as a list if their values are static."""
    values = [prefer_static.static_value(part) for part in parts]
    if any(value is None for value in values):
        return ops.concat(parts, axis=0)
    return [element for value in values for element in value]
