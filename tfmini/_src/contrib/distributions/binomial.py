"""The binomial distribution: number of successes among trials."""

from __future__ import annotations

from typing import Any

from tfmini._src.base.read_only import read_only
from tfmini._src.contrib.distributions.deprecation import moved
from tfmini._src.graph.convert_to_tensor import convert_to_tensor
from tfmini._src.graph.scopes import name_scope
from tfmini._src.graph.tensor import Tensor, TensorLike
from tfmini._src.ops import ops
from tfmini._src.probability.distributions import checks
from tfmini._src.probability.distributions.parameters import logits_and_probs
from tfmini._src.probability.distributions.reparameterization import NOT_REPARAMETERIZED
from tfmini._src.probability.distributions.scalar import ScalarDistribution


class Binomial(ScalarDistribution):
    """Distribution of integers k from 0 to n with probability n! / (k! (n - k)!) p^k (1 - p)^(n - k).

    Sampling is not implemented, as in TensorFlow 1.15.

    Args:
      total_count: the number of trials n, a float tensor of integers.
      logits: the log-odds of success, broadcasting with `total_count`; pass either `logits` or `probs`.
      probs: the probabilities of success p.
      validate_args: whether to check parameters and counts at run time.
      allow_nan_stats: see `tf.distributions.Distribution`.

    Raises:
      ValueError: if both or neither of `logits` and `probs` are given.

    Example: `tf.contrib.distributions.Binomial(4.0, probs=0.5).prob(2.0)` is 0.375.
    """

    total_count: Tensor = read_only("The numbers of trials.")
    logits: Tensor = read_only("The log-odds of a success.")
    probs: Tensor = read_only("The probabilities of a success.")
    _shape_parameters = ("total_count", "probs")

    @moved
    def __init__(
        self,
        total_count: TensorLike,
        logits: TensorLike | None = None,
        probs: TensorLike | None = None,
        validate_args: bool = False,
        allow_nan_stats: bool = True,
        name: str = "Binomial",
    ):
        parameters = dict(locals())
        with name_scope(name, values=[total_count, logits, probs]) as name:
            total_count = convert_to_tensor(total_count, name="total_count")
            self._total_count = checks.trials(total_count) if validate_args else total_count
            self._logits, self._probs = logits_and_probs(logits, probs, validate_args, name)
        parents = [self._total_count, self._logits, self._probs]
        self._init(parameters, name, NOT_REPARAMETERIZED, parents, dtype=self._probs.dtype)

    @classmethod
    def _param_shapes(cls, sample_shape: Any) -> dict[str, Tensor]:
        raise NotImplementedError("_param_shapes not implemented")

    def _log_prob(self, x: Tensor) -> Tensor:
        k, n = self._check_sample(x), self.total_count
        weighed = k * ops.log(self.probs) + (n - k) * ops.log1p(-self.probs)
        k = self._check_sample(x)
        orders = ops.lgamma(1.0 + n - k) + ops.lgamma(1.0 + k) - ops.lgamma(1.0 + n)
        return weighed - orders

    def _cdf(self, x: Tensor) -> Tensor:
        k, p = self._check_sample(x), self.probs
        shapes = (k.shape, p.shape)
        if not all(s.is_fully_defined() for s in shapes) or not k.shape.is_compatible_with(p.shape):
            p = p + ops.zeros_like(k)
            k = k + ops.zeros_like(self.probs)
        # If all trials succeed, betainc and its gradient are NaN.
        ones = ops.ones_like(self.total_count - k)
        is_all = ops.equal(k, self.total_count)
        failures = ops.where_v2(is_all, ones, self.total_count - k)
        return ops.where_v2(is_all, ones, ops.betainc(failures, k + 1, 1 - p))

    def _mean(self) -> Tensor:
        return self.total_count * self.probs

    def _variance(self) -> Tensor:
        return self._mean() * (1.0 - self.probs)

    def _mode(self) -> Tensor:
        return ops.floor((1.0 + self.total_count) * self.probs)

    def _check_sample(self, x: Tensor) -> Tensor:
        if not self.validate_args:
            return x
        x = checks.counts(x)
        message = "counts are not less than or equal to n."
        check = ops.assert_less_equal(x, self.total_count, message=message)
        return ops.with_dependencies([check], x)
