"""The negative binomial distribution: the number of successes before a given number of failures."""

from __future__ import annotations

from typing import Any

from tfmini._src.base.read_only import read_only
from tfmini._src.contrib.distributions.deprecation import moved
from tfmini._src.graph.scopes import control_dependencies, name_scope
from tfmini._src.graph.tensor import Tensor, TensorLike
from tfmini._src.ops import ops
from tfmini._src.probability.distributions import checks
from tfmini._src.probability.distributions.parameters import logits_and_probs, new_seed
from tfmini._src.probability.distributions.reparameterization import NOT_REPARAMETERIZED
from tfmini._src.probability.distributions.scalar import ScalarDistribution


class NegativeBinomial(ScalarDistribution):
    """Distribution of integers k >= 0 with probability probs^k (1 - probs)^n (k + n - 1)! / (k! (n - 1)!).

    Pass either `logits` or `probs`.

    Args:
      total_count: the number of failures n, a positive float tensor, not necessarily of integers.
      logits: the log-odds of success, a float tensor.
      probs: the probabilities of success.
      validate_args: whether to check parameters and counts at run time.
      allow_nan_stats: see `tf.distributions.Distribution`.

    Raises:
      ValueError: if both or neither of `logits` and `probs` are given.
    """

    total_count: Tensor = read_only("Number of failures that end the trials.")
    logits: Tensor = read_only("The log-odds of success.")
    probs: Tensor = read_only("The probabilities of success.")
    _batch_parameters = ("total_count", "probs")

    @moved
    def __init__(
        self,
        total_count: TensorLike,
        logits: TensorLike | None = None,
        probs: TensorLike | None = None,
        validate_args: bool = False,
        allow_nan_stats: bool = True,
        name: str = "NegativeBinomial",
    ):
        parameters = dict(locals())
        with name_scope(name, values=[total_count, logits, probs]) as name:
            self._logits, self._probs = logits_and_probs(logits, probs, validate_args, name)
            with control_dependencies([ops.assert_positive(total_count)] if validate_args else []):
                self._total_count = ops.identity(total_count)
        parents = [self._total_count, self._probs, self._logits]
        self._init(parameters, name, NOT_REPARAMETERIZED, parents, dtype=self._probs.dtype)

    def _sample_n(self, n: Any, seed: Any = None) -> Tensor:
        """Draws Poisson samples with gamma-distributed rates."""
        rate = ops.random_gamma(
            shape=[n],
            alpha=self.total_count,
            beta=ops.exp(-self.logits),
            dtype=self.dtype,
            seed=seed,
        )
        seed = new_seed(seed, "negative_binom")
        return ops.random_poisson(rate, shape=[], dtype=self.dtype, seed=seed)

    def _cdf(self, x: Tensor) -> Tensor:
        return ops.betainc(self.total_count, 1.0 + self._check_sample(x), ops.sigmoid(-self.logits))

    def _log_prob(self, x: Tensor) -> Tensor:
        return self._log_unnormalized_prob(x) - self._log_normalization(x)

    def _log_unnormalized_prob(self, x: Tensor) -> Tensor:
        x = self._check_sample(x)
        failures = self.total_count * ops.log_sigmoid(-self.logits)
        return failures + x * ops.log_sigmoid(self.logits)

    def _log_normalization(self, x: Tensor) -> Tensor:
        x = self._check_sample(x)
        orders = -ops.lgamma(self.total_count + x)
        return orders + ops.lgamma(1.0 + x) + ops.lgamma(self.total_count)

    def _mean(self) -> Tensor:
        return self.total_count * ops.exp(self.logits)

    def _mode(self) -> Tensor:
        count = ops.where_v2(
            1.0 < self.total_count, self.total_count - 1.0, ops.zeros_like(self.total_count)
        )
        return ops.floor(count * ops.exp(self.logits))

    def _variance(self) -> Tensor:
        return self._mean() / ops.sigmoid(-self.logits)

    def _check_sample(self, x: Tensor) -> Tensor:
        return checks.counts(x) if self.validate_args else x
