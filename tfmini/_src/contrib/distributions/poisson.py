"""The Poisson distribution of event counts."""

from __future__ import annotations

from typing import Any

from tfmini._src.base.read_only import read_only
from tfmini._src.contrib.distributions.deprecation import moved
from tfmini._src.graph.convert_to_tensor import convert_to_tensor
from tfmini._src.graph.scopes import control_dependencies, name_scope
from tfmini._src.graph.tensor import Tensor, TensorLike
from tfmini._src.ops import ops
from tfmini._src.probability.distributions import checks
from tfmini._src.probability.distributions.reparameterization import NOT_REPARAMETERIZED
from tfmini._src.probability.distributions.scalar import ScalarDistribution


class Poisson(ScalarDistribution):
    """Distribution of counts k with probability rate^k exp(-rate) / k!. Pass either `rate` or `log_rate`.

    Args:
      rate: the means, a float tensor of positive numbers.
      log_rate: their logarithms.
      validate_args: whether to check rates and counts at run time.
      allow_nan_stats: see `tf.distributions.Distribution`.

    Raises:
      ValueError: if both or neither of `rate` and `log_rate` are given.
      TypeError: if they are not floats.
    """

    rate: Tensor = read_only("The means.")
    log_rate: Tensor = read_only("The logarithms of the means.")
    _batch_parameters = ("rate",)

    @moved
    def __init__(
        self,
        rate: TensorLike | None = None,
        log_rate: TensorLike | None = None,
        validate_args: bool = False,
        allow_nan_stats: bool = True,
        name: str = "Poisson",
    ):
        parameters = dict(locals())
        with name_scope(name, values=[rate]) as name:
            if (rate is None) == (log_rate is None):
                raise ValueError("Must specify exactly one of `rate` and `log_rate`.")
            if log_rate is None:
                rate = _as_floats(rate, "rate")
                with control_dependencies([ops.assert_positive(rate)] if validate_args else []):
                    self._rate = ops.identity(rate, name="rate")
                    self._log_rate = ops.log(rate, name="log_rate")
            else:
                self._log_rate = _as_floats(log_rate, "log_rate")
                self._rate = ops.exp(self._log_rate, name="rate")
        self._init(parameters, name, NOT_REPARAMETERIZED, [self._rate])

    def _log_prob(self, x: Tensor) -> Tensor:
        x = self._check_sample(x)
        return x * self.log_rate - ops.lgamma(1.0 + x) - self.rate

    def _log_cdf(self, x: Tensor) -> Tensor:
        return ops.log(self.cdf(x))

    def _cdf(self, x: Tensor) -> Tensor:
        return ops.igammac(1.0 + self._check_sample(x), self.rate)

    def _mean(self) -> Tensor:
        return ops.identity(self.rate)

    def _variance(self) -> Tensor:
        return ops.identity(self.rate)

    def _mode(self) -> Tensor:
        return ops.floor(self.rate)

    def _sample_n(self, n: Any, seed: Any = None) -> Tensor:
        return ops.random_poisson(self.rate, [n], dtype=self.dtype, seed=seed)

    def _check_sample(self, x: Tensor) -> Tensor:
        return checks.counts(x) if self.validate_args else x


def _as_floats(value: Any, name: str) -> Tensor:
    value = convert_to_tensor(value, name=name)
    if not value.dtype.is_floating:
        raise TypeError(f"{name}.dtype ({value.dtype.name}) is a not a float-type.")
    return value
